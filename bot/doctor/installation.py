"""Checks of the installed packages, the settings, the token and the database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

from bot.doctor import MEND, Finding, problem, well
from bot.doctor.database import database_findings, server_findings
from bot.engine.errors import ConfigurationError
from bot.engine.translation import SOURCE_LANGUAGE
from bot.games import games
from bot.languages import LOCALES, load_languages
from bot.rendering import draw
from bot.requests.http_transport import ask_at
from bot.requests.invitation import application_in, invitation
from bot.requests.token_check import BotAccount, TokenCheckError, check_token
from bot.settings import SettingsError, complaints, no_token, read_settings
from bot.storage.database_address import Server, locate, require_shareable


def settings_findings(*, is_offline: bool) -> Iterator[Finding]:
    """Check the installation, the settings, the token and the database, and yield the results.

    Raises:
        RibitError: A setting or the database is unusable. No further check is possible.
    """
    yield from house_findings()
    settings = read_settings(is_offline=True)
    yield from map(problem, complaints())
    ask_at(settings.discord_api)
    try:
        settings = read_settings()
    except SettingsError as error:
        yield problem(error.sentence)
        is_offline = True
    if settings.proxy is not None:
        yield well(f"Discord is reached through the proxy {settings.proxy_place}.")
    yield from token_findings(settings.token, is_offline=is_offline, proxy=settings.proxy)
    yield _policy(settings.privacy_url)
    location = locate(settings.database)
    require_shareable(location, settings.shards)
    if isinstance(location, Server):
        yield from server_findings(location, int(time.time()), settings.shards)
    else:
        yield from database_findings(location, int(time.time()))


def _policy(address: str | None) -> Finding:
    if address is not None:
        return well(f"/privacy links to the privacy policy at {address}.")
    return well(
        "RIBIT_PRIVACY_URL is not set: /privacy links to no policy. Discord asks for one of a bot that "
        "is in 75 servers or more; docs/privacy.md is one to fill in."
    )


_FAULTS = (ImportError, OSError, ValueError, NotImplementedError, ConfigurationError)
"""Errors that Python and Pillow raise if a file or package is missing or broken."""


def house_findings() -> Iterator[Finding]:
    checks = {
        "The languages cannot be read": _languages,
        "The rules of a game cannot be read": _rules,
        "A table cannot be drawn": _drawing,
    }
    for fault, check in checks.items():
        try:
            yield well(check())
        except _FAULTS as error:
            yield problem(f"{fault} ({error}). {MEND}")


def _languages() -> str:
    if not (languages := load_languages()):
        raise OSError(f"there is no catalogue in {LOCALES}")
    return f"Ribit speaks {', '.join([SOURCE_LANGUAGE, *languages])}."


def _rules() -> str:
    names = [game.info.name for game in games().values() if game.pages()]
    return f"The games, with their rules: {', '.join(names)}."


def _drawing() -> str:
    """Draw a picture for each game, to check that the fonts are installed.

    Return a sentence for the report.
    """
    size = sum(len(draw(game.pages()[0].picture())) for game in games().values())
    return f"The font is found, and a table of each game is drawn ({size // 1024} KB)."


def token_findings(
    token: str | None, *, is_offline: bool, proxy: str | None = None
) -> Iterator[Finding]:
    """Check the bot's token, and yield the results.

    If ``is_offline`` is False, this logs in over HTTP with the token. It does not connect to the
    gateway.
    """
    if token is None:
        yield problem(no_token())
        return
    application_id = application_in(token)
    if is_offline:
        yield well("DISCORD_TOKEN is set; Discord is not asked about it.")
    else:
        try:
            account = asyncio.run(check_token(token, proxy))
        except TokenCheckError as error:
            yield problem(error.sentence)
        else:
            application_id = account.application_id
            yield _starts(account)
            yield from map(problem, account.problems())
    if application_id is not None:
        yield well(invitation(application_id))


def _starts(account: BotAccount) -> Finding:
    accepted, limits = account.acceptance, account.starts
    if limits is None:
        return well(accepted)
    reset = f"{-(-limits.reset_after // 60_000)} min"
    if limits.remaining < 1:
        return problem(f"{accepted} No session start is left: a start waits for {reset} to connect.")
    return well(f"{accepted} {limits.remaining} of {limits.total} session starts are left for {reset}.")

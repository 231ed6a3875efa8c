"""Interactive set-up. It asks for the token, checks it with Discord and writes ``.env``."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
import warnings
from getpass import GetPassWarning, getpass
from pathlib import Path

from bot.console import say
from bot.engine.errors import RibitError
from bot.requests.http_transport import ask_at
from bot.requests.invitation import invitation
from bot.requests.token_check import check_token
from bot.settings import LOGIN_REFUSED, read_settings, settings_file

PORTAL = "https://discord.com/developers/applications"
CONTAINERS = ("container", "KUBERNETES_SERVICE_HOST")
"""Environment variables that indicate a container. Ribit's image, Podman and Kubernetes set one."""

_TOKEN = re.compile(r"[\w.-]+", re.ASCII)


class SetupError(RibitError):
    """Raised when the interactive set-up cannot be completed. No file was written."""


def can_ask() -> bool:
    """Return whether the set-up can ask questions and no ``.env`` file exists yet."""
    return has_terminal() and not _in_container() and not os.path.lexists(settings_file())


def is_confirmed(question: str) -> bool:
    """Ask a yes-or-no question. Enter means yes. Ctrl-C and Ctrl-D mean no."""
    try:
        return input(f"{question} [Y/n] ").strip().lower() in {"", "y", "yes"}
    except (EOFError, KeyboardInterrupt):
        say("")
        return False


def set_up() -> None:
    """Check the bot token, write it to ``.env`` and print the invite link.

    If no token is set in the environment, ask for it.

    Raises:
        SetupError: The host cancelled or gave no valid token, or the file cannot be written.
        TokenCheckError: Discord refuses the token or cannot be reached.
        SettingsError: A setting in the environment is invalid.
    """
    if _in_container():
        raise SetupError(
            "In a container settings are variables: set DISCORD_TOKEN, and if you like RIBIT_DATABASE "
            "and the others of .env.example, with --env or in an env_file, and start the container."
        )
    file = settings_file()
    if os.path.lexists(file):
        raise SetupError(
            f"{file} exists already and is kept as it is: write DISCORD_TOKEN into it, or move it away "
            "and run ribit setup again. ribit doctor checks it."
        )
    if not os.access(file.parent, os.W_OK):
        raise SetupError(f"The folder {file.parent} cannot be written. Run ribit setup in another.")
    settings = read_settings()
    ask_at(settings.discord_api)
    try:
        token = _clean(settings.token or _ask_token())
        account = asyncio.run(check_token(token, settings.proxy))
    except KeyboardInterrupt:
        say("")  # ends the line of the question
        raise SetupError("Stopped, and nothing was written.") from None
    _write(file, f"DISCORD_TOKEN={token}\n")
    say(account.acceptance)
    say(f"{file} has the token now, and only you can read it.")
    say("Ribit needs no privileged intent: leave the three on the Bot page turned off.")
    for sentence in account.problems():
        say(f"Problem: {sentence}")
    say(invitation(account.application_id))


def has_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _in_container() -> bool:
    return any(os.environ.get(name) for name in CONTAINERS)


def _ask_token() -> str:
    if not has_terminal():
        raise SetupError(
            "There is no terminal on which to ask for the token. Set DISCORD_TOKEN in the environment."
        )
    say(f"1. Open {PORTAL}, press New Application, and give it a name.")
    say("2. On its page Bot, press Reset Token and copy the token.")
    with warnings.catch_warnings():
        warnings.simplefilter("error", GetPassWarning)  # the terminal would show the token
        try:
            return getpass("3. Paste the token here (it stays invisible), and press Enter: ")
        except EOFError:
            return ""
        except GetPassWarning:
            raise SetupError(
                "This terminal would show the token. Set DISCORD_TOKEN in the environment."
            ) from None


def _clean(token: str) -> str:
    token = token.strip().strip("\"'").removeprefix("Bot ").strip()
    if not token:
        raise SetupError("No token was given, and nothing was written. Run ribit setup again.")
    if _TOKEN.fullmatch(token) is None:
        raise SetupError(LOGIN_REFUSED)
    return token


def _write(file: Path, text: str) -> None:
    """Write a new file that only its owner can read. After an error, delete the incomplete file."""
    draft: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=".env.", dir=file.parent)  # with mode 0600
        draft = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        draft.rename(file)
    except OSError as error:
        raise SetupError(
            f"{file} cannot be written ({error.strerror}). Make room or check its folder's permissions, "
            "and run ribit setup again."
        ) from error
    finally:
        if draft is not None:
            draft.unlink(missing_ok=True)

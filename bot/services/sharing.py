"""Replays as they are asked for, and a part of one as a moving picture, posted for all to see."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import partial

import discord
import structlog

from bot.engine.replay import Replay
from bot.engine.words import _, language, speaking
from bot.messages.channel_access import ATTACH_FILES, elsewhere
from bot.messages.components import Content
from bot.messages.daily_deal import day_of, ends_at
from bot.messages.film import Film, drawing_of
from bot.messages.replays import MARK, ShareRange, replay_content
from bot.messages.text_table import as_liked
from bot.requests.answers import SILENT, Answer
from bot.requests.components import form
from bot.requests.user_install import is_guest, is_own_dm
from bot.services import Services
from bot.services.start_checks import plays_here
from bot.sessions.errors import TableError
from bot.sessions.table import Table

log = structlog.get_logger(__name__)

SHARING_SECONDS = 60
"""How long after one moving picture a player waits for the next."""

_REFUSED, _FAILED = 400, 500


async def check_may_share(services: Services, asked: discord.Interaction, replay: Replay) -> None:
    """Raise TableError where a part of a match cannot be shown to all who are there, or not yet."""
    access, match = services.access, replay.match
    if not (is_own_dm(asked) or await access.may_be_shown_in(match, asked.guild_id, asked.user.id)):
        raise TableError(_("This match is another server's, so I don't show it to everybody here."))
    if not is_guest(asked) and not await plays_here(services.display, asked):
        raise TableError(elsewhere(await services.servers.get(asked.guild_id)))
    if day := await running_day(services, asked, replay):
        words = _("This is the deal of the day. You can share it when the day is over, {when}.")
        raise TableError(words.format(when=f"<t:{ends_at(day)}:R>"))
    if asked.guild_id is not None and not asked.app_permissions.attach_files:
        words = _("I need the permission **{permission}** here to post a moving picture.")
        raise TableError(words.format(permission=_(ATTACH_FILES)))
    if (until := services.sharing.until(asked.user.id)) is not None:
        words = _("One moving picture a minute: you can share the next one {when}.")
        raise TableError(words.format(when=f"<t:{until}:R>"))


async def ask_range(answer: Answer, replay: Replay, n: int) -> None:
    """Ask from which move to which a match is to be shared."""
    title = _("Share a moment")
    fields = ((_("From move"), str(max(n - 10, 0))), (_("To move"), str(n)))
    if not await answer.ask(form(title, ShareRange(replay.match.id, n, "", "").custom_id, fields)):
        raise TableError(_("I'm slow just now. Please try again in a moment."))


async def share(services: Services, answer: Answer, replay: Replay, n: int, film: Film) -> None:
    """Have a film made and post it, and say so on the page of the replay."""
    asked, match = answer.interaction, replay.match
    await check_may_share(services, asked, replay)
    services.sharing.note(asked.user.id)
    await answer.acknowledge()
    note = ""
    try:
        await _post(services, answer, replay, film)
        note = _("Shared: everybody here can see it.")
    finally:
        await answer.update(await replay_page(services, asked, replay, n, note))
    log.info("shared", match=match.id, pictures=len(film.moves), player=asked.user.id)


async def _post(services: Services, answer: Answer, replay: Replay, film: Film) -> None:
    asked = answer.interaction
    look = await services.display.appearances.of_table(Table(replay.match, replay.game))
    film = replace(film, four_colours=look.four_colours)
    with speaking(
        await services.display.plans.language_in(asked.guild_id) if asked.guild_id else language()
    ):
        words, spoken = _told(replay, film), language()
    picture = await services.thinkers.ask(drawing_of(film, replay, spoken), who=asked.user.id)
    file = discord.File(io.BytesIO(picture), f"ribit-{replay.match.id}.gif", description=words)
    try:
        await asked.followup.send(f"{MARK} {words}", file=file, allowed_mentions=SILENT, wait=True)
    except discord.HTTPException as error:
        if not _REFUSED <= error.status < _FAILED:
            raise
        log.warning("a moving picture was refused", match=replay.match.id, error=str(error))
        raise TableError(_("Discord didn't take the moving picture. Try a shorter part.")) from None


def _told(replay: Replay, film: Film) -> str:
    words = _("{game}, moves {first} to {last} of match {id}. Watch it all: `/replay {id}`")
    return words.format(
        game=replay.game.info.name, first=film.moves[0], last=film.moves[-1], id=replay.match.id
    )


async def watched(services: Services, asked: discord.Interaction, match_id: str) -> Replay:
    """Return the replay of a match for who asks; raises TableError where they may not watch it."""
    return await services.replays.of(
        match_id, asked.user.id, partial(services.access.check_may_look, asked)
    )


async def running_day(services: Services, asked: discord.Interaction, replay: Replay) -> int:
    """Return the day whose deal a match is of, if that is not over, or 0."""
    day = await services.access.day_of_deal(replay.match)
    return day if day >= day_of(asked.created_at) else 0


async def replay_page(
    services: Services, asked: discord.Interaction, replay: Replay, n: int, note: str = ""
) -> Content:
    """Return a page of a replay as who asks likes it."""
    look = await services.display.appearances.of_own(asked.user.id, asked.guild_id, asked.channel_id)
    return as_liked(replay_content(replay, n, look, note), look)


async def watched_page(
    services: Services, asked: discord.Interaction, match_id: str, n: int = 0
) -> Content:
    """Return a page of the replay of a match; raises TableError where they may not watch it."""
    replay = await watched(services, asked, match_id)
    return await replay_page(services, asked, replay, n)

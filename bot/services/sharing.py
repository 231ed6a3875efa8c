"""A part of a match as a moving picture, made in a worker process and posted for all to see."""

from __future__ import annotations

import io
from dataclasses import replace

import discord
import structlog

from bot.engine.replay import Replay
from bot.engine.words import _, language, speaking
from bot.messages.channel_access import ATTACH_FILES
from bot.messages.components import notice_content
from bot.messages.daily_deal import ends_at
from bot.messages.film import DrawFrames, Film, JoinFrames, part_of
from bot.messages.replays import MARK, ShareRange
from bot.messages.settings import elsewhere
from bot.rendering.animation import Frame
from bot.requests.answers import SILENT, Answer
from bot.requests.components import form
from bot.requests.user_install import is_guest, is_own_dm
from bot.services import Services
from bot.services.replays import replay_page, running_day
from bot.services.start_checks import plays_here
from bot.sessions.errors import TableError
from bot.sessions.table import Table

log = structlog.get_logger(__name__)

AT_ONCE = 16
"""How many pictures a worker draws before it is free for others, and who waits is told how far it is."""

SHARING_SECONDS = 60
"""How long after one moving picture a player waits for the next."""

_REFUSED, _FAILED = 400, 500


async def check_may_share(services: Services, asked: discord.Interaction, replay: Replay) -> None:
    """Raise TableError where a part of a match cannot be shown to all who are there, or not yet."""
    replays, match = services.replays, replay.match
    if not (is_own_dm(asked) or await replays.may_be_shown_in(match, asked.guild_id, asked.user.id)):
        raise TableError(_("This match is another server's, so I don't show it to everybody here."))
    if not is_guest(asked) and not await plays_here(services, asked):
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
    """Have a film made and post it, while the page of the replay says how far that is."""
    asked, match = answer.interaction, replay.match
    await check_may_share(services, asked, replay)
    services.sharing.start(asked.user.id)
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
    picture = await _made(services, answer, replay, film, spoken)
    file = discord.File(io.BytesIO(picture), f"ribit-{replay.match.id}.gif", description=words)
    try:
        await asked.followup.send(f"{MARK} {words}", file=file, allowed_mentions=SILENT, wait=True)
    except discord.HTTPException as error:
        if not _REFUSED <= error.status < _FAILED:
            raise
        log.warning("a moving picture was refused", match=replay.match.id, error=str(error))
        raise TableError(_("Discord didn't take the moving picture. Try a shorter part.")) from None


async def _made(services: Services, answer: Answer, replay: Replay, film: Film, spoken: str) -> bytes:
    """Return the GIF, and say before each part of it how far it is."""
    made: list[Frame] = []
    who = answer.interaction.user.id
    words = _("{mark} Drawing: {n} of {all} pictures…")
    for first in range(0, len(film.moves), AT_ONCE):
        told = words.format(mark=MARK, n=first, all=len(film.moves))
        await answer.update(notice_content(told))
        part = part_of(film, replay, first, AT_ONCE)
        made += await services.thinkers.ask(DrawFrames(film, part, spoken), who=who)
    return await services.thinkers.ask(JoinFrames(made), who=who)


def _told(replay: Replay, film: Film) -> str:
    words = _("{game}, moves {first} to {last} of match {id}. Watch it all: `/replay {id}`")
    return words.format(
        game=replay.game.info.name, first=film.moves[0], last=film.moves[-1], id=replay.match.id
    )

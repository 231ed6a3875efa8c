"""Verifying a match: its record is found once it is over, and checked in a worker."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TypeVar

import discord

from bot.engine.commitment import commitment_to, interactions_of
from bot.engine.match import DEAL, Match
from bot.engine.task import NoAnswerError, Task
from bot.engine.words import _
from bot.messages.components import Content
from bot.messages.daily_deal import day_after, day_of, ends_at
from bot.messages.verification import dealt_content, uncommitted_words, verified_content
from bot.services import Services
from bot.sessions.errors import TableError
from bot.sessions.tasks import Recorded, Verified

T = TypeVar("T")


async def tomorrows_commitment(services: Services, game: str, today: int) -> str:
    """Return the commitment to the deal of the day after today."""
    return commitment_to(await services.days.secret_of(game, day_after(today)))


async def how_dealt(services: Services, interaction: discord.Interaction, match: Match) -> Content:
    """Return how a match is dealt, or was: all of it once nobody can use that any more."""
    today = day_of(interaction.created_at)
    if _may_know(match, today) and (match.secret is not None or match.options.get(DEAL)):
        return await verification_of(services, interaction, match.id)
    is_days = bool(match.day or match.replay)
    tomorrow = await tomorrows_commitment(services, match.game, today) if is_days else ""
    return dealt_content(match, tomorrow)


def _may_know(match: Match, today: int) -> bool:
    is_over = not match.stage.is_live and match.seed is not None and not match.is_lesson
    return is_over and (match.day or match.replay) < today


async def verification_of(
    services: Services, interaction: discord.Interaction, match_id: str
) -> Content:
    """Return what comes of verifying a match; raises TableError for one that is not to be verified."""
    match = await _verifiable(services, interaction, match_id)
    about, report = (match.game, match.id, interactions_of(match)), None
    record, _file = await _made(Recorded(*about), match.id, services, interaction)
    with suppress(NoAnswerError):  # frogs' moves may take long to be thought out again
        report = await _made(Verified(*about), match.id, services, interaction)
    return verified_content(record, report)


async def record_file(services: Services, interaction: discord.Interaction, match_id: str) -> bytes:
    """Return the file that a match is verified by; raises TableError as ``verification_of``."""
    match = await _verifiable(services, interaction, match_id)
    task = Recorded(match.game, match.id, interactions_of(match))
    _record, file = await _made(task, match.id, services, interaction)
    return file


async def _made(task: Task[T], match_id: str, services: Services, interaction: discord.Interaction) -> T:
    read = partial(services.tables.whole, match_id)
    return await services.thinkers.ask(task, who=interaction.user.id, read=read)


async def _verifiable(services: Services, interaction: discord.Interaction, match_id: str) -> Match:
    """Return a match that is over and can be verified; raises TableError for any other."""
    match = await services.tables.stored(match_id.strip().lower())
    if match is None:
        raise TableError(_("I know no match of that id. *How to play* at a table leads to its id."))
    await services.access.check_may_look(interaction, match, at_secret=True)
    if match.is_lesson:
        raise TableError(_("A lesson has the same cards for everybody: there is nothing to verify."))
    if match.stage.is_live:
        raise TableError(_("That match is not over yet. You can verify it afterwards."))
    if match.seed is None:
        raise TableError(_("That table was closed before any cards were dealt."))
    if not _may_know(match, day_of(interaction.created_at)):
        words = _("That is the deal of a day that is not over. You can verify it {when}.")
        raise TableError(words.format(when=f"<t:{ends_at(match.day or match.replay)}:R>"))
    if match.secret is None and not match.options.get(DEAL):
        raise TableError(uncommitted_words(match))
    known = services.games.get(match.game)
    if known is None or known.by_rules(match.rules_version) is None:
        raise TableError(_("That match was played by rules that I no longer know."))
    return match


async def last_match_here(services: Services, interaction: discord.Interaction) -> str:
    """Return the id of the match that ended last in a channel; raises TableError where none did."""
    match_id = await services.tables.ended_in(interaction.channel_id or 0)
    if match_id is None:
        raise TableError(_("No match has ended in this channel. Say which one: `/verify match:ID`."))
    return match_id

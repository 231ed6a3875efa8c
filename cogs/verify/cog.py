"""The command ``/verify``, and the *How was this dealt?* button below the rules that a table shows."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import action, handles
from bot.delivery.match_access import MatchAccess
from bot.engine.game import AnyGame
from bot.engine.translation import _
from bot.engine.worker_task import NoAnswerError
from bot.features import Feature
from bot.matches.commitment import commitment_to, interactions_of
from bot.matches.duels import secret_key
from bot.matches.leaderboard_rules import DAY_SECONDS
from bot.matches.match import Match
from bot.messages.components import Button, Content, File, Row, layout, row
from bot.messages.custom_ids import action_id
from bot.messages.deal_calendar import counts_until, day_after, day_of, still_counts
from bot.messages.time_limits import when
from bot.requests.answers import answering
from bot.sessions.errors import TableError
from bot.sessions.ports import Opponents
from bot.sessions.table_state import Table
from bot.sessions.tables import Tables
from bot.storage.daily_deals import Days
from cogs.verify.content import DownloadRecord, dealt_content, uncommitted_words, verified_content
from cogs.verify.tasks import MakeRecord, VerifyMatch


class Verification(commands.Cog):
    """The ``/verify`` cog. Worker processes create the match's record and check it."""

    def __init__(self, tables: Tables, days: Days, thinkers: Opponents, access: MatchAccess) -> None:
        self._tables = tables
        self._days = days
        self._thinkers = thinkers
        self._access = access

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(match="The ID of a match (default: the last one that ended here)")
    async def verify(self, interaction: discord.Interaction, match: str | None = None) -> None:
        """Check that a finished match was dealt fairly."""
        async with answering(interaction) as answer:
            match_id = match or await self._tables.journal.last_ended_in(interaction.channel_id or 0)
            if match_id is None:
                words = _(
                    "No match has ended in this channel yet. To check another one, use `/verify "
                    "match:ID`."
                )
                raise TableError(words)
            await answer.send_ephemeral(await self._verification(interaction, match_id))

    @action("dealt", in_private=True)
    async def show_deal(self, clicked: ClickContext, table: Table) -> None:
        """Show how a match was dealt.

        If the secret behind the deal may already be revealed, verify the match and show the result.
        Otherwise, show only the commitment to the secret.
        """
        match, interaction = table.match, clicked.interaction
        today = day_of(interaction.created_at)
        if _may_know(match, today) and (match.secret is not None or match.type.deal):
            await clicked.answer.send_ephemeral(await self._verification(interaction, match.id))
            return
        tomorrow = ""
        if match.day or match.replay or (match.type.duel and not match.type.challenge):
            decided = secret_key(match.game) if match.type.duel else match.game
            tomorrow = commitment_to(await self._days.secret_of(decided, day_after(today)))
        is_shown = table.is_new and not match.is_private
        await clicked.answer.send_ephemeral(dealt_content(match, tomorrow, omits_frogs=is_shown))

    @handles(DownloadRecord, in_private=True)
    async def download(self, clicked: ClickContext, asked: DownloadRecord) -> None:
        match = await self._verifiable(clicked.interaction, asked.match_id)
        task = MakeRecord(match.game, match.id, interactions_of(match))
        read = partial(self._tables.whole, match.id)
        _record, file = await self._thinkers.ask(task, who=clicked.player_id, read=read)
        await clicked.answer.send_ephemeral(layout(File(f"ribit-{match.id}.json", file)))

    async def _verification(self, interaction: discord.Interaction, match_id: str) -> Content:
        match = await self._verifiable(interaction, match_id)
        about, report = (match.game, match.id, interactions_of(match)), None
        ask = partial(
            self._thinkers.ask, who=interaction.user.id, read=partial(self._tables.whole, match.id)
        )
        record, _file = await ask(MakeRecord(*about))
        with suppress(NoAnswerError):  # it may take long to compute computer players' moves again
            report = await ask(VerifyMatch(*about))
        return verified_content(record, report)

    async def _verifiable(self, interaction: discord.Interaction, match_id: str) -> Match:
        """Return a finished match that can be verified.

        Raises:
            TableError: The match is unknown or cannot be verified. The error's text gives the reason.
        """
        match = await self._tables.journal.find(match_id.strip().lower())
        if match is None:
            raise TableError(
                _(
                    "I don't know a match with that ID. You can find the ID at the table, under "
                    "*How to play*."
                )
            )
        await self._access.check_may_look(interaction, match)
        if match.is_lesson:
            words = _("A lesson has the same cards for everybody, so there's nothing to verify.")
            raise TableError(words)
        if match.stage.is_live:
            raise TableError(_("That match isn't over yet. You can verify it afterwards."))
        if match.seed is None:
            raise TableError(_("That table was closed before any cards were dealt."))
        if not _may_know(match, day_of(interaction.created_at)):
            words = _("Others can still win this deal of the day. You can verify it {when}.")
            if match.type.duel:
                words = _("Others can still play these boards. You can verify them {when}.")
            raise TableError(words.format(when=when(counts_until(match.type.any_day), DAY_SECONDS)))
        if match.secret is None and not match.type.deal:
            raise TableError(uncommitted_words(match))
        known = self._tables.games.get(match.game)
        if known is None or known.by_rules(match.rules_version) is None:
            raise TableError(_("That match was played by rules I no longer know."))
        return match


def _may_know(match: Match, today: int) -> bool:
    is_over = not match.stage.is_live and match.seed is not None and not match.is_lesson
    return is_over and not still_counts(match.type.any_day, today)


async def _in_rules(_game: AnyGame, _player_id: int, match_id: str | None) -> Row | None:
    if match_id is None:
        return None
    return row(Button(action_id(match_id, "dealt"), _("How was this dealt?"), emoji="🔏"))


async def setup(bot: Ribit) -> None:
    cog = Verification(bot.tables, bot.database.days, bot.thinkers, bot.access)
    await bot.add_feature(Feature(cog, in_rules=_in_rules))

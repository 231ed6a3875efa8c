"""``/correct``: a match, a player or a name is taken off a server's leaderboards, or put back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Self

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.clicked import Clicked, unknown_button
from bot.delivery.clicks import handles
from bot.delivery.start_checks import check_is_admin
from bot.engine.game import AnyGame
from bot.engine.names import inert
from bot.engine.panel import Tone
from bot.engine.values import frozen
from bot.engine.words import N_, _
from bot.features import Feature
from bot.matches.leaderboard import Kind, Removal
from bot.matches.match import Match
from bot.messages.components import Button, Content, Menu, Option, Row, notice_content, row
from bot.messages.custom_ids import MATCH, Control
from bot.messages.player_names import written_names
from bot.requests.answers import answering
from bot.sessions.tables import Tables
from cogs.removals.storage import Removals, Removing

log = structlog.get_logger(__name__)

_CORRECTIONS = [
    app_commands.Choice(name="one match", value=Kind.MATCH.value),
    app_commands.Choice(name="a player, with all they play here", value=Kind.PLAYER.value),
    app_commands.Choice(name="a player's name", value=Kind.NAME.value),
]

_QUESTIONS = {
    Kind.MATCH: (
        N_("Take {what} off this server's leaderboards? It counts for nobody here then."),
        N_("{what} is off this server's leaderboards. Put it back?"),
    ),
    Kind.PLAYER: (
        N_("Take {what} off this server's leaderboards, with all they play here? Others' results stay."),
        N_("{what} is off this server's leaderboards. Put them back, with all they have played here?"),
    ),
    Kind.NAME: (
        N_("Take the name of {what} off this server's leaderboards? Their place stays, without a name."),
        N_("The name of {what} is off this server's leaderboards. Put it back?"),
    ),
}
"""What is asked before something is taken off, and where it is off already."""


@frozen
class Correction(Control):
    """Something that is to be taken off, or put back."""

    pattern = re.compile(
        r"o:(?P<act>off|back):(?P<what>match|(?:player|name)(?=:[0-8]?\d{1,18}$)):(?P<subject>[0-9a-z]+)"
    )
    kind = "correction"

    act: str
    what: str
    subject: str


@frozen
class MatchPick(Control):
    """A match that somebody picked to be asked about."""

    pattern = re.compile(r"o:pick")
    kind = "match to correct"

    match_id: str

    @classmethod
    def read(cls, _found: re.Match[str], values: Sequence[str]) -> Self | None:
        """Return what was picked."""
        return cls(values[0]) if values and re.fullmatch(MATCH, values[0]) else None


class Corrections(commands.Cog):
    """What those who manage a server take off its leaderboards; answered in private."""

    def __init__(self, games: Mapping[str, AnyGame], tables: Tables, removals: Removals) -> None:
        self._games = games
        self._tables = tables
        self._removals = removals

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.describe(what="What to take off, or to put back", player="Whose")
    @app_commands.choices(what=_CORRECTIONS)
    async def correct(
        self, interaction: discord.Interaction, what: app_commands.Choice[str], player: discord.User
    ) -> None:
        """Take a match, a player or a name off this server's leaderboards, or put it back."""
        async with answering(interaction) as answer:
            guild, kind = check_is_admin(interaction), Kind(what.value)
            if kind is Kind.MATCH:
                matches = await self._removals.matches(guild.id, player.id)
                await answer.whisper(self._matches(matches))
            else:
                removal = Removal(guild.id, kind, str(player.id))
                await answer.whisper(await self._question(removal, player.mention))

    @handles(MatchPick, in_private=True)
    async def pick_match(self, clicked: Clicked, picked: MatchPick) -> None:
        """Ask about the match that was picked."""
        guild = check_is_admin(clicked.interaction)
        table = await self._tables.look(picked.match_id)
        if table.match.guild_id != guild.id:
            raise unknown_button()
        names = ", ".join(map(inert, written_names(table.match.players)))
        words = f"**{inert(table.game.info.name)}** ({names})"
        removal = Removal(guild.id, Kind.MATCH, picked.match_id)
        await clicked.answer.update(await self._question(removal, words))

    @handles(Correction, in_private=True)
    async def carry_out(self, clicked: Clicked, asked: Correction) -> None:
        """Take something off, or put it back, and write down who did so."""
        guild, is_back = check_is_admin(clicked.interaction), asked.act == "back"
        removal = Removal(guild.id, Kind(asked.what), asked.subject)
        at = int(clicked.interaction.created_at.timestamp())
        await self._removals.change(Removing(removal, clicked.player_id, at, is_back))
        log.info("board corrected", server=guild.id, what=asked.act, player=clicked.player_id)
        done = (
            _("Done: it is on this server's leaderboards again.")
            if is_back
            else _("Done: it is off this server's leaderboards. `/correct` can put it back.")
        )
        await clicked.answer.update(notice_content(done))

    def _matches(self, matches: Sequence[Match]) -> Content:
        """Return a player's matches to pick one from."""
        if not matches:
            return notice_content(_("They have not finished any match here."))
        names = {key: game.info.name for key, game in self._games.items()}
        options = tuple(
            Option(
                f"{names.get(match.game, match.game)}: {', '.join(written_names(match.players))}"[:100],
                match.id,
                datetime.fromtimestamp(match.ended_at or 0, UTC).strftime("%Y-%m-%d %H:%M UTC"),
            )
            for match in matches
        )
        prompt = _("Which match?")
        return notice_content(prompt, Row((Menu("o:pick", prompt, options),)))

    async def _question(self, removal: Removal, what: str) -> Content:
        """Return the question before something is taken off, or put back where it is off."""
        is_off = await self._removals.has(removal)
        words = _(_QUESTIONS[removal.kind][is_off]).format(what=what)
        custom_id = f"o:{'back' if is_off else 'off'}:{removal.kind.value}:{removal.subject}"
        label = _("Put it back") if is_off else _("Take it off")
        button = Button(custom_id, label, Tone.GOOD if is_off else Tone.DANGER)
        return notice_content(words, row(button))


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    removals = Removals(bot.database.writer, bot.database.surveying)
    await bot.add_feature(Feature(Corrections(bot.games, bot.tables, removals)))

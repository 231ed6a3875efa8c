"""The command ``/correct``, which takes matches, players or names off a server's leaderboards.

A removal hides something from the leaderboards. Admins can undo it with the same command.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import handles
from bot.delivery.permission_checks import check_is_admin
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.name_sanitizing import inert
from bot.engine.panel import Tone
from bot.engine.translation import N_, _
from bot.features import Feature
from bot.matches.leaderboard_rules import Removal, RemovalTarget, Uncounted
from bot.matches.match import Match
from bot.messages.components import Button, Content, Menu, MenuOption, Row, notice_content, row
from bot.messages.custom_ids import Control
from bot.messages.player_names import written_names
from bot.requests.answers import answering
from bot.sessions.errors import TableError
from bot.sessions.tables import Tables
from bot.storage.leaderboard_totals import add_result, stored_results
from bot.storage.match_reader import matches_in
from bot.storage.named_queries import Sql
from bot.storage.writer import Store

PAGE_SIZE = 25
"""Number of a player's matches per page, which is Discord's limit for the options of a menu."""


async def store(sql: Sql, removal: Removal, by_id: int, at: int, *, is_back: bool) -> None:
    """Store a removal from a server's leaderboards, or undo it.

    Args:
        sql: The statements, in a transaction.
        removal: The removal.
        by_id: The ID of the user who requested it, or 0 for the bot's host.
        at: The current Unix time.
        is_back: True to undo the removal.

    Raises:
        TableError: The removal is already stored, or is already undone.
    """
    change = sql.put_back if is_back else sql.take_off
    if not await change(**_columns(removal), at=at, by_id=by_id):
        on, off = _("That's already on the leaderboards."), _("That's already off the leaderboards.")
        raise TableError(on if is_back else off)


class Removals(Store):
    """Stores which matches, players and names admins have removed from their server's leaderboards."""

    async def has(self, removal: Removal) -> bool:
        return bool(await self._ask("is_removed", **_columns(removal)))

    async def matches(self, guild_id: int, player_id: int, offset: int, limit: int) -> list[Match]:
        """Return a page of the matches that a player has finished in a server, latest first."""
        of_page = {"guild_id": guild_id, "player_id": player_id, "offset": offset, "limit": limit}
        return await self._reader.run(lambda sql: matches_in(sql.latest_matches_of(**of_page)))

    async def change(self, removal: Removal, by_id: int, at: int, *, is_back: bool) -> None:
        """Store or undo a removal from the leaderboards. Then recompute the affected players' totals.

        Args:
            removal: The removal.
            by_id: The ID of the user who requested it.
            at: The current Unix time.
            is_back: True to undo the removal.

        Raises:
            TableError: The removal is already stored or already undone, or the match was not played in
                this server.
        """
        guild_id, kind, subject = removal.guild_id, removal.kind, removal.subject

        async def work(sql: Sql) -> None:
            people = [int(subject)] if kind is RemovalTarget.PLAYER else []
            if kind is RemovalTarget.MATCH:
                matches = await matches_in(sql.match_by_id(id=subject))
                people = [
                    one.id for match in matches if match.guild_id == guild_id for one in match.people
                ]
                if not people:
                    raise TableError(_("There's no such match in this server."))
            await store(sql, removal, by_id, at, is_back=is_back)
            for player_id in people:
                await _count_anew(
                    sql, guild_id, player_id, is_back=is_back and kind is RemovalTarget.PLAYER
                )

        await self._writer.write(work)


def _columns(removal: Removal) -> dict[str, int | str]:
    return {"guild_id": removal.guild_id, "kind": removal.kind.value, "subject": removal.subject}


async def _count_anew(sql: Sql, guild_id: int, player_id: int, *, is_back: bool) -> None:
    """Recompute a player's totals in a server from the stored results.

    Daily deals that the player won in other servers stay on this server's leaderboards. If ``is_back``
    is True, it is no longer known which of them were shown here. In this case, the player's current
    setting decides which wins are shown here.
    """
    whose = {"guild_id": guild_id, "player_id": player_id}
    matches = await matches_in(sql.counted_matches(**whose, back=int(is_back)))
    for clear in sql.beginning("clear_place_").values():
        await clear(**whose)
    for match in matches:
        why = await sql.uncounted_of(match_id=match.id)
        for result in await stored_results(sql, match.id):
            if match.players[result.seat].id == player_id:
                at = match.ended_at or 0
                await add_result(sql, match, result, why and Uncounted(why), at, only=guild_id)


log = structlog.get_logger(__name__)

_CORRECTIONS = [
    app_commands.Choice(name="one match", value=RemovalTarget.MATCH.value),
    app_commands.Choice(
        name="a player, with everything they play here", value=RemovalTarget.PLAYER.value
    ),
    app_commands.Choice(name="a player's name", value=RemovalTarget.NAME.value),
]

_QUESTIONS = {
    RemovalTarget.MATCH: (
        N_("Take {what} off this server's leaderboards? It won't count for anybody here."),
        N_("{what} is off this server's leaderboards. Put it back?"),
    ),
    RemovalTarget.PLAYER: (
        N_(
            "Take {what} off this server's leaderboards, with everything they play here? Other "
            "players' results stay."
        ),
        N_(
            "{what} is off this server's leaderboards. Put them back, with everything they've "
            "played here?"
        ),
    ),
    RemovalTarget.NAME: (
        N_("Take {what}'s name off this server's leaderboards? The place stays, without a name."),
        N_("{what}'s name is off this server's leaderboards. Put it back?"),
    ),
}
"""The two confirmation questions for each type of removal: for the removal, and for undoing it."""


@frozen
class Correction(Control):
    """A button that confirms a removal from the leaderboards, or confirms that a removal is undone.

    Attributes:
        act: ``off`` for a removal, ``back`` to undo it.
        what: The type of the removal: ``match``, ``player`` or ``name``.
        subject: The ID of the match or player.
    """

    pattern = re.compile(
        r"o:(?P<act>off|back):(?P<what>match|(?:player|name)(?=:[0-8]?\d{1,18}$)):(?P<subject>[0-9a-z]+)"
    )
    kind = "correction"

    act: str
    what: str
    subject: str


@frozen
class MatchPick(Control):
    """A menu in which an admin picks one of a player's matches."""

    pattern = re.compile(r"o:pick")
    kind = "match to correct"

    match_id: str


@frozen
class MatchesPage(Control):
    """A button that shows a page of a player's matches in the server. Pages are counted from 0."""

    pattern = re.compile(r"om:(?P<player_id>[1-8]?\d{1,18}):(?P<page>\d{1,6})(:[a-z]+)?")
    kind = "matches to correct"

    player_id: int
    page: int


@dataclass(eq=False)
class Corrections(commands.Cog):
    """The cog of the ``/correct`` command, for members with *Manage Server*.

    All of its messages are ephemeral.

    Attributes:
        _refresh: Updates a server's regular posts, such as the daily post. It takes the server's ID.
    """

    _games: Mapping[str, AnyGame]
    _tables: Tables
    _removals: Removals
    _refresh: Callable[[int], Awaitable[None]]

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.describe(
        what="What to take off or put back", player="The player", match="The ID of a match"
    )
    @app_commands.choices(what=_CORRECTIONS)
    async def correct(
        self,
        interaction: discord.Interaction,
        what: app_commands.Choice[str],
        player: discord.User | None = None,
        match: app_commands.Range[str, 1, 16] | None = None,
    ) -> None:
        """Take a match, a player or a name off this server's leaderboards, or put it back."""
        async with answering(interaction) as answer:
            guild, kind = check_is_admin(interaction), RemovalTarget(what.value)
            if kind is RemovalTarget.MATCH and match is not None:
                content = await self._question_of_match(guild.id, match.strip().lower())
            elif player is None:
                raise TableError(_("Pick a player first. For a match, its ID is enough."))
            elif kind is RemovalTarget.MATCH:
                content = await self._matches(guild.id, MatchesPage(player.id, 0))
            else:
                content = await self._question(Removal(guild.id, kind, str(player.id)), player.mention)
            await answer.send_ephemeral(content)

    @handles(MatchesPage, in_private=True)
    async def turn_page(self, clicked: ClickContext, asked: MatchesPage) -> None:
        guild = check_is_admin(clicked.interaction)
        await clicked.answer.update(await self._matches(guild.id, asked))

    @handles(MatchPick, in_private=True)
    async def pick_match(self, clicked: ClickContext, picked: MatchPick) -> None:
        guild = check_is_admin(clicked.interaction)
        await clicked.answer.update(await self._question_of_match(guild.id, picked.match_id))

    @handles(Correction, in_private=True)
    async def carry_out(self, clicked: ClickContext, asked: Correction) -> None:
        guild, is_back = check_is_admin(clicked.interaction), asked.act == "back"
        removal = Removal(guild.id, RemovalTarget(asked.what), asked.subject)
        at = clicked.clicked_at
        await self._removals.change(removal, clicked.player_id, at, is_back=is_back)
        await self._refresh(guild.id)
        log.info("board corrected", server=guild.id, what=asked.act, player=clicked.player_id)
        confirmation = (
            _("Done: it's back on this server's leaderboards.")
            if is_back
            else _("Done: it's off this server's leaderboards. Use `/correct` to put it back.")
        )
        await clicked.answer.update(notice_content(confirmation))

    async def _matches(self, guild_id: int, page: MatchesPage) -> Content:
        """Return a message with a menu that lists one page of a player's matches."""
        player_id, number = page.player_id, page.page
        matches = await self._removals.matches(guild_id, player_id, number * PAGE_SIZE, PAGE_SIZE + 1)
        if not matches:
            return notice_content(_("This player hasn't finished a match here yet."))
        options = tuple(
            MenuOption(
                f"{self._name_of(match)}: "
                f"{', '.join(name.plain for name in written_names(match.players))}"[:100],
                match.id,
                datetime.fromtimestamp(match.ended_at or 0, UTC).strftime("%Y-%m-%d %H:%M UTC"),
            )
            for match in matches[:PAGE_SIZE]
        )
        prompt, is_last = _("Which match?"), len(matches) <= PAGE_SIZE
        turn = row(
            Button(f"om:{player_id}:{max(number - 1, 0)}:back", "◀", disabled=not number),
            Button(f"om:{player_id}:{number + 1}:on", "▶", disabled=is_last),
        )
        rows = [Row((Menu("o:pick", prompt, options),))]
        return notice_content(prompt, *rows, *([turn] if number or not is_last else []))

    def _name_of(self, match: Match) -> str:
        game = self._games.get(match.game)
        return match.game if game is None else game.info.name

    async def _question_of_match(self, guild_id: int, match_id: str) -> Content:
        match = await self._tables.journal.find(match_id)
        if match is None or match.guild_id != guild_id:
            raise TableError(_("There's no such match in this server."))
        if match.stage.is_live:
            raise TableError(_("This match isn't over yet."))
        names = ", ".join(map(str, written_names(match.players)))
        words = f"**{inert(self._name_of(match))}** ({names})"
        return await self._question(Removal(guild_id, RemovalTarget.MATCH, match_id), words)

    async def _question(self, removal: Removal, what: str) -> Content:
        is_off = await self._removals.has(removal)
        words = _(_QUESTIONS[removal.kind][is_off]).format(what=what)
        custom_id = f"o:{'back' if is_off else 'off'}:{removal.kind.value}:{removal.subject}"
        label = _("Put it back") if is_off else _("Take it off")
        button = Button(custom_id, label, Tone.GOOD if is_off else Tone.DANGER)
        return notice_content(words, row(button))


async def setup(bot: Ribit) -> None:
    removals = Removals(bot.database.writer, bot.database.surveying)
    await bot.add_feature(
        Feature(Corrections(bot.games, bot.tables, removals, bot.post_schedule.refresh))
    )

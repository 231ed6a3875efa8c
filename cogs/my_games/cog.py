"""``/games``, which lists the user's open matches in all servers and DMs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import handles
from bot.delivery.display import Display
from bot.delivery.table_posting import post_table
from bot.engine.frozen import frozen
from bot.engine.name_sanitizing import Name, server_name
from bot.engine.panel import Tone
from bot.engine.translation import _
from bot.features import Feature, Occasion, StartButton
from bot.matches.leaderboard_rules import DAY_SECONDS
from bot.matches.match import Match
from bot.messages.components import Button, Content, Part, Text, layout, row
from bot.messages.custom_ids import PlainControl
from bot.messages.deal_calendar import ends_at
from bot.messages.player_names import written_names
from bot.messages.time_limits import turn_end, when
from bot.requests.answers import answering
from bot.requests.membership import Membership, PlayerAccess
from bot.sessions.table_state import Table

MOST_READ = 30
"""Maximum number of open matches that the command reads, oldest first."""

PAGE_SIZE = 10
"""Number of matches on a page of the list.

Each match takes up to three components of the message, and Discord allows 40.
"""


@frozen
class ShowGame(PlainControl):
    """A button in the list of the user's games that shows a private match."""

    kind = "show game"
    form = "g:{0.match_id}"

    match_id: str


@frozen
class MyGames(PlainControl):
    """A button that sends the list of the user's games as an ephemeral message."""

    kind = "my games"
    form = "games"


@frozen
class GamesPage(PlainControl):
    """A button that updates the clicked list of the user's games, and shows one of its pages.

    Pages are counted from 0. If the list has become shorter, the last page is shown.
    """

    kind = "page of my games"
    form = "games:{0.page}"

    page: int


@frozen
class OpenGame:
    """One of the user's open matches, as ``/games`` lists it.

    Attributes:
        server: The server's name, or None if the match is in DMs or the name is unknown.
        link: The URL of the message that shows the match, or None if there is no such message.
    """

    table: Table
    server: Name | None = None
    link: str | None = None


def games_content(
    games: Sequence[OpenGame],
    player_id: int,
    *,
    page: int = 0,
    more: int = 0,
    unknown: int = 0,
    hint: str = "",
) -> Content:
    """Return a page of a user's open matches.

    Args:
        games: The matches on the page, in the order in which they are listed.
        player_id: The user's ID.
        page: The number of the page, from 0.
        more: The number of matches on the following pages.
        unknown: The number of matches that are hidden because Discord did not say if the user may see
            them.
        hint: The name of the command that the text for an empty list suggests.
    """
    parts: list[Part] = [Text(_("### 🎲 Your games"))]
    for game in games:
        parts.append(Text(f"{_where(game)}\n{_state(game.table, player_id)}"))
        if game.table.match.is_private:
            show = ShowGame(game.table.match.id).custom_id
            label = _("Show {game}").format(game=game.table.game.info.name)
            parts.append(row(Button(show, label, Tone.MAIN)))
    if not games and not unknown:
        words = _("You're not in a game right now. Start one with `/{command} start`.")
        parts.append(Text(words.format(command=hint)))
    if more:
        parts.append(Text("-# " + _("And {n} more.").format(n=more)))
    if unknown:
        words = _("-# {n} more are hidden because Discord won't tell me right now if you can see them.")
        parts.append(Text(words.format(n=unknown)))
    back = [Button(GamesPage(page - 1).custom_id, "◀")] if page else []
    on = [Button(GamesPage(page + 1).custom_id, "▶")] if more else []
    return layout(*parts, row(*back, Button(GamesPage(page).custom_id, _("Refresh")), *on))


def _where(game: OpenGame) -> str:
    match, name = game.table.match, game.table.game.info.name
    if match.is_private:
        words = _("**{game}**, just for you")
    elif match.guest:
        words = _("**{game}**: use `/{command} table` to play it here")
    elif match.guild_id is None:
        words = _("**{game}** in your DMs")
    elif game.server is None:
        words = _("**{game}** in {channel}")
    else:
        words = _("**{game}** in {channel} ({server})")
    channel, command = f"<#{match.channel_id}>", game.table.game.info.command
    sentence = words.format(game=name, channel=channel, server=game.server, command=command)
    there = _("[Jump to it]({link}).").format(link=game.link) if game.link else ""
    return f"{sentence} {there}".strip()


def _state(table: Table, player_id: int) -> str:
    """Return a line about a match's status, such as the player to move and the deadline."""
    match = table.match
    if table.is_lobby:
        seated, seats = len(match.players), match.limit
        return _("The lobby has {n} of {seats} players.").format(n=seated, seats=seats)
    if match.day:
        return _("The day ends {when}.").format(when=when(ends_at(match.day), DAY_SECONDS))
    if table.is_solo:
        return _("Your turn, without a time limit.")
    if match.seat_of(player_id) not in table.remaining:
        return _("You're out of this match.")
    if table.to_move is None or table.rests or table.is_unplayable:
        return _("Paused.")
    is_own = match.players[table.to_move].id == player_id
    name = written_names(match.players)[table.to_move]
    if match.turn_ends_at is None:
        return (_("**Your turn**") if is_own else _("{name}'s turn")).format(name=name) + "."
    words = _("**Your turn**. It ends {when}.") if is_own else _("{name}'s turn. It ends {when}.")
    return words.format(name=name, when=turn_end(match))


def deadline(match: Match) -> tuple[float, int]:
    """Return the sort key by which matches are listed.

    The key consists of two Unix times: the deadline, which is infinity if there is none, and the start
    of the match.
    """
    ends = ends_at(match.day) if match.day else match.turn_ends_at
    return (float("inf") if ends is None else ends, match.opened_at or 0)


@dataclass(eq=False)
class Games(commands.Cog):
    """The cog of ``/games``, which lists the user's open matches."""

    _display: Display
    _membership: Membership

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def games(self, interaction: discord.Interaction) -> None:
        """List your open games in all servers and DMs, and whose turn it is. Only you can see it."""
        async with answering(interaction) as answer:
            await answer.send_ephemeral(await self._list_matches(interaction))

    @handles(MyGames)
    async def begin(self, clicked: ClickContext, _asked: MyGames) -> None:
        await clicked.answer.send_ephemeral(await self._list_matches(clicked.interaction))

    @handles(GamesPage, in_private=True)
    async def turn_page(self, clicked: ClickContext, asked: GamesPage) -> None:
        await clicked.answer.update(await self._list_matches(clicked.interaction, asked.page))

    @handles(ShowGame, in_private=True)
    async def show(self, clicked: ClickContext, asked: ShowGame) -> None:
        table = await self._display.tables.read(asked.match_id)
        if table.match.seat_of(clicked.player_id) is None or not table.match.is_private:
            raise unknown_button()
        await post_table(self._display, clicked.answer, table)

    async def _list_matches(self, interaction: discord.Interaction, page: int = 0) -> Content:
        tables, player_id = self._display.tables, interaction.user.id
        seats = await tables.journal.seats_of(player_id, None)
        stored = [await tables.journal.find(seat.match_id) for seat in seats[:MOST_READ]]
        matches = [match for match in stored if match is not None and self._is_listed(match)]
        sights = await asyncio.gather(*(self._sight(match, player_id) for match in matches))
        seen = (PlayerAccess.READS, PlayerAccess.WHOLE)
        visible = [match for match, sight in zip(matches, sights, strict=True) if sight in seen]
        visible.sort(key=deadline)
        page = min(page, max(len(visible) - 1, 0) // PAGE_SIZE)
        following = visible[page * PAGE_SIZE :]
        games = [await self._open_game(interaction, match) for match in following[:PAGE_SIZE]]
        return games_content(
            games,
            player_id,
            page=page,
            more=max(len(following) - PAGE_SIZE, 0),
            unknown=sights.count(None),
            hint=next((game.info.command for game in tables.games.values() if game.info.is_default), ""),
        )

    def _is_listed(self, match: Match) -> bool:
        return match.stage.is_live and not match.is_lesson and match.game in self._display.tables.games

    async def _sight(self, match: Match, player_id: int) -> PlayerAccess | None:
        """Return the player's access to the match, or None if Discord does not answer."""
        if match.guild_id is None or match.guest or match.is_private:  # reveals no channel
            return PlayerAccess.WHOLE
        return await self._membership.sight(match, player_id)

    async def _open_game(self, interaction: discord.Interaction, match: Match) -> OpenGame:
        table = await self._display.tables.read(match.id)
        if match.is_private or match.guest:
            return OpenGame(table)
        guild = interaction.client.get_guild(match.guild_id or 0)
        server = None if guild is None else server_name(guild.name)
        return OpenGame(table, server, await self._display.plans.link(table.match))


async def setup(bot: Ribit) -> None:
    button = StartButton(
        30, frozenset({Occasion.HELP}), lambda _game: Button(MyGames().custom_id, _("My games"))
    )
    await bot.add_feature(Feature(Games(bot.display, bot.membership), starts=[button]))

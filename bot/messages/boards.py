"""Leaderboards and profiles, as sheets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import discord
from discord.utils import escape_markdown

from bot.engine.game import AnyGame
from bot.engine.scene import Chart, Scene
from bot.engine.words import _, ngettext
from bot.messages.daily import DAILY, DAILY_GAME, as_date, duration, streak, today
from bot.messages.ids import board_id
from bot.messages.parts import GOLD, Sheet, button, picture, row, sheet, text
from bot.messages.ports import Row, Standings

PAGE_SIZE = 10
COMMANDS = {"toad": "toad", "american_toad": "solitaire", "frogger": "frogger"}
"""The slash command of each game."""

_WIDTH, _MARGIN = 7.4, 0.15


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard: how its rows are found, and what stands in them behind rank and name."""

    key: str
    title: str
    hint: str
    headings: tuple[str, ...]
    cells: Callable[[Row], tuple[str, ...]]
    count: Callable[[], Awaitable[int]]
    rows: Callable[[int, int], Awaitable[Sequence[Row]]]
    own: Callable[[], Awaitable[Row | None]]


def board_of(
    games: Mapping[str, AnyGame], standings: Standings, key: str, guild: discord.Guild, player_id: int
) -> Board | None:
    """Return a server's leaderboard by its key, a game's or ``daily``, or None for an unknown one."""
    if key == DAILY:
        return _daily_board(standings, guild, player_id)
    game = games.get(key)
    return _game_board(standings, game, guild, player_id) if game else None


def _game_board(standings: Standings, game: AnyGame, guild: discord.Guild, player_id: int) -> Board:
    """Return the board of a game: wins, matches, and the game's figures."""
    key, figures = game.info.key, game.info.figures
    return Board(
        key=key,
        title=_("## 🏆 {game} in {server}").format(
            game=game.info.name, server=escape_markdown(guild.name)
        ),
        hint=_("Nobody has finished a match yet. `/{command} start` begins one.").format(
            command=COMMANDS[key]
        ),
        headings=(_("Wins"), _("Matches"), *(_(figure.name) for figure in figures)),
        cells=lambda place: (
            str(place.wins),
            str(place.matches),
            *(str(place.figures.get(figure.key, 0)) for figure in figures),
        ),
        count=lambda: standings.count(guild.id, key),
        rows=lambda offset, limit: standings.leaderboard(guild.id, key, offset, limit),
        own=lambda: standings.place_of(guild.id, key, player_id),
    )


def _daily_board(standings: Standings, guild: discord.Guild, player_id: int) -> Board:
    """Return the board of today's deal: who has won it, by moves and then by time."""
    day = today()
    find = partial(standings.day_board, guild.id, DAILY_GAME, day)

    async def own() -> Row | None:
        return next(iter(await find(0, 1, player_id)), None)

    return Board(
        key=DAILY,
        title=_("## 🏆 Deal of {day} in {server}").format(
            day=as_date(day).isoformat(), server=escape_markdown(guild.name)
        ),
        hint=_("Nobody has won today's deal yet. `/solitaire daily` plays it."),
        headings=(_("Moves"), _("Time"), _("Undos")),
        cells=lambda place: (
            str(place.figures["moves"]),
            duration(place.figures["seconds"]),
            str(place.figures["undos"]),
        ),
        count=lambda: standings.day_count(guild.id, DAILY_GAME, day),
        rows=find,
        own=own,
    )


async def board_sheet(board: Board, player_id: int, *, page: int) -> Sheet:
    """Return a page of a leaderboard, with the player's own row on every page."""
    count = await board.count()
    if not count:
        return sheet(text(f"{board.title}\n{board.hint}"), colour=GOLD)
    last = (count - 1) // PAGE_SIZE
    page = min(page, last)
    rows = list(await board.rows(page * PAGE_SIZE, PAGE_SIZE))
    own = await board.own()
    if own is not None and all(shown.player_id != player_id for shown in rows):
        rows.append(own)
    gallery, image = picture(board_scene(board, rows, player_id))
    footer = ngettext("-# {n} player", "-# {n} players", count).format(n=count)
    if last:
        footer += _(" · page {page} of {pages}").format(page=page + 1, pages=last + 1)
    turn = row(
        button(board_id(board.key, max(page - 1, 0), "back"), "◀", disabled=page == 0),
        button(board_id(board.key, page + 1, "on"), "▶", disabled=page == last),
    )
    pages = [turn] if last else []
    return sheet(text(board.title), gallery, text(footer), *pages, image=image, colour=GOLD)


def board_scene(board: Board, rows: Sequence[Row], player_id: int) -> Scene:
    """Return a leaderboard's picture: rank, name, and the board's own columns."""
    chart = Chart(
        x=_MARGIN,
        y=_MARGIN,
        width=_WIDTH - 2 * _MARGIN,
        headings=("#", _("Player"), *board.headings),
        rows=tuple((str(place.rank), place.name, *board.cells(place)) for place in rows),
        own=next((at for at, place in enumerate(rows) if place.player_id == player_id), None),
    )
    return Scene(_WIDTH, 2 * _MARGIN + chart.height, (chart,))


async def profile_sheet(
    games: Mapping[str, AnyGame],
    standings: Standings,
    player: discord.User | discord.Member,
    guild_id: int | None,
) -> Sheet:
    """Return what a player has done in each game, in this server."""
    title = f"## 🐸 {escape_markdown(player.display_name)}"
    played = await standings.profile(player.id, guild_id)
    parts = [_profile_line(games[key], place) for key, place in played.items() if key in games]
    days = await standings.days_won(player.id, DAILY_GAME)
    if days:
        words = ngettext("{n} deal of the day won", "{n} deals of the day won", len(days))
        in_a_row = _("{n} in a row").format(n=streak(days, today()))
        parts.append(f"📅 {words.format(n=len(days))}, **{in_a_row}**")
    if not parts:
        parts = [_("No finished match in this server yet.")]
    return sheet(text("\n".join((title, *parts))), colour=GOLD)


def _profile_line(game: AnyGame, place: Row) -> str:
    matches = ngettext("{n} match", "{n} matches", place.matches).format(n=place.matches)
    wins = ngettext("{n} win", "{n} wins", place.wins).format(n=place.wins)
    figures = " · ".join(
        f"{_(figure.name)} **{place.figures.get(figure.key, 0)}**" for figure in game.info.figures
    )
    where = _("place {rank}").format(rank=place.rank)
    return f"### {game.info.name}\n{matches}, **{wins}**, {where}\n{figures}"

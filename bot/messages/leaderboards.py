"""Leaderboards and profiles, made from rows that were found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from bot.engine.game import AnyGame
from bot.engine.leaderboard import Row
from bot.engine.match import HINTS, Player
from bot.engine.names import inert, written
from bot.engine.scene import Bars, Caption, Chart, Scene
from bot.engine.thinking import Strength
from bot.engine.values import frozen
from bot.engine.words import N_, _, ngettext
from bot.messages.components import GOLD, Button, Content, Picture, Text, layout, row
from bot.messages.components import Row as ControlRow
from bot.messages.custom_ids import Turning
from bot.messages.daily_deal import longest_streak, streak
from bot.messages.player_names import drawn_names, written_names

PAGE_SIZE = 10

_WIDTH, _MARGIN = 7.4, 0.15


@frozen
class BoardPage(Turning):
    """A page of a leaderboard (a game's, or the day's), counted from 0."""

    kind = "board"
    form = "b:{0.board}:{0.page}"

    board: str
    page: int


@frozen
class Board:
    """A leaderboard: its words, and what stands in its rows behind rank and name.

    ``turn`` returns the custom_id of the button, by its name, that turns to a page.
    """

    key: str
    title: str
    hint: str
    headings: tuple[str, ...]
    cells: Callable[[Row], tuple[str, ...]]
    turn: Callable[[int, str], str]
    legend: str = ""
    controls: tuple[ControlRow, ...] = ()


@frozen
class Page:
    """A page of a leaderboard of so many players, counted from 0, and the reader's own row."""

    number: int
    count: int
    rows: Sequence[Row]
    own: Row | None


def game_board(game: AnyGame, server: str) -> Board:
    """Return the board of a game: wins, matches, and the game's figures."""
    key, figures = game.info.key, game.info.figures
    nobody = _("No match between people yet. Start one with `/{command} start`.")
    if game.info.is_solo:
        nobody = _("Nobody has finished a deal yet. Start one with `/{command} start`.")
    return Board(
        key=key,
        title=_("## 🏆 {game} in {server}").format(game=game.info.name, server=written(server)),
        hint=nobody.format(command=game.info.command),
        headings=(_("Wins"), _("Matches"), *(_(figure.name) for figure in figures)),
        cells=lambda place: (
            str(place.wins),
            str(place.matches),
            *(str(place.figures.get(figure.key, 0)) for figure in figures),
        ),
        turn=lambda page, button: BoardPage(key, page).named(button),
    )


def last_page(count: int) -> int:
    """Return the number of the last page of a board of so many players."""
    return max(count - 1, 0) // PAGE_SIZE


def board_content(board: Board, page: Page, player_id: int) -> Content:
    """Return a page of a leaderboard, with the player's own row on every page."""
    if not page.count:
        lines = (board.title, board.hint, _frog_lines(page, player_id), board.legend)
        return layout(Text("\n".join(filter(None, lines))), *board.controls, colour=GOLD)
    rows, last = list(page.rows), last_page(page.count)
    is_placed = page.own is not None and page.own.rank > 0
    if page.own is not None and is_placed and all(shown.player_id != player_id for shown in rows):
        rows.append(page.own)
    gallery = Picture(board_scene(board, rows, player_id))
    footer = ngettext("-# {n} player", "-# {n} players", page.count).format(n=page.count)
    if last:
        footer += _(" · page {page} of {pages}").format(page=page.number + 1, pages=last + 1)
    footer += _frog_lines(page, player_id)
    footer = "\n".join(filter(None, (footer, board.legend)))
    back, on = board.turn(max(page.number - 1, 0), "back"), board.turn(page.number + 1, "on")
    turn = row(
        Button(back, "◀", disabled=page.number == 0), Button(on, "▶", disabled=page.number == last)
    )
    controls = (*([turn] if last else []), *board.controls)
    return layout(Text(board.title), gallery, Text(footer), *controls, colour=GOLD)


def board_scene(board: Board, rows: Sequence[Row], player_id: int) -> Scene:
    """Return a leaderboard's picture: rank, name, and the board's own columns."""
    names = drawn_names([place.player for place in rows])
    chart = Chart(
        x=_MARGIN,
        y=_MARGIN,
        width=_WIDTH - 2 * _MARGIN,
        headings=("#", _("Player"), *board.headings),
        rows=tuple(
            (str(place.rank), name, *board.cells(place)) for place, name in zip(rows, names, strict=True)
        ),
        own=next((at for at, place in enumerate(rows) if place.player_id == player_id), None),
    )
    return Scene(_WIDTH, 2 * _MARGIN + chart.height, (chart,))


def profile_content(
    games: Mapping[str, AnyGame],
    player: Player,
    played: Mapping[str, Row],
    days: Mapping[int, int],
    pars: Mapping[str, Mapping[int, int]],
    today: int,
) -> Content:
    """Return what a player has done: a row for each game, and the days whose deal was won.

    ``days`` says when each was, in seconds since 1970; ``pars`` of each game with a par how many deals
    were won with how many moves more.
    """
    title = f"## 🐸 {inert(written_names([player])[0])}"
    parts = list[str]()
    for key, place in played.items():
        if key in games:
            parts.append(_profile_line(games[key], place))
            parts += [par_line(pars[key])] if pars.get(key) else []
    if days:
        words = ngettext("{n} deal of the day won", "{n} deals of the day won", len(days))
        in_a_row = _("{n} in a row").format(n=streak(days, today))
        longest = _("at most {n} in a row").format(n=longest_streak(days))
        parts.append(f"📅 {words.format(n=len(days))}, **{in_a_row}**, {longest}")
    if not parts:
        parts = [_("No finished matches yet.")]
    said = Text("\n".join((title, *parts)))
    counts = next(filter(None, pars.values()), None)
    if counts is None:
        return layout(said, colour=GOLD)
    gallery = Picture(par_scene(player, counts))
    return layout(said, gallery, colour=GOLD)


_AGAINST = {
    Strength.TADPOLE: N_("tadpoles {wins} of {matches}"),
    Strength.FROGLET: N_("froglets {wins} of {matches}"),
    Strength.TOAD: N_("toads {wins} of {matches}"),
}


def against_words(place: Row, strengths: Collection[Strength] = tuple(Strength)) -> str:
    """Return how many matches were won at tables with frogs, by the strongest frog there."""
    said = (
        _(words).format(matches=place.against[strength][0], wins=place.against[strength][1])
        for strength, words in _AGAINST.items()
        if strength in place.against and strength in strengths
    )
    return " · ".join(said)


def _against_line(place: Row) -> str:
    return "-# 🐸 " + _("Won against {frogs}").format(frogs=against_words(place))


def _frog_lines(page: Page, player_id: int) -> str:
    """Return what those on a page, and the reader, have won at tables with frogs; it counts apart."""
    places = list(page.rows)
    if page.own is not None and all(place.player_id != player_id for place in places):
        places.append(page.own)
    names = written_names([place.player for place in places])
    return "".join(
        f"\n{_against_line(place)} — {inert(name)}"
        for place, name in zip(places, names, strict=True)
        if place.against
    )


def _profile_line(game: AnyGame, place: Row) -> str:
    frogs = f"\n{_against_line(place)}" if place.against else ""
    if hints := place.figures.get(HINTS, 0):
        frogs += "\n-# 💡 " + ngettext("{n} hint used", "{n} hints used", hints).format(n=hints)
    if not place.matches:
        return f"### {game.info.name}{frogs}"
    matches = ngettext("{n} match", "{n} matches", place.matches).format(n=place.matches)
    wins = ngettext("{n} win", "{n} wins", place.wins).format(n=place.wins)
    figures = " · ".join(
        f"{_(figure.name)} **{place.figures.get(figure.key, 0)}**" for figure in game.info.figures
    )
    where = _("place {rank}").format(rank=place.rank)
    return f"### {game.info.name}\n{matches}, **{wins}**, {where}\n{figures}{frogs}"


_WIDTH, _MARGIN, _TITLE, _TITLE_LINE = 7.4, 0.2, 0.34, 0.45

_LEAST, _MOST = -10, 50
_BETWEEN = ((-9, -1), (0, 0), (1, 9), (10, 19), (20, 29), (30, 49))
"""The differences that a bar stands for; all below and all above have a bar each."""


def par_line(pars: Mapping[int, int]) -> str:
    """Return best and mean against par; ``pars``: how many deals were won with how many moves more."""
    deals = sum(pars.values())
    mean = sum(difference * count for difference, count in pars.items()) / deals
    words = ngettext(
        "Against par: best **{best}**, mean **{mean}**, in {n} deal won",
        "Against par: best **{best}**, mean **{mean}**, in {n} deals won",
        deals,
    )
    return words.format(best=_signed(min(pars)), mean=_signed(round(mean, 1)), n=deals)


def par_scene(player: Player, pars: Mapping[int, int]) -> Scene:
    """Return the picture of how many deals a player won with how many moves more or less than par."""

    def between(least: int, most: int) -> int:
        return sum(count for difference, count in pars.items() if least <= difference <= most)

    rows = (
        (f"… {_signed(_LEAST)}", between(min(*pars, _LEAST), _LEAST)),
        *(
            (_("par") if least == most else f"{_signed(least)} … {_signed(most)}", between(least, most))
            for least, most in _BETWEEN
        ),
        (f"{_signed(_MOST)} …", between(_MOST, max(*pars, _MOST))),
    )
    (shown,) = drawn_names([player])
    title = (
        Caption(shown, _MARGIN, _MARGIN / 2, _TITLE),
        Caption(_("Moves against par"), _MARGIN, _MARGIN / 2 + _TITLE_LINE, _TITLE),
    )
    bars = Bars(_MARGIN, _MARGIN + 2 * _TITLE_LINE, _WIDTH - 2 * _MARGIN, rows)
    return Scene(_WIDTH, bars.y + bars.height + _MARGIN, (*title, bars))


def _signed(difference: float) -> str:
    """Return a number of moves more or less than par, as it is written."""
    if not difference:
        return "±0"
    return f"{difference:+}".replace("-", "−").removesuffix(".0")

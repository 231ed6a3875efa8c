"""The boards of games, profiles, and where a match that is over has brought its people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from bot.engine.game import AnyGame
from bot.engine.immutable import frozen
from bot.engine.name_sanitizing import inert, written
from bot.engine.scene import Bars, Caption, Scene
from bot.engine.thinking import Strength
from bot.engine.words import N_, _, ngettext
from bot.matches.leaderboard import Row, strongest
from bot.matches.match import HINTS, Player
from bot.messages.boards import Board, Page
from bot.messages.components import GOLD, Content, Picture, Text, layout
from bot.messages.computer_players import called
from bot.messages.custom_ids import Turning
from bot.messages.player_names import drawn_names, written_names
from bot.sessions.table import Table


@frozen
class BoardPage(Turning):
    """A page of a leaderboard (a game's, or the day's), counted from 0."""

    kind = "board"
    form = "b:{0.board}:{0.page}"

    board: str
    page: int


def game_board(game: AnyGame, server: str, page: Page, player_id: int) -> Board:
    key, figures = game.info.key, game.info.figures
    nobody = _("No match between people yet. Start one with `/{command} start`.")
    if game.info.is_solo:
        nobody = _("Nobody has finished a deal yet. Start one with `/{command} start`.")
    against = _frog_lines(page, player_id)
    if against and not page.count:  # set off from the hint
        against = f"\n{against}"
    return Board(
        title=_("## 🏆 {game} in {server}").format(game=game.info.name, server=written(server)),
        hint=nobody.format(command=game.info.command),
        headings=(_("Wins"), _("Matches"), *(_(figure.name) for figure in figures)),
        cells=lambda place: (
            str(place.wins),
            str(place.matches),
            *(str(place.figures.get(figure.key, 0)) for figure in figures),
        ),
        turn=lambda number, button: BoardPage(key, number).named(button),
        legend=against,
    )


def profile_content(
    games: Mapping[str, AnyGame],
    player: Player,
    played: Mapping[str, Row],
    pars: Mapping[str, Mapping[int, int]],
    others: Iterable[str],
) -> Content:
    """``pars`` says of each game with a par how many deals were won with how many moves more."""
    title = f"## 🐸 {inert(written_names([player])[0])}"
    parts = list[str]()
    for key, place in played.items():
        if key in games:
            parts.append(_profile_line(games[key], place))
            parts += [par_line(pars[key])] if pars.get(key) else []
    parts += others
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


def end_lines(table: Table, standings: Mapping[int, Row]) -> Iterator[str]:
    against = strongest(table.match.players)
    stand = []
    for seat, place in sorted(standings.items(), key=lambda found: (found[1].rank, found[0])):
        is_lost = table.is_solo and not (table.outcome and table.outcome.winners)
        if is_lost or (against is None and not place.wins):
            continue  # a place is by wins, and the first of nobody's is none to tell of
        if against is None:
            words = ngettext("place {rank} with {n} win", "place {rank} with {n} wins", place.wins)
            stood = words.format(rank=place.rank, n=place.wins)
        else:
            stood = against_words(place, (against,))
        stand.append(f"{called(table.match.players[seat])}: {stood}")
    if stand:
        words = _("On this server's leaderboard: {places}")
        if against is not None:
            words = _("Won against frogs in this server: {places}")
        yield "📈 " + words.format(places=" · ".join(stand))


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
    places = list(page.rows)
    if page.own is not None and all(place.player_id != player_id for place in places):
        places.append(page.own)
    names = written_names([place.player for place in places])
    return "\n".join(
        f"{_against_line(place)} — {inert(name)}"
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
    if not difference:
        return "±0"
    return f"{difference:+}".replace("-", "−").removesuffix(".0")

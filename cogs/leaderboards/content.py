"""The boards of games, and where a match that is over has brought its people."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from bot.engine.game import AnyGame
from bot.engine.immutable import frozen
from bot.engine.name_sanitizing import inert, written
from bot.engine.thinking import Strength
from bot.engine.words import N_, _, ngettext
from bot.matches.leaderboard import Row, strongest
from bot.messages.computer_players import called
from bot.messages.custom_ids import Turning
from bot.messages.leaderboard_pages import Board, Page
from bot.messages.player_names import written_names
from bot.sessions.table import Table


@frozen
class BoardPage(Turning):
    """A page of a leaderboard (a game's, or the day's), counted from 0."""

    kind = "board"
    form = "b:{0.board}:{0.page}"

    board: str
    page: int


def game_board(game: AnyGame, server: str, page: Page, player_id: int) -> Board:
    key = game.info.key
    figures = [figure for figure in game.info.figures if figure.told]
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

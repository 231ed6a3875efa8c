"""Texts of the games' leaderboards, and the lines about ranks and wins below a finished match."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.game import AnyGame
from bot.engine.name_sanitizing import Name
from bot.engine.opponent import Strength
from bot.engine.translation import N_, _, ngettext
from bot.matches.leaderboard_rules import COMPUTER_PLAYER_ROW, Facts, strongest
from bot.messages.computer_player_controls import plain_name_of
from bot.messages.leaderboard_pages import Board, BoardPage
from bot.messages.table_view import TableView

COMPUTER_PLAYERS = "frogs"
"""Key of the leaderboard *Against frogs*. It counts wins against computer players."""

BY_STRENGTH = [strength.value for strength in reversed(Strength)]


def game_board(game: AnyGame, server: Name) -> Board:
    key = game.info.key
    figures = [figure for figure in game.info.figures if figure.is_on_boards]
    nobody = _("No match between people yet. Start one with `/{command} start`.")
    if game.info.is_solo:
        nobody = _("Nobody has finished a deal yet. Start one with `/{command} start`.")
    return Board(
        title=_("## 🏆 {game} in {server}").format(game=game.info.name, server=server),
        hint=nobody.format(command=game.info.command),
        headings=(_("Wins"), _("Matches"), *(_(figure.name) for figure in figures)),
        cells=lambda place: (
            str(place.wins),
            str(place.matches),
            *(str(place.figures.get(figure.key, 0)) for figure in figures),
        ),
        turn=lambda number, button: BoardPage(key, number).custom_id_of(button),
        legend=""
        if game.info.is_solo
        else _("-# Matches with frogs are on the leaderboard *Against frogs*."),
    )


def computer_player_board(game: AnyGame, server: Name) -> Board:
    """Return the leaderboard *Against frogs*, which counts wins against computer players in all games.

    ``game`` is a game with computer players. Its command is suggested if the leaderboard is empty.
    """
    return Board(
        title=_("## 🏆 {game} in {server}").format(game=_("Against frogs"), server=server),
        hint=_("No match with frogs yet. Start one with `/{command} start frogs:2`.").format(
            command=game.info.command
        ),
        headings=(_("Toads"), _("Froglets"), _("Tadpoles"), _("Matches")),
        cells=lambda place: (
            *(str(place.figures[key]) for key in BY_STRENGTH),
            str(place.matches),
        ),
        turn=lambda number, button: BoardPage(COMPUTER_PLAYERS, number).custom_id_of(button),
        legend=_(
            "-# Matches won, sorted by the strongest frog at the table: toads first, then froglets."
        ),
    )


AGAINST = {
    Strength.TADPOLE: N_("tadpoles {wins} of {matches}"),
    Strength.FROGLET: N_("froglets {wins} of {matches}"),
    Strength.TOAD: N_("toads {wins} of {matches}"),
}


PLACE, WINS, COMPUTER_PLAYER_MATCHES, COMPUTER_PLAYER_WINS = "place", "wins", "frog matches", "frog wins"
"""Keys of the facts about a seat that are stored when a match ends."""


def end_lines(table: TableView, facts: Facts) -> Iterator[str]:
    against, standings = strongest(table.match.players), list[str]()
    for seat, fact in sorted(facts.items(), key=lambda found: (found[1].get(PLACE, 0), found[0])):
        if against is not None and COMPUTER_PLAYER_MATCHES in fact:
            counted = {"matches": fact[COMPUTER_PLAYER_MATCHES], "wins": fact[COMPUTER_PLAYER_WINS]}
            standing = _(AGAINST[against]).format(**counted)
        elif PLACE in fact:
            words = ngettext("place {rank} with {n} win", "place {rank} with {n} wins", fact[WINS])
            standing = words.format(rank=fact[PLACE], n=fact[WINS])
        else:
            continue
        standings.append(f"{plain_name_of(table.match.players[seat])}: {standing}")
    rows = ((seat, fact.get(COMPUTER_PLAYER_ROW, 0)) for seat, fact in sorted(facts.items()))
    for seat, wins in rows:
        if wins > 1:
            words = _("🔥 {name}: {n} wins in a row against frogs this evening")
            yield words.format(name=plain_name_of(table.match.players[seat]), n=wins)
    if standings:
        words = _("On this server's leaderboard: {places}")
        if against is not None:
            words = _("Wins against frogs in this server: {places}")
        yield "📈 " + words.format(places=" · ".join(standings))

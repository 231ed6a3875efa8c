"""Results of matches and their effect on leaderboards. Storage adds them up."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import Any, TypeAlias

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.opponent import Mover, Strength
from bot.matches.match import LEAVES, Entry, Match, Player, Result, advance, opening

HELPED = "helped"
"""The figure of a solitaire game that counts hints and peeks."""

FREE_HELP = 3
"""The most hints and peeks with which a win earns a trophy, badges and a place on the boards.

A win with more is shown as *with help*.
"""

BEYOND = 2
"""The stored value of a day's win with more than ``FREE_HELP`` hints and peeks.

Earlier versions stored 1 for a win with any help. Those wins keep their value.
"""

PUZZLE_BOARD_DAYS = 30
"""The number of days whose answers count on the board of a game's puzzles."""

LATE = "late"
"""The figure of a day's win after the end of that day. It ranks below all wins on the day."""


AROUND = 10**8 - 1
"""The page number of the players around the reader, in place of a page counted from 0."""

NEIGHBOURS = 2


def page_of(number: int, size: int, count: int, position: int | None) -> tuple[int, int, int]:
    """Return the page to show of a leaderboard, with its offset and its number of rows.

    Args:
        number: The requested page, or ``AROUND``.
        size: The number of rows of a page.
        count: The number of players on the leaderboard.
        position: The reader's position, counted from 0, or None for a reader who is not on it.
    """
    if number == AROUND:
        if position is not None and count > size:
            return AROUND, max(0, position - NEIGHBOURS), 2 * NEIGHBOURS + 1
        number = 0
    number = min(number, max(count - 1, 0) // size)
    return number, number * size, size


@frozen
class Row:
    """A player's row of a leaderboard, over the finished matches of one game.

    Attributes:
        rank: The rank, from 1.
        name: The player's name in the server.
        matches: The number of matches among people.
        wins: The number of those matches won.
        figures: The sums of the game's figures.
        against: Matches and wins with computer players at the table, by the strongest of these.
        user_name: The player's unique Discord name.
    """

    rank: int
    player_id: int
    name: str
    matches: int
    wins: int
    figures: Mapping[str, int]
    against: Mapping[Strength, tuple[int, int]] = field(default_factory=dict)
    user_name: str = ""

    @property
    def player(self) -> Player:
        return Player(self.player_id, self.name, user_name=self.user_name)


@frozen
class Counted:
    """The contribution of a match to a player's totals.

    Attributes:
        won: Whether it counts as a win.
        against: The strength of the strongest computer player, or None for a match among people.
        figures: The game's figures to add.
    """

    won: bool
    against: Strength | None
    figures: Mapping[str, int]


EVERYWHERE = 0
"""The ID used in place of a server's for the board of all servers and DMs."""

MOST_WINS_OVER = 3
"""The most wins over the same player that count on the board of all servers per UTC day."""

MOST_WINS = 12
"""The most wins of a player that count on the board of all servers per UTC day."""

DAY_SECONDS = 24 * 60 * 60


class Uncounted(Enum):
    """The reason that a match is on no board, or not on all boards as a win.

    OFTEN keeps a match off the board of all servers only. HELPED counts a win with help as played, not
    won.
    """

    AGAIN = "again"
    UNPLAYED = "unplayed"
    OFTEN = "often"
    HELPED = "helped"


FIXED_AT_END = frozenset({Uncounted.OFTEN, Uncounted.HELPED})
"""Reasons that are decided at the end of a match.

A recount keeps them for matches under earlier limits.
"""


def uncounted_reason(match: Match, results: Sequence[Result], *, is_tried: bool) -> Uncounted | None:
    """Return the reason that a finished match does not count, or not as a win, or None.

    A match among several seats counts if play decided something and at least two seats moved. Seats that
    did not move take nothing from the others. A solitaire deal counts once, whether it was won or lost.

    Args:
        match: The match.
        results: The results of its seats.
        is_tried: Whether its player had played the same deal before.
    """
    if not match.counts or is_tried:
        return Uncounted.AGAIN
    if len(match.players) > 1 and sum(result.played for result in results) <= 1:
        return Uncounted.UNPLAYED
    return Uncounted.HELPED if any(map(is_with_help, results)) else None


def is_with_help(result: Result) -> bool:
    return result.won and result.figures.get(HELPED, 0) > FREE_HELP


def beaten_players(match: Match, results: Sequence[Result]) -> dict[int, frozenset[int]]:
    """Return the IDs of the people that each winner has beaten, by the winner's ID.

    Only people who played count. If no person won, each counts as having beaten all the others, so that
    matches without a winner are limited, too.
    """
    players = match.players
    people = [each for each in results if each.played and not players[each.seat].is_computer_player]
    seats = {each.seat for each in people}
    winners = {each.seat for each in people if each.won and played_for_itself(players[each.seat], each)}
    losers = seats - winners or seats
    beaten = {
        players[seat].id: frozenset(players[each].id for each in losers - {seat})
        for seat in winners or seats
    }
    return {winner: others for winner, others in beaten.items() if others}


def is_within_limits(wins: int, wins_over: Iterable[int]) -> bool:
    """Return whether a win counts on the board of all servers.

    Args:
        wins: The player's wins that have counted on that day.
        wins_over: The number of those wins over each of the beaten players.
    """
    return wins < MOST_WINS and any(each < MOST_WINS_OVER for each in wins_over)


def own_deal(match: Match) -> int:
    """Return the deal number if the match may be its player's first attempt at it, otherwise 0."""
    return match.type.deal if match.counts else 0


def is_tried(match: Match, tries: Iterable[tuple[int, str]]) -> bool:
    """Return whether the player had the same deal before, with any result.

    Args:
        match: The match.
        tries: The player's matches with the deal, as Unix time of the deal and match ID.
    """
    return any(each < (match.opened_at or 0, match.id) for each in tries)


class Kind(Enum):
    """The target of a removal from a board: a match, a player's matches or a player's name."""

    MATCH = "match"
    PLAYER = "player"
    NAME = "name"


@frozen
class Removal:
    """A removal from the boards.

    Attributes:
        guild_id: The server, or ``EVERYWHERE``.
        kind: The type of target.
        subject: The ID of the match or player.
    """

    guild_id: int
    kind: Kind
    subject: str


def places(
    match: Match, player: Player, why: Uncounted | None, removals: Collection[Removal] = ()
) -> tuple[int, ...]:
    """Return the boards that list a match for a player.

    A removal by a server affects that server's board. A removal under ``EVERYWHERE`` affects all boards.

    Args:
        match: The match.
        player: The player.
        why: The reason that the match does not count everywhere, or None.
        removals: The removals for the match and the player.

    Returns:
        The server's ID, if the match was played in a server, and ``EVERYWHERE``, as far as they apply.
    """
    if match.is_lesson or not match.counts or why in (Uncounted.AGAIN, Uncounted.UNPLAYED):
        return ()
    own = () if match.guild_id is None else (match.guild_id,)
    wanted, off = (
        own if why is Uncounted.OFTEN else (*own, EVERYWHERE),
        _removed_seats(match, player, removals),
    )
    return () if EVERYWHERE in off else tuple(place for place in wanted if place not in off)


def day_places(
    match: Match,
    player: Player,
    boards: Collection[int],
    chosen: Iterable[int],
    removals: Collection[Removal] = (),
) -> frozenset[int]:
    """Return the boards that list a day's win.

    Args:
        match: The match.
        player: The player.
        boards: The boards that list the match, as returned by ``places``.
        chosen: The IDs of further servers whose boards show the player's wins.
        removals: The removals for the match and the player.

    Returns:
        IDs of servers. ``EVERYWHERE`` replaces the match's own server if that server does not list it.
    """
    home = match.guild_id if match.guild_id in boards else EVERYWHERE
    return frozenset({home or EVERYWHERE, *chosen}) - _removed_seats(match, player, removals)


def _removed_seats(match: Match, player: Player, removals: Collection[Removal]) -> set[int]:
    named = {(Kind.MATCH, match.id), (Kind.PLAYER, str(player.id))}
    return {each.guild_id for each in removals if (each.kind, each.subject) in named}


def contribution(
    players: Sequence[Player], result: Result, why: Uncounted | None = None
) -> Counted | None:
    """Return the contribution of a match to the totals of a seat's player.

    A match counts by its state at the start: it is on the board of computer players only if one sat down
    before the start. A player who did not play has lost and takes nothing from the others' results. If
    the others leave, the win counts only if play decided something.

    Args:
        players: The players of the match.
        result: The result of the seat.
        why: The reason that the match does not count everywhere, as stored at its end.

    Returns:
        The contribution, or None for a computer player.
    """
    player = players[result.seat]
    if player.is_computer_player:
        return None
    is_own = played_for_itself(player, result)
    return Counted(
        won=result.won and result.played and is_own and why is not Uncounted.HELPED,
        against=strongest(players),
        figures=result.figures if is_own else {},
    )


def played_for_itself(player: Player, result: Result) -> bool:
    """Return whether a person played the seat at the end and never handed it over."""
    return player.strength is None and not result.handed_over


def strongest(players: Sequence[Player]) -> Strength | None:
    """Return the strength of the best computer player of a match, or None if only people sat down."""
    found = [one.strength for one in players if one.is_computer_player and one.strength is not None]
    return max(found, key=tuple(Strength).index) if found else None


def stronger(players: Sequence[Player], facts: Facts) -> Strength | None:
    """Return the strength to offer for a rematch after wins in a row, or None."""
    best, wins = strongest(players), max((fact.get(FROG_ROW, 0) for fact in facts.values()), default=0)
    if best in (None, Strength.TOAD) or not wins or wins % STEP_UP_WINS:
        return None
    return tuple(Strength)[tuple(Strength).index(best) + 1]


Facts: TypeAlias = Mapping[int, Mapping[str, int]]
"""Facts about the seats of a match at its end, by seat and key."""


FROG_ROW = "frogs in a row"
"""Key of the fact with a player's wins in a row against computer players in an evening."""

STEP_UP_WINS = 3
"""Number of wins in a row after which stronger computer players are offered."""


@frozen
class Ending:
    """The stored data about the end of a match.

    Attributes:
        hints: The number of hints used, by seat.
        why: The reason that the match does not count everywhere, or None.
        facts: The facts that features recorded at the end, such as places, by seat and key.
    """

    hints: Mapping[int, int] = field(default_factory=dict)
    why: Uncounted | None = None
    facts: Facts = field(default_factory=dict)


def is_move(game: AnyGame, state: Any, entry: Entry) -> bool:
    """Return whether an entry is a move by a seat, not a resignation or a move by the table."""
    return entry.text != LEAVES and game.automatic(state) is None


def results(
    game: AnyGame, state: Any, moved: Container[int], handed_over: Container[int]
) -> tuple[Result, ...]:
    """Return the result of each seat, or none while the match is in progress.

    Args:
        game: The game.
        state: The current state.
        moved: The seats that have moved.
        handed_over: The seats for which a computer player has moved at the player's wish.
    """
    outcome = game.outcome(state)
    if outcome is None:
        return ()
    is_decided = game.is_decided(state)
    return tuple(
        Result(seat, seat in outcome.winners, figures, is_decided and seat in moved, seat in handed_over)
        for seat, figures in enumerate(game.tally(state))
    )


def results_of(game: AnyGame, match: Match, entries: Sequence[Entry]) -> tuple[Result, ...]:
    state, moved = opening(game, match), set[int]()
    for entry in entries:
        if is_move(game, state, entry):
            moved.add(entry.seat)
        state = advance(game, state, entry)
    handed_over = {entry.seat for entry in entries if entry.mover is Mover.HANDED_OVER}
    return results(game, state, moved, handed_over)

"""Match results, and the rules by which a result counts on a leaderboard.

The totals are stored by ``bot.storage``.
"""

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
"""Key of the result figure that counts the hints and peeks used in a solitaire game."""

FREE_HELP = 3
"""The most hints and peeks with which a win still earns a trophy, badges and a place on leaderboards.

A win with more is shown as *with help*.
"""

BEYOND = 2
"""The value stored for a win in a daily deal with more than ``FREE_HELP`` hints and peeks.

Earlier versions stored 1 for a win with any help. Those wins keep that value.
"""

PUZZLE_BOARD_DAYS = 30
"""The number of days for which a puzzle answer counts on the puzzle leaderboard."""

LATE = "late"
"""Key of the result figure for a daily deal that was won after its day.

Late wins rank below all others.
"""


AROUND = 10**8 - 1
"""A special page number. It requests the players ranked near the reader."""

NEIGHBOURS = 2


def page_of(number: int, size: int, count: int, position: int | None) -> tuple[int, int, int]:
    """Return the leaderboard page to show, the offset of its first row, and its number of rows.

    Args:
        number: The requested page, counted from 0, or ``AROUND`` for the players near the reader.
        size: The number of rows per page.
        count: The number of players on the leaderboard.
        position: The reader's position, counted from 0, or None if the leaderboard does not list the
            reader.
    """
    if number == AROUND:
        if position is not None and count > size:
            return AROUND, max(0, position - NEIGHBOURS), 2 * NEIGHBOURS + 1
        number = 0
    number = min(number, max(count - 1, 0) // size)
    return number, number * size, size


@frozen
class LeaderboardRow:
    """One player's row on a leaderboard. It sums up the player's finished matches in one game.

    Attributes:
        rank: The rank, counted from 1.
        name: The player's name in the server.
        matches: The number of matches without computer players.
        wins: The number of wins among those matches.
        figures: The sums of the game's figures, such as points, by key.
        against: The numbers of matches and wins against computer players. The key is the strength of the
            strongest computer player in the match.
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
    """The amounts that a match adds to a player's totals.

    Attributes:
        won: True if the match counts as a win.
        against: The strength of the strongest computer player, or None if only people played.
        figures: The amounts to add to the game's figures, by key.
    """

    won: bool
    against: Strength | None
    figures: Mapping[str, int]


EVERYWHERE = 0
"""The ID of the global leaderboard, used in place of a server ID. It includes all servers and DMs."""

MOST_WINS_OVER = 3
"""The number of wins over the same player that can count on the global leaderboard per UTC day."""

MOST_WINS = 12
"""The number of a player's wins that can count on the global leaderboard per UTC day."""

DAY_SECONDS = 24 * 60 * 60


class Uncounted(Enum):
    """The reason that a match does not count on some leaderboards, or does not count as a win.

    With OFTEN, the match is missing from the global leaderboard only. With HELPED, a match won with help
    counts as played, but not as won.
    """

    AGAIN = "again"
    UNPLAYED = "unplayed"
    OFTEN = "often"
    HELPED = "helped"


FIXED_AT_END = frozenset({Uncounted.OFTEN, Uncounted.HELPED})
"""The reasons that are decided when a match ends.

A recount keeps them, because the limits may have been different when the match was played.
"""


def uncounted_reason(match: Match, results: Sequence[Result], *, is_tried: bool) -> Uncounted | None:
    """Return the reason that a finished match does not count or is no win, or None.

    A match with several seats counts if at least two seats moved and the moves decided something. A seat
    that did not move does not change the others' results. A solitaire deal counts only the first time,
    whether it was won or lost.

    Args:
        match: The match.
        results: The results of its seats.
        is_tried: True if the player had played the same deal before.
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

    Only people who played (see ``Result.played``) are included. If no person won, each person is treated
    as having beaten all others, so that the daily limits also apply to matches without a winner.
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
    """Return whether a win counts on the global leaderboard.

    Args:
        wins: The number of the player's wins that have already counted that day.
        wins_over: For each beaten player, the number of those wins that were over that player.
    """
    return wins < MOST_WINS and any(each < MOST_WINS_OVER for each in wins_over)


def own_deal(match: Match) -> int:
    """Return the deal number if this match may be the player's first attempt at it, else 0."""
    return match.type.deal if match.counts else 0


def is_tried(match: Match, tries: Iterable[tuple[int, str]]) -> bool:
    """Return whether the player had already played the same deal, with any result.

    Args:
        match: The match.
        tries: The player's matches with the same deal. Each is a pair of the Unix time at which the
            match was opened and the match ID.
    """
    return any(each < (match.opened_at or 0, match.id) for each in tries)


class RemovalTarget(Enum):
    """The type of a leaderboard removal: one match, all of a player's matches, or a player's name."""

    MATCH = "match"
    PLAYER = "player"
    NAME = "name"


@frozen
class Removal:
    """A match or player that was removed from a leaderboard.

    Attributes:
        guild_id: The server whose leaderboard is affected, or ``EVERYWHERE`` for all leaderboards.
        kind: The type of removal.
        subject: The match ID or player ID.
    """

    guild_id: int
    kind: RemovalTarget
    subject: str


def places(
    match: Match, player: Player, why: Uncounted | None, removals: Collection[Removal] = ()
) -> tuple[int, ...]:
    """Return the leaderboards on which a match counts for a player.

    A removal with a server's ID affects only that server's leaderboard. A removal with ``EVERYWHERE``
    affects all leaderboards.

    Args:
        match: The match.
        player: The player.
        why: The reason that the match does not count everywhere, or None.
        removals: The removals for the match and the player.

    Returns:
        The server's ID and ``EVERYWHERE``, each only if that leaderboard counts the match. A match in a
        DM has no server ID.
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
    """Return the leaderboards that list a player's win in a daily deal.

    Args:
        match: The match.
        player: The player.
        boards: The leaderboards that count the match, as returned by ``places``.
        chosen: The IDs of other servers on whose leaderboards the player chose to appear.
        removals: The removals for the match and the player.

    Returns:
        Server IDs. If the match's own server does not list the match, ``EVERYWHERE`` replaces its ID.
    """
    home = match.guild_id if match.guild_id in boards else EVERYWHERE
    return frozenset({home or EVERYWHERE, *chosen}) - _removed_seats(match, player, removals)


def _removed_seats(match: Match, player: Player, removals: Collection[Removal]) -> set[int]:
    named = {(RemovalTarget.MATCH, match.id), (RemovalTarget.PLAYER, str(player.id))}
    return {each.guild_id for each in removals if (each.kind, each.subject) in named}


def contribution(
    players: Sequence[Player], result: Result, why: Uncounted | None = None
) -> Counted | None:
    """Return the amounts that a match adds to the totals of one seat's player.

    The seats at the start of the match decide whether it counts as a match against computer players. If
    a player did not play (see ``Result.played``), the player has lost, and the others' results do not
    change. If the other players leave, the remaining player's win counts only if the moves so far
    decided something.

    Args:
        players: The players of the match.
        result: The result of the seat.
        why: The reason that the match does not count everywhere, as stored when it ended, or None.

    Returns:
        The amounts, or None for a computer player.
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
    """Return whether a person played the seat until the end and never let a computer player play it."""
    return player.strength is None and not result.handed_over


def strongest(players: Sequence[Player]) -> Strength | None:
    """Return the strength of the match's strongest computer player.

    Return None if only people took seats.
    """
    found = [one.strength for one in players if one.is_computer_player and one.strength is not None]
    return max(found, key=tuple(Strength).index) if found else None


def stronger(players: Sequence[Player], facts: Facts) -> Strength | None:
    """Return the strength to offer for a rematch after several wins in a row, or None."""
    best, wins = (
        strongest(players),
        max((fact.get(COMPUTER_PLAYER_ROW, 0) for fact in facts.values()), default=0),
    )
    if best in (None, Strength.TOAD) or not wins or wins % STEP_UP_WINS:
        return None
    return tuple(Strength)[tuple(Strength).index(best) + 1]


Facts: TypeAlias = Mapping[int, Mapping[str, int]]
"""Facts about the seats, recorded when a match ends. The keys are the seat and the fact's name."""


COMPUTER_PLAYER_ROW = "frogs in a row"
"""Key of the fact that counts a player's consecutive wins against computer players in one evening."""

STEP_UP_WINS = 3
"""After this number of consecutive wins, Ribit offers a rematch against stronger computer players."""


@frozen
class Ending:
    """Data that is stored when a match ends, besides the results.

    Attributes:
        hints: The number of hints used, by seat.
        why: The reason that the match does not count everywhere, or None.
        facts: The facts that features recorded, such as final ranks, by seat and key.
    """

    hints: Mapping[int, int] = field(default_factory=dict)
    why: Uncounted | None = None
    facts: Facts = field(default_factory=dict)


def is_move(game: AnyGame, state: Any, entry: Entry) -> bool:
    """Return whether a journal entry is a move by a player or a computer player.

    Return False for a resignation and for an automatic move, such as dealing.
    """
    return entry.text != LEAVES and game.automatic(state) is None


def results(
    game: AnyGame, state: Any, moved: Container[int], handed_over: Container[int]
) -> tuple[Result, ...]:
    """Return the result of each seat. Return an empty tuple while the match is in progress.

    Args:
        game: The game.
        state: The current state.
        moved: The seats that have moved.
        handed_over: The seats whose players let a computer player move for them.
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

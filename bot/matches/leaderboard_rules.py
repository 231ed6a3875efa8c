"""Rules that decide which results count on leaderboards.

``bot.storage`` stores the totals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import TypeAlias

from bot.engine.frozen import frozen
from bot.engine.opponent import Strength
from bot.matches.match import Match, Player, Result

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
    """Return the number of the leaderboard page to show, the index of its first row, and its length.

    Args:
        number: The requested page, counted from 0, or ``AROUND`` for the players near the reader.
        size: The number of rows per page.
        count: The number of players on the leaderboard.
        position: The reader's index on the leaderboard, from 0, or None if the reader is not on it.
    """
    if number == AROUND:
        if position is not None and count > size:
            return AROUND, max(0, position - NEIGHBOURS), 2 * NEIGHBOURS + 1
        number = 0
    number = min(number, max(count - 1, 0) // size)
    return number, number * size, size


@frozen
class LeaderboardRow:
    """A player's row on a leaderboard, with the totals of the player's finished matches in one game.

    Attributes:
        rank: The rank, counted from 1.
        name: The player's name in the server.
        matches: The number of matches without computer players.
        wins: The number of wins among those matches.
        figures: The sums of the game's result figures, such as points, by key.
        against: The numbers of matches and wins against computer players. The key is the strength of the
            strongest computer player in those matches.
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
    """The amounts that one match adds to one player's leaderboard totals.

    Attributes:
        won: True if the match counts as a win.
        against: The strength of the strongest computer player, or None if only people played.
        figures: The amounts to add to the game's result figures, by key.
    """

    won: bool
    against: Strength | None
    figures: Mapping[str, int]


EVERYWHERE = 0
"""The global leaderboard's ID, in place of a server ID. It includes matches in all servers and DMs."""

MOST_WINS_OVER = 3
"""The number of wins over the same player that can count on the global leaderboard per UTC day."""

MOST_WINS = 12
"""The number of a player's wins that can count on the global leaderboard per UTC day."""

DAY_SECONDS = 24 * 60 * 60


class Uncounted(Enum):
    """The reason why a match does not count on some leaderboards, or why a win does not count as won.

    With OFTEN, the match is missing from the global leaderboard only, because of the daily limits. With
    HELPED, a match that was won with help counts as played, but not as won.
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
    """Return the reason why a finished match does not count fully, or None if it counts.

    If a match has several seats, it counts if at least two seats have moved and the moves decided
    something. A seat that has not moved does not change the others' results. A solitaire deal counts
    only the first time, whether it is won or lost.

    Args:
        match: The match.
        results: The results of its seats.
        is_tried: True if the player had already played the same deal.
    """
    if not match.counts or is_tried:
        return Uncounted.AGAIN
    if len(match.players) > 1 and sum(result.played for result in results) <= 1:
        return Uncounted.UNPLAYED
    return Uncounted.HELPED if any(map(is_with_help, results)) else None


def is_with_help(result: Result) -> bool:
    return result.won and result.figures.get(HELPED, 0) > FREE_HELP


def beaten_players(match: Match, results: Sequence[Result]) -> dict[int, frozenset[int]]:
    """Return the IDs of the people whom each winner has beaten, by the winner's ID.

    Only people who took part (see ``Result.played``) are included. If no person has won, each person is
    treated as having beaten all others. In this way, the daily limits also apply to matches without a
    winner.
    """
    players = match.players
    people = [
        result for result in results if result.played and not players[result.seat].is_computer_player
    ]
    seats = {result.seat for result in people}
    winners = {
        result.seat
        for result in people
        if result.won and played_for_itself(players[result.seat], result)
    }
    losers = seats - winners or seats
    beaten = {
        players[seat].id: frozenset(players[loser].id for loser in losers - {seat})
        for seat in winners or seats
    }
    return {winner: others for winner, others in beaten.items() if others}


def is_within_limits(wins: int, wins_over: Iterable[int]) -> bool:
    """Return whether a win is within the daily limits, so that it counts on the global leaderboard.

    Args:
        wins: The number of wins by the same player that have already counted on that day.
        wins_over: For each player who was beaten, the number of these earlier wins that were over the
            same player.
    """
    return wins < MOST_WINS and any(count < MOST_WINS_OVER for count in wins_over)


def own_deal(match: Match) -> int:
    """Return a match's deal number if it may be the player's first attempt at this deal, otherwise 0."""
    return match.type.deal if match.counts else 0


def is_tried(match: Match, tries: Iterable[tuple[int, str]]) -> bool:
    """Return whether a player has already played a match's deal in an earlier match.

    Args:
        match: The match.
        tries: All of the player's matches with this deal, as pairs of the Unix time at which the match
            was opened and the match ID.
    """
    return any(attempt < (match.opened_at or 0, match.id) for attempt in tries)


class RemovalTarget(Enum):
    """The target of a leaderboard removal: one match, all of a player's matches, or a player's name."""

    MATCH = "match"
    PLAYER = "player"
    NAME = "name"


@frozen
class Removal:
    """A moderator's removal of a match, a player or a player's name from a leaderboard.

    Attributes:
        guild_id: The server whose leaderboards are affected, or ``EVERYWHERE`` for all leaderboards.
        kind: The type of removal.
        subject: The ID of the match or player.
    """

    guild_id: int
    kind: RemovalTarget
    subject: str


def places(
    match: Match, player: Player, why: Uncounted | None, removals: Collection[Removal] = ()
) -> tuple[int, ...]:
    """Return the leaderboards on which a match counts for one of its players.

    If a moderator has removed the match or the player from a server's leaderboard, the other
    leaderboards are not affected. A removal with ``EVERYWHERE`` affects all of them.

    Args:
        match: The match.
        player: The player.
        why: The reason why the match does not count fully, or None.
        removals: The removals for the match and the player.

    Returns:
        The server's ID, and ``EVERYWHERE`` for the global leaderboard, each only if the match counts
        there. A match in a DM has no server ID.
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
    """Return the daily leaderboards that list a player's win in a daily deal.

    Args:
        match: The match.
        player: The player.
        boards: The leaderboards on which the match counts, as returned by ``places``.
        chosen: The IDs of other servers on whose leaderboards the player chose to appear.
        removals: The removals for the match and the player.

    Returns:
        Server IDs. If the match's own server does not list the match, ``EVERYWHERE`` replaces its ID.
    """
    home = match.guild_id if match.guild_id in boards else EVERYWHERE
    return frozenset({home or EVERYWHERE, *chosen}) - _removed_seats(match, player, removals)


def _removed_seats(match: Match, player: Player, removals: Collection[Removal]) -> set[int]:
    targets = {(RemovalTarget.MATCH, match.id), (RemovalTarget.PLAYER, str(player.id))}
    return {removal.guild_id for removal in removals if (removal.kind, removal.subject) in targets}


def contribution(
    players: Sequence[Player], result: Result, why: Uncounted | None = None
) -> Counted | None:
    """Return the amounts that a match adds to the leaderboard totals of one seat's player.

    If the match had computer players when it started, it counts as a match against computer players. A
    player who did not take part (see ``Result.played``) has lost, and the others' results do not change.
    If all others leave, the remaining player's win counts only if the moves so far decided something.

    Args:
        players: The players of the match.
        result: The result of the seat.
        why: The reason why the match does not count fully, as stored when it ended, or None.

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
    """Return whether a person still played the seat at the end of the match.

    Return False if the person ever asked a computer player to move in the same seat.
    """
    return player.strength is None and not result.handed_over


def strongest(players: Sequence[Player]) -> Strength | None:
    """Return the strength of a match's strongest computer player, or None if only people play."""
    strengths = [one.strength for one in players if one.is_computer_player and one.strength is not None]
    return max(strengths, key=tuple(Strength).index) if strengths else None


def stronger(players: Sequence[Player], facts: Facts) -> Strength | None:
    """Return a higher strength of computer players to offer for a rematch after several wins in a row.

    Return None if there is no such offer.
    """
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
    """Facts that are stored when a match ends, besides its results.

    Attributes:
        hints: The number of hints used, by seat.
        why: The reason why the match does not count fully, or None.
        facts: Facts that features have recorded, such as final ranks, by seat and key.
    """

    hints: Mapping[int, int] = field(default_factory=dict)
    why: Uncounted | None = None
    facts: Facts = field(default_factory=dict)

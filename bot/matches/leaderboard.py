"""Results of a match, what they count, and a row of a leaderboard: storage adds them up."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import Any, TypeAlias

from bot.engine.game import AnyGame
from bot.engine.immutable import frozen
from bot.engine.thinking import Mover, Strength
from bot.matches.match import LEAVES, Entry, Match, Player, Result, advance, opening

HELPED = "helped"
"""The figure of a game for one that counts hints and peeks."""

FREE_HELP = 3
"""The most hints and peeks of a win with a trophy, badges and a place. One with more is *with help*."""

BEYOND = 2
"""How a day's win with more help is stored: wins of earlier versions have 1 there for any help at all,
and keep what they had."""

PUZZLE_BOARD_DAYS = 30
"""The board of a game's puzzles counts the answers of so many days."""

LATE = "late"
"""The figure of a day's win that came after that day; it ranks below all that were won on it."""


@frozen
class Row:
    """A player's place in a game, over finished matches, with the sums of the game's figures.

    ``name`` is the player's in that server. ``against`` are the matches with computer players
    at the table, which count apart, by the strongest of them: matches and wins.
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
    """What a match counts for a player: among people, or ``against`` the strongest computer player.

    ``figures`` are the game's, for the player to have added.
    """

    won: bool
    against: Strength | None
    figures: Mapping[str, int]


EVERYWHERE = 0
"""In place of a server's id: all servers and DMs together."""

MOST_WINS_OVER = 3
"""The wins over the same player that count everywhere on a day, which begins at midnight UTC."""

MOST_WINS = 12
"""The wins of a player that count everywhere on a day, over whomever."""

DAY_SECONDS = 24 * 60 * 60


class Uncounted(Enum):
    """Why a match is on no board, or not on all of them as a win.

    ``OFTEN``: it is on the board of its server, but not on that of all servers. ``HELPED``: it was won
    with help, and is on its boards as a match that was played, not as a win.
    """

    AGAIN = "again"
    UNPLAYED = "unplayed"
    OFTEN = "often"
    HELPED = "helped"


FIXED_AT_END = frozenset({Uncounted.OFTEN, Uncounted.HELPED})
"""The reasons that only the end of a match decides: a recount keeps the wins of earlier rules."""


def uncounted(match: Match, results: Sequence[Result], *, is_tried: bool) -> Uncounted | None:
    """Return why a finished match counts nowhere, or not as a win, or None.

    Somebody has to have lost by play: something was decided, and two who sat there have moved. Who did
    not move takes nothing from the others. A deal for one counts once, won or lost.

    Args:
        match: The match.
        results: The results of its seats.
        is_tried: Whether its player had had the same deal before.
    """
    if not match.counts or is_tried:
        return Uncounted.AGAIN
    if len(match.players) > 1 and sum(result.played for result in results) <= 1:
        return Uncounted.UNPLAYED
    return Uncounted.HELPED if any(map(is_with_help, results)) else None


def is_with_help(result: Result) -> bool:
    return result.won and result.figures.get(HELPED, 0) > FREE_HELP


def beaten_players(match: Match, results: Sequence[Result]) -> dict[int, frozenset[int]]:
    """Return the IDs of the people whom each winner of a match has beaten, by the winner's ID.

    Only those who played count. If no person has won, each has beaten all the others, so that matches
    without a winner are as limited as others.
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
    """Return whether a win counts everywhere.

    Args:
        wins: The wins of the player that have counted on that day.
        wins_over: How many of those were over each of the beaten players.
    """
    return wins < MOST_WINS and any(each < MOST_WINS_OVER for each in wins_over)


def own_deal(match: Match) -> int:
    """Return the number of the deal that a match may be the first try of; 0 for any other match."""
    return match.type.deal if match.counts else 0


def is_tried(match: Match, tries: Iterable[tuple[int, str]]) -> bool:
    """Say whether the deal was had before, however that ended; ``tries`` are when dealt, and the id."""
    return any(each < (match.opened_at or 0, match.id) for each in tries)


class Kind(Enum):
    """What can be taken off a board: a match, all that a player has played, or a player's name."""

    MATCH = "match"
    PLAYER = "player"
    NAME = "name"


@frozen
class Removal:
    """Something that is off the boards of a server, or of all: a match or player by its id."""

    guild_id: int
    kind: Kind
    subject: str


def places(
    match: Match, player: Player, why: Uncounted | None, removals: Collection[Removal] = ()
) -> tuple[int, ...]:
    """Return on which boards a match is for a player: ``EVERYWHERE``, and its server's by id.

    What a server has taken off is off its own board; what is off everywhere is on none.
    """
    if match.is_lesson or not match.counts or why in (Uncounted.AGAIN, Uncounted.UNPLAYED):
        return ()
    own = () if match.guild_id is None else (match.guild_id,)
    wanted, off = own if why is Uncounted.OFTEN else (*own, EVERYWHERE), _off(match, player, removals)
    return () if EVERYWHERE in off else tuple(place for place in wanted if place not in off)


def day_places(
    match: Match,
    player: Player,
    boards: Collection[int],
    chosen: Iterable[int],
    removals: Collection[Removal] = (),
) -> frozenset[int]:
    """Return the boards of a day's win; one that is on no server's own is under ``EVERYWHERE``."""
    home = match.guild_id if match.guild_id in boards else EVERYWHERE
    return frozenset({home or EVERYWHERE, *chosen}) - _off(match, player, removals)


def _off(match: Match, player: Player, removals: Collection[Removal]) -> set[int]:
    named = {(Kind.MATCH, match.id), (Kind.PLAYER, str(player.id))}
    return {each.guild_id for each in removals if (each.kind, each.subject) in named}


def counted(players: Sequence[Player], result: Result, why: Uncounted | None = None) -> Counted | None:
    """Return what a match counts for the player of a seat; None for a computer player.

    A match counts as it began: on the board of computer players only where one sat down at its start.
    Who did not play it has lost, and takes nothing from others' results. Who is left by the others has
    won only what was played.

    Args:
        players: The players of the match.
        result: The result of the seat.
        why: Why the match does not count everywhere, as stored at its end.
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
    """Say whether a person played: no frog at the end, nor one that moved at their wish."""
    return player.strength is None and not result.handed_over


def strongest(players: Sequence[Player]) -> Strength | None:
    """Return how well the best computer player of a match plays; None where only people sat down."""
    found = [one.strength for one in players if one.is_computer_player and one.strength is not None]
    return max(found, key=tuple(Strength).index) if found else None


Facts: TypeAlias = Mapping[int, Mapping[str, int]]
"""What was true of the seats of a match when it ended, by keys."""


@frozen
class Ending:
    """What is stored of a match that is over.

    Attributes:
        hints: The hints used, by seats.
        why: Why the match does not count everywhere.
        facts: What features recorded in the moment of the end, such as places: by seats and keys.
    """

    hints: Mapping[int, int] = field(default_factory=dict)
    why: Uncounted | None = None
    facts: Facts = field(default_factory=dict)


def is_move(game: AnyGame, state: Any, entry: Entry) -> bool:
    """Return whether an entry is a seat's move: it does not give up, nor is it the table that moves."""
    return entry.text != LEAVES and game.automatic(state) is None


def results(
    game: AnyGame, state: Any, moved: Container[int], handed_over: Container[int]
) -> tuple[Result, ...]:
    """Return each seat's result; none while it goes on. ``handed_over``: a frog moved at their wish."""
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

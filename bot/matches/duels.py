"""Rules of daily duels and challenges, in which all players compare their results at the same boards.

A board is a short match against one toad, the strongest computer player, here called the rival. A try is
one player's matches at all boards. The boards' deals and the rival's moves depend only on a secret, the
board's number and the moves made. All functions are pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame, Duel
from bot.engine.opponent import Lots, Strength, lot_of
from bot.matches.commitment import deal_seed
from bot.matches.match import Match, Player, Result, another_computer_player
from bot.matches.match_type import BOARD, HINTS, PRIVATE, board_terms

WON, DRAWN, LOST = "2", "1", "0"
"""Score of one board. A try's scores are a string with one such character per board, in order."""

FIELD = 14
"""Minimum number of tries that are compared. If fewer people play, computer players fill the field."""

HALF = 5000
"""Half of a board's matchpoints: 50 %, as a percentage times 100."""

STRENGTHS = (Strength.TOAD, Strength.FROGLET, Strength.TADPOLE)


def secret_key(game: str) -> str:
    """Return the key under which the secret of a day's duels is stored.

    Secrets of day's deals are stored in the same place, under the key of the game.
    """
    return f"{game} duel"


def place_of_board(game: str, day: int, board: int, player_id: int, challenge: int = 0) -> str:
    """Return the key that allows each player only one match per board.

    Args:
        game: The key of the game.
        day: The day, such as 20261121.
        board: The number of the board.
        player_id: The player.
        challenge: The number of the challenge, or 0 for the day's duels.
    """
    of = f"challenge {challenge}" if challenge else f"day {day}"
    return f"duel {game} {of} board {board} player {player_id}"


def duel_of(game: AnyGame) -> Duel:
    assert game.duel is not None, f"{game.info.key} has no duels"
    return game.duel


def count_of(game: AnyGame, challenge: int = 0) -> int:
    """Return the number of boards in a challenge or, if ``challenge`` is 0, in a day's duels."""
    return duel_of(game).challenge_boards if challenge else duel_of(game).boards


def count_in(game: AnyGame, match: Match) -> int:
    """Return the number of boards in the day or challenge of a match.

    An update of the game during the day does not change the number.

    Args:
        game: The game in its newest version.
        match: One of the boards.
    """
    as_begun = game.as_of(match.rules_version, match.thinking_version) or game
    return count_of(as_begun, match.type.challenge)


def board_options(game: AnyGame, board: int) -> dict[str, int]:
    """Return a board's options except its day and challenge. ``board`` is counted from 0."""
    options = {option.key: option.default for option in game.info.options}
    return {**options, **duel_of(game).options, HINTS: 0, PRIVATE: 1, BOARD: board}


def board_seed(secret: bytes, board: int) -> bytes:
    return deal_seed(secret, board_terms(board))


def own_seat(game: AnyGame, secret: bytes, board: int) -> int:
    """Return the player's seat at a board.

    The player moves first at boards 0, 2, 4 and so on. At the others, the rival does.
    """
    state = game.deal(2, board_options(game, board), board_seed(secret, board))
    first = game.to_move(state)
    assert first is not None, "a dealt board is in progress"
    return first if board % 2 == 0 else 1 - first


def board_players(game: AnyGame, secret: bytes, board: int, player: Player) -> tuple[Player, ...]:
    """Return a board's two players by seat. The rival's name is the same for every player."""
    rival = another_computer_player(f"board {board}", (), Strength.TOAD)
    return (player, rival) if own_seat(game, secret, board) == 0 else (rival, player)


def score_of(winners: Sequence[int], seat: int) -> str:
    """Return a seat's score of a finished board."""
    return WON if seat in winners else LOST if winners else DRAWN


def own_score(match: Match, results: Sequence[Result]) -> str:
    """Return the player's score of a finished board. If the player has no seat, the board is lost."""
    seat = match.seat_of(match.host_id)
    return LOST if seat is None else score_of([each.seat for each in results if each.won], seat)


# ---- matchpoints -----------------------------------------------------------------------------------


@frozen
class BoardScores:
    """The finished tries at the same boards, which are compared with each other.

    Attributes:
        people: The number of people for each scores string.
        computers: The computer players' scores, in the order in which they fill the field.
    """

    people: Mapping[str, int]
    computers: tuple[str, ...] = ()

    @property
    def tries(self) -> Counter[str]:
        """The number of tries for each scores string.

        If fewer than ``FIELD`` people have played, computer players' tries are included.
        """
        tries = Counter(self.people)
        tries.update(islice(self.computers, max(0, FIELD - tries.total())))
        return tries

    def points(self) -> list[dict[str, int]]:
        """Return, for each board, the matchpoints of each score.

        A score's matchpoints are the percentage of the other tries with a worse score, times 100. A tie
        counts half. If there is no other try, each score gets 50 %.
        """
        counts = list[Counter[str]]()
        for scores, tries in self.tries.items():
            for board, score in enumerate(scores):
                if board == len(counts):
                    counts.append(Counter())
                counts[board][score] += tries
        return [_board_points(each) for each in counts]

    def rank(self, scores: str, among: Mapping[str, int] | None = None) -> tuple[int, int]:
        """Return a try's rank among people, from 1, and the number of these people.

        Args:
            scores: The scores of the try.
            among: The number of people for each scores string, or None to compare with all people.
        """
        points, among = self.points(), self.people if among is None else among
        own = percentage(scores, points)
        better = (tries for other, tries in among.items() if percentage(other, points) > own)
        return 1 + sum(better), sum(among.values())


def _board_points(counts: Counter[str]) -> dict[str, int]:
    others, worse, points = counts.total() - 1, 0, dict[str, int]()
    for score in sorted(counts):
        points[score] = (2 * worse + counts[score] - 1) * HALF // others if others else HALF
        worse += counts[score]
    return points


def board_percentages(scores: str, points: Sequence[Mapping[str, int]]) -> list[int]:
    """Return a try's percentage at each board, times 100. The try must be part of the field."""
    return [board[score] for score, board in zip(scores, points, strict=False)]


def percentage(scores: str, points: Sequence[Mapping[str, int]]) -> int:
    """Return a try's result: its mean percentage over all boards, times 100."""
    return sum(board_percentages(scores, points)) // len(points) if points else 0


# ---- computer players ------------------------------------------------------------------------------


def computers() -> Iterable[Strength]:
    """Yield the computer players' strengths, in the order in which they fill the field."""
    return islice((strength for _round in range(FIELD) for strength in STRENGTHS), FIELD)


def play_board(
    game: AnyGame,
    secret: bytes,
    board: int,
    strength: Strength,
    number: int,
    moves: list[str] | None = None,
) -> str:
    """Play a board with a computer player in place of a person, and return its score.

    The rival uses the same random seeds as against a person.

    Args:
        game: The game.
        secret: The secret of the boards.
        board: The board.
        strength: The strength of the computer player.
        number: The number of the computer player. Its random choices depend on it.
        moves: A list to which each move's text is appended, or None.
    """
    seed, own = board_seed(secret, board), own_seat(game, secret, board)
    thinking = game.thinking
    assert thinking is not None, f"{game.info.key} has computer players"
    state: Any = game.deal(2, board_options(game, board), seed)
    memories: list[Any] = [None, None]
    moved, n = [0, 0], 0
    while (seat := game.to_move(state)) is not None:
        memories = [
            thinking.recall(memory, game.view(state, place)) for place, memory in enumerate(memories)
        ]
        lot = lot_of(seed, number, n) if seat == own else game.lot(seed, n, seat, moved[seat])
        chosen = strength if seat == own else Strength.TOAD
        move = thinking.choose(memories[seat], chosen, Lots(lot))
        if moves is not None:
            moves.append(game.write(move))
        state = game.play(state, move)
        moved[seat], n = moved[seat] + 1, n + 1
    outcome = game.outcome(state)
    return score_of(outcome.winners if outcome else (), own)


def symbols(scores: str) -> str:
    """Return one symbol per board for a win, draw or loss. The symbols reveal no card."""
    return " ".join({WON: "▲", DRAWN: "●", LOST: "▼"}[score] for score in scores)

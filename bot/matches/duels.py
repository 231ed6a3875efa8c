"""Boards of daily duels and challenges: deals from one secret, the rival, scores and matchpoints.

A board is a short match against one toad. Its deal and the toad's moves depend on the secret, on the
number of the board and on the moves made, and on nothing else. All functions are pure.
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
"""The scores of a board. The scores of a try are a text with one of them per board, in order."""

FIELD = 14
"""The number of players, with computer players in place of missing people."""

HALF = 5000
"""Half of all matchpoints of a board, as a percentage times 100."""

STRENGTHS = (Strength.TOAD, Strength.FROGLET, Strength.TADPOLE)


def secret_key(game: str) -> str:
    """Return the key of the secret that decides a day's duels, in place of a game with a daily deal."""
    return f"{game} duel"


def place_of_board(game: str, day: int, board: int, player_id: int, challenge: int = 0) -> str:
    """Return the key of the place that holds a player's match of a board.

    Args:
        game: The key of the game.
        day: The day, such as 20261121.
        board: The number of the board.
        player_id: The player.
        challenge: The number of the challenge, or 0 for the duels of the day.
    """
    of = f"challenge {challenge}" if challenge else f"day {day}"
    return f"duel {game} {of} board {board} player {player_id}"


def duel_of(game: AnyGame) -> Duel:
    assert game.duel is not None, f"{game.info.key} has no duels"
    return game.duel


def count_of(game: AnyGame, challenge: int = 0) -> int:
    """Return the number of boards of a day, or of a challenge, which has fewer."""
    return duel_of(game).challenge_boards if challenge else duel_of(game).boards


def board_options(game: AnyGame, board: int) -> dict[str, int]:
    """Return the options of a board, counted from 0, without its day and challenge."""
    options = {option.key: option.default for option in game.info.options}
    return {**options, **duel_of(game).options, HINTS: 0, PRIVATE: 1, BOARD: board}


def board_seed(secret: bytes, board: int) -> bytes:
    return deal_seed(secret, board_terms(board))


def own_seat(game: AnyGame, secret: bytes, board: int) -> int:
    """Return the player's seat. The player acts first at every other board, beginning with the first."""
    state = game.deal(2, board_options(game, board), board_seed(secret, board))
    first = game.to_move(state)
    assert first is not None, "a dealt board is in progress"
    return first if board % 2 == 0 else 1 - first


def board_players(game: AnyGame, secret: bytes, board: int, player: Player) -> tuple[Player, ...]:
    """Return the players of a board. The rival has the same name for all players."""
    rival = another_computer_player(f"board {board}", (), Strength.TOAD)
    return (player, rival) if own_seat(game, secret, board) == 0 else (rival, player)


def score_of(winners: Sequence[int], seat: int) -> str:
    """Return the score of a finished board for a seat."""
    return WON if seat in winners else LOST if winners else DRAWN


def own_score(match: Match, results: Sequence[Result]) -> str:
    """Return the score of the player of a finished board."""
    seat = match.seat_of(match.host_id)
    return LOST if seat is None else score_of([each.seat for each in results if each.won], seat)


# ---- matchpoints -----------------------------------------------------------------------------------


@frozen
class Field:
    """All finished tries at the same boards.

    Attributes:
        people: The number of people with the same scores, by scores.
        computers: The scores of computer players, in the order in which they fill the field.
    """

    people: Mapping[str, int]
    computers: tuple[str, ...] = ()

    @property
    def tries(self) -> Counter[str]:
        """The number of tries by scores, with computer players if fewer than ``FIELD`` people played."""
        tries = Counter(self.people)
        tries.update(islice(self.computers, max(0, FIELD - tries.total())))
        return tries

    def points(self) -> list[dict[str, int]]:
        """Return the matchpoints of each score, by board.

        They are the percentage of other tries that were worse, times 100. A tie counts half. Without
        another try, a board gives 50 %.
        """
        counts = list[Counter[str]]()
        for scores, tries in self.tries.items():
            for board, score in enumerate(scores):
                if board == len(counts):
                    counts.append(Counter())
                counts[board][score] += tries
        return [_board_points(each) for each in counts]

    def rank(self, scores: str, among: Mapping[str, int] | None = None) -> tuple[int, int]:
        """Return a try's place, from 1, and the number of tries, both among people.

        Args:
            scores: The scores of the try.
            among: The people to compare with, by scores, or None for all.
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
    """Return the percentage of each board of a try that is part of the field, times 100."""
    return [board[score] for score, board in zip(scores, points, strict=False)]


def percentage(scores: str, points: Sequence[Mapping[str, int]]) -> int:
    """Return the mean of a try's boards, as a percentage times 100."""
    return sum(board_percentages(scores, points)) // len(points) if points else 0


# ---- computer players ------------------------------------------------------------------------------


def computers() -> Iterable[Strength]:
    """Yield the strengths of the computer players in the order in which they fill the field."""
    return islice((strength for _round in range(FIELD) for strength in STRENGTHS), FIELD)


def play_board(
    game: AnyGame,
    secret: bytes,
    board: int,
    strength: Strength,
    number: int,
    moves: list[str] | None = None,
) -> str:
    """Return the score of a computer player at a board.

    The rival's random seeds are the same as in a match with a person.

    Args:
        game: The game.
        secret: The secret of the boards.
        board: The board.
        strength: The strength of the computer player.
        number: The number of the computer player, by which its moves differ from those of others.
        moves: A list to which each written move is added, or None.
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
    """Return a try as symbols, one per board, without any card."""
    return " ".join({WON: "▲", DRAWN: "●", LOST: "▼"}[score] for score in scores)

"""Rules of daily duels and challenges, in which all players play the same boards and compare results.

A board is a short match against a toad, the strongest computer player, here called the rival. A try is a
player's attempt at all boards of a day or of a challenge. The boards' deals and the rival's moves depend
only on a secret, the board's number and the moves made. All functions are pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame, Duel
from bot.engine.lots import Lots, lot_of
from bot.engine.opponent import Strength
from bot.matches.commitment import deal_seed
from bot.matches.match import Match, Player, Result, another_computer_player
from bot.matches.match_type import BOARD, HINTS, PRIVATE, board_terms

WON, DRAWN, LOST = "2", "1", "0"
"""Scores at one board. A player's scores are a string with one such digit per board, in order."""

FIELD = 14
"""Minimum number of players that are compared. If fewer people play, computer players are added."""

HALF = 5000
"""Half of a board's matchpoints: 50 %, as a percentage times 100."""

STRENGTHS = (Strength.TOAD, Strength.FROGLET, Strength.TADPOLE)


def secret_key(game: str) -> str:
    """Return the key under which the secret of a game's daily duels is stored.

    The secrets of daily solitaire deals are stored in the same place, with the game's own key.
    """
    return f"{game} duel"


def place_of_board(game: str, day: int, board: int, player_id: int, challenge: int = 0) -> str:
    """Return the storage key that lets each player have only one match at a board.

    Args:
        game: The key of the game.
        day: The day of the duels, such as 20261121.
        board: The number of the board.
        player_id: The player.
        challenge: The number of the challenge, or 0 for the daily duels.
    """
    of = f"challenge {challenge}" if challenge else f"day {day}"
    return f"duel {game} {of} board {board} player {player_id}"


def duel_of(game: AnyGame) -> Duel:
    assert game.duel is not None, f"{game.info.key} has no duels"
    return game.duel


def count_of(game: AnyGame, challenge: int = 0) -> int:
    """Return the number of boards in a challenge.

    If ``challenge`` is 0, return the number in daily duels.
    """
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
    """Return the options of the match at a board, without its day and challenge.

    ``board`` starts at 0.
    """
    options = {option.key: option.default for option in game.info.options}
    return {**options, **duel_of(game).options, HINTS: 0, PRIVATE: 1, BOARD: board}


def board_seed(secret: bytes, board: int) -> bytes:
    return deal_seed(secret, board_terms(board))


def own_seat(game: AnyGame, secret: bytes, board: int) -> int:
    """Return the seat of the human player at a board, which decides who moves first.

    The human player moves first at boards 0, 2, 4 and so on. The computer player moves first at the
    others.
    """
    state = game.deal(2, board_options(game, board), board_seed(secret, board))
    first = game.to_move(state)
    assert first is not None, "a dealt board is in progress"
    return first if board % 2 == 0 else 1 - first


def board_players(game: AnyGame, secret: bytes, board: int, player: Player) -> tuple[Player, ...]:
    """Return a board's two players in seat order: a person and a computer player.

    The computer player's name is the same for everyone who plays the board.
    """
    rival = another_computer_player(f"board {board}", (), Strength.TOAD)
    return (player, rival) if own_seat(game, secret, board) == 0 else (rival, player)


def score_of(winners: Sequence[int], seat: int) -> str:
    """Return a seat's score at a finished board: "2" for a win, "1" for a draw or "0" for a loss."""
    return WON if seat in winners else LOST if winners else DRAWN


def own_score(match: Match, results: Sequence[Result]) -> str:
    """Return the human player's score at a finished board. A player who has left has lost."""
    seat = match.seat_of(match.host_id)
    return LOST if seat is None else score_of([result.seat for result in results if result.won], seat)


# ---- matchpoints -----------------------------------------------------------------------------------


@frozen
class BoardScores:
    """The scores of everyone who has finished the same boards.

    A player's result is a comparison with them.

    Attributes:
        people: The number of people with each sequence of scores. A sequence is a string with one digit
            per board.
        computers: The score sequences of computer players. If there are too few people, these are added
            in this order.
    """

    people: Mapping[str, int]
    computers: tuple[str, ...] = ()

    @property
    def tries(self) -> Counter[str]:
        """The number of players with each sequence of scores.

        If fewer than ``FIELD`` people have finished, computer players are added.
        """
        tries = Counter(self.people)
        tries.update(islice(self.computers, max(0, FIELD - tries.total())))
        return tries

    def points(self) -> list[dict[str, int]]:
        """Return, for each board, the matchpoints for each possible score.

        A score's matchpoints are the percentage of the other players with a worse score at this board,
        times 100. A tie counts half. If there is no other player, each score gets 50 %.
        """
        counts = list[Counter[str]]()
        for scores, tries in self.tries.items():
            for board, score in enumerate(scores):
                if board == len(counts):
                    counts.append(Counter())
                counts[board][score] += tries
        return [_board_points(counter) for counter in counts]

    def rank(self, scores: str, among: Mapping[str, int] | None = None) -> tuple[int, int]:
        """Return the rank of a sequence of scores among people, from 1, and the number of these people.

        Args:
            scores: The sequence of scores, with one digit per board.
            among: The number of people with each sequence of scores, or None to compare with all people.
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
    """Return a player's matchpoints at each board, as percentages times 100.

    The player's scores must be among those from which ``points`` was computed.
    """
    return [board[score] for score, board in zip(scores, points, strict=False)]


def percentage(scores: str, points: Sequence[Mapping[str, int]]) -> int:
    """Return a player's total result: the mean of the percentages at all boards, times 100."""
    return sum(board_percentages(scores, points)) // len(points) if points else 0


# ---- computer players ------------------------------------------------------------------------------


def computers() -> Iterable[Strength]:
    """Yield the strengths of the computer players that are added if too few people have finished."""
    return islice((strength for _round in range(FIELD) for strength in STRENGTHS), FIELD)


def play_board(
    game: AnyGame,
    secret: bytes,
    board: int,
    strength: Strength,
    number: int,
    moves: list[str] | None = None,
) -> str:
    """Let a computer player play a board in place of a person, and return its score.

    Its opponent uses the same random seeds as against a person.

    Args:
        game: The game.
        secret: The secret of the boards.
        board: The number of the board.
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
    """Return a text with one symbol per board for a win, draw or loss. It reveals no cards."""
    return " ".join({WON: "▲", DRAWN: "●", LOST: "▼"}[score] for score in scores)

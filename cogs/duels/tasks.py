"""Tasks of the daily duels. Workers import this module, but not ``cog``, which needs Discord."""

from __future__ import annotations

from dataclasses import field

from bot.engine.frozen import frozen
from bot.engine.opponent import Strength
from bot.engine.worker_task import Task
from bot.games import games
from bot.matches.duels import play_board


@frozen
class PlayBoard(Task[str]):
    """The score of a computer player at a board of a day.

    Each board is a task of its own, so that no move of a match waits for long.

    Attributes:
        game: The key of the game.
        secret: The secret of the day's boards.
        strength: The strength of the computer player.
        number: The number of the computer player.
        board: The number of the board.
        rules: The version of the day's rules.
        thinking: The version of the day's computer players.
    """

    game: str
    secret: bytes = field(repr=False)
    strength: Strength
    number: int
    board: int
    rules: int
    thinking: int
    label = "field"
    is_question = False
    waits_long = True

    def compute(self) -> str:
        game = games()[self.game].as_of(self.rules, self.thinking)
        assert game is not None, "the day is shown by its own versions only"
        return play_board(game, self.secret, self.board, self.strength, self.number)

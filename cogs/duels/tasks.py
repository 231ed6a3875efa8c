"""The task with which worker processes play daily duels for the computer players.

Worker processes import this module. They cannot import ``cog``, which depends on Discord.
"""

from __future__ import annotations

from dataclasses import field

from bot.engine.frozen import frozen
from bot.engine.opponent import Strength
from bot.engine.worker_task import Task
from bot.games import games
from bot.matches.duels import play_board


@frozen
class PlayBoard(Task[str]):
    """A task in which a computer player plays one of a day's duels. Its result is the score.

    Each duel is a separate task, so that moves in other matches never wait long for a worker.

    Attributes:
        game: The game's key.
        secret: The secret that decides the day's deals.
        strength: The computer player's strength.
        number: The computer player's number.
        board: The board's number, from 0.
        rules: The version of the rules with which the day began.
        thinking: The version of the computer players with which the day began.
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

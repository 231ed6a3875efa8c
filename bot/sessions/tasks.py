"""What a worker is asked for of a game; what other modules need of a match stands with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from bot.engine.task import Lane, Task
from bot.engine.thinking import AnyThinking, Lots, Strength
from bot.engine.values import frozen
from bot.games import games


@frozen
class Choose(Task[str]):
    """The move of a seat that is to move, in writing; else the one of the froglet's rule of thumb.

    ``memory`` is what the seat remembers of its views; with the same lot it is the same move.
    """

    game: str
    strength: Strength
    memory: Any
    lot: bytes
    lane = Lane.PLAY
    is_question = False  # of one host's tables each waits for the others
    waits_long = True  # what a seat tries is counted: no slow machine changes a match

    @property
    def label(self) -> str:
        """How well the seat plays."""
        return self.strength.value

    def made(self) -> str:
        move = _thinking(self.game).choose(self.memory, self.strength, Lots(self.lot))
        return games()[self.game].write(move)

    def otherwise(self) -> str:
        return replace(self, strength=Strength.FROGLET).made()


@frozen
class Advise(Task[tuple[str, ...]]):
    """What a toad would do in a person's seat: that move, and those planned after it in the turn."""

    game: str
    memory: Any = field(compare=False)
    lot: bytes
    strength: Strength = Strength.TOAD
    label = Strength.TOAD.value

    def made(self) -> tuple[str, ...]:
        plan = _thinking(self.game).plan
        if plan is None:
            return (Choose(self.game, self.strength, self.memory, self.lot).made(),)
        moves = plan(self.memory, self.strength, Lots(self.lot))
        return tuple(map(games()[self.game].write, moves))

    def otherwise(self) -> tuple[str, ...]:
        return replace(self, strength=Strength.FROGLET).made()


@frozen
class FindDeal(Task[Mapping[str, int]]):
    """The options of the deal that a game finds, where it looks for one."""

    game: str
    options: tuple[tuple[str, int], ...]
    lane = Lane.PLAY
    label = "deal"

    def made(self) -> Mapping[str, int]:
        find = games()[self.game].find_deal
        assert find is not None, f"{self.game} does not look for deals"
        return find(dict(self.options))


@frozen
class Answer(Task[str]):
    """The move that answers a question about a state, in writing."""

    game: str
    question: str
    state: Any
    label = "answer"

    def made(self) -> str:
        game = games()[self.game]
        asked = next(one for one in game.questions if one.key == self.question)
        return game.write(asked.answer(self.state))


@frozen
class WinningLine(Task[tuple[str, ...]]):
    """How a match that was given up could be won after so many moves, in writing."""

    game: str
    state: Any
    moves: int
    label = "line"
    is_kept = True

    def made(self) -> tuple[str, ...]:
        game = games()[self.game]
        assert game.retry is not None, f"{self.game} is not gone back to"
        return tuple(map(game.write, game.retry.line(self.state, self.moves)))


def _thinking(game: str) -> AnyThinking:
    thinking = games()[game].thinking
    assert thinking is not None, f"{game} has no opponents"
    return thinking

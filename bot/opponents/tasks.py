"""What a worker is asked for: pure functions of plain data, with the same result in every process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.engine import verification, verification_file
from bot.engine.match import Entry, Match
from bot.engine.match_record import Record, record_of
from bot.engine.puzzle import Puzzle
from bot.engine.thinking import AnyThinking, Lots, Strength, lot_of
from bot.engine.verification import Report
from bot.games import games, rules_of

__all__ = ["lot_of", "memory_over", "planned", "recall", "thinking_of", "thought"]


def thinking_of(game: str) -> AnyThinking | None:
    """Return how the seats of a game think, by its key, or None for a game without opponents."""
    found = games().get(game)
    return found.thinking if found else None


def recall(game: str, memory: Any, view: Any) -> Any:
    """Return what a seat remembers after one more of its views; it begins with None."""
    return _thinking(game).recall(memory, view)


def memory_over(game: str, views: Iterable[Any]) -> Any:
    """Return what a seat remembers that was shown these views, one after each move of the match."""
    memory = None
    for view in views:
        memory = recall(game, memory, view)
    return memory


def thought(game: str, strength: Strength, memory: Any, lot: bytes) -> str:
    """Return the move of the seat that remembers this and is to move, in the game's notation."""
    move = _thinking(game).choose(memory, strength, Lots(lot))
    return games()[game].write(move)


def planned(game: str, strength: Strength, memory: Any, lot: bytes) -> tuple[str, ...]:
    """Return that move with those planned after it in the same turn, in the game's notation."""
    plan = _thinking(game).plan
    if plan is None:
        return (thought(game, strength, memory, lot),)
    return tuple(map(games()[game].write, plan(memory, strength, Lots(lot))))


def found_deal(game: str, options: Mapping[str, int]) -> Mapping[str, int]:
    """Return the options of the deal that a game finds, where it looks for one."""
    find = games()[game].find_deal
    assert find is not None, f"{game} does not look for deals"
    return find(options)


def answered(game: str, question: str, state: Any) -> str:
    """Return the move that answers a question about a state, in the game's notation."""
    asked = next(one for one in games()[game].questions if one.key == question)
    return games()[game].write(asked.answer(state))


def winning_line(game: str, state: Any, moves: int) -> tuple[str, ...]:
    """Return how a match that was given up could be won after so many moves, in the game's notation."""
    found = games()[game]
    assert found.retry is not None, f"{game} is not gone back to"
    return tuple(found.write(move) for move in found.retry.line(state, moves))


def found_puzzle(game: str, grade: int, number: int) -> Puzzle[Any]:
    """Return the puzzle of a game of a grade and a number."""
    puzzles = games()[game].puzzles
    assert puzzles is not None, f"{game} has no puzzles"
    return puzzles.find(grade, number)


def recorded(match: Match, entries: Sequence[Entry]) -> tuple[Record, bytes]:
    """Return the record of a match that is over, as far as it is told, and the file that has all of it.

    Told is who sat there and what was committed to, and of the moves whether one has a lot.
    """
    record = record_of(rules_of(match), match, entries)
    lots = tuple(move for move in record.moves if move.lot)
    return replace(record, draws=(), moves=lots[:1]), verification_file.written(record)


def verified(match: Match, entries: Sequence[Entry]) -> Report:
    """Return what came of verifying a match, by the rules that it was played by."""
    game = rules_of(match)
    return verification.verified(game, record_of(game, match, entries))


def _thinking(game: str) -> AnyThinking:
    thinking = thinking_of(game)
    assert thinking is not None, f"{game} has no opponents"
    return thinking

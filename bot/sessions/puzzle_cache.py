"""A cache of puzzles: those that are posed just now, and of each grade one for whoever asks next.

Memory only: by its number each is found again, also after a restart.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Any

import structlog
from cachetools import LRUCache

from bot.background import BackgroundTasks
from bot.engine.puzzle import GRADES, Puzzle
from bot.engine.task import NoAnswerError
from bot.sessions.ports import Opponents
from bot.sessions.tasks import FindPuzzle

log = structlog.get_logger(__name__)

MOST_PUZZLES = 200

NUMBERS = 2**31
"""From this number on they are of days, and nobody can name them."""


class PuzzleCache:
    """Has the next puzzles of a game found while the last one is being solved.

    Where nobody asks for puzzles none is looked for: a start costs nothing.
    """

    def __init__(self, opponents: Opponents) -> None:
        self._opponents = opponents
        self._found: LRUCache[tuple[str, int, int], Puzzle[Any]] = LRUCache(MOST_PUZZLES)
        self._next: dict[tuple[str, int], int] = {}
        self._looking = set[str]()
        self._tasks = BackgroundTasks()

    def draw(self, game: str, grade: int) -> int:
        """Return the number of a puzzle that nobody was asked before: the one that was kept, if any."""
        return self._next.pop((game, grade), secrets.randbelow(NUMBERS))

    async def of(self, game: str, grade: int, number: int, player_id: int) -> Puzzle[Any]:
        """Return the puzzle of a grade and a number; raises NoAnswerError where no worker can say."""
        key = (game, grade, number)
        puzzle = self._found.get(key)
        if puzzle is None:
            puzzle = await self._opponents.ask(FindPuzzle(*key), who=player_id)
        self._found[key] = puzzle
        if game not in self._looking:
            self._looking.add(game)
            self._tasks.start(self._look_ahead(game))
        return puzzle

    async def close(self) -> None:
        """Look for no more."""
        await self._tasks.close()

    async def _look_ahead(self, game: str) -> None:
        """Find a puzzle of each grade of which none is kept."""
        try:
            for grade in GRADES:
                if (game, grade) not in self._next:
                    number = secrets.randbelow(NUMBERS)
                    with suppress(NoAnswerError):
                        puzzle = await self._opponents.ask(FindPuzzle(game, grade, number), who=None)
                        self._found[game, grade, number] = puzzle
                        self._next[game, grade] = number
        except Exception:
            log.exception("no puzzle could be found ahead", game=game)
        finally:
            self._looking.discard(game)

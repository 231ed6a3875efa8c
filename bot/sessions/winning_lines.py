"""How matches could have been won that were given up, thought out by workers and kept for a while."""

from __future__ import annotations

from cachetools import LRUCache

from bot.engine.words import _
from bot.sessions.errors import TableError
from bot.sessions.lobby import check_may_go_back
from bot.sessions.ports import Opponents
from bot.sessions.table import Table

MOST_LINES = 200


class Lines:
    """Winning lines of matches that are over. Memory only: the same line is thought out again."""

    def __init__(self, opponents: Opponents) -> None:
        self._opponents = opponents
        self._kept: LRUCache[tuple[str, int], tuple[str, ...]] = LRUCache(MOST_LINES)

    async def of(self, table: Table, player_id: int, moves: int) -> tuple[str, ...]:
        """Return the moves, in writing, that win a match from after so many moves.

        Raises TableError for all but the player of a match that was given up: what is hidden in a
        match stays so while it lives.
        """
        check_may_go_back(table, player_id)
        key, game = (table.match.id, moves), table.game
        line = self._kept.get(key)
        if line is None:
            line = await self._opponents.line(game.info.key, table.state, moves, who=player_id)
        if line is None:
            raise TableError(_("I couldn't work that out just now. Please try again in a moment."))
        if not line:
            raise TableError(_("I found no way to win from there."))
        self._kept[key] = line
        return line

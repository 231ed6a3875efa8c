"""What the log says of what was stored at a table."""

from __future__ import annotations

import structlog

from bot.engine.match import Change, Stage
from bot.sessions.table import Table

log = structlog.get_logger(__name__)


def note(table: Table, change: Change) -> None:
    """Log a change that was stored, and the table as it stands by it."""
    match, before, entry = change.after, change.before, change.entry
    if entry is not None and entry.mover is not None:
        player, mover = match.players[entry.seat].id, entry.mover.value
        log.debug("move", match=match.id, n=entry.n, seat=entry.seat, player=player, mover=mover)
    if table.outcome is not None:
        winners = [match.players[seat].id for seat in table.outcome.winners]
        log.info("match finished", match=match.id, winners=winners)
    elif match.stage is Stage.STOPPED:
        log.info("table left unfinished" if match.unfinished else "table ended", match=match.id)
    elif match.stage is not before.stage:
        log.info("match started", match=match.id, players=[player.id for player in match.players])
    elif table.is_lobby:
        log.info("lobby changed", match=match.id, players=[player.id for player in match.players])
    elif table.rests and entry is None:
        log.info("table rests", match=match.id, n=table.n)

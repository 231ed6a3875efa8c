"""What the log says of what was stored at a table."""

from __future__ import annotations

import structlog

from bot.sessions.decision import Clock, Close, Decision, Move

log = structlog.get_logger(__name__)


def note(decision: Decision) -> None:
    """Log what was stored."""
    table, match = decision.table, decision.table.match
    match decision.stored:
        case Move(entry, mover):
            player = match.players[entry.seat].id
            log.debug(
                "move", match=match.id, n=entry.n, seat=entry.seat, player=player, mover=mover.value
            )
            if table.outcome is not None:
                winners = [match.players[seat].id for seat in table.outcome.winners]
                log.info("match finished", match=match.id, winners=winners)
        case Clock() if table.rests:
            log.info("table rests", match=match.id, n=table.n)
        case Close():
            log.info("table left unfinished" if match.unfinished else "table ended", match=match.id)

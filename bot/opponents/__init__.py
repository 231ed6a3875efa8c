"""Computer players: from what a seat was shown to its next move, in worker processes."""

from bot.opponents.pool import BusyError, Opponents

__all__ = ["BusyError", "Opponents"]

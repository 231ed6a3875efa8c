"""Computer players and other long tasks, run in worker processes."""

from bot.opponents.pool import BusyError, Opponents

__all__ = ["BusyError", "Opponents"]

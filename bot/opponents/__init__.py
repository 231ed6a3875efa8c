"""Worker processes for computer players and other long computations."""

from bot.opponents.pool import BusyError, Opponents

__all__ = ["BusyError", "Opponents"]

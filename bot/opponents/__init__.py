"""Worker processes for computer players' moves and other long computations."""

from bot.opponents.pool import BusyError, Opponents

__all__ = ["BusyError", "Opponents"]

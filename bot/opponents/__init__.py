"""Computer players: from what a seat was shown to its next move, in worker processes."""

from bot.opponents.pool import Opponents
from bot.opponents.queue import BusyError

__all__ = ["BusyError", "Opponents"]

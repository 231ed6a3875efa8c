"""Seats that think: from what a seat was shown to its next move, in worker processes."""

from bot.opponents.asking import Asking, BusyError
from bot.opponents.pool import Opponents
from bot.opponents.thought import lot_of, memory_over, recall, thinking_of, thought

__all__ = [
    "Asking",
    "BusyError",
    "Opponents",
    "lot_of",
    "memory_over",
    "recall",
    "thinking_of",
    "thought",
]

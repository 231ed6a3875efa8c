"""Computer players: from what a seat was shown to its next move, in worker processes."""

from bot.opponents.pool import Opponents
from bot.opponents.single_flight import BusyError, NoAnswerError, SingleFlight
from bot.opponents.tasks import lot_of, memory_over, recall, thinking_of, thought

__all__ = [
    "BusyError",
    "NoAnswerError",
    "Opponents",
    "SingleFlight",
    "lot_of",
    "memory_over",
    "recall",
    "thinking_of",
    "thought",
]

"""What features offer for each day, which the daily post of a server lists."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from bot.engine.frozen import frozen
from bot.matches.match import Player
from bot.messages.components import Button

MOST_LISTED, SHORTEST = 3, 2
"""Number of streaks that are listed, and the length from which one is."""


@frozen
class DayNews:
    """News of a day's item in a server. Nothing in it helps with a day that still counts.

    Attributes:
        results: A line about the last day that no longer counts, or empty.
        streaks: The players with the longest current streaks, longest first.
        played: The number of players on the day.
        before: The number of players on the day before.
    """

    results: str
    streaks: Sequence[tuple[Player, int]]
    played: int
    before: int


@frozen
class DailyItem:
    """Something that is new each day (UTC), such as a deal or a puzzle.

    Attributes:
        key: Its key in the settings of servers.
        name: Returns its name.
        news: Returns the news for a server's ID and a day such as 20261121.
        buttons: Returns buttons for all readers of a post of a day, the one to play first.
    """

    key: str
    name: Callable[[], str]
    news: Callable[[int, int], Awaitable[DayNews]]
    buttons: Callable[[int], Sequence[Button]]


def longest_streaks(streaks: Iterable[tuple[Player, int]]) -> list[tuple[Player, int]]:
    """Return the longest streaks, longest first."""
    worthy = sorted((each for each in streaks if each[1] >= SHORTEST), key=lambda each: -each[1])
    return worthy[:MOST_LISTED]

"""Daily items, such as a deal or a puzzle of the day, as listed in a server's daily post."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from bot.engine.frozen import frozen
from bot.matches.match import Player
from bot.messages.components import Button

MOST_LISTED, SHORTEST = 3, 2
"""Maximum number of streaks in a list, and the minimum length of a listed streak."""


@frozen
class DayNews:
    """A server's news about a daily item. They contain no hints for a day that still counts.

    Attributes:
        results: A line about the last day that no longer counts, or an empty text.
        streaks: The players with the longest current streaks and the streaks' lengths, longest first.
        played: The number of players on the day.
        before: The number of players on the day before.
    """

    results: str
    streaks: Sequence[tuple[Player, int]]
    played: int
    before: int


@frozen
class DailyItem:
    """A feature with new content each day (UTC), such as a daily deal or puzzle.

    Attributes:
        key: The item's key in server settings.
        name: Returns the item's name.
        news: Returns the news for a server ID and a day such as 20261121.
        buttons: Returns the buttons of a day's post. The button that starts play comes first.
    """

    key: str
    name: Callable[[], str]
    news: Callable[[int, int], Awaitable[DayNews]]
    buttons: Callable[[int], Sequence[Button]]


def longest_streaks(streaks: Iterable[tuple[Player, int]]) -> list[tuple[Player, int]]:
    """Return at most ``MOST_LISTED`` streaks of at least ``SHORTEST`` days, longest first."""
    worthy = sorted((each for each in streaks if each[1] >= SHORTEST), key=lambda each: -each[1])
    return worthy[:MOST_LISTED]

"""Daily items, such as a deal or a puzzle of the day. A server's daily post lists them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from bot.engine.frozen import frozen
from bot.matches.match import Player
from bot.messages.components import Button

MOST_LISTED, SHORTEST = 3, 2
"""Maximum number of streaks in a list, and the minimum length of a listed streak."""


@frozen
class DayNews:
    """A server's news about a daily item, such as results and streaks.

    They contain no hints for a day whose results can still count.

    Attributes:
        results: A line about the latest day whose results can no longer count, or an empty text.
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
    """Something that is new each day (UTC), such as a daily deal or puzzle. A feature provides it.

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
    """Return the longest streaks, longest first.

    These are at most ``MOST_LISTED`` streaks of at least ``SHORTEST`` days.
    """
    worthy = sorted((streak for streak in streaks if streak[1] >= SHORTEST), key=lambda each: -each[1])
    return worthy[:MOST_LISTED]

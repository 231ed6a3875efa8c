"""Alt texts of pictures other than card tables."""

from __future__ import annotations

from bot.engine.alt_text import describe
from bot.engine.scene import Scene, Weeks


def calendar_text(*last: bool | None, saved: int | None = None) -> str:
    """Return the alt text of a calendar of ten weeks that ends with these days, one of them saved."""
    days, kept = (None,) * (70 - len(last)) + last, frozenset[int]()
    if saved is not None:
        kept = frozenset({70 - len(last) + saved})
    return describe(Scene(7.4, 3, (Weeks(0, 0, 2, "Toad puzzle", days, "1 in a row, best 1", kept),)))


def test_different_calendars_have_different_alt_texts() -> None:
    """Different calendars have different alt texts. A missed day differs from a day without a try."""
    assert calendar_text(False, False, True) != calendar_text(None, None, True)
    assert calendar_text(False, None, True).endswith(
        "1 in a row, best 1. 70 days: 1 done, 1 missed. "
        "The last 7 days: not tried, not tried, not tried, not tried, missed, not tried, done."
    )


def test_alt_text_marks_a_saved_day() -> None:
    """A missed day that did not break the streak is counted, and marked with ❄️ in the calendar."""
    words = calendar_text(True, False, True, saved=1)
    assert "70 days: 2 done, 0 missed. 1 missed day didn't break a streak (❄️)." in words
    assert words.endswith("not tried, done, saved (❄️), done.")

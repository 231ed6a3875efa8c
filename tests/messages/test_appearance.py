"""The story of a table within the length limit of a message."""

from __future__ import annotations

from bot.messages.appearance import MOST_LETTERS, PLAIN, story_text


def test_a_long_story_is_shortened_but_keeps_every_turn() -> None:
    """The longest lines of a long story are shortened, so that every turn keeps its line."""
    lines = [f"**Ann {number} says** {'ribit ' * number * 4}" for number in range(40)]
    told = story_text(lines, PLAIN).splitlines()
    assert len("\n".join(told)) <= MOST_LETTERS
    assert len(told) == len(lines)
    assert all(line.startswith(f"-# **Ann {number} says**") for number, line in enumerate(told))
    assert told[0] == f"-# {lines[0]}", "a short one stays as it is"
    cut = story_text(["**" + "ribit " * 500], PLAIN)
    assert cut.endswith("…**"), "what is bold stays so"

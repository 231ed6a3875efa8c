"""What has happened at a table, in as many letters as a message has for it."""

from __future__ import annotations

from bot.messages.appearance import MOST_LETTERS, PLAIN, story_text


def test_a_long_story_is_shortened_and_loses_nobody() -> None:
    """Where it would be cut, the longest lines get shorter: every turn still has its line."""
    lines = [f"**Ann {number} says** {'ribit ' * number * 4}" for number in range(40)]
    told = story_text(lines, PLAIN).splitlines()
    assert len("\n".join(told)) <= MOST_LETTERS
    assert len(told) == len(lines)
    assert all(line.startswith(f"-# **Ann {number} says**") for number, line in enumerate(told))
    assert told[0] == f"-# {lines[0]}", "a short one stays as it is"
    cut = story_text(["**" + "ribit " * 500], PLAIN)
    assert cut.endswith("…**"), "what is bold stays so"

"""Times in messages, which have the same form everywhere."""

from __future__ import annotations

import re

import pytest

from bot.messages.mentions import call_words
from bot.messages.table_view import table_view
from bot.messages.time_limits import clock_lines
from bot.sessions.turn_clock import Call
from tests.messages.tables import NOW, new_players, new_table

MINUTE, DAY = 60, 24 * 60 * 60


@pytest.mark.parametrize(
    ("turn", "bank", "style"),
    [(5 * MINUTE, 0, "R"), (DAY, 0, "f"), (3 * DAY, 0, "f"), (5 * MINUTE, DAY, "f")],
)
def test_all_messages_show_the_end_of_a_turn_in_one_format(turn: int, bank: int, style: str) -> None:
    """From a day on the time is absolute, as Discord's clients round a relative time differently."""
    table = new_table("toad", new_players("Ada", "Bo"))
    options = {**table.match.options, "bank": bank}
    table = table.having(turn_seconds=turn, turn_ends_at=NOW + turn, options=options)
    seat = table.to_move
    assert seat is not None
    texts = [
        *(line for viewer in (None, seat) for line in clock_lines(table_view(table, viewer))),
        call_words(table, seat, Call.NUDGE, "https://discord.com"),
    ]
    found = re.findall(r"<t:\d+:\w>", " ".join(texts))
    assert found == [f"<t:{NOW + turn}:{style}>"] * 3

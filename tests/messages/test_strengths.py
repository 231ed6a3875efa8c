"""The strengths of computer players, which a table shows once."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.opponent import Strength
from bot.matches.match import Entry
from bot.messages.table_message import table_content
from bot.messages.table_view import table_view
from cogs.verify.content import dealt_content
from tests.messages.tables import new_players, new_table, text_of


def test_strengths_are_shown_in_only_one_message_at_a_time() -> None:
    """The table shows them until a person has moved, and *How was this dealt?* does from then on."""
    ann, pip = new_players("Ann", "Pip")
    table = new_table("toad", (ann, replace(pip, id=-1, strength=Strength.FROGLET)), secret=bytes(32))

    def shown() -> tuple[bool, bool]:
        how = dealt_content(table.match, omits_frogs=table.is_new)
        return "Froglet" in text_of(table_content(table_view(table))), "Froglet" in text_of(how)

    assert shown() == (True, False)
    if table.to_move == 1:
        table = table.after_move(Entry(table.n, 1, "end"))
        assert shown() == (True, False)
    table = table.after_move(Entry(table.n, 0, "end"))
    assert shown() == (False, True)

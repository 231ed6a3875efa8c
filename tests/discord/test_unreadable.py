"""Matches with an unreadable journal are set aside and take up no place."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.matches.match import Match, Stage
from tests.discord.bot_harness import BotHarness, bot_harness, ephemeral_reply, response_of

SAID = "I can no longer read the moves of this match"


def corrupt_journal(folder: Path, match_id: str, text: str = "xyzzy") -> str:
    """Replace the first line of a match's journal and return the old one."""
    with closing(sqlite3.connect(folder / "ribit.sqlite3")) as connection, connection:
        where = "WHERE n = 0 AND match_id = ?"
        was = connection.execute(f"SELECT text FROM moves {where}", (match_id,)).fetchone()
        connection.execute(f"UPDATE moves SET text = ? {where}", (text, match_id))
    return str(was[0])


async def stored_match(place: BotHarness, match_id: str) -> Match:
    """Return a stored match."""
    match = await place.bot.database.journal.find(match_id)
    assert match is not None
    return match


@pytest.mark.parametrize("is_new", [False, True], ids=["in service", "restarted"])
@pytest.mark.parametrize("text", ["xyzzy", "deal"], ids=["unreadable", "illegal"])
async def test_an_unreadable_table_reports_it_and_is_closed(
    tmp_path: Path, text: str, *, is_new: bool
) -> None:
    """Clicks say so, its message too, it is logged once, and a table can be opened in its place."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        await mover.press("Draw")
        match_id, old = place.table.match_id, place.table
        was = corrupt_journal(tmp_path, match_id, text)
        if is_new:
            await place.restart()
        else:
            place.bot.tables.evict()
        assert SAID in ephemeral_reply(await mover.send(old, old.custom_id("My hand"))).text
        assert SAID in ephemeral_reply(await waiting.send(old, old.custom_id("My hand"))).text
        assert [line["match"] for line in place.faults()] == [match_id]
        match = await stored_match(place, match_id)
        assert (match.stage, match.unfinished) == (Stage.STOPPED, True)
        closed = next(seen for seen in place.messages if seen.id == old.id)
        assert SAID in closed.text
        assert closed.labels == []
        await place.restart()
        await mover.slash("toad start")
        assert "Join" in place.table.labels
        assert place.table.match_id != match_id
        assert [entry.text for entry in await place.bot.database.journal.entries(match_id)] == [text]
        corrupt_journal(tmp_path, match_id, was)  # what everybody sees is held against it at the end


async def test_a_new_table_replaces_an_unreadable_one_without_a_click(tmp_path: Path) -> None:
    """No user needs to click at it first."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair()
        await mover.press("Draw")
        match_id = place.table.match_id
        was = corrupt_journal(tmp_path, match_id)
        place.bot.tables.evict()
        await mover.slash("toad start")
        assert "Join" in place.table.labels
        assert [line["match"] for line in place.faults()] == [match_id]
        corrupt_journal(tmp_path, match_id, was)


async def test_an_unreadable_deal_reports_it_and_can_be_replaced(tmp_path: Path) -> None:
    """Each button of a solitaire deal that cannot be read says so, and the player gets a new deal."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=8)
        await ann.press("Turn the stock")
        old = place.table
        was = corrupt_journal(tmp_path, old.match_id)
        place.bot.tables.evict()
        for label in ("Undo", "Hint", "Peek", "Turn the stock"):
            assert SAID in ephemeral_reply(await ann.send(old, old.custom_id(label))).text, label
        assert SAID in place.messages[-1].text
        assert [line["match"] for line in place.faults()] == [old.match_id]
        await ann.send(place.messages[-1], f"a:{old.match_id}:new")
        assert "deal" in response_of(await ann.slash("solitaire table")).text
        assert place.table.match_id != old.match_id
        corrupt_journal(tmp_path, old.match_id, was)

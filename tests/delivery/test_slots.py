"""A slot: one request at a time, the newest content of all that was planned, and nothing twice."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import discord
import pytest

from bot.delivery.slots import Messages, Slot, Token
from bot.messages.components import Content, Text
from bot.sessions.table import Table
from tests.messages.tables import dealt, people

FIRST = dealt("toad", people("Ann", "Ben"))
NEXT = replace(FIRST, match=replace(FIRST.match, version=FIRST.match.version + 1))


def said(words: str) -> Content:
    return Content((Text(words),))


class Wire:
    """What a message was made to show; each request takes some turns of the loop."""

    def __init__(self, slot: Slot) -> None:
        self.slot = slot
        self.shown: list[str] = []
        self._is_busy = False
        self.under_way = asyncio.Event()

    async def send(self, answer: Content | None = None, plan: int = 0, turns: int = 3) -> None:
        async with self.slot.sending(answer, plan) as content:
            if content is None:
                return
            assert not self._is_busy, "two requests to one message at a time"
            self._is_busy = True
            self.under_way.set()
            for _turn in range(turns):
                await asyncio.sleep(0)
            [part] = content.parts
            assert isinstance(part, Text)
            self.shown.append(part.words)
            self._is_busy = False


def wanted(slot: Slot, words: str, table: Table = FIRST) -> None:
    slot.want(said(words), table, slot.begin())


async def test_only_the_newest_is_sent() -> None:
    """What was overtaken while it waited for its turn is never sent; what is shown is not sent again."""
    wire = Wire(slot := Slot())
    wanted(slot, "one")
    wanted(slot, "two")
    await wire.send()
    wanted(slot, "two")
    await wire.send()
    assert wire.shown == ["two"]
    assert slot.wanted is None


async def test_an_older_version_never_takes_the_place_of_a_newer() -> None:
    """Whichever comes last, the table that has changed more often counts."""
    wire = Wire(slot := Slot())
    wanted(slot, "new", NEXT)
    wanted(slot, "old", FIRST)
    await wire.send()
    assert wire.shown == ["new"]
    assert slot.of is NEXT


async def test_of_two_plans_of_one_table_the_later_counts() -> None:
    """A plan that was begun before something else had changed comes to nothing."""
    wire = Wire(slot := Slot())
    early, late = slot.begin(), slot.begin()
    slot.want(said("late"), FIRST, late)
    slot.want(said("early"), FIRST, early)
    await wire.send()
    assert wire.shown == ["late"]


async def test_requests_to_a_message_follow_each_other() -> None:
    """What comes while a request is under way is sent after it, once, however much comes."""
    wire = Wire(slot := Slot())
    wanted(slot, "one")
    first = asyncio.create_task(wire.send(turns=9))
    await wire.under_way.wait()
    wanted(slot, "two")
    wanted(slot, "one")
    wanted(slot, "three")
    await asyncio.gather(first, wire.send(), wire.send())
    assert wire.shown == ["one", "three"]


async def test_back_while_a_request_is_under_way() -> None:
    """What is wanted again while something else is being sent is sent: the message will show that."""
    wire = Wire(slot := Slot())
    wanted(slot, "one")
    await wire.send()
    wanted(slot, "two")
    wire.under_way.clear()
    sending = asyncio.create_task(wire.send(turns=9))
    await wire.under_way.wait()
    wanted(slot, "one")
    await asyncio.gather(sending, wire.send())
    assert wire.shown == ["one", "two", "one"]


async def test_an_answer_is_sent_also_where_nothing_has_changed() -> None:
    """Who presses a button of a message that is right gets it anew, unless a later one was shown."""
    wire, plan = Wire(slot := Slot()), 0
    for _time in range(2):
        plan = slot.begin()
        slot.want(said("one"), FIRST, plan)
        await wire.send(said("one"), plan)
    wanted(slot, "two", NEXT)
    await wire.send()
    await wire.send(said("one"), plan)
    assert wire.shown == ["one", "one", "two"]


async def test_an_answer_brings_what_is_newer() -> None:
    """An answer that waited for its turn shows what was wanted meanwhile."""
    wire = Wire(slot := Slot())
    plan = slot.begin()
    slot.want(said("one"), FIRST, plan)
    wanted(slot, "two", NEXT)
    await wire.send(said("one"), plan)
    assert wire.shown == ["two"]


async def test_what_could_not_be_sent_is_still_wanted() -> None:
    """Nobody knows what the message shows then; the next request brings the newest."""
    wire = Wire(slot := Slot())
    wanted(slot, "one")
    await wire.send()
    wanted(slot, "two")
    with pytest.raises(OSError, match="away"):
        async with slot.sending():
            raise OSError("away")
    assert slot.shows is None
    await wire.send()
    assert wire.shown == ["one", "two"]


async def test_a_token_of_another_message_brings_nothing() -> None:
    """While a request waited another message may have taken the place of the one that it was for."""
    asked = discord.Interaction.__new__(discord.Interaction)
    old, new = Token(asked, 1), Token(asked, 2)
    slot = Slot(token=old)
    wanted(slot, "one")
    slot.edit_by(new)
    async with slot.sending(by=old) as content:
        assert content is None
    async with slot.sending(by=new) as content:
        assert content == said("one")
    assert slot.wanted is None


async def test_frames_leave_what_is_wanted() -> None:
    """After a frame that is of no plan nobody counts on what the message shows."""
    wire = Wire(slot := Slot())
    wanted(slot, "one")
    await wire.send()
    async with slot.alone():
        wanted(slot, "one")
    await wire.send()
    assert wire.shown == ["one", "one"]


async def test_a_message_that_an_answer_shows_is_in_use() -> None:
    """What memory holds of a match stays, and is not taken for shown, until the answer is there."""
    messages = Messages("match")
    wanted(slot := messages.slots["table"], "one")
    async with slot.sending():
        assert not messages.is_idle
    assert messages.is_idle


async def test_work_that_was_given_up_is_not_waited_for() -> None:
    """A task that ended before it began has not told of its end."""
    messages = Messages("match")
    messages.task = asyncio.create_task(asyncio.sleep(1))
    assert messages.tasks == [messages.task]
    messages.task.cancel()
    await asyncio.wait(messages.tasks)
    assert messages.tasks == []

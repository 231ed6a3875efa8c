"""Who has clicked is answered before tables are brought up to date."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import InteractionResponse

from bot.delivery import answers
from bot.delivery.looks import Looks
from bot.delivery.sheets import Sheets
from bot.messages.sheets import hand_sheet
from bot.sessions.table import Table
from tests.discord.pond import Person, Pond, pond, shown

KEEP = "Keep all, end turn"


def is_old(place: Pond) -> bool:
    """Return whether the table shows no move yet."""
    return ":0:" in place.messages[0].custom_ids[0]


@contextmanager
def held_up(monkeypatch: pytest.MonkeyPatch, *player_ids: int) -> Iterator[asyncio.Event]:
    """Have it take long to make some players' hands; yields what is set when that begins for all."""
    late = set(player_ids)
    begun, goes_on, makes = asyncio.Event(), asyncio.Event(), Sheets.hand

    async def make_late(self: Sheets, table: Table, seat: int, *args: Any, **options: Any) -> Any:
        if table.match.players[seat].id in player_ids:
            late.discard(table.match.players[seat].id)
            if not late:
                begun.set()
            await goes_on.wait()
        return await makes(self, table, seat, *args, **options)

    monkeypatch.setattr(Sheets, "hand", make_late)
    yield begun
    goes_on.set()


@asynccontextmanager
async def ben_waits(path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Pond, Person]]:
    """Have Ben wait for his hand while Ann ends her turn; yields the place, and her."""
    async with pond(path) as place:
        ann, ben = await place.two()
        await ann.look_in_dm()
        with held_up(monkeypatch, ben.id) as begun:
            asked = asyncio.create_task(ben.press("My hand"))
            await begun.wait()
            moved = asyncio.create_task(ann.send(ann.dm, ann.dm.custom_id("End turn")))
            yield place, ann
            assert not asked.done()
        await asyncio.gather(asked, moved)
        assert not is_old(place)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until a message shows something."""
    while not is_so():  # noqa: ASYNC110 — what is shown is no event
        await asyncio.sleep(0.01)


async def test_an_answer_comes_before_what_follows_from_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While Ben waits for his hand, Ann's move is answered, and the table is edited after he has it."""
    monkeypatch.setattr("bot.delivery.answers.GIVE_WAY_SECONDS", 3600.0)
    async with ben_waits(tmp_path, monkeypatch) as (place, ann):
        before = ann.dm.text
        await until(lambda: ann.dm.text != before)
        assert is_old(place)


async def test_an_answer_is_sent_before_what_waited_for_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben's hand is on its way when the table that waited for it is drawn: aiohttp sends in a task."""
    monkeypatch.setattr("bot.delivery.answers.GIVE_WAY_SECONDS", 3600.0)
    done, sending = list[str](), list[object]()
    sends, makes = InteractionResponse.send_message, Sheets.table

    async def note(what: str) -> None:
        done.append(what)

    async def send(self: InteractionResponse, *args: Any, **options: Any) -> Any:
        sending.append(asyncio.create_task(note("sent")))
        return await sends(self, *args, **options)

    async def make(self: Sheets, table: Table) -> Any:
        await note("made")
        return await makes(self, table)

    async with ben_waits(tmp_path, monkeypatch) as (_place, ann):
        before = ann.dm.text
        await until(lambda: ann.dm.text != before)
        monkeypatch.setattr(InteractionResponse, "send_message", send)
        monkeypatch.setattr(Sheets, "table", make)
    assert done == ["sent", "made"]


async def test_an_answer_is_sent_before_the_next_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two who ask for their hands at once one has it before the other's is drawn."""
    done, waiting, goes_on = list[str](), list[object](), asyncio.Event()
    likes, sends = Looks.of_own, InteractionResponse.send_message

    async def look_late(self: Looks, player_id: int, guild_id: int | None) -> Any:
        look = await likes(self, player_id, guild_id)
        waiting.append(player_id)
        await goes_on.wait()
        return look

    def make(*args: Any, **options: Any) -> Any:
        done.append("made")
        return hand_sheet(*args, **options)

    async def note() -> None:
        done.append("sent")

    async def send(self: InteractionResponse, *args: Any, **options: Any) -> Any:
        waiting.append(asyncio.create_task(note()))
        return await sends(self, *args, **options)

    async with pond(tmp_path) as place:
        people = await place.two()
        table = place.table
        monkeypatch.setattr(Looks, "of_own", look_late)
        asked = asyncio.gather(*(one.send(table, table.custom_id("My hand")) for one in people))
        await until(lambda: len(waiting) == len(people))
        monkeypatch.setattr("bot.delivery.sheets.hand_sheet", make)
        monkeypatch.setattr(InteractionResponse, "send_message", send)
        goes_on.set()
        await asked
    assert done[:4] == ["made", "sent"] * 2


async def test_who_asks_meanwhile_comes_before_what_was_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben asks for his hand while the table is drawn: it is sent after he has it, and Cleo's DM too."""
    monkeypatch.setattr("bot.delivery.answers.GIVE_WAY_SECONDS", 3600.0)
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo")
        ann = place.awaited
        at = people.index(ann)
        cleo, ben = people[(at + 1) % 3], people[(at + 2) % 3]
        await ann.look_in_dm()
        await cleo.look_in_dm()
        before, table = cleo.dm.text, place.table
        with table_held(monkeypatch) as (begun, goes_on), held_up(monkeypatch, ben.id) as waits:
            moved = asyncio.create_task(ann.send(ann.dm, ann.dm.custom_id("End turn")))
            await begun.wait()
            asked = asyncio.create_task(ben.send(table, table.custom_id("My hand")))
            await waits.wait()
            goes_on.set()
            for _turn in range(50):
                await asyncio.sleep(0.01)
                assert is_old(place)
                assert cleo.dm.text == before
        await until(lambda: not is_old(place) and cleo.dm.text != before)
        await asyncio.gather(asked, moved)


async def test_what_is_overtaken_while_it_is_drawn_is_drawn_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann draws and ends her turn while the table is drawn: all see both at once, and no old picture."""
    async with pond(tmp_path) as place:
        ann, _ben = await place.two()
        await ann.look_in_dm()
        seen, edit = list[str](), discord.Interaction.edit_original_response

        async def edited(self: discord.Interaction, **what: Any) -> Any:
            message = await edit(self, **what)
            seen.append(place.table.custom_ids[0].split(":")[2])
            return message

        monkeypatch.setattr(discord.Interaction, "edit_original_response", edited)
        with table_held(monkeypatch) as (begun, goes_on):
            drawn = asyncio.create_task(ann.send(ann.dm, ann.dm.custom_id("Draw")))
            await begun.wait()
            await until(lambda: KEEP in ann.dm.labels)
            ended = asyncio.create_task(ann.send(ann.dm, ann.dm.custom_id(KEEP)))
            await until(lambda: KEEP not in ann.dm.labels)
            goes_on.set()
        await asyncio.gather(drawn, ended)
        assert seen == ["2"]


@pytest.mark.parametrize("in_dms", [True, False])
async def test_who_asks_while_a_hand_is_made_comes_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, in_dms: bool
) -> None:
    """The table is closed while all look at their hands: Ben, who asks meanwhile, is answered first."""
    monkeypatch.setattr("bot.delivery.answers.GIVE_WAY_SECONDS", 3600.0)
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo", "Dan")
        ann, ben, *_others = people
        table = place.table
        for person in people:
            await (person.look_in_dm() if in_dms else person.press("My hand"))
        question = shown(await ann.slash("toad stop"))
        begun, asks, goes_on = asyncio.Event(), asyncio.Event(), asyncio.Event()
        made, hands, rules = list[int](), Sheets.hand, Looks.rules

        async def make(self: Sheets, now: Table, seat: int, *args: Any, **options: Any) -> Any:
            made.append(seat)
            begun.set()
            await asks.wait()
            return await hands(self, now, seat, *args, **options)

        async def look_up(self: Looks, *args: Any) -> Any:
            asks.set()
            await goes_on.wait()
            return await rules(self, *args)

        monkeypatch.setattr(Sheets, "hand", make)
        monkeypatch.setattr(Looks, "rules", look_up)
        closed = asyncio.create_task(ann.send(question, question.custom_id("Close the table")))
        await begun.wait()
        asked = asyncio.create_task(ben.send(table, table.custom_id("How to play")))
        await asks.wait()
        for _turn in range(50):
            await asyncio.sleep(0.01)
            assert len(made) == 1
        goes_on.set()
        await until(lambda: len(made) >= len(people))
        await asyncio.gather(closed, asked)


@contextmanager
def table_held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[asyncio.Event, asyncio.Event]]:
    """Have tables take long to make; yields what is set when one begins, and what lets it go on."""
    begun, goes_on, makes = asyncio.Event(), asyncio.Event(), Sheets.table

    async def make_late(self: Sheets, table: Table) -> Any:
        begun.set()
        await goes_on.wait()
        return await makes(self, table)

    monkeypatch.setattr(Sheets, "table", make_late)
    yield begun, goes_on


async def test_nothing_gives_way_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Ben's hand takes too long, the table is brought up to date before he has it."""
    monkeypatch.setattr("bot.delivery.answers.GIVE_WAY_SECONDS", 0.0)
    async with ben_waits(tmp_path, monkeypatch) as (place, _ann):
        await until(lambda: not is_old(place))


async def test_a_crowd_is_given_way_to_for_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table waits once for each of those who wait for an answer, and once as any message does."""
    monkeypatch.setattr("bot.delivery.answers.GIVE_WAY_SECONDS", 0.0)
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo")
        mover = place.awaited
        others = [one for one in people if one is not mover]
        await mover.look_in_dm()
        with held_up(monkeypatch, *(one.id for one in others)) as begun:
            table = place.table
            asked = [asyncio.create_task(one.send(table, table.custom_id("My hand"))) for one in others]
            await begun.wait()
            waits, waited, makes = waits_counted(monkeypatch), list[int](), Sheets.table

            async def make(self: Sheets, table: Table) -> Any:
                waited.append(len(waits))
                return await makes(self, table)

            monkeypatch.setattr(Sheets, "table", make)
            moved = asyncio.create_task(mover.send(mover.dm, mover.dm.custom_id("End turn")))
            await until(lambda: not is_old(place))
            assert waited[0] == len(others) + 1
            await until(lambda: not answers._giving_way)  # forgotten, though those two wait on
        await asyncio.gather(moved, *asked)


def waits_counted(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """Return a list that gets, from now on, until when anything gives way at most."""
    waits, timeout_at = list[float | None](), asyncio.timeout_at

    def noted(when: float | None) -> asyncio.Timeout:
        waits.append(when)
        return timeout_at(when)

    monkeypatch.setattr(asyncio, "timeout_at", noted)
    return waits

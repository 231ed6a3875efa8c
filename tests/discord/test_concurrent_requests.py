"""Two concurrent requests for one message, which can finish in either order."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.delivery.message_places import TablePlace
from bot.delivery.message_plans import Plans
from bot.delivery.message_routes import MessageEdit
from bot.requests.message_requests import Requests
from bot.sessions.tables import Tables
from tests.discord.bot_harness import HERE, BotHarness, Clicking, Person, Seen, bot_harness, response_of

MOVED, KEEP = "This table has moved", "End turn"


async def draw_button_id(place: BotHarness, person: Person) -> str:
    """Return the custom_id with which a person whose turn it is draws a card."""
    table = await place.stored(place.table.match_id)
    seat = table.match.seat_of(person.id)
    panel = table.game.panel(table.game.view(table.state, seat))
    [key] = [choice.key for choice in panel.choices() if choice.label == "Draw"]
    return f"m:{table.match.id}:{table.n}:h:{key}"


async def is_current(place: BotHarness, seen: Seen) -> bool:
    """Return whether a message offers the last state's choices. A table must also show that state."""
    if seen.id == place.table.id and not await place.is_table_current():
        return False
    table = await place.stored(place.table.match_id)
    choices = [one for one in seen.custom_ids if one.startswith("m:")]
    return all(one.startswith(f"m:{table.match.id}:{table.n}:") for one in choices)


async def test_a_move_during_a_resend_is_shown_in_the_new_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move made while a new table message is sent is shown in the new message."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.start_pair()
        posts, sent, played = discord.InteractionResponse.send_message, asyncio.Event(), asyncio.Event()

        async def post_unheard(response: discord.InteractionResponse[Any], **what: Any) -> Any:
            posted = await posts(response, **what)
            sent.set()
            await played.wait()
            return posted

        monkeypatch.setattr(discord.InteractionResponse, "send_message", post_unheard)
        asked = asyncio.create_task(ben.slash("toad table"))
        await sent.wait()
        moved = asyncio.create_task(ann.send(ann.dm, ann.dm.custom_id("End turn")))
        while (await place.stored(place.table.match_id)).n == 0:  # noqa: ASYNC110 — there is no event to wait for
            await asyncio.sleep(0.01)
        played.set()
        await asyncio.gather(asked, moved)
        assert await is_current(place, place.table)


async def test_a_planned_table_does_not_replace_a_pointer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table planned for a message that became a pointer meanwhile does not replace the pointer."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.start_pair()
        await ann.move_hand_to_dm()
        old, draw, adopt = place.table.id, Plans.table, TablePlace.adopt
        drawing, goes_on, adopted, ends = (asyncio.Event() for _event in range(4))

        async def draw_late(contents: Plans, *asked: Any) -> Any:
            if not drawing.is_set():
                drawing.set()
                await goes_on.wait()
            return await draw(contents, *asked)

        async def adopt_late(*asked: Any) -> None:
            await adopt(*asked)
            adopted.set()
            await ends.wait()

        monkeypatch.setattr(Plans, "table", draw_late)
        monkeypatch.setattr(TablePlace, "adopt", adopt_late)
        moved = asyncio.create_task(ann.send(ann.dm, ann.dm.custom_id("End turn")))
        await drawing.wait()
        asked = asyncio.create_task(ben.slash("toad table"))
        await adopted.wait()
        goes_on.set()
        for _turn in range(50):
            await asyncio.sleep(0.01)
        ends.set()
        await asyncio.gather(moved, asked)
        [before] = [message for message in place.messages if message.id == old]
        assert MOVED in before.text


async def test_a_pending_edit_of_a_moved_table_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit that still waits for its turn when the table moves is not made.

    The old message links to the new one, which shows Ann's turn.
    """
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.start_expired_pair()
        old, turn = place.table.id, MessageEdit.turn
        waits, moved = asyncio.Event(), asyncio.Event()

        @asynccontextmanager
        async def turn_late(route: MessageEdit) -> AsyncIterator[None]:
            async with turn(route):
                if isinstance(route.place, TablePlace) and not moved.is_set():
                    waits.set()
                    await moved.wait()
                yield

        monkeypatch.setattr(MessageEdit, "turn", turn_late)
        ended = asyncio.create_task(ann.send(ann.dm, ann.dm.custom_id("End turn")))
        await waits.wait()
        asked = asyncio.create_task(ben.slash("toad table"))
        while place.table.id == old:  # noqa: ASYNC110 — there is no event to wait for
            await asyncio.sleep(0.01)
        moved.set()
        await asyncio.gather(ended, asked)
        assert MOVED in place.messages[0].text
        assert await is_current(place, place.table)


async def test_the_dm_links_to_a_hand_opened_before_it_was_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a hand is opened at the table before the DM is sent, the DM links to it."""
    async with bot_harness(tmp_path) as place:
        people = await place.seat_players("Ann", "Ben")
        dm_channel, asked, goes_on = Requests.dm_channel, asyncio.Event(), asyncio.Event()

        async def open_late(*of: Any) -> int:
            asked.set()
            await goes_on.wait()
            return await dm_channel(*of)

        monkeypatch.setattr(Requests, "dm_channel", open_late)
        started = asyncio.create_task(people[0].send(place.table, place.table.custom_id("Start")))
        await asked.wait()
        while "My hand" not in place.table.labels:  # noqa: ASYNC110 — there is no event to wait for
            await asyncio.sleep(0.01)
        opened = [
            asyncio.create_task(one.send(place.table, place.table.custom_id("My hand")))
            for one in people
        ]
        for _turn in range(50):
            await asyncio.sleep(0.01)
        goes_on.set()
        await asyncio.gather(started, *opened)
        assert all(one.dm.labels == [HERE] for one in people)


async def test_a_slow_response_does_not_delay_other_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While Discord takes its time with Ben's hand, Ann's move is answered, and shown at the table."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.start_pair()
        await ann.move_hand_to_dm()
        send, under_way, goes_on = (
            discord.InteractionResponse.send_message,
            asyncio.Event(),
            asyncio.Event(),
        )

        async def send_late(response: discord.InteractionResponse[Any], **what: Any) -> Any:
            under_way.set()
            await goes_on.wait()
            return await send(response, **what)

        monkeypatch.setattr(discord.InteractionResponse, "send_message", send_late)
        asked = asyncio.create_task(ben.press("My hand"))
        await under_way.wait()
        moved = asyncio.create_task(ann.send(ann.dm, ann.dm.custom_id("End turn")))
        while ann.dm.choices or "passed" not in place.table.text:  # noqa: ASYNC110 — there is no event to wait for
            await asyncio.sleep(0.01)
        assert not asked.done()
        goes_on.set()
        await asyncio.gather(asked, moved)
        assert await is_current(place, response_of(asked.result()))


async def test_two_moves_at_once_are_both_shown(tmp_path: Path) -> None:
    """Two moves in quick succession are both shown in all messages in the end."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.start_pair()
        await ann.move_hand_to_dm()
        table = await place.stored(place.table.match_id)
        seat = table.match.seat_of(ann.id)
        assert seat is not None
        drawn = table.game.play(table.state, table.game.read("draw", table.state))
        panel = table.game.panel(table.game.view(drawn, seat))
        [key] = [choice.key for choice in panel.choices() if choice.label == KEEP]
        drew = asyncio.create_task(ann.send(ann.dm, await draw_button_id(place, ann)))
        while (await place.stored(table.match.id)).n == 0:  # noqa: ASYNC110 — there is no event to wait for
            await asyncio.sleep(0.01)
        await asyncio.gather(drew, ann.send(ann.dm, f"m:{table.match.id}:1:h:{key}"))
        assert (await place.stored(table.match.id)).n == 2
        assert await is_current(place, place.table)
        assert await is_current(place, ben.dm)
        assert ann.dm.choices == []


async def test_a_late_response_does_not_hide_a_newer_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the response to a first click arrives after that of a second, the table shows both moves."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=7)
        await ann.press("Turn the stock")
        answers, under_way, goes_on = (
            discord.InteractionResponse.edit_message,
            asyncio.Event(),
            asyncio.Event(),
        )

        async def answer_late(response: discord.InteractionResponse[Any], **what: Any) -> Any:
            if not under_way.is_set():
                under_way.set()
                await goes_on.wait()
            return await answers(response, **what)

        monkeypatch.setattr(discord.InteractionResponse, "edit_message", answer_late)
        table, match_id = place.table, place.table.match_id
        first = asyncio.create_task(ann.send(table, f"m:{match_id}:1:t:turn"))
        await under_way.wait()
        second = asyncio.create_task(ann.send(table, f"m:{match_id}:2:t:turn"))
        while (await place.stored(match_id)).n < 3:  # noqa: ASYNC110 — there is no event to wait for
            await asyncio.sleep(0.01)
        goes_on.set()
        await asyncio.gather(first, second)
        assert "3 moves" in place.table.text
        assert await is_current(place, place.table)


@pytest.mark.parametrize("is_deleted_first", [True, False])
@pytest.mark.parametrize("command", ["toad start", "solitaire learn", "solitaire daily"])
async def test_a_click_during_a_panel_replacement_leaves_one_panel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, is_deleted_first: bool
) -> None:
    """A click in a panel that is being replaced leaves one panel, which shows the newest state."""
    async with bot_harness(tmp_path) as place:
        ann = (await place.start_pair())[0] if command == "toad start" else place.person("Ann")
        table = place.table if command == "toad start" else None

        def ask() -> Clicking:
            if table is not None:
                return ann.sends(table, table.custom_id("My hand"))
            return ann.slash(command)

        first = response_of(await ask())
        delete, choose = discord.Interaction.delete_original_response, Tables.choose
        asked, goes_on, deleted = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def delete_late(interaction: discord.Interaction) -> None:
            asked.set()
            await goes_on.wait()
            await delete(interaction)
            deleted.set()

        async def choose_late(tables: Tables, *of: Any) -> Any:
            chosen = await choose(tables, *of)
            if is_deleted_first:
                goes_on.set()
                await deleted.wait()
            return chosen

        monkeypatch.setattr(discord.Interaction, "delete_original_response", delete_late)
        monkeypatch.setattr(Tables, "choose", choose_late)
        opened = asyncio.create_task(ask())
        await asked.wait()
        move = next(one for one in first.custom_ids if re.fullmatch(r"m:\w+:0:[th]:\w+", one))
        clicked = asyncio.create_task(ann.sends(first, move))
        while (await place.stored(first.match_id)).n == 0:  # noqa: ASYNC110 — there is no event to wait for
            await asyncio.sleep(0.01)
        for _turn in range(50):
            await asyncio.sleep(0.01)
        goes_on.set()
        await asyncio.gather(opened, clicked)
        stored = await place.stored(first.match_id)
        private = [seen for seen in ann.visible_messages(place.channel) if seen.message.flags.ephemeral]
        [left] = [seen for seen in private if any(first.match_id in one for one in seen.custom_ids)]
        choices = [one for one in left.custom_ids if one.startswith("m:")]
        assert all(one.startswith(f"m:{stored.match.id}:{stored.n}:") for one in choices)


async def test_a_response_keeps_no_attachment_replaced_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A response keeps no attachment replaced since the click, which Discord would refuse."""
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.start_expired_pair()
        match_id, display, choose = place.table.match_id, place.bot.display, Tables.choose
        asked, goes_on = asyncio.Event(), asyncio.Event()

        async def choose_late(tables: Tables, *of: Any) -> Any:
            asked.set()
            await goes_on.wait()
            return await choose(tables, *of)

        monkeypatch.setattr(Tables, "choose", choose_late)
        [before] = ann.dm.message.attachments
        clicked = asyncio.create_task(ann.sends(ann.dm, f"m:{match_id}:9:h:end"))
        await asked.wait()
        display.messages_of_match(match_id).invalidate()
        display.refresh(match_id)
        while ann.dm.message.attachments[0].id == before.id:  # noqa: ASYNC110 — there is no event to wait for
            await asyncio.sleep(0.01)
        since = len(place.env.http_requests)
        goes_on.set()
        await clicked
        requests = place.env.http_requests[since:]
        [after] = ann.dm.message.attachments
        assert before.filename == after.filename
        assert len([one for one in requests if one.path.endswith("/callback")]) == 1

"""Tests of faults at Discord or inside the bot: the match goes on, and messages become correct again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from simcord.http.client import FakeWebhookAdapter

from bot.delivery.match_messages import RETRY_SECONDS
from bot.delivery.message_places import TablePlace
from bot.delivery.message_plans import Plans
from bot.messages.components import Content
from bot.requests.answers import DEFER_AFTER_SECONDS, EDIT_SECONDS
from bot.requests.channel_permissions import REFUSED_SECONDS
from bot.sessions.errors import TableError
from bot.sessions.events import Click
from bot.sessions.table_state import Table
from bot.sessions.tables import UNSURE_SECONDS, Tables
from bot.storage.players import PlayerRecord, Players
from bot.storage.writer import UnreachableDatabaseError
from tests.discord.admins import add_moderator
from tests.discord.bot_harness import (
    BotHarness,
    Seen,
    bot_harness,
    ephemeral_reply,
    other_person,
    response_of,
)
from tests.discord.toad_player import true_state

TOO_OLD_TO_EDIT = 30046
UNKNOWN_MESSAGE = 10008
MISSING_ACCESS = 50001
SLOW_SECONDS = 60
DISCORDS_PATIENCE = 3
ANNOUNCEMENTS = (5, 6)
"""Response types that defer the answer to a command or a button."""
TOKEN_SECONDS = 15 * 60


def fail_next_request(place: BotHarness, method: str, channel_id: int) -> None:
    """Make the next edit or deletion of a message in a channel fail."""
    place.env.inject_error(method, f"/channels/{channel_id}/messages/*", status=500, times=1)


def fail_table_edits(place: BotHarness, times: int | None = 1, status: int = 500, code: int = 0) -> None:
    """Make the next edits of the table fail."""
    place.env.inject_error(
        "PATCH",
        f"/channels/{place.channel.id}/messages/*",
        status=status,
        code=code,
        times=times,
    )


def delay_content(patched: pytest.MonkeyPatch, content: str) -> None:
    """Delay hands or tables so long that the users that ask for one get a deferred answer."""
    make = getattr(Plans, content)

    async def slow(contents: Plans, *arguments: Any, **options: Any) -> Content:
        await asyncio.sleep(SLOW_SECONDS)
        made: Content = await make(contents, *arguments, **options)
        return made

    patched.setattr(Plans, content, slow)
    patched.setattr("bot.requests.answers.DEFER_AFTER_SECONDS", 0.05)


def drop_defer_responses(patched: pytest.MonkeyPatch) -> None:
    """Break the connection whenever Discord has accepted a deferred response."""
    request = FakeWebhookAdapter.request

    async def broken(*arguments: Any, payload: Any = None, **options: Any) -> Any:
        answer = await request(*arguments, payload=payload, **options)
        if payload is not None and payload.get("type") in ANNOUNCEMENTS:
            raise aiohttp.ServerDisconnectedError
        return answer

    patched.setattr(FakeWebhookAdapter, "request", broken)


@asynccontextmanager
async def delay_until_exit(
    place: BotHarness, monkeypatch: pytest.MonkeyPatch, content: str, *, is_unconfirmed: bool = True
) -> AsyncIterator[pytest.MonkeyPatch]:
    """Delay a hand or table requested inside the block until the end of the block."""
    with monkeypatch.context() as patched:
        delay_content(patched, content)
        if is_unconfirmed:
            drop_defer_responses(patched)
        yield patched
        await place.env.advance_time(SLOW_SECONDS)


async def test_the_next_move_repairs_a_table_after_lost_edits(tmp_path: Path) -> None:
    """After lost edits of the table, the next move shows the current state."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_expired_pair()
        fail_table_edits(place)
        await mover.press_dm("End turn")
        assert "passed" not in place.table.text, "this edit was lost"
        await waiting.press_dm("Draw")
        assert f"{waiting.name} drew a card" in place.table.text


async def test_the_next_move_sends_a_hand_lost_to_a_server_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server error for a DM does not count as closed DMs. The hand is sent with the next move."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: bytes([1]) * 32)
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        path = f"/channels/{ben.actor.user.dm_channel.id}/messages"
        place.env.inject_error("POST", path, status=500, times=1)
        await place.started("Ann", "Ben")
        assert ben.dms == []
        assert not any("DMs are closed" in line for line in place.reminders)
        assert place.reminded_player is ann
        await ann.press("End turn")
        assert "Red spots" in ben.dm.alt
        lines = [line for line in place.logs if line["event"] == "Discord refused a request"]
        assert ["500" in line["error"] for line in lines] == [True]
        assert "Red spots" in ann.dm.alt


async def test_the_next_update_repairs_a_dm_after_a_lost_edit(tmp_path: Path) -> None:
    """A DM that could not be edited shows the truth at the next try, in the same message."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        fail_next_request(place, "PATCH", waiting.actor.user.dm_channel.id)
        await mover.press("Draw")
        await mover.press_dm("End turn")
        assert waiting.dm.choices == []
        await place.wait(RETRY_SECONDS[0])
        assert "End turn" in waiting.dm.labels
        assert len(waiting.dms) == 1


async def test_the_next_event_deletes_a_ping_that_failed_to_delete(tmp_path: Path) -> None:
    """If Discord fails to delete a ping, the next event deletes it."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        await waiting.actor.send(place.channel, "hello")
        fail_next_request(place, "DELETE", place.channel.id)
        await mover.press_dm("Draw")
        assert len(place.reminders) == 1, "this one is still there"
        await mover.press_dm("End turn")
        assert place.reminded_player is waiting


async def test_a_table_deleted_during_a_click_is_posted_again(tmp_path: Path) -> None:
    """A click on a message that is deleted before the answer counts, and the table is posted again."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_expired_pair()
        table = place.table
        path = "/interactions/*/callback"
        place.env.inject_error("POST", path, status=404, code=UNKNOWN_MESSAGE, times=1)
        place.env.inject_error(
            "PATCH",
            f"/channels/{place.channel.id}/messages/*",
            status=404,
            code=UNKNOWN_MESSAGE,
            times=1,
        )
        result = await mover.press("End turn")
        assert result.acknowledged
        assert place.table.id != table.id
        assert place.reminded_player is waiting


async def test_a_new_message_replaces_a_private_one_without_edits(tmp_path: Path) -> None:
    """A page or a hand whose message takes no edit is sent in a new private message."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair()
        hand = response_of(await mover.press("My hand"))
        for label, seen in (("Lives", response_of(await mover.slash("toad rules"))), ("End turn", hand)):
            path = "/interactions/*/*/callback"
            place.env.inject_error("POST", path, status=404, code=UNKNOWN_MESSAGE, times=1)
            sent = ephemeral_reply(await mover.press(label, seen))
            assert sent.id != seen.id
            assert sent.alt


async def test_a_new_message_replaces_a_table_too_old_to_edit(tmp_path: Path) -> None:
    """If Discord rejects edits of an old table message, a new one replaces it."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_expired_pair()
        before = place.table
        fail_table_edits(place, times=2, status=429, code=TOO_OLD_TO_EDIT)
        await mover.press_dm("End turn")
        assert place.table.id > before.id
        assert before.id not in [seen.id for seen in place.messages]
        assert "passed" in place.table.text
        await waiting.press("Draw")
        assert "drew a card" in place.table.text


async def test_long_rate_limits_are_abandoned_and_retried_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests for which Discord demands a long wait are given up, and made again soon."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_expired_pair()
        before = place.table
        fail_table_edits(place, times=1, status=429, code=TOO_OLD_TO_EDIT)
        send, here = discord.PartialMessageable.send, place.channel.id

        async def slow(channel: discord.PartialMessageable, **shown: Any) -> Any:
            if channel.id == here:
                await asyncio.sleep(60 * 60)
            return await send(channel, **shown)

        with monkeypatch.context() as patched:
            patched.setattr(discord.PartialMessageable, "send", slow)
            await mover.press_dm("End turn")
            await place.wait(2 * EDIT_SECONDS)  # for the table and the line that mentions Ben
        await place.wait(RETRY_SECONDS[0])
        assert place.table.id > before.id
        await waiting.press("Draw")
        assert "drew a card" in place.table.text


async def test_a_deleted_table_is_sent_again_with_the_next_move(tmp_path: Path) -> None:
    """If a moderator deletes the table's message, the next move sends a new one."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover = place.reminded_player
        place.env.backend.delete_message(place.channel.id, place.table.id)
        await mover.press_dm("End turn")
        assert "passed" in place.table.text


async def test_a_deleted_hand_is_sent_again_with_the_next_move(tmp_path: Path) -> None:
    """A hand that is gone from the DMs is sent again with the next move."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        place.env.backend.delete_message(waiting.actor.user.dm_channel.id, waiting.dm.id)
        await mover.press("End turn")
        assert "End turn" in waiting.dm.labels
        assert len(waiting.dms) == 1


async def test_a_match_continues_by_dm_if_its_channel_is_closed(tmp_path: Path) -> None:
    """If the bot may no longer write to the channel, the match continues by DM."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        first = place.reminded_player
        place.env.inject_error(
            "*", f"/channels/{place.channel.id}/messages*", status=403, code=MISSING_ACCESS, times=None
        )
        await first.press_dm("End turn")
        await other_person(people, first).press_dm("End turn")
        await place.pause()
        assert (await true_state(place)).round == 2
        place.env.backend.faults.clear()
        await place.wait(REFUSED_SECONDS)
        mover = people[(await true_state(place)).turn]
        await mover.press_dm("End turn")
        assert "Round 2" in place.table.alt


async def test_a_move_counts_if_its_response_is_lost(tmp_path: Path) -> None:
    """If the answer to a click is lost, the move counts and is shown, and a sentence says so."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        place.env.inject_error("POST", "/interactions/*/*/callback", status=500, times=1)
        answer = await mover.press("End turn")
        assert "have a look before you press again" in ephemeral_reply(answer).text
        assert "passed" in place.table.text
        assert place.reminded_player is waiting
        assert place.faults() == []


async def test_a_move_counts_if_its_interaction_has_expired(tmp_path: Path) -> None:
    """If an interaction has expired, the move is made and shown, and no fault is logged."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        place.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062, times=None)
        await mover.sends(place.table, await place.old_button_id("end"))
        place.env.backend.faults.clear()
        assert "passed" in place.table.text
        assert place.reminded_player is waiting
        assert any(line["event"] == "interaction answered too late" for line in place.logs)


async def test_a_slow_click_is_acknowledged_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A click whose work takes longer than Discord waits is acknowledged first, and answered later."""
    assert DEFER_AFTER_SECONDS < DISCORDS_PATIENCE
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        choose = Tables.choose

        async def slow(tables: Tables, click: Click, player_id: int) -> Table:
            await asyncio.sleep(SLOW_SECONDS)
            return await choose(tables, click, player_id)

        with monkeypatch.context() as patched:
            patched.setattr(Tables, "choose", slow)
            patched.setattr("bot.requests.answers.DEFER_AFTER_SECONDS", 0.05)
            await mover.press("End turn")
            assert "passed" not in place.table.text
            await place.env.advance_time(SLOW_SECONDS)
        assert "passed" in place.table.text
        assert place.reminded_player is waiting


async def test_a_slow_name_lookup_delays_a_command_only_briefly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow lookup of a user's name delays a command for a limited time only."""
    async with bot_harness(tmp_path) as place:
        get, looked_up = Players.get, list[int]()

        async def slow(players: Players, player_id: int) -> PlayerRecord:
            looked_up.append(player_id)
            if len(looked_up) == 1:
                await asyncio.sleep(SLOW_SECONDS)
            return await get(players, player_id)

        monkeypatch.setattr(Players, "get", slow)
        assert (await place.person("Ann").slash("toad start")).acknowledged
        assert "Join" in place.table.labels
        assert len(looked_up) > 1


async def test_a_late_hand_is_sent_if_its_deferral_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the connection breaks while a late hand is deferred, the hand is sent and the table stays."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair()
        table = place.table.id
        async with delay_until_exit(place, monkeypatch, "hand"):
            asked = await mover.press("My hand")
        assert "End turn" in ephemeral_reply(asked).labels
        assert place.table.id == table
        assert "End turn" in ephemeral_reply(await mover.press("My hand")).labels
        assert place.table.id == table
        await mover.press("End turn")
        await place.env.advance_time(3 * SLOW_SECONDS)  # the hands that were begun come as late
        assert "passed" in place.table.text


async def test_the_hand_replaces_an_unconfirmed_deferral(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a deferral is never confirmed, the hand still replaces Discord's *thinking …*."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair()
        async with delay_until_exit(place, monkeypatch, "hand"):
            asked = await mover.slash("toad hand")
        assert "End turn" in ephemeral_reply(asked).labels


@pytest.mark.parametrize("is_unconfirmed", [False, True], ids=["confirmed", "never confirmed"])
async def test_a_refusal_deletes_a_public_deferral(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_unconfirmed: bool
) -> None:
    """A refusal after a public deferral is sent in private, and the deferred response is deleted."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair()
        before = len(place.messages)

        def refused(*_arguments: object, **_options: object) -> Content:
            raise TableError("Not today.")

        async with delay_until_exit(
            place, monkeypatch, "table", is_unconfirmed=is_unconfirmed
        ) as patched:
            patched.setattr("bot.delivery.message_plans.table_content", refused)
            asked = await mover.slash("toad table")
            assert len(place.messages) == before + 1, "it is announced"
        assert len(place.messages) == before
        assert "Not today." in ephemeral_reply(asked).text


async def test_a_deferred_table_stays_if_the_command_then_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deferred table stays once it is posted, even if the command is refused after that."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair()
        before, adopt = place.table.id, TablePlace.adopt

        async def refused(*asked: Any) -> None:
            await adopt(*asked)
            raise TableError("Not today.")

        async with delay_until_exit(place, monkeypatch, "table", is_unconfirmed=False) as patched:
            patched.setattr(TablePlace, "adopt", refused)
            asked = await mover.slash("toad table")
        assert place.table.id != before
        assert "My hand" in place.table.labels
        assert "Not today." in ephemeral_reply(asked).text


async def test_an_unexpected_error_is_reported_with_an_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unexpected exception is logged once, with an ID that the player gets. Play goes on."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover = place.reminded_player

        async def broken(*_arguments: object) -> None:
            raise RuntimeError("the pond has dried up")

        with monkeypatch.context() as patched:
            patched.setattr(Tables, "choose", broken)
            apology = ephemeral_reply(await mover.press("End turn"))
        [fault] = place.faults()
        assert fault["id"] in apology.text
        assert fault["player"] == mover.id
        assert "dried" not in apology.text
        await mover.press("End turn")
        assert place.reminded_player is not mover


async def test_a_failed_public_command_replies_in_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that fails says so to its user alone, although its answer would be for all."""
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.started("Ann", "Ben")

        def broken(*_arguments: object, **_options: object) -> Seen:
            raise RuntimeError("no sheet")

        with monkeypatch.context() as patched:
            patched.setattr("bot.delivery.message_plans.table_content", broken)
            result = await ann.slash("toad table")
        [fault] = place.faults()
        assert result.ephemeral
        assert fault["id"] in response_of(result).text
        await place.reminded_player.press("End turn")
        assert "passed" in place.table.text


async def test_the_next_move_repairs_messages_after_an_update_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault in the upkeep of the messages is logged, and the next move's upkeep shows all."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()

        def broken(*_arguments: object, **_options: object) -> Seen:
            raise RuntimeError("no sheet")

        with monkeypatch.context() as patched:
            patched.setattr("bot.delivery.message_plans.hand_content", broken)
            await mover.send(place.table, await place.old_button_id("end"))
        assert [line["event"] for line in place.faults()] == ["messages could not be shown"]
        await waiting.press("Draw")
        await waiting.move_hand_to_dm()
        assert any("›" in label for label in waiting.dm.labels)
        assert f"{waiting.name} drew a card" in place.table.text


async def test_text_replaces_a_picture_that_cannot_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If drawing fails, the message has text instead of the picture, and play goes on."""

    def broken(_scene: object) -> bytes:
        raise RuntimeError("no paint")

    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        monkeypatch.setattr("bot.requests.layout_views.draw_picture", broken)
        await place.reminded_player.press("End turn")
        assert "3 of 3 lives" in [seen for seen in place.messages if seen.labels][-1].text
        assert {line["event"] for line in place.faults()} == {"picture not drawn"}


async def test_my_hand_buttons_work_after_its_token_expires(tmp_path: Path) -> None:
    """*My hand* is updated for 15 minutes. After that its buttons still work."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        panel = await waiting.press("My hand")
        await place.env.advance_time(TOKEN_SECONDS + 1)
        await mover.press("End turn")
        assert response_of(panel).choices == []
        fresh = response_of(await waiting.press("My hand"))
        await waiting.press("End turn", fresh)
        assert "Everybody passed" in place.table.alt


async def test_players_see_changes_stored_by_a_failed_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the database fails during a commit, all players soon see what was stored."""

    def stored_unheard() -> None:
        """Store a change but report a failure to the caller."""
        journal = place.bot.database.journal
        store = journal.commit

        async def write(*of: Any, **how: Any) -> None:
            monkeypatch.undo()
            await store(*of, **how)
            raise UnreachableDatabaseError

        monkeypatch.setattr(journal, "commit", write)

    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad start")
        stored_unheard()
        assert "can't reach my database" in ephemeral_reply(await ben.press("Join")).text
        assert f"<@{ben.id}>" not in place.table.text
        await place.wait(UNSURE_SECONDS + 1)
        assert f"<@{ben.id}>" in place.table.text
        stored_unheard()
        assert "can't reach my database" in ephemeral_reply(await ann.press("Start")).text
        await place.wait(UNSURE_SECONDS + 1)
        mover = place.reminded_player
        stored_unheard()
        assert "can't reach my database" in ephemeral_reply(await mover.press_dm("End turn")).text
        assert "passed" not in place.table.text
        await place.wait(UNSURE_SECONDS + 1)
        assert place.reminded_player is other_person([ann, ben], mover)
        assert "passed" in place.table.text
        await place.reminded_player.press_dm("Draw")
        stored_unheard()
        mo = add_moderator(place)
        question = response_of(await mo.slash("toad stop"))
        assert (
            "can't reach my database"
            in ephemeral_reply(await mo.press("Close the table", question)).text
        )
        await place.wait(UNSURE_SECONDS + 1)
        assert "closed" in place.messages[0].text

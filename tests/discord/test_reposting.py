"""Tests of tables whose message is old, buried or deleted, and of the pointer to the new message."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest

from bot.delivery.channels import Channels
from bot.delivery.match_messages import RETRY_SECONDS
from bot.delivery.message_keys import TABLE_KEY
from bot.delivery.reposting import BURIED_BY, COUNT_EVERY_SECONDS, REPOST_AFTER_SECONDS
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness, response_of
from tests.discord.strict_discord import deny_permissions, strict_discord
from tests.discord.test_faults import TOO_OLD_TO_EDIT, fail_table_edits
from tests.discord.toad_player import true_state

DISCORDS_HOUR = 60 * 60


def message_with_id(place: BotHarness, message_id: int) -> Seen:
    return next(one for one in place.messages if one.id == message_id)


def is_deleted(place: BotHarness, message_id: int) -> bool:
    return message_id not in [one.id for one in place.messages]


async def player_to_move(place: BotHarness, people: list[Person]) -> Person:
    return people[(await true_state(place)).turn]


async def send_chatter(place: BotHarness, lines: int) -> None:
    for line in range(lines):
        await place.person("Ann").actor.send(place.channel, f"blah {line}")


@pytest.mark.parametrize("way", ["table", "dm"])
async def test_a_table_moves_before_it_is_too_old_to_edit(tmp_path: Path, way: str) -> None:
    """The first change after 50 minutes sends the table again. The old message links to it."""
    assert REPOST_AFTER_SECONDS < DISCORDS_HOUR
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=0)
        old = place.table
        await place.wait(REPOST_AFTER_SECONDS - 60)
        await (await player_to_move(place, people)).press_dm("End turn")
        assert place.table.id == old.id, "it is not yet time"
        await place.wait(120)
        assert place.table.id == old.id, "it does not move without a change"
        mover = await player_to_move(place, people)
        await (mover.press("Draw") if way == "table" else mover.press_dm("Draw"))
        assert place.table.id > old.id
        assert "drew a card" in place.table.text
        pointer = message_with_id(place, old.id)
        assert f"/{place.table.id}" in pointer.text
        assert (pointer.custom_ids, pointer.alt, pointer.message.attachments) == ([], "", [])
        await mover.press_dm("End turn")
        assert place.reminded_player is await player_to_move(place, people)
        assert f"/{place.table.id}" in place.reminders[0]


async def test_a_match_keeps_only_its_last_pointer(tmp_path: Path) -> None:
    """Only the last of a match's former messages remains, as a pointer."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=0)
        first = place.table.id
        await people[0].slash("toad table")
        second = place.table.id
        assert not is_deleted(place, first)
        await place.wait(REPOST_AFTER_SECONDS)
        await (await player_to_move(place, people)).press("End turn")
        assert is_deleted(place, first)
        assert f"/{place.table.id}" in message_with_id(place, second).text
        await people[1].slash("toad table")
        assert is_deleted(place, second)
        assert len(place.messages) == 3, "table, pointer, and whose turn it is"


async def test_a_restart_does_not_move_a_table(tmp_path: Path) -> None:
    """A restart does not move an old table if nothing has changed."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=0)
        before = place.table
        await place.restart(after=2 * DISCORDS_HOUR)
        assert place.table.id == before.id
        await (await player_to_move(place, people)).press("End turn")
        assert place.table.id > before.id
        assert "passed" in place.table.text


async def test_a_table_moves_after_many_messages(tmp_path: Path) -> None:
    """After many messages in the channel, the next change sends the table again."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        old = place.table
        await send_chatter(place, BURIED_BY // 2)
        await (await player_to_move(place, people)).press("Draw")
        assert place.table.id == old.id
        await send_chatter(place, BURIED_BY)
        await place.wait(COUNT_EVERY_SECONDS)
        await (await player_to_move(place, people)).press_dm("End turn")
        assert place.table.id > old.id
        assert f"/{place.table.id}" in message_with_id(place, old.id).text


async def test_later_messages_are_counted_rarely(tmp_path: Path) -> None:
    """Later messages are counted at most every few minutes, and not without permission."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", lives=5)

        def counts() -> int:
            path = f"/channels/{place.channel.id}/messages"
            return sum(one.method == "GET" and one.path == path for one in place.env.http_requests)

        await (await player_to_move(place, people)).press_dm("End turn")
        await (await player_to_move(place, people)).press_dm("End turn")
        await place.pause()
        assert counts() == 1
        await place.wait(COUNT_EVERY_SECONDS)
        await (await player_to_move(place, people)).press_dm("End turn")
        assert counts() == 2
        await deny_permissions(place, "read_message_history")
        await place.wait(COUNT_EVERY_SECONDS)
        with strict_discord() as refused:
            await (await player_to_move(place, people)).press_dm("End turn")
        assert (counts(), refused) == (2, [])


async def test_a_click_moves_an_old_or_buried_solitaire_table(tmp_path: Path) -> None:
    """A click at a solitaire table makes one request, and moves a table that is old or buried."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=7)
        await ann.press("Turn the stock")
        asked = len(place.env.http_requests)
        for _turn in range(3):
            await ann.press("Turn the stock")
        assert len(place.env.http_requests) == asked + 3, "the answers"
        for age in (COUNT_EVERY_SECONDS, REPOST_AFTER_SECONDS + COUNT_EVERY_SECONDS):
            old = place.table
            if age < REPOST_AFTER_SECONDS:
                await send_chatter(place, BURIED_BY)
            await place.wait(age)
            assert place.table.id == old.id, "it does not move without a change"
            await ann.press("Turn the stock")
            assert place.table.id > old.id
            assert f"/{place.table.id}" in message_with_id(place, old.id).text
            await ann.press("Undo")
            assert "undo" in place.table.text


async def test_a_table_that_takes_no_pointer_is_deleted(tmp_path: Path) -> None:
    """If Discord rejects the edit to a pointer as well, the old message is deleted."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=0)
        await place.expire_interactions()
        old = place.table
        fail_table_edits(place, times=None, status=429, code=TOO_OLD_TO_EDIT)
        await (await player_to_move(place, people)).press_dm("End turn")
        assert place.table.id > old.id
        assert is_deleted(place, old.id)


async def test_a_failed_edit_to_a_pointer_is_retried(tmp_path: Path) -> None:
    """If the edit of the old message to a pointer fails, it is tried again a while later."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=0)
        old = place.table
        fail_table_edits(place, times=None)
        place.env.inject_error("PATCH", "/webhooks/*/*/messages/*", status=500, times=None)
        await people[0].slash("toad table")
        assert message_with_id(place, old.id).custom_ids
        place.env.backend.faults.clear()
        await place.wait(RETRY_SECONDS[0])
        pointer = message_with_id(place, old.id)
        assert pointer.custom_ids == []
        assert f"/{place.table.id}" in pointer.text


async def test_a_finished_table_moves_and_a_closed_one_stays(tmp_path: Path) -> None:
    """A finished match is shown at the end of the channel. A closed table stays in its message."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", turn=0)
        old = place.table.id
        await place.wait(REPOST_AFTER_SECONDS)
        await ben.press("Give up", response_of(await ben.slash("toad leave")))
        assert place.table.id > old
        assert "Rematch" in place.table.labels
        await ann.press("Rematch")
        lobby = place.table.id
        await place.wait(REPOST_AFTER_SECONDS)
        await ann.press("Close the table", response_of(await ann.slash("toad stop")))
        assert (place.table.id, place.table.labels) == (lobby, [])


async def test_an_old_lobby_moves_when_a_user_joins(tmp_path: Path) -> None:
    """A lobby that is old moves to the end of the channel when a user joins."""
    async with bot_harness(tmp_path) as place:
        await place.person("Ann").slash("toad start")
        await place.person("Ben").press("Join")
        old = place.table.id
        await place.wait(REPOST_AFTER_SECONDS)
        await place.person("Cleo").press("Join")
        assert place.table.id > old
        assert f"<@{place.person('Cleo').id}>" in place.table.text
        assert "moved" in message_with_id(place, old).text


async def test_an_old_table_is_edited_without_send_messages(tmp_path: Path) -> None:
    """A table old enough to be posted again is edited instead, and no request is refused."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=0)
        old = place.table.id
        await place.wait(REPOST_AFTER_SECONDS)
        await deny_permissions(place, "send_messages")
        with strict_discord() as refused:
            await (await player_to_move(place, people)).press_dm("End turn")
        assert "passed" in message_with_id(place, old).text
        assert refused == []


async def test_a_refused_edit_is_tried_again_without_send_messages(tmp_path: Path) -> None:
    """If Discord rejects an edit of a table that cannot be sent again, the next move edits it."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_expired_pair()
        await deny_permissions(place, "send_messages")
        fail_table_edits(place, status=429, code=TOO_OLD_TO_EDIT)
        await mover.press_dm("Draw")
        assert not await place.is_table_current()
        await mover.press_dm("End turn")
        assert await place.is_table_current()


async def test_a_deleted_table_is_sent_again_without_a_pointer(tmp_path: Path) -> None:
    """A deleted table is sent again at the next move and by ``/toad table``, without a pointer."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover = await player_to_move(place, people)
        place.env.backend.delete_message(place.channel.id, place.table.id)
        await mover.press_dm("End turn")
        assert "passed" in place.table.text
        place.env.backend.delete_message(place.channel.id, place.table.id)
        await people[0].slash("toad table")
        assert "passed" in place.table.text
        await (await player_to_move(place, people)).press("End turn")
        assert "Round 1 is over" in place.table.text
        assert len([one for one in place.messages if one.text.startswith("This table has moved")]) == 0


async def test_a_resent_message_uses_the_same_nonce(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the process ends before it stores a sent message, the next process uses the same nonce."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover = await player_to_move(place, people)
        place.env.backend.delete_message(place.channel.id, place.table.id)
        forgotten: list[int] = []

        async def forget(
            _posts: object, _match: str, slot: str, _channel: int, message_id: int, *, former: str
        ) -> None:
            forgotten.append(message_id)
            raise RuntimeError("killed")

        with monkeypatch.context() as patched:
            patched.setattr("bot.storage.match_posts.Posts.store_message", forget)
            await mover.press_dm("End turn")
        assert forgotten
        place.faults()
        await place.restart()
        sent = [
            (request.json or {})["nonce"]
            for request in place.env.http_requests
            if request.method == "POST" and request.path == f"/channels/{place.channel.id}/messages"
        ]
        assert len(set(sent)) < len(sent), "one of them was sent twice"
        assert all(len(nonce) <= 25 for nonce in sent)


async def test_a_message_from_a_killed_process_is_updated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If Discord returns a message sent by an earlier process, it is updated to the current state."""
    async with bot_harness(tmp_path) as place:
        with strict_discord():
            people = await place.started("Ann", "Ben")
            first = await player_to_move(place, people)
            place.env.backend.delete_message(place.channel.id, place.table.id)

            async def forget(*_post: object) -> None:
                raise RuntimeError("killed")

            with monkeypatch.context() as patched:
                patched.setattr("bot.storage.match_posts.Posts.store_message", forget)
                await first.press_dm("End turn")
            place.faults()
            second = await player_to_move(place, people)
            await place.wait(5)
            await second.press_dm("Draw")
            assert "drew a card" in place.table.text
            assert len([one for one in place.messages if one.custom_ids]) == 1


async def test_a_message_that_nearly_got_lost_is_not_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new table is sent without confirmation. When it is found, Discord fails its edit.

    Later, Discord no longer remembers the nonce, and the bot edits the message that it found.
    """
    send, lost = discord.PartialMessageable.send, list[int]()

    async def lose_first(channel: discord.PartialMessageable, **shown: Any) -> discord.Message:
        sent = await send(channel, **shown)
        if not lost:
            lost.append(sent.id)
            raise aiohttp.ServerDisconnectedError
        return sent

    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_expired_pair()
        place.env.backend.delete_message(place.channel.id, place.table.id)
        monkeypatch.setattr(discord.PartialMessageable, "send", lose_first)
        with strict_discord():
            await mover.press_dm("Draw")
            fail_table_edits(place, times=None)
            await place.wait(RETRY_SECONDS[0])
            place.env.backend.faults.clear()
        await mover.press_dm("End turn")
        assert [one.id for one in place.messages if one.custom_ids] == lost
        assert await place.is_table_current()


async def test_a_click_identifies_a_table_that_was_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table whose process ended before its message was stored is recognised at the first click."""
    async with bot_harness(tmp_path) as place:

        async def forget(*_post: object) -> None:
            raise RuntimeError("killed")

        ann, ben = place.person("Ann"), place.person("Ben")
        with monkeypatch.context() as patched:
            patched.setattr("bot.storage.match_posts.Posts.store_message", forget)
            await ann.slash("toad start")
        place.faults()
        await ben.press("Join")
        await ann.press("Start")
        people = [ann, ben]
        await (await player_to_move(place, people)).press_dm("End turn")
        assert len([one for one in place.messages if one.custom_ids]) == 1
        assert "passed" in place.table.text


async def test_different_messages_have_different_nonces(tmp_path: Path) -> None:
    """No two messages that are both meant to be there have the same nonce."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", lives=5)
        for _turn in range(8):
            mover = await player_to_move(place, people)
            place.env.backend.delete_message(place.channel.id, place.table.id)
            await mover.press_dm("End turn")
            await place.pause()
        sent = [
            request.json["nonce"]
            for request in place.env.http_requests
            if request.method == "POST" and isinstance(request.json, dict) and "nonce" in request.json
        ]
        assert len(sent) > 10
        assert len(set(sent)) == len(sent)


async def test_a_table_removed_while_its_edit_waits_is_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another update may remove the record of a message while an edit of it waits for its turn."""
    waits = Channels.turn

    @asynccontextmanager
    async def turn(channels: Channels, channel_id: int, *, is_urgent: bool) -> AsyncIterator[None]:
        monkeypatch.setattr(Channels, "turn", waits)
        await channels.posts.remove(match_id, TABLE_KEY)
        async with channels.turn(channel_id, is_urgent=is_urgent):
            yield

    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        match_id, former = place.table.match_id, place.table.id
        await place.expire_interactions()
        monkeypatch.setattr(Channels, "turn", turn)
        await (await player_to_move(place, people)).press_dm("End turn")
        assert place.table.id != former
        assert "passed" in place.table.text

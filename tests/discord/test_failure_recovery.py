"""Failed requests to Discord and database failures, after which play goes on correctly."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from simcord.http.client import FakeWebhookAdapter

from bot.delivery.display import Display
from bot.delivery.match_messages import RETRY_SECONDS, UNAVAILABLE_SECONDS, MatchMessages
from bot.delivery.message_keys import TABLE_KEY
from bot.delivery.message_routes import MessageEdit
from bot.requests.command_sync import TRIES
from bot.sessions.live_matches import IDLE_SECONDS
from bot.sessions.tables import Tables
from bot.sessions.turn_clock import PAUSE_SECONDS
from bot.storage.writer import UnreachableDatabaseError
from tests.discord.bot_harness import (
    BotHarness,
    Person,
    bot_harness,
    ephemeral_reply,
    message_ids_not_stored,
    other_person,
    response_of,
)
from tests.discord.strict_discord import deny_permissions
from tests.discord.toad_player import true_state
from tests.examples import few_or_all

TROUBLES = few_or_all((429, 500), (429, 500, 502))
READY_SECONDS = 5
"""Seconds that discord.py waits for more servers before it is ready."""


async def player_to_move(place: BotHarness, people: list[Person]) -> Person:
    return people[(await true_state(place)).turn]


async def check_all_messages(place: BotHarness, people: list[Person]) -> None:
    """Compare all users' messages with the stored state."""
    table = await place.stored(place.table.match_id)
    mover = people[table.to_move or 0]
    assert await place.is_table_current()
    for person in people:
        seen = {custom_id.split(":")[2] for custom_id in person.dm.custom_ids if ":h:" in custom_id}
        assert seen == ({str(table.n)} if person is mover else set())
    assert place.reminded_player is mover


def request_path(place: BotHarness, people: list[Person], kind: str) -> tuple[str, str]:
    """Return the method and the path of a kind of request."""
    channel, dm = place.channel.id, people[0].actor.user.dm_channel.id
    return {
        "an edit of the table": ("PATCH", f"/channels/{channel}/messages/*"),
        "a line that calls": ("POST", f"/channels/{channel}/messages"),
        "its deletion": ("DELETE", f"/channels/{channel}/messages/*"),
        "an edit of a hand": ("PATCH", f"/channels/{dm}/messages/*"),
        "the answer to a click": ("POST", "/interactions/*/*/callback"),
        "what follows it": ("POST", "/webhooks/*/*"),
        "its change": ("PATCH", "/webhooks/*/*/messages/*"),
        "everything": ("*", "*"),
    }[kind]


KINDS = (
    *("an edit of the table", "a line that calls", "its deletion", "an edit of a hand"),
    *("the answer to a click", "what follows it", "its change", "everything"),
)


@contextmanager
def fail_requests(place: BotHarness, people: list[Person], kind: str, status: int) -> Iterator[None]:
    """Make Discord fail a type of request inside the block."""
    method, path = request_path(place, people, kind)
    place.env.inject_error(method, path, status=status, times=None)
    try:
        yield
    finally:
        place.env.backend.faults.clear()


@pytest.mark.parametrize("kind", KINDS)
async def test_the_next_move_repairs_all_messages_after_a_failure(tmp_path: Path, kind: str) -> None:
    """After any failed request, of any duration, the next move shows everything."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo", lives=5)
        for status in TROUBLES:
            before = (await place.stored(place.table.match_id)).n
            with fail_requests(place, people, kind, status):
                mover = await player_to_move(place, people)
                table = place.table
                await mover.sends(table, await place.old_button_id("end"))
                mover = await player_to_move(place, people)
                await mover.sends(table, await place.old_button_id("end"))
            assert (await place.stored(table.match_id)).n > before, "what was clicked counts"
            await place.pause()
            await (await player_to_move(place, people)).slash("toad table")
            await (await player_to_move(place, people)).press("End turn")
            await place.pause()
            await check_all_messages(place, people)


@pytest.mark.parametrize("status", TROUBLES)
async def test_a_failed_update_is_retried_without_a_click(tmp_path: Path, status: int) -> None:
    """A failed update is retried a while later without a click, whichever type of request it was."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo", "Dora", lives=5)
        for kind in KINDS[:-1]:
            mover = await player_to_move(place, people)
            with fail_requests(place, people, kind, status):
                await mover.sends(place.table, await place.old_button_id("end"))
            await place.wait(max(RETRY_SECONDS[0], PAUSE_SECONDS + 1))
            assert await place.is_table_current(), kind
            await check_all_messages(place, people)


def edit_count(place: BotHarness) -> int:
    """Return the number of edits of messages in the channel of the table."""
    path = f"/channels/{place.channel.id}/messages/"
    requests = place.env.http_requests
    return sum(one.method == "PATCH" and one.path.startswith(path) for one in requests)


@pytest.mark.parametrize("is_evicted", [False, True])
async def test_a_lasting_failure_is_retried_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_evicted: bool
) -> None:
    """A failed edit is retried a few times, then only after a move, even if the match leaves memory."""
    monkeypatch.setattr("bot.sessions.live_matches.MOST_MATCHES", 1)
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=0)
        await place.expire_interactions()
        with fail_requests(place, people, "an edit of the table", 500):
            await (await player_to_move(place, people)).press_dm("End turn")
            before = edit_count(place)
            for _time in range(20):
                if is_evicted:
                    place.bot.tables.live_match("another")
                await place.wait(RETRY_SECONDS[0])
            await place.wait(23 * 60 * 60)
            assert edit_count(place) - before == len(RETRY_SECONDS)
        mover = await player_to_move(place, people)
        await mover.press_dm("Draw")
        await mover.press_dm("End turn")
        await check_all_messages(place, people)


async def test_unsent_hands_are_sent_once_dms_open_again(tmp_path: Path) -> None:
    """A hand that could not be sent, because Discord opened no DMs, is sent later."""
    async with bot_harness(tmp_path) as place:
        people = [place.person(name) for name in ("Ann", "Ben")]
        place.env.inject_error("POST", "/users/@me/channels", status=502, times=None)
        await place.started("Ann", "Ben")
        assert not any("DMs are closed" in line for line in place.reminders)
        place.env.backend.faults.clear()
        await place.wait(RETRY_SECONDS[0])
        assert all("Red spots" in person.dm.alt for person in people)


async def test_a_table_whose_first_message_failed_is_shown_later(tmp_path: Path) -> None:
    """A table whose first message failed is shown later."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        place.env.inject_error("POST", "/interactions/*/*/callback", status=500, times=1)
        answer = await ann.slash("toad start")
        assert "have a look before" in ephemeral_reply(answer).text
        assert "Join" in place.table.labels
        await place.person("Ben").press("Join")
        await ann.press("Rematch") if "Rematch" in place.table.labels else await ann.press("Start")
        assert "My hand" in place.table.labels


async def test_an_unconfirmed_response_is_not_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A response that arrived without confirmation is not sent again."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        request = FakeWebhookAdapter.request

        async def unconfirmed(self: FakeWebhookAdapter, route: Any, session: Any, **options: Any) -> Any:
            if not route.url.endswith("/callback"):
                return await request(self, route, session, **options)
            await request(self, route, session, **options)
            return await request(self, route, session, **options)

        mover = await player_to_move(place, people)
        with monkeypatch.context() as patched:
            patched.setattr(FakeWebhookAdapter, "request", unconfirmed)
            result = await mover.press("End turn")
            hand = await mover.press("My hand")
        assert (result.followups, hand.followups) == ([], [])
        assert not any(line["log_level"] == "warning" for line in place.logs)
        assert "Red spots" in response_of(hand).alt
        await check_all_messages(place, people)


@pytest.mark.parametrize("is_received", [True, False])
async def test_a_response_survives_a_broken_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_received: bool
) -> None:
    """If the connection breaks during a response, the user sees it once, and no apology."""
    request, broken = FakeWebhookAdapter.request, set[str]()

    async def break_first(self: FakeWebhookAdapter, route: Any, session: Any, **options: Any) -> Any:
        if not route.url.endswith("/callback") or route.url in broken:
            return await request(self, route, session, **options)
        broken.add(route.url)
        if is_received:
            await request(self, route, session, **options)
        raise aiohttp.ServerDisconnectedError

    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        with monkeypatch.context() as patched:
            patched.setattr(FakeWebhookAdapter, "request", break_first)
            started = await ann.slash("solitaire start", deal=8)
            clicked = await ann.press("Turn the stock")
        assert len(broken) == len(("command", "click"))
        assert (started.followups, clicked.followups) == ([], [])
        assert len(place.messages) == 1
        assert (await place.stored(place.table.match_id)).n == 1
        assert await place.is_table_current()
        [picture] = place.table.message.attachments
        assert picture.size > 0
        assert not any(line["log_level"] == "warning" for line in place.logs)


async def wait_until_ready(place: BotHarness) -> None:
    """Wait until the bot is ready again and has updated its messages."""
    await place.wait(READY_SECONDS)
    await place.env.settle()


# ---- the gateway ---------------------------------------------------------------------------------


async def test_a_reconnect_updates_tables_with_restored_permissions(tmp_path: Path) -> None:
    """After a reconnection, tables are updated that permissions now allow to be shown."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        await deny_permissions(place, "view_channel")
        mover = await player_to_move(place, people)
        await mover.press_dm("End turn")
        assert "passed" not in place.table.text
        shard = place.bot.shards[0]
        await shard.disconnect()
        await deny_permissions(place)
        assert "passed" not in place.table.text
        await shard.reconnect()
        await wait_until_ready(place)
        await check_all_messages(place, people)
        await (await player_to_move(place, people)).press("Draw")
        assert "drew a card" in place.table.text


@pytest.mark.parametrize("is_stored", [True, False])
async def test_a_table_ends_if_its_channel_was_deleted_while_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_stored: bool
) -> None:
    """The next move finds that the channel was deleted. The table ends, and its players are notified.

    They are also notified a while later if the database was unavailable.
    """

    async def stop(_tables: Tables, _match_id: str) -> None:
        raise UnreachableDatabaseError

    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover = await player_to_move(place, people)
        shard = place.bot.shards[0]
        await shard.disconnect()
        place.env.backend.delete_channel(place.channel.id)
        await shard.reconnect()
        await wait_until_ready(place)
        if not is_stored:
            monkeypatch.setattr(Tables, "stop", stop)
        await mover.press_dm("End turn")
        if not is_stored:
            await place.wait(UNAVAILABLE_SECONDS)
        assert all("channel is gone" in person.dm.text for person in people)


async def test_a_table_is_not_sent_again_if_its_id_could_not_be_stored(tmp_path: Path) -> None:
    """The database stops right after a table is sent. Later updates and clicks use the same message."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        with message_ids_not_stored(place):
            await ann.slash("solitaire start", deal=8)
            await place.wait(RETRY_SECONDS[0])
        await place.wait(UNAVAILABLE_SECONDS)
        await ann.press("Turn the stock")
        [message] = place.env.backend.messages[place.channel.id].values()
        post = await place.bot.display.channels.posts.get(place.table.match_id, TABLE_KEY)
        assert post is not None
        assert post.message_id == message.id
        assert (await place.stored(place.table.match_id)).n == 1
        assert await place.is_table_current()


async def test_only_the_last_table_sent_during_an_outage_keeps_its_buttons(tmp_path: Path) -> None:
    """If a table is sent twice while the database is away, the first message becomes a link."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        with message_ids_not_stored(place):
            await ann.slash("solitaire start", deal=8)
            await ann.slash("solitaire table")
        await place.wait(UNAVAILABLE_SECONDS)
        first, second = place.messages
        assert f"/{second.id}" in first.text
        assert first.custom_ids == []
        assert second.match_id


async def test_a_sent_table_is_remembered_while_its_match_is_not_in_memory(tmp_path: Path) -> None:
    """A table sent during a long outage is the one that is updated, although nobody has played since."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=0)
        first = place.table
        with message_ids_not_stored(place):
            await people[0].slash("toad table")
            await place.wait(2 * IDLE_SECONDS)
            place.bot.tables.live_match("another")
        await (await player_to_move(place, people)).press_dm("End turn")
        assert place.table.id > first.id
        assert await place.is_table_current()


async def test_a_requested_hand_is_not_sent_again_if_its_id_could_not_be_stored(tmp_path: Path) -> None:
    """The database stops right after a player had the hand sent by DM. It stays the only DM."""
    async with bot_harness(tmp_path) as place:
        people = [place.person(name) for name in ("Ann", "Ben")]
        for person in people:
            person.close_dms()
        await place.started("Ann", "Ben")
        mover = await player_to_move(place, people)
        waiting = other_person(people, mover)
        hand = response_of(await waiting.press("My hand"))
        place.env.backend.faults.clear()
        with message_ids_not_stored(place):
            await waiting.press("Send it to my DMs", hand)
        await place.wait(UNAVAILABLE_SECONDS)
        await mover.press("End turn")
        assert len(waiting.dms) == 1
        assert "End turn" in waiting.dm.labels


async def test_a_start_succeeds_if_command_registration_fails(tmp_path: Path) -> None:
    """A start succeeds if Discord fails the commands. The next start registers them."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        await place.bot.database.notes.store_note(
            f"commands of {place.bot.application_id}", "older ones"
        )
        place.env.inject_error("PUT", "/applications/*/commands", status=502, times=TRIES)
        await place.restart()
        assert any("commands not synced" in line["event"] for line in place.logs)
        await (await player_to_move(place, people)).press("End turn")
        await check_all_messages(place, people)
        await place.restart()
        synced = [request for request in place.env.http_requests if request.method == "PUT"]
        assert len(synced) == 1 + TRIES + 1, "at first, in vain, and now"


# ---- the database --------------------------------------------------------------------------------


async def test_a_click_is_refused_while_the_database_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another program locks the file, a click is refused. Afterwards the same click counts."""
    monkeypatch.setattr("bot.storage.sqlite_connections.BUSY_MILLISECONDS", 50)
    monkeypatch.setattr("bot.storage.sqlite_connections.PRAGMAS", ("PRAGMA busy_timeout = 50",))
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover, before = await player_to_move(place, people), await true_state(place)
        other = sqlite3.connect(tmp_path / "ribit.sqlite3", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        refusal = ephemeral_reply(await mover.press("End turn"))
        assert "I can't reach my database right now" in refusal.text
        assert [line["event"] for line in place.faults()] == ["storage failed, games are paused"]
        other.execute("ROLLBACK")
        other.close()
        assert await true_state(place) == before
        await mover.press("End turn")
        await check_all_messages(place, people)


async def test_a_table_no_longer_says_that_play_has_stopped_after_a_long_failure(tmp_path: Path) -> None:
    """When the database works again, tables are updated that were not used for a long time."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben", turn=0)
        halt = place.bot.database.halt
        halt.note(UnreachableDatabaseError())
        await place.env.settle()
        assert "Play stopped" in place.table.text
        await place.wait(2 * IDLE_SECONDS)
        halt.note(None)
        await place.env.settle()
        assert "Play stopped" not in place.table.text
        assert [line["event"] for line in place.faults()] == ["storage failed, games are paused"]


# ---- the end -------------------------------------------------------------------------------------


async def test_a_click_before_shutdown_is_stored_and_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A click before the end of the bot is stored, answered and shown before the bot has ended."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover, choose, ending = await player_to_move(place, people), Tables.choose, asyncio.Event()

        async def slow(tables: Tables, *asked: Any) -> Any:
            ending.set()
            await asyncio.sleep(0.2)
            return await choose(tables, *asked)

        async def end() -> None:
            await ending.wait()
            await place.bot.close()

        monkeypatch.setattr(Tables, "choose", slow)
        closing = asyncio.create_task(end())
        result = await mover.sends(place.table, await place.old_button_id("end"))
        await closing
        assert result.acknowledged
        assert "passed" in place.table.text
        monkeypatch.undo()
        await place.restart()
        await check_all_messages(place, people)


async def test_shutdown_completes_pending_message_updates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other messages that a click has changed are still updated while the bot ends."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover, show, close = await player_to_move(place, people), MatchMessages._show_all, Display.close
        planning, ending, send = asyncio.Event(), asyncio.Event(), MessageEdit.send

        async def send_slowly(*asked: Any) -> frozenset[int] | None:
            await asyncio.sleep(0.1)
            return await send(*asked)

        async def show_late(*asked: Any) -> None:
            planning.set()
            await ending.wait()
            await show(*asked)

        async def end(display: Display) -> None:
            ending.set()
            await close(display)

        monkeypatch.setattr(MatchMessages, "_show_all", show_late)
        monkeypatch.setattr(Display, "close", end)
        monkeypatch.setattr(MessageEdit, "send", send_slowly)
        clicked = asyncio.create_task(mover.send(place.table, await place.old_button_id("end")))
        await planning.wait()
        await place.bot.close()
        with suppress(ValueError):  # what is seen may be checked after the database was closed
            await clicked
        assert "End turn" in other_person(people, mover).dm.labels
        monkeypatch.undo()
        await place.restart()


async def test_no_update_starts_while_the_bot_disconnects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notification that arrives while the bot disconnects starts no update. The next start does."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        [match_id] = place.bot.tables.matches.in_use()
        close = Display.close

        async def close_then_hear_of_a_change(display: Display) -> None:
            await close(display)
            messages = display.messages_of_match(match_id)
            messages.invalidate()
            messages.refresh()
            assert not messages.tasks

        monkeypatch.setattr(Display, "close", close_then_hear_of_a_change)
        await place.restart()
        monkeypatch.undo()
        await check_all_messages(place, people)


# ---- words that a filter refuses -----------------------------------------------------------------

REFUSED_WORDS = (
    (200000, "Message was blocked by automatic moderation"),
    (240000, "Message blocked by harmful links filter"),
    (
        50035,
        "Invalid Form Body\nIn content: Contains words not allowed for servers in Server Discovery.",
    ),
)


@pytest.mark.parametrize(("code", "message"), REFUSED_WORDS)
async def test_a_move_counts_if_automod_blocks_its_message(
    tmp_path: Path, code: int, message: str
) -> None:
    """If a filter blocks a message, the move counts, and the user is notified. The host need not act."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=0)
        table = place.table
        refused: dict[str, Any] = {"status": 400, "code": code, "message": message}
        for method in ("POST", "PATCH"):
            place.env.inject_error(method, "/channels/*/messages*", **refused, times=None)
        for _turn in range(3):
            place.env.inject_error("POST", "/interactions/*/callback", **refused, times=1)
            end = await place.old_button_id("end")
            said = ephemeral_reply(await (await player_to_move(place, people)).send(table, end)).text
            assert "This server's filter, or one of Discord's own" in said
            await place.pause()
        assert (await place.stored(table.match_id)).n >= 3, "what was clicked counts"
        assert place.faults() == []
        assert [line for line in place.logs if line["log_level"] == "warning"] == []
        assert any(message.splitlines()[-1] in line.get("error", "") for line in place.logs)
        place.env.backend.faults.clear()
        await (await player_to_move(place, people)).send(table, await place.old_button_id("end"))
        await place.pause()
        await check_all_messages(place, people)


# ---- edits that would wait for long --------------------------------------------------------------


@pytest.mark.parametrize("sends", [True, False])
async def test_a_new_table_replaces_a_message_that_takes_no_edits(tmp_path: Path, sends: bool) -> None:
    """If a message takes no edits for long, a new table is sent, or the hands say that it cannot be."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=0)
        before = place.table
        await place.expire_interactions()
        edits = ("PATCH", f"/channels/{place.channel.id}/messages/{before.id}")
        place.env.inject_error(*edits, status=429, code=20022, times=None)
        place.env.inject_error("POST", "/interactions/*/callback", status=429, code=20022, times=1)
        if not sends:
            await deny_permissions(place, "send_messages")
        mover = await player_to_move(place, people)
        await mover.press("End turn")
        if sends:
            assert place.table.id > before.id
            assert before.id not in [seen.id for seen in place.messages]
            await check_all_messages(place, people)
        else:
            assert all("can't show the table" in person.dm.text for person in people)
        assert place.faults() == []

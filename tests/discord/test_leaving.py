"""Tests of users, channels, threads, servers and permissions that disappear during a match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend import serializers
from simcord.builders import ChannelHandle

from bot.matches.match import Stage
from bot.requests.channel_permissions import REFUSED_SECONDS
from tests.discord.admins import close_table
from tests.discord.bot_harness import (
    BotHarness,
    Person,
    bot_harness,
    ephemeral_reply,
    other_person,
    response_of,
)
from tests.discord.strict_discord import change_thread, deny_permissions, strict_discord
from tests.discord.toad_player import true_state

NO_SERVER_IN_COMMON = 50278
INVALID_RECIPIENT = 50033
HOUR = 60 * 60
FEW = 8
"""A handful of refused requests, for a table and an hour."""


async def stored_stage(place: BotHarness, match_id: str) -> Stage:
    return (await place.stored(match_id)).match.stage


async def pass_turns(place: BotHarness, people: list[Person], turns: int = 1) -> None:
    """Pass as the player to move, by DM."""
    for _turn in range(turns):
        await people[(await true_state(place)).turn].press_dm("End turn")


def open_thread(place: BotHarness) -> None:
    """Go into a thread of the channel."""
    backend = place.env.backend
    thread = backend.create_thread(place.channel.id, "a puddle", place.guild.owner.id)
    place.channel = ChannelHandle(place.env, place.guild, thread)


def upload_count(place: BotHarness) -> int:
    """Return the number of files sent into the channel or in answers."""
    bodies: list[Any] = [
        request.json.get("data", request.json)
        for request in place.env.http_requests
        if isinstance(request.json, dict) and f"/channels/{place.channel.id}" in request.path
    ]
    return sum(len(body.get("attachments") or ()) for body in bodies)


# ---- players -----------------------------------------------------------------------------------


async def test_final_standings_mark_a_player_that_gave_up(tmp_path: Path) -> None:
    """The final standings show which player gave up, even after a restart."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.given_up()
        for _start in range(2):
            lines = place.table.text.splitlines()
            assert f"🥈 <@{ann.id}> · gave up" in lines
            assert [line for line in lines if f"<@{ben.id}>" in line and "gave up" in line] == []
            await place.restart()


@pytest.mark.parametrize(("status", "code"), [(403, NO_SERVER_IN_COMMON), (400, INVALID_RECIPIENT)])
async def test_a_player_with_closed_dms_is_notified_once(tmp_path: Path, status: int, code: int) -> None:
    """A player who takes no DMs is notified once at the table, and no DM is tried again."""
    async with bot_harness(tmp_path) as place:
        ben = place.person("Ben")
        path = f"/channels/{ben.actor.user.dm_channel.id}/messages*"
        place.env.inject_error("*", path, status=status, code=code, times=None)
        with strict_discord() as refused:
            people = await place.started("Ann", "Ben")
            assert sum("DMs are closed" in line for line in place.reminders) == 1
            for _turn in range(2):
                await people[(await true_state(place)).turn].press("End turn")
            assert len(refused) == 1


async def test_blocking_the_bot_notifies_the_player_once(tmp_path: Path) -> None:
    """If the hand in the DMs can no longer be edited, the player is notified once at the table."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        waiting.close_dms()
        path = f"/channels/{waiting.actor.user.dm_channel.id}/messages/*"
        place.env.inject_error("PATCH", path, status=403, code=50007, times=None)
        with strict_discord() as refused:
            await mover.press("Draw")
            await mover.press_dm("End turn")
            assert sum("DMs are closed" in line for line in place.reminders) == 1
            await waiting.press("End turn")
        assert len(refused) == 1


async def test_a_match_continues_if_a_player_leaves_the_server(tmp_path: Path) -> None:
    """A player who leaves the server does not end the match. A moderator can close it."""
    async with bot_harness(tmp_path) as place:
        _ann, ben = await place.started("Ann", "Ben")
        match_id = place.table.match_id
        place.env.backend.apply_ban(place.guild.id, ben.id, None)
        await place.env.settle()
        assert await stored_stage(place, match_id) is Stage.PLAYING
        await close_table(place)
        assert await stored_stage(place, match_id) is Stage.STOPPED


# ---- channels and threads ------------------------------------------------------------------------


@pytest.mark.parametrize("is_thread", [False, True])
async def test_a_deleted_channel_ends_its_tables(tmp_path: Path, is_thread: bool) -> None:
    """The match ends, the hands in the DMs say so in the same message, and Discord is not asked."""
    async with bot_harness(tmp_path) as place:
        if is_thread:
            open_thread(place)
        people = await place.started("Ann", "Ben")
        cleo, match_id = place.person("Cleo"), place.table.match_id
        await cleo.slash("solitaire start", deal=7)
        deal_id = place.messages[-1].match_id
        requests = len(place.env.http_requests)
        with strict_discord() as refused:
            place.env.backend.delete_channel(place.channel.id)
            await place.env.settle()
        assert await stored_stage(place, match_id) is await stored_stage(place, deal_id) is Stage.STOPPED
        for person in people:
            assert "This table was closed" in person.dm.text
            assert "channel is gone" in person.dm.text
            assert person.dm.choices == []
            assert len(person.dms) == 1
        asked = [request.path for request in place.env.http_requests[requests:]]
        assert not any(f"/channels/{place.channel.id}/" in path for path in asked)
        assert refused == []
        await place.wait(HOUR)
        assert len(place.env.http_requests) == requests + len(people), "and that was all"


async def test_a_table_ends_if_its_channel_was_deleted_while_offline(tmp_path: Path) -> None:
    """At the next start the table of a deleted channel ends after Discord has confirmed it twice."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        match_id = place.table.match_id
        await place.bot.close()
        place.env.backend.delete_channel(place.channel.id)
        with strict_discord() as refused:
            await place.restart()
        assert await stored_stage(place, match_id) is Stage.STOPPED
        assert all("channel is gone" in person.dm.text for person in people)
        assert len(refused) == 2
        assert refused.counted_as_invalid == []


async def test_the_next_move_unarchives_a_thread(tmp_path: Path) -> None:
    """In an archived thread the next move sends a new table message, which unarchives the thread."""
    async with bot_harness(tmp_path) as place:
        open_thread(place)
        with strict_discord() as refused:
            people = await place.started("Ann", "Ben")
            await place.expire_interactions()
            before = place.table
            await change_thread(place, archived=True)
            await pass_turns(place, people)
            assert "passed" in place.table.text
            assert place.table.id > before.id
            pointer = next(seen for seen in place.messages if seen.id == before.id)
            assert f"/{place.table.id}" in pointer.text
            await pass_turns(place, people)
            assert "Round 1 is over" in place.table.text
        assert refused.counted_as_invalid == []


async def test_dms_explain_that_a_thread_is_locked(tmp_path: Path) -> None:
    """While a thread is locked, the DMs say why. When it is unlocked, the table is updated."""
    async with bot_harness(tmp_path) as place:
        open_thread(place)
        await deny_permissions(place, "manage_threads")
        with strict_discord() as refused:
            people = await place.started("Ann", "Ben")
            await change_thread(place, locked=True)
            await pass_turns(place, people)
            assert "passed" not in place.table.text
            assert all("thread is locked" in person.dm.text for person in people)
            assert refused == [], "that it is locked, Discord has told"
            await change_thread(place, locked=True, archived=True)
            await pass_turns(place, people)
            await place.pause()
            assert all("thread is locked" in person.dm.text for person in people)
            await change_thread(place, locked=False, archived=True)
            await change_thread(place, archived=False)
            assert "Round 2" in place.table.alt
            assert not any("locked" in person.dm.text for person in people)
        assert len(refused) <= FEW


# ---- the server ----------------------------------------------------------------------------------


async def remove_bot(place: BotHarness) -> None:
    """Remove the bot from the server but keep the channels."""
    backend = place.env.backend
    backend.guilds[place.guild.id].members.pop(backend.bot_user.id)
    backend.emit("GUILD_DELETE", {"id": str(place.guild.id)})
    await place.env.settle()


def add_bot(place: BotHarness) -> None:
    """Add the bot to the server again."""
    backend = place.env.backend
    roles = [role.id for role in backend.guilds[place.guild.id].roles.values() if role.managed]
    backend.add_member(place.guild.id, backend.bot_user.id, roles=roles)


async def send_guild_create(place: BotHarness, **changes: Any) -> None:
    """Send the gateway event that adds the server."""
    backend = place.env.backend
    payload = dict(serializers.guild_create_payload(backend, backend.guilds[place.guild.id]))
    payload.update(changes)
    if changes.get("unavailable") is None:
        payload.pop("unavailable", None)
    backend.emit("GUILD_CREATE", payload)
    await place.env.settle()


@pytest.mark.parametrize("with_restart", [False, True])
async def test_a_table_pauses_until_the_bot_rejoins_the_server(
    tmp_path: Path, with_restart: bool
) -> None:
    """The table pauses without a refused request, DMs continue, and it is shown again afterwards."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        match_id = place.table.match_id
        with strict_discord() as refused:
            await remove_bot(place)
            assert all("no longer in that server" in person.dm.text for person in people)
            if with_restart:
                server = place.env.backend.guilds.pop(place.guild.id)
                await place.restart()
                place.env.backend.guilds[place.guild.id] = server
            mover = people[(await true_state(place)).turn]
            await mover.press_dm("End turn")
            assert "no longer in that server" in mover.dm.text
            assert "passed" not in place.table.text
            assert await stored_stage(place, match_id) is Stage.PLAYING
            add_bot(place)
            await send_guild_create(place)
            assert "passed" in place.table.text
            assert not any("no longer in that server" in person.dm.text for person in people)
            assert place.reminded_player is other_person(people, mover)
        assert refused == []


async def test_dms_work_again_once_the_bot_rejoins_the_server(tmp_path: Path) -> None:
    """DMs refused while the bot is out of the server do not count as closed, and work again later."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover = people[(await true_state(place)).turn]
        waiting = other_person(people, mover)
        await remove_bot(place)
        path = f"/channels/{waiting.actor.user.dm_channel.id}/messages*"
        place.env.inject_error("*", path, status=403, code=NO_SERVER_IN_COMMON, times=None)
        with strict_discord() as refused:
            await mover.press_dm("Draw")
            await mover.press_dm("End turn")
            assert len(refused) == 1
        place.env.backend.faults.clear()
        add_bot(place)
        await send_guild_create(place)
        await place.wait(REFUSED_SECONDS)
        await waiting.press("Draw")
        await waiting.move_hand_to_dm()
        assert any("›" in label for label in waiting.dm.labels)
        assert not any("DMs are closed" in line for line in place.reminders)


async def test_a_player_without_a_hand_gets_no_dm_at_the_end(tmp_path: Path) -> None:
    """A player without a hand in the DMs gets no DM about the end of the table."""
    async with bot_harness(tmp_path) as place:
        ben = place.person("Ben")
        path = f"/channels/{ben.actor.user.dm_channel.id}/messages"
        place.env.inject_error("POST", path, status=500, times=None)
        ann, _ben = await place.started("Ann", "Ben")
        await close_table(place)
        place.env.backend.faults.clear()
        await place.wait(HOUR)
        assert ben.dms == []
        assert "This table was closed" in ann.dm.text


async def test_nothing_is_sent_during_a_server_outage(tmp_path: Path) -> None:
    """During an outage of the server nothing is sent. After it the table is updated."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        with strict_discord() as refused:
            place.env.backend.emit("GUILD_DELETE", {"id": str(place.guild.id), "unavailable": True})
            await place.env.settle()
            await pass_turns(place, people)
            assert "passed" not in place.table.text
            assert not any("server" in person.dm.text for person in people)
            await send_guild_create(place, unavailable=False)
            assert "passed" in place.table.text
        assert refused == []


# ---- permissions ---------------------------------------------------------------------------------


async def test_the_table_is_text_without_attach_files(tmp_path: Path) -> None:
    """Without *Attach Files* the table is shown as text, which names the missing permission."""
    async with bot_harness(tmp_path) as place:
        with strict_discord() as refused:
            people = await place.started("Ann", "Ben")
            await deny_permissions(place, "attach_files")
            before = upload_count(place)
            mover = place.reminded_player
            await mover.press_dm("End turn")
            table = [seen for seen in place.messages if seen.labels][-1]
            for words in ("3 of 3 lives", "Attach Files", "passed"):
                assert words in table.text
            assert table.alt == ""
            hand = response_of(await mover.press("My hand", table))
            assert "Red spots" in hand.text
            assert "End turn" in other_person(people, mover).dm.labels
            assert other_person(people, mover).dm.alt, "in the DMs nothing is missing"
            await other_person(people, mover).send(table, f"m:{table.match_id}:1:t:end")
            await mover.slash("toad table")
            assert upload_count(place) == before
            await deny_permissions(place)
            assert "Attach Files" not in place.table.text
            assert place.table.alt
        assert refused == []


async def test_commands_work_without_attach_files(tmp_path: Path) -> None:
    """Solitaire, rules and the leaderboard send text, and no request is refused."""
    async with bot_harness(tmp_path) as place:
        await deny_permissions(place, "attach_files")
        with strict_discord() as refused:
            ann = place.person("Ann")
            deal = response_of(await ann.slash("solitaire start", deal=7))
            assert "Attach Files" in deal.text
            await ann.press(deal.labels[0], deal)
            assert "Attach Files" in ephemeral_reply(await ann.slash("toad rules")).text
            await ann.slash("leaderboard", board="toad")
        assert refused == []


@pytest.mark.parametrize("permission", ["view_channel", "send_messages"])
async def test_a_channel_without_permissions_gets_no_requests(tmp_path: Path, permission: str) -> None:
    """No request is refused while the bot lacks a permission, which the table or the DMs name."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        with strict_discord() as refused:
            await deny_permissions(place, permission)
            await pass_turns(place, people, turns=2)
            await place.pause()
            await pass_turns(place, people)
            hidden = permission == "view_channel"
            table = [seen for seen in place.messages if seen.labels][-1]
            assert ("Round 2" in table.text) != hidden, "what is there can be edited"
            assert ("Send Messages" in table.text) != hidden
            assert all(("View Channel" in person.dm.text) == hidden for person in people)
            assert len(place.reminders) == hidden, "none can be sent; one cannot be taken away"
            await deny_permissions(place)
            assert "Round 2" in place.table.alt
            assert place.reminded_player is people[(await true_state(place)).turn]
            assert not any("View Channel" in person.dm.text for person in people)
        assert refused == []


async def test_a_click_shows_the_table_without_permissions(tmp_path: Path) -> None:
    """A response to a click shows the table even without permissions."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        await deny_permissions(place, "view_channel")
        mover = people[(await true_state(place)).turn]
        with strict_discord() as refused:
            await mover.send(place.table, await place.old_button_id("end"))
            assert "passed" in place.table.text
            await mover.slash("toad table")
            assert "passed" in place.table.text
        assert refused == []


async def test_an_unexpectedly_refused_edit_is_not_retried(tmp_path: Path) -> None:
    """If Discord refuses an edit that should be allowed, it is not tried again with every move."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", lives=5)
        path = f"/channels/{place.channel.id}/messages*"
        place.env.inject_error("*", path, status=403, code=50013, times=None)
        with strict_discord() as refused:
            for _turn in range(9):
                await pass_turns(place, people)
                await place.wait(HOUR / 9)
            assert "right now" in people[0].dm.text
        assert 0 < len(refused) <= FEW


async def test_a_table_becomes_text_if_an_upload_is_refused(tmp_path: Path) -> None:
    """If uploads are limited in a server, the table is shown as text, after one refused request."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        await place.expire_interactions()
        path = f"/channels/{place.channel.id}/messages/*"
        place.env.inject_error("PATCH", path, status=403, code=400001, times=1)
        before = place.table.id
        await pass_turns(place, people)
        table = [seen for seen in place.messages if seen.labels][-1]
        assert table.id == before
        assert "Attach Files" in table.text
        sent = upload_count(place)
        await pass_turns(place, people)
        assert upload_count(place) == sent


async def test_a_restored_role_updates_the_table(tmp_path: Path) -> None:
    """If a role of the bot regains its permissions, the table is updated without a click."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        backend = place.env.backend
        server = backend.guilds[place.guild.id]
        role = next(role for role in server.roles.values() if role.managed)
        all_of_them, everybody = role.permissions, server.everyone_role.permissions
        for one in (role, server.everyone_role):
            backend.edit_role(server.id, one.id, {"permissions": 0})
        await place.env.settle()
        mover = people[(await true_state(place)).turn]
        with strict_discord() as refused:
            await mover.press_dm("End turn")
            assert "passed" not in place.table.text
            backend.edit_role(server.id, server.everyone_role.id, {"permissions": everybody})
            backend.edit_role(server.id, role.id, {"permissions": all_of_them})
            await place.env.settle()
            assert "passed" in place.table.text
        assert refused == []


async def test_a_deleted_role_stops_requests_that_need_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a role of the bot was deleted, no request is made that needs the role's permissions."""
    monkeypatch.setattr(
        "bot.requests.channel_permissions.KNOWN_SECONDS", 3600.0
    )  # only what Discord tells counts
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        backend = place.env.backend
        server = backend.guilds[place.guild.id]
        role = next(role for role in server.roles.values() if role.managed)
        seeing = discord.Permissions(view_channel=True).value
        backend.edit_role(server.id, server.everyone_role.id, {"permissions": seeing})
        await place.expire_interactions()
        mover = people[(await true_state(place)).turn]
        await mover.press_dm("Draw")
        assert "drew" in place.table.text
        with strict_discord() as refused:
            backend.delete_role(server.id, role.id)
            await place.env.settle()
            await mover.press_dm("End turn")
        assert refused == []
        assert "passed" not in place.table.text

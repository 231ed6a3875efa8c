"""Tests of alerts, which mention subscribed players when a table opens."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.delivery.turn_pings import LOBBY_SLOT
from bot.engine.name_sanitizing import new_placeholder
from bot.storage.database import Database
from bot.storage.database_address import Location, Server
from cogs.lobby_alerts.cog import HOUR_SECONDS, MOST_ASKED, MOST_MENTIONS, LobbyAlerts
from tests.discord.admins import add_admin, change_settings
from tests.discord.bot_harness import BotHarness, Person, bot_harness, ephemeral_reply, response_of
from tests.discord.fleet import fleet_harness
from tests.storage.database_types import rows_containing

OPENER, HOST = "Ann", "Hal"


async def subscribe_users(place: BotHarness, *names: str) -> list[Person]:
    """Subscribe these users to alerts, in a lobby that is then closed."""
    people = [place.person(name) for name in names]
    await place.person(OPENER).slash("toad start")
    for person in people:
        assert "Toad" in ephemeral_reply(await person.press("Notify me")).text
    await place.person(OPENER).press("Leave")
    return people


async def store_subscriptions(place: BotHarness, count: int) -> list[Person]:
    people = [place.person(f"Second{n}") for n in range(count)]

    async def work(sql: Any) -> None:
        for person in people:
            whose = {"guild_id": place.guild.id, "game": "toad", "player_id": person.id}
            await sql.start_alerts(**whose)

    await place.bot.database.writer.write(work)
    return people


async def open_announced_table(place: BotHarness, name: str = HOST) -> list[str]:
    """Open a table as a user and return the lines that announce it."""
    await place.person(name).slash("toad start")
    return alert_texts(place)


def alert_texts(place: BotHarness) -> list[str]:
    return [seen.text for seen in place.messages if seen.text.startswith("🔔")]


def requests_with(place: BotHarness, words: str) -> list[dict[str, Any]]:
    """Return the requests that contain words."""
    return [one.json for one in place.env.http_requests if one.json and words in str(one.json)]


async def test_an_alert_mentions_subscribers_until_the_lobby_ends(tmp_path: Path) -> None:
    """One message pings all subscribers when a lobby opens, and is deleted when the match starts."""
    async with bot_harness(tmp_path) as place:
        [ben, cid] = await subscribe_users(place, "Ben", "Cid")
        [line] = await open_announced_table(place)
        assert f"<@{ben.id}> <@{cid.id}> A table for Toad is open" in line
        [sent] = requests_with(place, "🔔 <@")
        assert sent["allowed_mentions"]["users"] == [ben.id, cid.id]
        await ben.press("Join")
        assert alert_texts(place) == [line]
        await place.person(HOST).press("Start")
        assert alert_texts(place) == []


async def test_the_alert_of_a_closed_lobby_is_deleted(tmp_path: Path) -> None:
    """A restart sends no second alert, and the alert is deleted when the host leaves the lobby."""
    async with bot_harness(tmp_path) as place:
        await subscribe_users(place, "Ben")
        before = await open_announced_table(place)
        assert len(before) == 1
        await place.restart(after=10)
        assert alert_texts(place) == before
        await place.person(HOST).press("Leave")
        assert alert_texts(place) == []


async def test_a_crash_before_the_alert_is_stored_sends_no_second_one(tmp_path: Path) -> None:
    """After a crash the alert is sent with the same nonce, so Discord creates no second message."""
    async with bot_harness(tmp_path) as place:
        await subscribe_users(place, "Ben")
        await place.person(HOST).slash("toad start")
        match = await place.live_match_here()
        assert match is not None
        await place.bot.database.posts.remove(match.id, LOBBY_SLOT)
        await place.restart(after=10)
        await place.person("Dee").press("Join")
        sent = requests_with(place, "🔔 <@")
        assert len(sent) == 2
        assert len({one["nonce"] for one in sent}) == 1


async def test_a_player_gets_one_alert_an_hour(tmp_path: Path) -> None:
    """The limit covers other games, and a later subscription does not reset the hour."""
    async with bot_harness(tmp_path) as place:
        [ben] = await subscribe_users(place, "Ben")
        await open_announced_table(place)
        await place.person(HOST).press("Leave")
        assert await open_announced_table(place) == []
        await place.person(HOST).press("Leave")
        await place.wait(HOUR_SECONDS + 1)
        assert f"<@{ben.id}>" in (await open_announced_table(place))[0]


async def test_an_alert_skips_unavailable_players(tmp_path: Path) -> None:
    """No alert during quiet hours, at another table, after a ban, in a closed channel, or after stop."""
    async with bot_harness(tmp_path) as place:
        names = ("Ben", "Night", "Busy", "Barred", "Gone", "Stop")
        [ben, night, busy, barred, gone, stop] = await subscribe_users(place, *names)
        now = place.env.now()
        await place.bot.database.players.choose(night.id, night=(now.hour - 1) % 24)
        settings = ephemeral_reply(await stop.slash("settings"))
        panel = ephemeral_reply(await stop.press("New tables", settings))
        assert panel.message.id != settings.message.id, "the settings stay open"
        panel = response_of(await stop.press("Stop Toad", panel))
        assert "I won't ping you" in panel.text
        assert "Notify me: Toad" in panel.labels
        await change_settings(place, barred=frozenset({barred.id}))
        place.guild.remove_member(gone.actor)
        here, place.channel = place.channel, place.guild.create_text_channel("reeds")
        await busy.slash("frogger start")
        place.channel = here
        [line] = await open_announced_table(place)
        assert f"🔔 <@{ben.id}> A table" in line


async def test_tables_in_hidden_channels_are_not_announced(tmp_path: Path) -> None:
    """A table in a channel that a subscriber cannot view is not announced to that subscriber."""
    async with bot_harness(tmp_path) as place:
        await subscribe_users(place, "Ben")
        hal, bot = add_admin(place, HOST), place.bot.user
        assert bot is not None
        seen, hidden = (discord.PermissionOverwrite(view_channel=each) for each in (True, False))
        place.channel = place.guild.create_text_channel(
            "den",
            overwrites={
                place.guild.default_role: hidden,
                place.guild.roles[HOST]: seen,
                bot: seen,
            },
        )
        await hal.slash("toad start")
        assert alert_texts(place) == []


async def test_an_alert_limits_mentions_and_member_lookups(tmp_path: Path) -> None:
    """At most 40 members are looked up per alert. The next alert starts with other subscribers."""
    async with bot_harness(tmp_path) as place:
        for person in await store_subscriptions(place, MOST_ASKED + 10):
            place.guild.remove_member(person.actor)
        [zoe] = await subscribe_users(place, "Zoe")
        asked = [one for one in place.env.http_requests if "/members/" in one.path]
        assert len(asked) == MOST_ASKED
        assert f"🔔 <@{zoe.id}> A table" in (await open_announced_table(place))[0]


@pytest.mark.parametrize("is_mentionable", [True, False])
async def test_a_mentionable_role_replaces_too_many_mentions(
    tmp_path: Path, *, is_mentionable: bool
) -> None:
    """A role that everybody may mention replaces them if the server has named one."""
    async with bot_harness(tmp_path) as place:
        role = place.guild.create_role("*Players*", mentionable=True)
        await store_subscriptions(place, MOST_MENTIONS + 1)
        ada = add_admin(place)
        panel = ephemeral_reply(
            await ada.press("New tables", ephemeral_reply(await ada.slash("settings")))
        )
        await ada._done(await ada.actor.select(panel.message, [role], custom_id="la:role"))
        if not is_mentionable:
            cached = place.bot.guilds[0].get_role(role.id)
            assert cached is not None
            cached.mentionable = False
        [line] = await open_announced_table(place)
        assert line.count("<@&") == is_mentionable
        assert line.count("<@") == (1 if is_mentionable else MOST_MENTIONS)
        [sent] = requests_with(place, "🔔 <@")
        assert "everyone" not in sent["allowed_mentions"].get("parse", [])
        assert sent["allowed_mentions"].get("roles", []) == [role.id] * is_mentionable


async def test_only_admins_can_set_the_alert_role(tmp_path: Path) -> None:
    """Members without *Manage Server* cannot set the role. Admins can pick one that all may mention."""
    async with bot_harness(tmp_path) as place:
        role = place.guild.create_role("Players", mentionable=True)
        ben = place.person("Ben")
        panel = ephemeral_reply(
            await ben.press("New tables", ephemeral_reply(await ben.slash("settings")))
        )
        assert "la:role" not in panel.custom_ids
        refused = await ben.send(panel, "la:role", component_type=6, values=[str(role.id)])
        assert "Manage Server" in ephemeral_reply(refused).text
        ada = add_admin(place)
        panel = ephemeral_reply(
            await ada.press("New tables", ephemeral_reply(await ada.slash("settings")))
        )
        quiet = place.guild.create_role("Quiet")
        refused = await ada.actor.select(panel.message, [quiet], custom_id="la:role")
        assert "everyone may mention" in ephemeral_reply(refused).text


async def test_two_simultaneous_lobbies_share_one_alert(tmp_path: Path) -> None:
    """Two tables of a game that open in the same second have one line together."""
    async with bot_harness(tmp_path) as place:
        here, there = place.channel, place.guild.create_text_channel("reeds")
        await place.person(HOST).slash("toad start")
        place.channel = there
        await place.person("Dee").slash("toad start")
        await place.person("Ben").press("Notify me")
        cog = place.bot.get_cog("LobbyAlerts")
        assert isinstance(cog, LobbyAlerts)
        tables = [await place.bot.tables.read(match.id) for match in await place.live()]
        await asyncio.gather(*map(cog.announce, tables))
        found = [one.content for one in (*here.history(), *there.history())]
        assert len([words for words in found if words.startswith("🔔")]) == 1


async def test_two_processes_send_one_alert(server: Server) -> None:
    """A lobby is announced once, even if both processes announce it."""
    async with fleet_harness(server) as place:
        [ben, _cid] = await subscribe_users(place, "Ben", "Cid")
        await place.quiet()
        await place.person(HOST).slash("toad start")
        await place.until(lambda: alert_texts(place))
        [match] = await place.live()
        for process in place.processes:
            cog = process.get_cog("LobbyAlerts")
            assert isinstance(cog, LobbyAlerts)
            await cog.announce(await process.tables.read(match.id))
        await place.person("Dee").press("Join")
        await place.quiet()
        assert len(requests_with(place, "🔔 <@")) == 1
        [line] = alert_texts(place)
        assert f"<@{ben.id}>" in line


async def test_forgetting_a_player_or_server_deletes_alerts(
    database: Database, location: Location
) -> None:
    """A player's alerts go with *Forget me*, and all of a server with the server."""
    player_id, guild_id = 1234567890123456789, 1134567890123456788
    whose = {"guild_id": guild_id, "game": "toad"}

    async def work(sql: Any) -> None:
        await sql.start_alerts(**whose, player_id=player_id)
        await sql.start_alerts(**whose, player_id=7)
        await sql.put_alert_role(guild_id=guild_id, role_id=9)

    await database.writer.write(work)
    since = {**whose, "match_id": "m1", "since": 100}

    async def alert(sql: Any) -> list[int]:
        first = [row["player_id"] async for row in sql.alert_candidates(**since, limit=9)]
        await sql.record_asked(**whose, player_id=7, now=200)
        await sql.record_alert(**whose, player_id=0, now=200, match_id="m2")
        later = [row["player_id"] async for row in sql.alert_candidates(**since, limit=9)]
        return [*first, *later, await sql.alerts_since(**since), await sql.alert_role(guild_id=guild_id)]

    assert await database.writer.write(alert) == [7, player_id, 2, 9]
    await database.players.forget(player_id, new_placeholder())
    assert await rows_containing(location, player_id) == []
    assert await rows_containing(location, guild_id) != []

    async def forget(sql: Any) -> None:
        for each in sql.beginning("forget_server_").values():
            await each(guild_id=guild_id, is_gone=1)

    await database.writer.write(forget)
    assert await rows_containing(location, guild_id) == []

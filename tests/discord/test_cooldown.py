"""Tests of limits on repeated requests to Discord, and of clicks from another place."""

from __future__ import annotations

from pathlib import Path

import discord
from simcord.builders import ChannelHandle

from bot.delivery.message_keys import TABLE_KEY
from bot.delivery.turn_pings import COOLDOWN_SECONDS
from bot.matches.match import Stage
from bot.requests.budget import MOST_REFUSED, Priority
from tests.discord.bot_harness import BotHarness, Person, bot_harness, ephemeral_reply, response_of
from tests.discord.strict_discord import deny_permissions, strict_discord
from tests.discord.toad_player import is_over

MONTH = 30 * 24 * 60 * 60
TOO_MANY = 429


async def test_closed_dms_are_retried_once_in_five_minutes(tmp_path: Path) -> None:
    """*Send it to my DMs* makes one request in five minutes. Later presses show when it works again."""
    async with bot_harness(tmp_path) as place:
        ben = place.person("Ben")
        ben.close_dms()
        await place.started("Ann", "Ben")
        hand = response_of(await ben.press("My hand"))
        with strict_discord() as refused:
            answers = [await ben.press("Send it to my DMs", hand) for _press in range(20)]
            assert len(refused.counted_as_invalid) == 1
            assert "try again <t:" in ephemeral_reply(answers[-1]).text
            await place.wait(COOLDOWN_SECONDS)
            hand = response_of(await ben.press("My hand"))
            await ben.press("Send it to my DMs", hand)
            assert len(refused.counted_as_invalid) == 2


# ---- clicks from somewhere else ------------------------------------------------------------------


def create_other_server(place: BotHarness) -> tuple[Person, ChannelHandle]:
    """Another server, and a user there with all permissions."""
    guild = place.env.create_guild("The Ditch")
    everything = guild.create_role("Everything", permissions=discord.Permissions.all())
    channel = guild.create_text_channel("mud")
    member = guild.add_member(place.env.create_user("mallory"), roles=[everything])
    return Person(place, member), channel


async def test_a_forged_click_from_another_server_does_nothing(tmp_path: Path) -> None:
    """A custom_id that was made up for a table of another server, or channel, does nothing at all."""
    async with bot_harness(tmp_path) as place:
        await place.person("Ann").slash("toad start")
        match_id = place.table.match_id
        mallory, place.channel = create_other_server(place)
        await mallory.slash("toad start")
        for action in ("stop", "join", "leave", "start", "hand", "rematch", "never"):
            answer = await mallory.send(place.table, f"a:{match_id}:{action}")
            assert "out of date" in ephemeral_reply(answer).text, action
            table = await place.stored(match_id)
            assert table.match.stage is Stage.LOBBY, action
            assert [player.name for player in table.match.players] == ["Ann"], action


async def test_a_click_from_another_channel_plays_no_move(tmp_path: Path) -> None:
    """A player's own move counts at the table and in the DMs, and from no other channel."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover, move, here = place.reminded_player, await place.old_button_id("end"), place.channel
        place.channel = place.guild.create_text_channel("ditch")
        await mover.slash("toad start")
        answer = await mover.send(place.table, move)
        assert "out of date" in ephemeral_reply(answer).text
        place.channel = here
        assert "passed" not in place.table.text
        await mover.press_dm("End turn")
        assert "passed" in place.table.text


async def test_a_click_from_a_strangers_dm_is_refused(tmp_path: Path) -> None:
    """In DMs, a click for a table is accepted only from one of its players."""
    async with bot_harness(tmp_path) as place:
        await place.person("Ann").slash("toad start")
        match_id, eve = place.table.match_id, place.person("Eve")
        answer = await eve.send(eve.send_plain_dm(), f"a:{match_id}:join")
        assert "out of date" in ephemeral_reply(answer).text
        assert "Eve" not in str((await place.stored(match_id)).match.players)


async def test_a_forged_click_does_not_make_a_dm_the_table(tmp_path: Path) -> None:
    """If no table message is stored, a forged click in the DMs does not make the DM the table."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover, move, before = place.reminded_player, await place.old_button_id("end"), place.table
        await place.bot.database.posts.remove(before.match_id, TABLE_KEY)
        await mover.send(mover.dm, move)
        assert place.table.id > before.id
        assert "passed" in place.table.text
        assert "Your hand" in mover.dm.alt


# ---- what is over --------------------------------------------------------------------------------


async def test_finished_matches_are_not_posted_again(tmp_path: Path) -> None:
    """A match that ended while a permission was missing is not posted when the permission returns."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        await deny_permissions(place, "send_messages")
        await people[0].press("Give up", response_of(await people[0].slash("toad leave")))
        assert is_over(place)
        await place.wait(MONTH)
        requests = len(place.env.http_requests)
        await deny_permissions(place)
        assert len(place.env.http_requests) == requests


# ---- requests that were refused -----------------------------------------------------------------


async def test_many_refusals_delay_low_priority_requests(tmp_path: Path) -> None:
    """After 1,000 refusals, requests that no user waits for are delayed, after 4,000 all but answers."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        budget = place.bot.budget
        for _refused in range(MOST_REFUSED[Priority.UPKEEP]):
            budget.count_response(TOO_MANY)
        await place.expire_interactions()
        mover = place.reminded_player
        await mover.press_dm("End turn")
        assert "passed" in place.table.text, "this was a click"
        for _refused in range(MOST_REFUSED[Priority.CLICK]):
            budget.count_response(TOO_MANY)
        requests = len([one for one in place.env.http_requests if "/channels/" in one.path])
        await place.reminded_player.press_dm("End turn")
        assert len([one for one in place.env.http_requests if "/channels/" in one.path]) == requests
        assert any(line["event"] == "requests throttled" for line in place.logs)

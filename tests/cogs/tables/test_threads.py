"""Tests of a channel's another table inside a thread."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.engine.opponent import Strength
from bot.matches.match import Stage
from bot.sessions.match_creation import Opening
from cogs.tables.clicks import InThread
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.strict_discord import deny_permissions, strict_discord

BUTTON = "Open it in a thread"
MISSING_PERMISSIONS, TOO_MANY_THREADS, TOO_MANY_CHANNELS = 50013, 160006, 30013


async def thread_offer(
    place: BotHarness, person: Person, command: str = "toad start", **options: Any
) -> Seen:
    """Open Ann's table, ask for another as a second user, and return the answer."""
    if await place.live_match_here() is None:
        await place.person("Ann").slash("toad start")
    answer = await person.slash(command, **options)
    return ephemeral_reply(answer)


def only_thread(place: BotHarness) -> ChannelHandle:
    """Return the channel's one thread."""
    [thread] = place.channel.threads
    return thread


async def test_a_second_table_can_be_opened_in_a_thread(tmp_path: Path) -> None:
    """If the channel has a table, the user may open the chosen one in a thread, as its host."""
    async with bot_harness(tmp_path) as place:
        channel, ben, cleo = place.channel, place.person("Ben"), place.person("Cleo")
        offer = await thread_offer(place, ben, lives=1, seats=3, count=0, turn=300, hints=0)
        assert "already a table" in offer.text
        assert len(place.messages) == 1, "nothing more was said to all"
        said = response_of(await ben.press(BUTTON, offer))
        place.channel = only_thread(place)
        assert said.text.strip() == f"Your table is in <#{place.channel.id}>."
        assert said.labels == []
        assert place.channel._channel.name == "Toad with Ben"
        assert f"1. <@{ben.id}> — host" in place.table.text
        for chosen in (
            "2 free seats",
            "1 life",
            "counts their own spots",
            "5 minutes per turn",
            "no hints",
        ):
            assert chosen in place.table.text
        await cleo.press("Join")
        await ben.press("Start")
        await place.reminded_player.press("End turn")
        assert "passed" in place.table.text
        place.channel = channel
        assert f"1. <@{place.person('Ann').id}> — host" in place.table.text
        await ben.press("Join")


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_a_double_click_opens_one_thread(tmp_path: Path, is_restarted: bool) -> None:
    """The button opens one thread, even if pressed twice or after a restart."""
    async with bot_harness(tmp_path) as place:
        ben = place.person("Ben")
        offer = await thread_offer(place, ben)
        custom_id = offer.custom_id(BUTTON)
        if is_restarted:
            await place.restart()
        await ben.send(offer, custom_id)
        if is_restarted:
            await place.restart()
        again = response_of(await ben.send(offer, custom_id))
        assert again.text.strip() == f"Your table is in <#{only_thread(place).id}>."
        assert len(await place.live()) == 2


async def test_simultaneous_clicks_open_one_thread(tmp_path: Path) -> None:
    """The second of two clicks waits until the first one's table is stored."""
    async with bot_harness(tmp_path) as place:
        ben = place.person("Ben")
        offer = await thread_offer(place, ben)
        custom_id = offer.custom_id(BUTTON)
        answers = await asyncio.gather(*(ben.send(offer, custom_id) for _click in range(2)))
        assert {response_of(answer).text.strip() for answer in answers} == {
            f"Your table is in <#{only_thread(place).id}>."
        }


async def test_a_thread_filled_with_computer_players_starts_at_once(tmp_path: Path) -> None:
    """A table in a thread that computer players fill starts immediately."""
    async with bot_harness(tmp_path) as place:
        ben = place.person("Ben")
        offer = await thread_offer(place, ben, "frogger start", frogs=2, strength=0)
        await ben.press(BUTTON, offer)
        place.channel = only_thread(place)
        assert place.channel._channel.name == "Frogger (for the Decktet) with Ben"
        assert "Tadpole" in place.table.text
        match = await place.live_match_here()
        assert match is not None
        assert match.stage is Stage.PLAYING
        assert [player.strength for player in match.players] == [None, *[Strength.TADPOLE] * 2]


async def test_no_thread_is_offered_without_permission(tmp_path: Path) -> None:
    """Without a permission for threads, a start links to the live table instead."""
    async with bot_harness(tmp_path) as place:
        ben = place.person("Ben")
        offer = await thread_offer(place, ben)
        for lacking in ("create_public_threads", "send_messages_in_threads"):
            await deny_permissions(place, lacking)
            with strict_discord() as refused:
                assert "start your table" in response_of(await ben.press(BUTTON, offer)).text.lower()
                none = await thread_offer(place, ben)
            assert "Jump to it" in none.text, lacking
            assert none.labels == []
            assert refused == []
            assert place.channel.threads == []


async def test_deleting_a_thread_ends_only_its_own_table(tmp_path: Path) -> None:
    """A thread offers no further thread. The channel's table continues if the thread is deleted."""
    async with bot_harness(tmp_path) as place:
        ben, channel = place.person("Ben"), place.channel
        await ben.press(BUTTON, await thread_offer(place, ben))
        place.channel = only_thread(place)
        assert (await thread_offer(place, ben)).labels == []
        place.channel = channel
        place.env.backend.delete_channel(only_thread(place).id)
        await place.env.settle()
        [left] = await place.live()
        assert left.host_id == place.person("Ann").id


async def test_threads_match_the_channel_type(tmp_path: Path) -> None:
    """An announcement channel has threads of its own type, the chat of a voice channel has none.

    The model of Discord does not have such threads, so the test checks and refuses the request.
    """
    async with bot_harness(tmp_path) as place:
        ben = place.person("Ben")
        place.channel = place.guild.create_news_channel("croaks")
        threads = f"/channels/{place.channel.id}/threads"
        offer = await thread_offer(place, ben)
        place.env.inject_error("POST", threads, status=403, code=MISSING_PERMISSIONS, message="No")
        await ben.press(BUTTON, offer)
        asked = [request.json for request in place.env.http_requests if request.path == threads]
        assert [(body or {})["type"] for body in asked] == [discord.ChannelType.news_thread.value]
        place.channel = place.guild.create_voice_channel("chorus")
        assert (await thread_offer(place, ben)).labels == []


async def test_a_refused_thread_leaves_no_table(tmp_path: Path) -> None:
    """If Discord refuses a thread, no table is left behind, and the button works later."""
    async with bot_harness(tmp_path) as place:
        ben = place.person("Ben")
        offer = await thread_offer(place, ben)
        threads = f"/channels/{place.channel.id}/threads"
        for status, code in (
            (403, MISSING_PERMISSIONS),
            (403, TOO_MANY_THREADS),
            (400, TOO_MANY_CHANNELS),
        ):
            place.env.inject_error("POST", threads, status=status, code=code, message="No")
            refused = ephemeral_reply(await ben.press(BUTTON, offer)).text
            assert "I can't open a thread in this channel" in refused, code
            assert len(await place.live()) == 1
        await ben.press(BUTTON, offer)
        assert len(await place.live()) == 2


async def test_a_forged_button_opens_no_thread(tmp_path: Path) -> None:
    """A forged custom_id with options that no start allows is refused, and opens no thread."""
    async with bot_harness(tmp_path) as place:
        ben = place.person("Ben")
        offer = await thread_offer(place, ben)
        right = Opening("toad", 3, {"lives": 3, "count": 1}, 0)
        for wrong in (
            replace(right, limit=7),
            replace(right, computer_players=3 * (Strength.TOAD,)),
            replace(right, options={"lives": 6, "count": 1}),
            replace(right, turn_seconds=30),
            replace(right, game="american_toad"),
        ):
            said = ephemeral_reply(await ben.send(offer, InThread("abcd1234", wrong).custom_id))
            assert "out of date" in said.text, wrong
            assert place.channel.threads == []


async def test_a_filtered_thread_name_falls_back_to_the_game(tmp_path: Path) -> None:
    """If a filter blocks the name of a thread, the thread is named by its game alone."""
    async with bot_harness(tmp_path) as place:
        channel, ben = place.channel, place.person("Ben")
        offer = await thread_offer(place, ben)
        message = (
            "Invalid Form Body\nIn name: Contains words not allowed for servers in Server Discovery."
        )
        path = f"/channels/{channel.id}/threads"
        place.env.inject_error("POST", path, status=400, code=50035, message=message, times=2)
        assert "can't open a thread" in ephemeral_reply(await ben.press(BUTTON, offer)).text
        place.env.inject_error("POST", path, status=400, code=50035, message=message, times=1)
        await ben.press(BUTTON, offer)
        assert only_thread(place)._channel.name == "Toad"
        assert place.faults() == []

"""The greeting of a server, and the private match that it offers."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.backend import serializers
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle, GuildHandle
from simcord.enums import OverwriteType

from bot.games import games
from bot.requests.budget import LIMIT, Budget, PrioritizedWork, Priority, request_priority
from bot.requests.message_requests import Requests
from cogs.welcome.cog import greeting_content
from tests.discord.admins import add_admin
from tests.discord.bot_harness import BotHarness, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.test_budget import most_per_second, run_in_virtual_time
from tests.messages.tables import text_of

HELLO = "Hello, I'm Ribit"


def new_server(
    place: BotHarness, locale: str = "en-US", *, is_writable: bool = True
) -> tuple[GuildHandle, ChannelHandle]:
    """Create a server that the bot has not joined, with a system channel."""
    env, backend = place.env, place.env.backend
    subscribers, backend.subscribers = backend.subscribers, []  # not yet told to the bot
    guild = env.create_guild("The Ditch", preferred_locale=locale)
    channel = guild.create_text_channel("welcome")
    if not is_writable:
        sending = discord.Permissions(send_messages=True).value
        backend.set_overwrite(channel.id, Overwrite(guild.id, OverwriteType.ROLE, 0, sending))
    guild._guild.system_channel_id = channel.id
    backend.subscribers = subscribers
    return guild, channel


async def add_bot(place: BotHarness, guild: GuildHandle) -> None:
    """Add the bot to a server."""
    emit_guild_create(place, guild)
    await place.env.settle()


def emit_guild_create(place: BotHarness, guild: GuildHandle) -> None:
    payload = dict(serializers.guild_create_payload(place.env.backend, guild._guild))
    payload.pop("unavailable", None)
    place.env.backend.emit("GUILD_CREATE", payload)


async def remove_bot(place: BotHarness, guild: GuildHandle) -> None:
    """Remove the bot from a server."""
    place.env.backend.emit("GUILD_DELETE", {"id": str(guild.id)})
    await place.env.settle()


def hello_messages(channel: ChannelHandle) -> list[Seen]:
    return [seen for seen in map(Seen, channel.history()) if HELLO in seen.text]


async def test_a_new_server_is_greeted_once(tmp_path: Path) -> None:
    """The system channel gets one message without a ping. A return or a restart does not repeat it."""
    async with bot_harness(tmp_path) as place:
        guild, channel = new_server(place)
        await add_bot(place, guild)
        [seen] = hello_messages(channel)
        assert seen.labels == ["Deal me a game", "Learn", "Set up"]
        assert "Toad" in seen.text
        assert "<@" not in seen.text
        asked = place.env.http_requests
        [sent] = [one.json or {} for one in asked if f"/channels/{channel.id}/" in one.path]
        assert sent["allowed_mentions"].get("parse", []) == []
        await place.restart()
        await remove_bot(place, guild)
        await add_bot(place, guild)
        await place.restart()
        assert len(hello_messages(channel)) == 1
        assert hello_messages(place.channel) == [], "the other server is known"


def test_the_greeting_explains_how_to_play() -> None:
    """The greeting names the games and the command that opens a table, and explains frogs."""
    said = text_of(greeting_content(games(), []))
    assert "I deal card games here: Toad, " in said
    assert "`/toad start`" in said
    assert "frogs, my computer players" in said


async def test_a_german_server_is_greeted_in_german(tmp_path: Path) -> None:
    """If the server's language is German, the greeting's text and its three buttons are German."""
    async with bot_harness(tmp_path) as place:
        guild, channel = new_server(place, "de")
        await add_bot(place, guild)
        [seen] = map(Seen, channel.history())
        assert "Hallo, ich bin Ribit" in seen.text
        assert seen.labels == ["Gib mir ein Spiel", "Lernen", "Einrichten"]


@pytest.mark.parametrize("has_channel", [True, False])
async def test_the_first_command_shows_an_undelivered_greeting(
    tmp_path: Path, has_channel: bool
) -> None:
    """Without a writable system channel, the first user of a command gets the greeting in private."""
    async with bot_harness(tmp_path) as place:
        guild, channel = new_server(place, is_writable=False)
        if not has_channel:
            guild._guild.system_channel_id = None
        await add_bot(place, guild)
        assert list(channel.history()) == []
        assert not [one for one in place.env.http_requests if f"/channels/{channel.id}/" in one.path]
        await place.restart()
        place.guild, place.channel = guild, guild.create_text_channel("lily-pad")
        ann, ben = place.person("Ann"), place.person("Ben")
        first = await ann.slash("toad rules")
        assert HELLO not in response_of(first).text
        assert HELLO in ephemeral_reply(first).text
        assert "Deal me a game" in ephemeral_reply(first).labels
        assert not (await ben.slash("toad rules")).followups
        assert not (await ann.slash("toad rules")).followups


async def test_a_refused_greeting_is_shown_by_the_first_command(tmp_path: Path) -> None:
    """If Discord refuses a greeting (error 50013), the user of the first command gets it instead."""
    async with bot_harness(tmp_path) as place:
        guild, channel = new_server(place)
        place.env.inject_error(
            "POST",
            f"/channels/{channel.id}/messages",
            status=403,
            code=50013,
            message="Missing Permissions",
        )
        await add_bot(place, guild)
        assert hello_messages(channel) == []
        place.guild, place.channel = guild, channel
        assert HELLO in ephemeral_reply(await place.person("Ann").slash("toad rules")).text


async def test_greetings_wait_for_the_request_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Servers that join at once cost one request each, in a turn of the budget."""
    async with bot_harness(tmp_path) as place:
        turns, turn = list[int](), place.bot.budget.turn

        def counted(channel_id: int) -> AbstractAsyncContextManager[None]:
            turns.append(channel_id)
            return turn(channel_id)

        monkeypatch.setattr(place.bot.budget, "turn", counted)
        servers = [new_server(place) for _number in range(30)]
        before = len(place.env.http_requests)
        for guild, _channel in servers:
            emit_guild_create(place, guild)
        await place.env.settle()
        assert all(len(hello_messages(channel)) == 1 for _guild, channel in servers)
        assert sorted(turns) == sorted(channel.id for _guild, channel in servers)
        assert len(place.env.http_requests) == before + len(servers)


def test_greetings_to_500_servers_stay_within_the_rate_limit() -> None:
    """The budget spreads their greetings, so that no second has more requests than Discord allows."""
    sent = list[float]()

    async def send(**_shown: object) -> SimpleNamespace:
        sent.append(asyncio.get_running_loop().time())
        return SimpleNamespace(id=len(sent))

    async def act() -> None:
        client: Any = SimpleNamespace(
            get_partial_messageable=lambda _channel_id: SimpleNamespace(send=send)
        )
        requests = Requests(client, Budget(LIMIT))
        with request_priority(PrioritizedWork(Priority.UPKEEP)):
            await asyncio.gather(*(requests.send(number, "hello") for number in range(500)))

    run_in_virtual_time(act)
    assert len(sent) == 500
    assert most_per_second(sent) <= LIMIT
    assert max(sent) < 60


# ---- its buttons ---------------------------------------------------------------------------------


async def wait_for_greeting(place: BotHarness) -> Seen:
    """Return the greeting of a server that Ann, Ben and an admin see."""
    guild, channel = new_server(place)
    await add_bot(place, guild)
    place.guild, place.channel = guild, channel
    return hello_messages(channel)[0]


async def test_each_user_can_start_a_private_match(tmp_path: Path) -> None:
    """A private match has two computer players. A second press shows the same match until its end."""
    async with bot_harness(tmp_path) as place:
        seen = await wait_for_greeting(place)
        ann, ben = place.person("Ann"), place.person("Ben")
        hand = ephemeral_reply(await ann.press("Deal me a game", seen))
        match = (await place.stored(hand.match_id)).match
        assert [player.is_computer_player for player in match.players] == [False, True, True]
        assert "Only you can see this" in hand.text
        assert "🔏" in hand.text
        assert "End turn" in hand.labels
        again = ephemeral_reply(await ann.press("Deal me a game", seen))
        assert again.match_id == hand.match_id
        await place.bot.database.players.choose(ben.id, text_table=True)
        in_words = ephemeral_reply(await ben.press("Deal me a game", seen))
        assert in_words.match_id != hand.match_id
        assert in_words.alt == ""
        assert "Your hand" in in_words.text
        assert len(place.messages) == 1, "no table is posted"
        assert ann.dms == []
        await ann.press("End turn", again)
        await place.restart()
        hand = ephemeral_reply(await ann.press("Deal me a game", seen))
        assert hand.match_id == again.match_id
        over = response_of(await ann.press("Give up", hand))
        assert ephemeral_reply(await ann.press("Deal me a game", over)).match_id != hand.match_id


async def test_learn_begins_a_lesson(tmp_path: Path) -> None:
    """The greeting's *Learn* button starts a lesson in Toad."""
    pytest.importorskip("cogs.lessons")
    async with bot_harness(tmp_path) as place:
        seen = await wait_for_greeting(place)
        assert "A lesson in Toad" in ephemeral_reply(await place.person("Ann").press("Learn", seen)).text


async def test_set_up_requires_manage_server(tmp_path: Path) -> None:
    """A user without the permission gets an error, and an admin gets the server's settings."""
    pytest.importorskip("cogs.settings")
    async with bot_harness(tmp_path) as place:
        seen = await wait_for_greeting(place)
        assert "Manage Server" in ephemeral_reply(await place.person("Ann").press("Set up", seen)).text
        assert "The Ditch" in ephemeral_reply(await add_admin(place).press("Set up", seen)).text

"""Solitaire in a server without the bot, and in a group DM.

SimCord has neither, so a server that removed the bot represents both. Discord refuses every request
there except responses. The interactions contain their context as in Discord's documentation of
user-installed apps.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import discord
import pytest
from simcord import interactions

from bot.games import games
from bot.games.american_toad.rules import open_deal
from bot.games.american_toad.solver import best_line
from bot.games.american_toad.state import Move, write
from tests.discord.bot_harness import BotHarness, Person, bot_harness, ephemeral_reply, response_of
from tests.discord.solitaire_player import play_without_clicks, win_deal
from tests.discord.test_leaving import remove_bot

GROUP_DM, PRIVATE_CHANNEL, USER_INSTALL = 3, 2, "1"
DEAL = 25
SOLITAIRE = games()["american_toad"]
KINDS = ("server", "group")
NO_FILES = "server where the user may send no files"


class Abroad:
    """A place without Ribit, of a kind, and Ann and Ben in it."""

    def __init__(self, place: BotHarness) -> None:
        self.place = place
        self.home = (place.guild, place.channel)
        self.at_home = place.person("Ann")
        place.guild = place.env.create_guild("Elsewhere")
        place.channel = place.guild.create_text_channel("chat")
        self.channel_id = place.channel.id
        self.ann = Person(place, place.guild.add_member(self.at_home.actor.user))
        ben = place.env.create_user("ben", global_name="Ben")
        self.ben = Person(place, place.guild.add_member(ben))

    @property
    def asked(self) -> list[str]:
        """The bot's requests to Discord about the place, other than responses."""
        requests = self.place.env.http_requests
        return [one.path for one in requests if str(self.channel_id) in one.path]


def _payload_builder(place: BotHarness, kind: str, owner: int, guild_id: int) -> Any:
    """Return a function that builds interactions as Discord does in a place without the bot."""
    usual = interactions.base_payload

    def base_payload(backend: Any, **facts: Any) -> Any:
        if facts["guild_id"] != guild_id:
            return usual(backend, **facts)
        there = backend.get_guild(guild_id)
        there.members[backend.bot_user.id] = there.members[facts["user_id"]]  # for its permissions
        record, payload = usual(backend, **facts)
        del there.members[backend.bot_user.id]
        payload["authorizing_integration_owners"] = {USER_INSTALL: str(owner)}
        if kind == NO_FILES:
            payload["app_permissions"] = str(discord.Permissions(send_messages=True).value)
        if kind == "group":
            payload["context"] = PRIVATE_CHANNEL
            payload["user"] = payload.pop("member")["user"]
            del payload["guild_id"], payload["guild_locale"]
            payload["channel"] = {"id": payload["channel_id"], "type": GROUP_DM, "name": "us three"}
            may = discord.Permissions(attach_files=True, embed_links=True, mention_everyone=True)
            payload["app_permissions"] = str(may.value)
        return record, payload

    return base_payload


@asynccontextmanager
async def open_abroad(
    folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch, locale: str | None = None
) -> AsyncIterator[Abroad]:
    """Use Ribit as Ann in a place without it. Any request besides responses fails."""
    async with bot_harness(folder, locale) as place:
        there = Abroad(place)
        await remove_bot(place)
        payload = _payload_builder(place, kind, there.ann.id, place.guild.id)
        monkeypatch.setattr(interactions, "base_payload", payload)
        yield there
        assert there.asked == []


async def restart_bot(place: BotHarness) -> None:
    """Restart the bot, which still is not a member of the place."""
    backend = place.env.backend
    kept = backend.guilds.pop(place.guild.id)  # of which Discord tells nothing to who is not in it
    await place.restart()
    backend.guilds[place.guild.id] = kept


@cache
def _winning_line() -> tuple[Move, ...]:
    return best_line(open_deal(DEAL).position, nodes=3_000)


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search for a hint in one possible deal, because no test here is about the best hint."""
    monkeypatch.setattr("bot.games.american_toad.hints.WORLDS", 1)


Going: TypeAlias = Callable[[], AbstractAsyncContextManager[Abroad]]


@pytest.fixture(params=KINDS)
def going_abroad(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Going:
    """Return a function that moves Ann to a place of each type."""
    return lambda: open_abroad(tmp_path, request.param, monkeypatch)


async def press_winning_moves(place: BotHarness, person: Person, first: int, last: int) -> None:
    """Make some moves of a line that wins, each by its button or out of the menu."""
    state = open_deal(DEAL)
    for number, move in enumerate(_winning_line()):
        if first <= number < last:
            table, text = place.table, write(move)
            choices = SOLITAIRE.panel(SOLITAIRE.view(state, 0)).choices()
            choice = next(one for one in choices if SOLITAIRE.write(one.move) == text)
            if choice.label in table.labels:
                await person.press(choice.label)
            else:
                menu = next(one for one in table.custom_ids if one.endswith(":t:"))
                await person.pick(choice.key, table, menu)
        state = SOLITAIRE.play(state, move)


async def test_a_guest_wins_a_deal_across_a_restart(going_abroad: Going) -> None:
    """A whole deal is played in responses, across a restart and after the first token has expired."""
    async with going_abroad() as there:
        place, ann = there.place, there.ann
        await ann.slash("solitaire start", deal=DEAL)
        table = place.table
        assert f"deal {DEAL}" in table.text
        assert "I'm only a guest here" in table.text
        assert re.search(r"</solitaire table:\d+> to bring it down", table.text)
        await press_winning_moves(place, ann, 0, 5)
        await restart_bot(place)
        await place.expire_interactions()
        await press_winning_moves(place, ann, 5, 7)
        await play_without_clicks(place, ann, [write(move) for move in _winning_line()[7:-1]])
        await press_winning_moves(place, ann, len(_winning_line()) - 1, len(_winning_line()))
        assert place.table.id == table.id
        assert "wins deal" in place.table.text
        assert "guest" not in place.table.text
        profile = await ann.slash("profile")
        assert profile.ephemeral, "nobody there has asked Ribit in"
        assert "1 match, **1 win**" in response_of(profile).text
        others = ephemeral_reply(await ann.slash("profile", player=place.person("Ben").actor.user))
        assert "your own profile" in others.text
        await ann.press("New deal")
        assert place.table.id > table.id
        assert "I'm only a guest here" in place.table.text


async def test_a_guests_daily_deal_is_private_until_shared(going_abroad: Going) -> None:
    """In a server without the bot, the deal and its results are ephemeral until *Share* is pressed."""
    async with going_abroad() as there:
        place, ann = there.place, there.ann
        opened = await ann.slash("solitaire daily")
        assert opened.ephemeral
        assert re.search(r"</solitaire daily:\d+> to get back to it", response_of(opened).text)
        assert "guest" not in response_of(opened).text
        await ann.press("Turn the stock")
        await restart_bot(place)
        await place.expire_interactions()
        assert "1 move" in response_of(await ann.slash("solitaire daily")).text
        await ann.press("Undo")
        await win_deal(place, ann)
        assert "🏆 Ann wins deal of the day" in place.table.text
        assert "1 in a row" in place.table.text
        assert place.messages == [], "others hear nothing of it"
        await ann.press("Share")
        [post] = place.messages
        assert "Ann wins deal of the day" in post.text
        assert not post.alt
        assert "Ann wins" in response_of(await ann.slash("solitaire daily")).text


async def test_clicks_by_others_or_from_another_table_are_refused(going_abroad: Going) -> None:
    """Another user's click is refused, and so is a click sent from another table's message."""
    async with going_abroad() as there:
        place, ann = there.place, there.ann
        await ann.slash("solitaire start", deal=DEAL)
        turn = place.table.custom_id("Turn the stock")
        assert "not at this table" in ephemeral_reply(await there.ben.send(place.table, turn)).text
        assert "Hint" in place.table.labels
        await ann.press("Hint")
        assert "hint: take this" in place.table.alt
        foreign = place.table
        place.guild, place.channel = there.home
        await there.at_home.slash("solitaire start", deal=3)
        assert "guest" not in place.table.text
        assert "out of date" in ephemeral_reply(await there.at_home.send(place.table, turn)).text
        at_home = place.table.custom_id("Turn the stock")
        assert "out of date" in ephemeral_reply(await ann.send(foreign, at_home)).text


async def test_the_next_click_shows_an_end_that_no_token_could(going_abroad: Going) -> None:
    """``table`` sends the table again. An end that no token can show is shown at the next click."""
    async with going_abroad() as there:
        place, ann = there.place, there.ann
        await ann.slash("solitaire start", deal=DEAL)
        first = place.table
        again = response_of(await ann.slash("solitaire start"))
        assert "already have a deal in this channel" in again.text
        await ann.slash("solitaire table")
        assert place.table.id > first.id
        assert "This table has moved" in place.messages[0].text
        await ann.press("Give up", response_of(await ann.press("Give up")))
        assert "gave up" in place.table.text, "the token of the last click on it still edits it"
        await ann.press("Same deal again (practice)")
        question = response_of(await ann.slash("solitaire stop"))
        table, undone = place.table, place.table.custom_id("Turn the stock")
        await place.expire_interactions()
        await ann.press("Give up", question)
        assert "gave up" not in place.table.text
        assert "over" in ephemeral_reply(await ann.send(table, undone)).text
        assert "gave up" in place.table.text


BLOCKED, HARMFUL_LINK, USED_UP = 200000, 240000, 40094


def refuse_requests(place: BotHarness, path: str, code: int, times: int | None = 1) -> None:
    """Make Discord refuse the bot's requests there for this reason."""
    place.env.inject_error("*", path, status=400, code=code, message="refused", times=times)


async def test_a_table_refused_by_automod_continues_in_dms(going_abroad: Going) -> None:
    """Each click names AutoMod as the cause. In DMs the match continues, and frees its channel."""
    async with going_abroad() as there:
        place, ann = there.place, there.ann
        await ann.slash("solitaire start", deal=DEAL)
        abroad, channel = place.table, place.channel
        for label in ("Turn the stock", "Hint"):
            refuse_requests(place, "/interactions/*/callback", BLOCKED)
            said = ephemeral_reply(await ann.press(label, abroad)).text
            assert "AutoMod, or Discord itself, blocks" in said
            assert re.search(r"</solitaire table:\d+> there", said)
        match_id = abroad.match_id
        asked = await place.stored(match_id)
        assert asked.n == 2, "what was done is stored"
        await restart_bot(place)
        place.env.backend.faults.clear()
        dm = ann.actor.user.dm_channel
        await ann.actor.user.slash("solitaire table")
        assert "1 move" in ann.dm.text
        assert "guest" not in ann.dm.text
        assert dm.id == (await place.stored(match_id)).match.channel_id
        await ann.press_dm(ann.dm.label("Turn"), ann.dm)
        assert "2 moves" in ann.dm.text
        assert "out of date" in ephemeral_reply(await ann.send(abroad, abroad.custom_id("Give up"))).text
        place.channel = channel
        await ann.slash("solitaire start", deal=3)
        assert place.table.match_id != match_id, "its place is free"


@pytest.mark.parametrize("code", [BLOCKED, HARMFUL_LINK])
async def test_a_new_table_refused_by_automod_can_be_shown_in_dms(
    going_abroad: Going, code: int
) -> None:
    """If AutoMod refuses a new table, the user is notified and can show it in DMs."""
    async with going_abroad() as there:
        place, ann = there.place, there.ann
        refuse_requests(place, "/interactions/*/callback", code)
        assert (
            "AutoMod, or Discord itself, blocks"
            in ephemeral_reply(await ann.slash("solitaire start", deal=DEAL)).text
        )
        await ann.actor.user.slash("solitaire table")
        assert f"deal {DEAL}" in ann.dm.text


async def test_a_table_is_sent_as_a_response_without_follow_ups(going_abroad: Going) -> None:
    """If Discord allows no more follow-ups, a click's response shows the table or explains the limit."""
    async with going_abroad() as there:
        place, ann = there.place, there.ann
        await ann.slash("solitaire start", deal=DEAL)
        refuse_requests(place, "/webhooks/*", USED_UP, None)
        refuse_requests(place, "/interactions/*/callback", 30046)
        await ann.press("Turn the stock")
        assert "1 move" in place.table.text
        refuse_requests(place, "/interactions/*/callback", 30046)
        refuse_requests(place, "/interactions/*/callback", USED_UP)
        said = ephemeral_reply(await ann.press("Turn the stock")).text
        assert "used those up" in said
        assert "table" in said


async def test_text_replaces_pictures_without_attach_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the user may attach no files, text replaces the picture."""
    async with open_abroad(tmp_path, NO_FILES, monkeypatch) as there:
        await there.ann.slash("solitaire start", deal=DEAL)
        assert there.place.table.alt == ""
        assert "Reserve\\: " in there.place.table.text
        assert "**Attach Files**" in there.place.table.text
        await there.ann.press("Turn the stock")
        assert "1 move" in there.place.table.text


async def test_users_can_install_only_solitaire_and_profiles(tmp_path: Path) -> None:
    """Solitaire and profiles are registered for users and all channels, other games for servers."""
    async with bot_harness(tmp_path) as place:
        synced = {one["name"]: one for one in place.env.backend.commands[None].values()}
        assert synced["solitaire"]["integration_types"] == [0, 1]
        assert synced["solitaire"]["contexts"] == [0, 1, 2]
        assert synced["profile"]["integration_types"] == [0, 1]
        assert synced["profile"]["contexts"] == [0, 1, 2]
        for name in ("toad", "frogger"):
            assert synced[name]["integration_types"] == [0]

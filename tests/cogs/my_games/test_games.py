"""Tests of ``/games``, the list of a user's open matches."""

from __future__ import annotations

import re
from pathlib import Path

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from tests.discord.bot_harness import Person, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.test_guests import KINDS, open_abroad
from tests.test_languages import set_language


async def open_my_games(person: Person) -> Seen:
    """Use the command, whose answer is ephemeral."""
    asked = await person.slash("games")
    assert asked.ephemeral
    return response_of(asked)


def word_order(seen: Seen, *words: str) -> list[str]:
    """Return the words in the order in which a message has them."""
    return sorted(words, key=seen.text.index)


async def test_the_list_of_a_new_player_is_empty(tmp_path: Path) -> None:
    """A new player's list says that there is no match, and which command starts one."""
    async with bot_harness(tmp_path) as place:
        seen = await open_my_games(place.person("Ann"))
        assert "You're not in a game right now" in seen.text
        assert "toad start" in seen.text


async def test_matches_are_sorted_by_deadline(tmp_path: Path) -> None:
    """The nearest deadline is first. Each match has its channel, server, turn and message link."""
    async with bot_harness(tmp_path) as place:
        pad = place.channel
        reeds, bank = (place.guild.create_text_channel(name) for name in ("reeds", "bank"))
        await place.started("Ann", "Ben", turn=86_400)
        mover = place.reminded_player
        ann = place.people["Ann"]
        slow = place.table
        await place.wait(5)
        place.channel = reeds
        await place.started("Ann", "Ben", game="frogger", turn=300)
        quick = place.table
        place.channel = bank
        await ann.slash("toad start", seats=4)
        seen = await open_my_games(ann)
        found = word_order(seen, f"<#{pad.id}>", f"<#{reeds.id}>", f"<#{bank.id}>")
        assert found == [f"<#{reeds.id}>", f"<#{pad.id}>", f"<#{bank.id}>"]
        for channel, message in ((pad, slow), (reeds, quick), (bank, place.table)):
            assert f"/channels/{place.guild.id}/{channel.id}/{message.id})" in seen.text
        assert seen.text.count("The Frog Pond") == 3
        assert "The lobby has 1 of 4 players." in seen.text
        [line] = re.findall(rf"<#{pad.id}>.*\n(.*)", seen.text)
        assert line.startswith(
            "**Your turn**. It ends <t:" if mover is ann else "Ben's turn. It ends <t:"
        )
        assert "Ben" not in (await open_my_games(place.person("Zoe"))).text


async def test_the_list_drops_a_finished_match(tmp_path: Path) -> None:
    """*Refresh* edits the same message and drops the finished match, also after a restart."""
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.started("Ann", "Ben", lives=1)
        seen = await open_my_games(ann)
        assert "turn. It ends" in seen.text
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        await place.restart()
        after = response_of(await ann.press("Refresh", seen))
        assert after.id == seen.id
        assert "You're not in a game right now" in after.text


async def test_the_list_shows_that_a_player_has_given_up(tmp_path: Path) -> None:
    """*You're out of this match* is shown to the player who has given up, and not to the others."""
    async with bot_harness(tmp_path) as place:
        ann, ben, _cleo = await place.started("Ann", "Ben", "Cleo")
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        assert "You're out of this match." in (await open_my_games(ann)).text
        assert "You're out" not in (await open_my_games(ben)).text


async def test_the_list_hides_channels_the_player_cannot_see(tmp_path: Path) -> None:
    """The list names neither its matches nor its channel nor its players."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben")
        assert f"<#{place.channel.id}>" in (await open_my_games(ann)).text
        hidden = discord.Permissions(view_channel=True).value
        rule = Overwrite(ann.id, OverwriteType.MEMBER, 0, hidden)
        place.env.backend.set_overwrite(place.channel.id, rule)
        await place.env.settle()
        text = response_of(await ann.actor.user.slash("games")).text
        for word in (str(place.channel.id), "Ben", "Toad", "The Frog Pond"):
            assert word not in text
        assert f"<#{place.channel.id}>" in (await open_my_games(ben)).text
        place.guild.remove_member(ben.actor)
        await place.expire_interactions()
        assert "Toad" not in response_of(await ben.actor.user.slash("games")).text


async def test_a_match_is_hidden_if_the_access_check_fails(tmp_path: Path) -> None:
    """If Discord answers 500, the list counts the match as hidden and does not name its channel."""
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.started("Ann", "Ben")
        await place.expire_interactions()
        members = f"/guilds/{place.guild.id}/members/{ann.id}"
        place.env.inject_error("GET", members, status=500, code=0, message="trouble", times=None)
        text = (await open_my_games(ann)).text
        assert str(place.channel.id) not in text
        assert "1 more are hidden" in text


async def test_the_list_has_a_button_for_each_private_match(tmp_path: Path) -> None:
    """In DMs, the list shows private matches and deals from servers and DMs, also after a restart."""
    pytest.importorskip("cogs.welcome")
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.press("Deal me a game", response_of(await ann.slash("help")))
        await ann.actor.user.slash("solitaire start", deal=7)
        deal = ann.dm
        await ann.slash("solitaire daily")
        await place.restart()
        seen = response_of(await ann.actor.user.slash("games"))
        assert "Toad**, just for you" in seen.text
        assert "The day ends" in seen.text
        assert f"/channels/@me/{ann.actor.user.dm_channel.id}/{deal.id})" in seen.text
        hand = ephemeral_reply(await ann.press("Show Toad", seen))
        assert "End turn" in hand.labels


async def test_a_forged_button_does_not_open_another_players_match(tmp_path: Path) -> None:
    """A user who sends the ID of another player's private match gets an error instead of the hand."""
    pytest.importorskip("cogs.welcome")
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        hand = ephemeral_reply(await ann.press("Deal me a game", response_of(await ann.slash("help"))))
        refused = ephemeral_reply(await ben.send(await open_my_games(ben), f"g:{hand.match_id}"))
        assert "out of date" in refused.text


@pytest.mark.parametrize("kind", KINDS)
async def test_a_user_install_shows_the_list_without_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A user who has added Ribit to the account gets the list in a server or group without Ribit."""
    async with open_abroad(tmp_path, kind, monkeypatch) as there:
        assert "You're not in a game right now" in response_of(await there.ann.slash("games")).text
        await there.ann.slash("solitaire start", deal=7)
        assert "Solitaire" in response_of(await there.ann.slash("games")).text


async def test_the_list_uses_the_users_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user whose Discord is in German gets a German list with a German button."""
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.started("Ann", "Ben")
        set_language(place, monkeypatch, Ann="de")
        seen = await open_my_games(ann)
        assert "Deine Spiele" in seen.text
        assert seen.labels == ["Aktualisieren"]


async def test_each_page_of_the_list_has_ten_matches(tmp_path: Path) -> None:
    """A message has room for ten matches. A button leads to the others, even if some end meanwhile."""
    async with bot_harness(tmp_path) as place:
        people = [place.person(f"Host {number}") for number in range(4)]
        ann = place.person("Ann")
        channels = [place.guild.create_text_channel(f"pool-{number}") for number in range(12)]
        for number, channel in enumerate(channels):
            place.channel = channel
            await people[number // 3].slash("toad start")
            await ann.press("Join")
        seen = await open_my_games(ann)
        assert seen.text.count("The lobby has 2 of 6 players.") == 10
        assert "And 2 more." in seen.text
        assert seen.labels == ["Refresh", "▶"]
        await ann.press("▶", seen)
        assert seen.text.count("The lobby has 2 of 6 players.") == 2
        assert seen.labels == ["◀", "Refresh"]
        for channel in channels[-2:]:
            place.channel = channel
            await ann.press("Leave")
        await ann.press("Refresh", seen)
        assert seen.text.count("The lobby has 2 of 6 players.") == 10
        assert seen.labels == ["Refresh"]

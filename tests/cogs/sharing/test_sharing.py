"""Tests of *Share*, which posts a match's result to its channel once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from tests.cogs.stored_moves import win_deal
from tests.discord.bot_harness import BotHarness, bot_harness, ephemeral_reply
from tests.discord.solitaire_player import give_up
from tests.discord.strict_discord import deny_permissions, strict_discord

DEAL = 25


def shared_message_count(place: BotHarness) -> int:
    """Return the number of messages that share a match."""
    return sum("Watch" in seen.labels and "Share" not in seen.labels for seen in place.messages)


async def test_a_won_deal_can_be_shared_once(tmp_path: Path) -> None:
    """A won deal can be posted once. Other users can watch it and play the same deal."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=DEAL)
        match_id, table = place.table.match_id, place.table
        assert "out of date" in ephemeral_reply(await ann.send(table, f"a:{match_id}:share")).text
        await win_deal(place, ann)
        table = place.table
        await place.restart()
        assert "not at this table" in ephemeral_reply(await ben.press("Share", table)).text
        await ann.press("Share", table)
        post = place.messages[-1]
        moves = (await place.stored(match_id)).n
        assert f"Ann wins deal {DEAL}!" in post.text
        assert f"Won · {moves} moves · 0 undos · ⏱️ " in post.text
        assert "Ann wins deal" in post.alt
        assert post.labels == ["Watch", "Play this deal"]
        await place.restart()
        again = ephemeral_reply(await ann.press("Share", table))
        assert "has already been shared" in again.text
        assert str(post.id) in again.text
        assert shared_message_count(place) == 1
        assert "move 0 of" in ephemeral_reply(await ben.press("Watch", post)).text
        await ben.press("Play this deal", post)
        assert f"deal {DEAL}" in place.table.text
        assert place.table.match_id != match_id
        await give_up(ben)
        assert "Share" not in place.table.labels, "nobody boasts of it"


async def test_simultaneous_clicks_share_a_match_once(tmp_path: Path) -> None:
    """A match is posted once, even by simultaneous clicks, and not by a muted player."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", lives=1)
        await place.reminded_player.press("End turn")
        loser = place.reminded_player
        await loser.press("End turn")
        assert "Share" in place.table.labels
        assert "Share" in ann.dm.labels
        mute = Overwrite(ann.id, OverwriteType.MEMBER, 0, discord.Permissions(send_messages=True).value)
        place.env.backend.set_overwrite(place.channel.id, mute)
        assert "can't write in this table's channel" in ephemeral_reply(await ann.press_dm("Share")).text
        assert shared_message_count(place) == 0
        table, share = place.table, place.table.custom_id("Share")
        await asyncio.gather(ben.sends(table, share), ben.sends(ben.dm, share), ben.sends(table, share))
        await place.check()
        assert shared_message_count(place) == 1
        post = place.messages[-1]
        assert "a draw" in post.text
        assert post.alt.startswith("It's a draw")
        assert post.labels == ["Watch"]
        again = ephemeral_reply(await ben.press_dm("Share"))
        assert str(post.id) in again.text


async def test_a_match_is_shared_once_despite_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the process ends after posting, a second press links to the post."""
    async with bot_harness(tmp_path) as place:
        with strict_discord():
            _ann, ben = await place.given_up()

            async def forget(*_post: object) -> None:
                raise RuntimeError("killed")

            with monkeypatch.context() as patched:
                patched.setattr("bot.storage.match_posts.Posts.store_message", forget)
                await ben.press_dm("Share")
            place.faults()
            await place.restart()
            assert shared_message_count(place) == 1
            answer = ephemeral_reply(await ben.press_dm("Share"))
            assert shared_message_count(place) == 1
            assert str(place.messages[-1].id) in answer.text


async def test_sharing_from_dms_requires_send_permission(tmp_path: Path) -> None:
    """Sharing from DMs requires that the bot may write in the channel, and links to the post."""
    async with bot_harness(tmp_path) as place:
        _ann, ben = await place.given_up()
        match_id = place.table.match_id
        await deny_permissions(place, "send_messages")
        assert "can't show a table in that channel" in ephemeral_reply(await ben.press_dm("Share")).text
        await deny_permissions(place)
        answer = ephemeral_reply(await ben.press_dm("Share"))
        post = place.messages[-1]
        assert "Shared" in answer.text
        assert str(post.id) in answer.text
        assert "Ben wins" in post.text
        assert post.custom_ids == [f"v:{match_id}"]

"""Tests of the lobby: permissions to join, start, leave and close, and its public messages."""

from __future__ import annotations

from pathlib import Path

import discord
import pytest
import simcord

from tests.discord.admins import add_moderator
from tests.discord.bot_harness import bot_harness, ephemeral_reply, response_of
from tests.discord.toad_player import SHORT_MATCH


async def test_only_the_host_can_start_a_match(tmp_path: Path) -> None:
    """Ann opens a table, Ben joins, only Ann may start, and from two players on."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad start", lives=2, seats=3)
        assert f"1. <@{ann.id}> — host" in place.table.text
        assert "2 lives" in place.table.text
        assert "2 free seats" in place.table.text
        assert "Start" not in place.table.labels
        await ben.press("Join")
        assert f"2. <@{ben.id}>" in place.table.text
        refused = await ben.press("Start")
        assert refused.ephemeral
        assert "Only the host" in response_of(refused).text
        await ann.press("Start")
        assert "'s turn" in place.table.text
        assert "2 of 2 lives" in place.table.alt


@pytest.fixture
def nobody_has_a_toad(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal cards without a toad in any hand."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: SHORT_MATCH)


@pytest.mark.usefixtures("nobody_has_a_toad")
async def test_hands_show_spots_and_a_wrong_ribit_asks_first(tmp_path: Path) -> None:
    """By default the hand shows its spots, and a wrong *Ribit!* asks for confirmation in private."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover = place.reminded_player
        assert "Red spots" in mover.dm.alt
        asked = response_of(await mover.press("Ribit!"))
        assert "Say ribit anyway?" in asked.text
        assert "says ribit" not in place.table.text
        await mover.press("Back", asked)
        assert place.reminded_player is mover
        asked = response_of(await mover.press("My hand"))
        await mover.press("Ribit!", asked)
        assert "says ribit" not in place.table.text
        await mover.press_dm("Ribit!")
        assert "Say ribit anyway?" in mover.dm.text
        await mover.press_dm("Say ribit")
        assert f"{mover.name} says ribit" in place.table.text


@pytest.mark.usefixtures("nobody_has_a_toad")
async def test_the_host_can_disable_spot_counting(tmp_path: Path) -> None:
    """If the host has chosen so, hands show no spots, and *Ribit!* is not confirmed."""
    async with bot_harness(tmp_path) as place:
        await place.person("Ann").slash("toad start", count=0)
        assert "everybody counts their own spots" in place.table.text
        await place.person("Ben").press("Join")
        await place.person("Ann").press("Start")
        mover = place.reminded_player
        assert "Your hand" in mover.dm.alt
        assert "spots" not in mover.dm.alt
        await mover.press("Ribit!")
        assert f"{mover.name} says ribit" in place.table.text
        await place.reminded_player.press_dm("Ribit!")
        assert place.table.text.count("says ribit") == 2


async def test_the_lobby_shows_missing_players_and_valid_buttons(tmp_path: Path) -> None:
    """A lobby shows how many players are missing. It has *Start* if it can start, *Join* if it has room.

    ``/toad leave`` leaves a lobby without a question, and is refused to a user without a seat.
    """
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad start", seats=2)
        assert "1 more player is needed." in place.table.text
        assert "Start" not in place.table.labels
        assert "already" in response_of(await ann.press("Join")).text, (
            "joining twice is answered in private"
        )
        assert "not at this table" in response_of(await ben.slash("toad leave")).text
        await ben.press("Join")
        assert "Join" not in place.table.labels
        assert "table full" in place.table.text
        assert "Ready: the host can start." in place.table.text
        assert "Start" in place.table.labels
        await ben.press("Leave")
        assert "Start" not in place.table.labels
        await ben.press("Join")
        left = await ben.slash("toad leave")
        assert left.ephemeral
        assert f"<@{ben.id}>" not in place.table.text


async def test_the_next_player_becomes_host_when_the_host_leaves(tmp_path: Path) -> None:
    """If the host leaves, the next player is the host. The last player's leaving closes the table."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.seat_players("Ann", "Ben")
        await ann.press("Leave")
        assert f"1. <@{ben.id}> — host" in place.table.text
        assert "left the table" in response_of(await ben.slash("toad leave")).text
        assert "Everybody left" in place.table.text
        await ann.slash("toad start")
        assert f"1. <@{ann.id}> — host" in place.table.text


async def test_a_channel_has_one_table(tmp_path: Path) -> None:
    """A second start in a channel links to the live table. Another channel has its own.

    A closed lobby frees its channel, and its old buttons say that it was closed.
    """
    async with bot_harness(tmp_path) as place:
        [ann], ben = await place.seat_players("Ann"), place.person("Ben")
        first, join = place.table, place.table.custom_id("Join")
        refused = await ben.slash("toad start")
        assert refused.ephemeral
        assert f"/{first.id}" in response_of(refused).text
        other = place.guild.create_text_channel("other-pond")
        result = await ben.actor.slash(other, "toad start")
        assert f"<@{ben.id}> — host" in response_of(result).text
        await ann.press("Close the table", response_of(await ann.slash("toad stop")))
        assert "This table was closed." in place.table.text
        assert "This table was closed." in ephemeral_reply(await ben.send(first, join)).text
        await ben.slash("toad start")
        assert f"1. <@{ben.id}> — host" in place.table.text


async def test_the_table_command_sends_the_table_again(tmp_path: Path) -> None:
    """``/toad table`` sends the table again, and the old message links to it."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben")
        before = place.table.id
        await ben.actor.send(place.channel, "so much chatter")
        await ben.slash("toad table")
        assert place.table.id > before
        pointer = next(seen for seen in place.messages if seen.id == before)
        assert f"/{place.table.id}" in pointer.text
        assert (pointer.labels, pointer.alt, pointer.message.attachments) == ([], "", [])
        mover = place.reminded_player
        await mover.press("End turn")
        assert place.reminded_player is not mover
        assert {ann.id, ben.id} == {mover.id, place.reminded_player.id}


async def test_the_host_and_moderators_can_close_a_table(tmp_path: Path) -> None:
    """The host and moderators can close a table after a question.

    Other users are not asked, and their forged confirmation is refused. Another game's commands name
    those of the table's game.
    """
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben")
        started, stranger = place.table.match_id, place.person("Stranger")
        for command in ("table", "hand", "leave", "stop"):
            refused = response_of(await ann.slash(f"frogger {command}"))
            assert "is for Toad. Its commands start with `/toad`" in refused.text
            assert refused.labels == []
        for person, words in ((ben, "Only the host"), (stranger, "You're not at this table")):
            refused = response_of(await person.slash("toad stop"))
            assert words in refused.text
            assert refused.labels == []
            assert words in ephemeral_reply(await person.send(refused, f"a:{started}:stop")).text, (
                "forged"
            )
        question = response_of(await ann.slash("toad stop"))
        assert "this match of Toad" in question.text
        await ann.press("No, play on", question)
        assert "'s turn" in place.table.text
        mo = add_moderator(place)
        await mo.press("Close the table", response_of(await mo.slash("toad stop")))
        assert "This table was closed. Start another one with </toad start:" in place.table.text
        assert place.table.custom_ids == []
        assert place.reminders == []
        assert "This table was closed." in ann.dm.text
        assert ann.dm.labels == []
        await ben.send(place.table, f"a:{started}:rematch")  # its button stood there once
        assert "— host" in place.table.text


async def test_a_player_can_leave_a_match_after_a_confirmation(tmp_path: Path) -> None:
    """A player who confirms leaving a match is out, and the others play on."""
    async with bot_harness(tmp_path) as place:
        ann, _ben, cleo = await place.started("Ann", "Ben", "Cleo")
        question = response_of(await cleo.slash("toad leave"))
        assert "for good" in question.text
        await cleo.press("Give up", question)
        assert "Cleo gives up" in place.table.text
        assert "Cleo: 0 of 3 lives, out" in place.table.alt
        again = response_of(await cleo.slash("toad leave"))
        await cleo.press("Give up", again)
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        assert "Ben wins the match" in place.table.text
        assert place.table.labels[0] == "Rematch"


async def test_table_commands_explain_how_to_open_a_table(tmp_path: Path) -> None:
    """Commands that need a table explain how to open one."""
    async with bot_harness(tmp_path) as place:
        for command in ("table", "hand", "leave", "stop"):
            answer = await place.person("Ann").slash(f"toad {command}")
            assert "/toad start" in response_of(answer).text


async def test_a_rematch_opens_one_lobby_with_the_same_options(tmp_path: Path) -> None:
    """*Rematch* opens a lobby with the same options and pings the others. A second press joins it.

    A user without a seat cannot ping its players, nor take a seat that way.
    """
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.given_up()
        over, stranger = place.table, place.person("Stranger")
        assert (
            "Only players from this table" in ephemeral_reply(await stranger.press("Rematch", over)).text
        )
        assert place.table.id == over.id
        assert place.reminders == []
        await ben.press("Rematch", over)
        assert f"<@{ben.id}> — host" in place.table.text
        assert "1 lives" in place.table.text or "1 life" in place.table.text
        assert any(f"<@{ann.id}>" in line for line in place.reminders)
        assert (
            "Only players from this table" in ephemeral_reply(await stranger.press("Rematch", over)).text
        )
        assert f"<@{stranger.id}>" not in place.table.text
        await ann.press("Rematch", over)
        assert f"2. <@{ann.id}>" in place.table.text
        called = [line for line in place.reminders if "rematch" in line]
        assert len(called) == 1, "the call stays until the start"
        await ben.press("Start")
        assert not any("rematch" in line for line in place.reminders)


async def test_any_user_can_reopen_a_table_that_all_players_left(tmp_path: Path) -> None:
    """After all players have left, any user can open a table like it, and no player is pinged."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        for frogs in (0, 1):
            await ann.slash("toad start", frogs=frogs, seats=3)
            left = place.table.match_id
            await ann.press("Leave")
            assert "Everybody left" in place.table.text
            await ben.send(place.table, f"a:{left}:rematch")
            assert f"1. <@{ben.id}> — host" in place.table.text
            assert place.reminders == []
            await ben.press("Close the table", response_of(await ben.slash("toad stop")))


async def test_a_rematch_is_refused_after_a_newer_table(tmp_path: Path) -> None:
    """*Rematch* is refused if there has been another table in the channel since."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.given_up()
        over = place.table
        await ben.press("Rematch", over)
        again = f"a:{place.table.match_id}:rematch"
        await ben.press("Close the table", response_of(await ben.slash("toad stop")))
        lines = place.reminders
        refused = ephemeral_reply(await ann.press("Rematch", over))
        assert "There's been another table here since then. Use </toad start:" in refused.text
        assert place.reminders == lines
        await place.restart()
        assert "There's been another table" in ephemeral_reply(await ann.press("Rematch", over)).text
        await ben.send(place.table, again)
        again = f"a:{place.table.match_id}:rematch"
        await ben.press("Close the table", response_of(await ben.slash("toad stop")))
        last = place.table
        await ann.slash("frogger start")
        assert "already a table" in ephemeral_reply(await ben.send(last, again)).text
        assert f"<@{ben.id}>" not in place.table.text


async def test_the_rematch_ping_stays_until_the_start(tmp_path: Path) -> None:
    """The ping for a rematch stays until the start, even after some players have joined."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cleo = await place.started("Ann", "Ben", "Cleo", lives=1)
        for leaver in (ann, cleo):
            await leaver.press("Give up", response_of(await leaver.slash("toad leave")))
        await ben.press("Rematch")
        await ann.press("Join")
        [line] = place.reminders
        assert f"<@{cleo.id}>" in line
        await cleo.press("Join")
        await cleo.press("Leave")
        assert place.reminders == [line]
        await ben.press("Start")
        assert line not in place.reminders


async def test_joining_a_full_table_is_refused(tmp_path: Path) -> None:
    """A late click on *Join* at a full table is refused."""
    async with bot_harness(tmp_path) as place:
        ann, *others = (
            place.person(name) for name in ("Ann", "Ben", "Cleo", "Dot", "Eve", "Fay", "Gus")
        )
        await ann.slash("toad start")
        join = place.table.custom_id("Join")
        for other in others[:-1]:
            await other.press("Join")
        late = ephemeral_reply(await others[-1].send(place.table, join))
        assert "All seats are taken" in late.text
        await ann.press("Start")
        assert "Fay: 3 of 3 lives" in place.table.alt
        assert "Gus" not in place.table.alt


async def test_discord_limits_the_options_of_start(tmp_path: Path) -> None:
    """Discord itself offers one to five lives and two to six seats, and nothing else."""
    async with bot_harness(tmp_path) as place:
        for options in ({"lives": 0}, {"lives": 6}, {"seats": 1}, {"seats": 7}):
            with pytest.raises(simcord.SetupError):
                await place.person("Ann").slash("toad start", **options)
        await place.seat_players("Ann", lives=1, seats=2)
        assert "1 free seat" in place.table.text


async def test_another_players_leaving_does_not_change_the_turn(tmp_path: Path) -> None:
    """If another player gives up, the player to move keeps the turn and is not pinged again."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo")
        mover = place.reminded_player
        leaver = next(person for person in people if person is not mover)
        question = response_of(await leaver.slash("toad leave"))
        await leaver.press("No, play on", question)
        assert "gives up" not in place.table.text
        await leaver.press("Give up", response_of(await leaver.slash("toad leave")))
        assert place.reminded_player is mover
        assert len(place.reminders) == 1
        await mover.press("End turn")
        assert place.reminded_player not in (mover, leaver)


async def test_tables_in_two_channels_are_independent(tmp_path: Path) -> None:
    """The same players' tables in two channels do not affect each other."""
    async with bot_harness(tmp_path) as place:
        first, second = place.channel, place.guild.create_text_channel("reeds")
        people = await place.started("Ann", "Ben")
        place.channel = second
        await place.started("Ben", "Ann")
        assert all(len(person.dms) == 2 for person in people)
        await place.reminded_player.press("End turn")
        assert "passed" in place.table.text
        place.channel = first
        assert "passed" not in place.table.text
        await place.reminded_player.press("End turn")
        await place.reminded_player.press("End turn")
        assert "Round 1 is over" in place.table.text
        place.channel = second
        assert "Round 1 is over" not in place.table.text


async def test_a_thread_has_its_own_table(tmp_path: Path) -> None:
    """A thread has a table of its own, beside that of its channel."""
    async with bot_harness(tmp_path) as place:
        await place.person("Ann").slash("toad start")
        channel = place.bot.get_channel(place.channel.id)
        assert isinstance(channel, discord.TextChannel)
        await channel.create_thread(name="backwater", type=discord.ChannelType.public_thread)
        await place.env.settle()
        [place.channel] = place.channel.threads
        await place.started("Ben", "Cleo")
        await place.reminded_player.press("End turn")
        assert "passed" in place.table.text
        assert place.person("Ben").dm.text.count(f"<#{place.channel.id}>") == 1

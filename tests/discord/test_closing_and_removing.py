"""Tests of closing tables by consent, removing players, inactive hosts, and lost access."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.sessions.lobby import HOST_SECONDS, KEPT_SECONDS
from bot.sessions.table_state import AWAY_AFTER
from bot.sessions.turn_clock import DESERTED_SECONDS, SILENT_SECONDS
from tests.discord.admins import add_moderator
from tests.discord.bot_harness import BotHarness, Person, bot_harness, ephemeral_reply, response_of
from tests.storage.boards import leaderboard_reader


async def stored_stage(place: BotHarness, match_id: str) -> str:
    """Return the stored stage of a match."""
    return (await place.stored(match_id)).match.stage.value


async def ask_to_close(person: Person) -> None:
    """Ask the others by command to close the match."""
    question = response_of(await person.slash("toad stop"))
    assert "once everybody still playing agrees" in question.text
    assert "asked the others" in response_of(await person.press("Ask the others", question)).text


async def test_a_match_is_closed_if_all_players_agree(tmp_path: Path) -> None:
    """A match is closed once all players have agreed at the table or in hands, even after a restart."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cy = await place.started("Ann", "Ben", "Cy")
        match_id = place.table.match_id
        await ask_to_close(ann)
        assert f"<@{ann.id}> wants to close this match" in place.table.text
        assert f"Still to agree: <@{ben.id}>, <@{cy.id}>" in place.table.text
        await ben.move_hand_to_dm()
        assert "wants to close" in ben.dm.text
        await place.restart()
        await ben.press_dm("Close the match")
        assert "wants to close" not in ben.dm.text
        assert f"Still to agree: <@{cy.id}>" in place.table.text
        mo = place.person("Mo")
        assert "not at this table" in ephemeral_reply(await mo.press("Close the match")).text
        assert await stored_stage(place, match_id) == "playing"
        await cy.press("Close the match")
        assert await stored_stage(place, match_id) == "stopped"
        assert "This table was closed." in place.table.text
        rows = await leaderboard_reader(place.bot.database).leaderboard(place.guild.id, "toad", 0, 9)
        assert rows == []


async def test_a_match_closes_if_the_last_undecided_player_gives_up(tmp_path: Path) -> None:
    """If the last player who has not agreed gives up, the match closes and counts for no player."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cy = await place.started("Ann", "Ben", "Cy")
        match_id = place.table.match_id
        await ask_to_close(ann)
        await ben.press("Close the match")
        await cy.press("Give up", response_of(await cy.slash("toad leave")))
        assert await stored_stage(place, match_id) == "stopped"
        assert "This table was closed." in place.table.text
        await place.restart()
        await cy.slash("toad start")
        assert "Join" in place.table.labels, "its place is free"
        assert (
            await leaderboard_reader(place.bot.database).leaderboard(place.guild.id, "toad", 0, 9) == []
        )


async def test_one_player_can_refuse_to_close_a_match(tmp_path: Path) -> None:
    """If one player wants to play on, the question is removed and cannot be asked again."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben")
        await ask_to_close(ann)
        await ben.press("Play on")
        assert "wants to close" not in place.table.text
        again = response_of(await ann.slash("toad stop"))
        assert "want to play on" in again.text
        assert again.choices == []
        late = await ann.send(again, f"a:{place.table.match_id}:agree")
        assert "want to play on" in ephemeral_reply(late).text
        assert await stored_stage(place, place.table.match_id) == "playing"


async def test_a_host_cannot_close_the_match_after_giving_up(tmp_path: Path) -> None:
    """A host who gives up cannot ask to close the match, and is not asked by the next host."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cy = await place.started("Ann", "Ben", "Cy")
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        assert "You're out of this match" in response_of(await ann.slash("toad stop")).text
        await ask_to_close(ben)
        assert f"Still to agree: <@{cy.id}>." in place.table.text
        assert "You're out of this match" in ephemeral_reply(await ann.press("Close the match")).text
        await cy.press("Close the match")
        assert "This table was closed." in place.table.text


async def test_the_host_can_remove_a_player_from_the_lobby(tmp_path: Path) -> None:
    """The host removes a player by menu or command, and that player cannot sit down again."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cy = await place.seat_players("Ann", "Ben", "Cy")
        menu = f"f:{place.table.match_id}:of3"
        refused = await ben.pick(f"user {cy.id}", place.table, menu)
        assert "Only the host or a moderator" in ephemeral_reply(refused).text
        await ann.pick(f"user {ben.id}", place.table, menu)
        assert f"<@{ben.id}>" not in place.table.text
        assert "You were removed" in ephemeral_reply(await ben.press("Join")).text
        assert (
            "is no longer at the table"
            in response_of(await ann.slash("toad remove", player=cy.actor.user)).text
        )
        assert f"<@{cy.id}>" not in place.table.text
        await place.restart()
        assert "You were removed" in ephemeral_reply(await cy.press("Join")).text
        made_up = await ann.send(place.table, menu, component_type=3, values=["user x"])
        assert made_up.ephemeral


async def test_a_moderator_can_remove_a_player_from_a_match(tmp_path: Path) -> None:
    """A moderator can remove a player from a match, as if that player had given up. A host cannot."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cy = await place.started("Ann", "Ben", "Cy")
        refused = response_of(await ann.slash("toad remove", player=ben.actor.user))
        assert "Only a moderator" in refused.text
        mo = add_moderator(place)
        await mo.slash("toad remove", player=ben.actor.user)
        state = await place.stored(place.table.match_id)
        assert len(state.game.remaining(state.state)) == 2
        await mo.slash("toad remove", player=cy.actor.user)
        assert await stored_stage(place, place.table.match_id) == "finished"
        assert "Ann wins" in place.table.text


async def test_only_moderators_see_the_removal_menu(tmp_path: Path) -> None:
    """Only moderators get the menu to remove a player, in the private question before closing."""
    async with bot_harness(tmp_path) as place:
        ann, ben, _cy = await place.started("Ann", "Ben", "Cy", game="frogger")
        menu = f"f:{place.table.match_id}:of3"
        mo = add_moderator(place)
        question = response_of(await mo.slash("frogger stop"))
        assert menu in question.custom_ids
        assert menu not in response_of(await ann.slash("frogger stop")).custom_ids
        values = {"component_type": 3, "values": [f"user {ben.id}"]}
        assert "Only a moderator" in ephemeral_reply(await ann.send(place.table, menu, **values)).text
        await place.restart()
        answer = response_of(await mo.pick(f"user {ben.id}", question, menu))
        assert f"<@{ben.id}> is no longer at the table." in answer.text
        stored = await place.stored(place.table.match_id)
        assert len(stored.game.remaining(stored.state)) == 2


async def test_a_banned_player_cannot_take_the_seat_back(tmp_path: Path) -> None:
    """A barred player who is inactive cannot take the seat back."""
    async with bot_harness(tmp_path) as place:
        guild_id, servers = place.guild.id, place.bot.database.servers
        mover, _waiter = await place.start_pair(turn=0)
        await place.wait(SILENT_SECONDS + 1)
        barred = frozenset({mover.id})
        await servers.change(guild_id, lambda settings: replace(settings, barred=barred))
        assert "can't join tables" in ephemeral_reply(await mover.press("Join")).text


async def test_any_player_can_start_for_an_inactive_host(tmp_path: Path) -> None:
    """The lobby shows from when any seated player can start, and that works even after a restart."""
    async with bot_harness(tmp_path) as place:
        _ann, ben = await place.seat_players("Ann", "Ben")
        at = place.now + HOST_SECONDS
        assert f"Anybody here can start from <t:{at}:t>." in place.table.text
        assert (
            "Only the host can start the match before" in ephemeral_reply(await ben.press("Start")).text
        )
        await place.restart(HOST_SECONDS)
        outsider = place.person("Cy")
        assert "Only the host" in ephemeral_reply(await outsider.press("Start")).text
        await ben.press("Start")
        assert "'s turn" in place.table.text


async def test_an_inactive_player_without_turn_limit_can_be_replaced(tmp_path: Path) -> None:
    """After a day the others can let a computer player play, after three they can close the match."""
    async with bot_harness(tmp_path) as place:
        mover, waiter = await place.start_pair(turn=0)
        match_id = place.table.match_id
        await place.wait(SILENT_SECONDS - 60)
        await place.restart(SILENT_SECONDS)
        await place.wait(30)
        assert "away" not in place.table.text, "nobody could play while the bot was off"
        await place.wait(60)
        assert f"Away: {mover.name}" in place.table.text
        assert f"Let a frog play for {mover.name}" in place.table.labels
        await place.wait(DESERTED_SECONDS - SILENT_SECONDS)
        waited_for = response_of(await mover.slash("toad stop"))
        assert "Close the table" not in waited_for.labels, "who is waited for asks the others, or nobody"
        question = response_of(await waiter.slash("toad stop"))
        await waiter.press("Close the table", question)
        assert await stored_stage(place, match_id) == "stopped"


async def test_an_inactive_player_can_return_with_a_move(tmp_path: Path) -> None:
    """Without a limit, an inactive player can still make the move and is active again."""
    async with bot_harness(tmp_path) as place:
        mover, waiter = await place.start_pair(turn=0)
        await place.wait(SILENT_SECONDS + 1)
        await mover.press("End turn")
        assert "away" not in place.table.text
        assert f"{waiter.name}'s turn" in place.table.text


@pytest.mark.parametrize("how", ["banned", "role taken"])
async def test_a_player_without_channel_access_cannot_play_by_dm(tmp_path: Path, how: str) -> None:
    """A player who lost access to the channel is refused in DMs, and the seat becomes inactive."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        frogs = place.guild.create_role("Frogs", permissions=discord.Permissions.none())
        seen, hidden = (discord.PermissionOverwrite(view_channel=each) for each in (True, False))
        guild = place.env.backend.guilds[place.guild.id]
        for person in (ann, ben):
            guild.members[person.id].role_ids.append(frogs.id)
        bot = place.bot.user
        assert bot is not None
        place.channel = place.guild.create_text_channel(
            "shallows",
            overwrites={place.bot.guilds[0].default_role: hidden, frogs: seen, bot: seen},
        )
        mover, waiter = await place.start_pair(turn=3600)
        await mover.send(mover.dm, f"a:{place.table.match_id}:words")
        if how == "banned":
            place.guild.remove_member(mover.actor)
        else:
            guild.members[mover.id].role_ids.remove(frogs.id)
        await mover.press_dm(mover.dm.labels[0])
        assert await excluded_player_ids(place, mover) == (), "known for a minute"
        await place.wait(61)
        await mover.press_dm(mover.dm.labels[0])
        assert await excluded_player_ids(place, mover) == (mover.id,)
        assert "can't see this table's channel" in mover.dm.text
        assert (mover.dm.alt, mover.dm.labels) == ("", ["Join"])
        await waiter.move_hand_to_dm()
        await place.restart()
        assert "can't see this table's channel" in ephemeral_reply(await mover.press_dm("Join")).text
        if how == "role taken":
            guild.members[mover.id].role_ids.append(frogs.id)
            await place.wait(61)
            await mover.press_dm("Join")
            assert await excluded_player_ids(place, mover) == ()
            assert mover.dm.alt, mover.dm.text


@pytest.mark.parametrize("how", ["time-out", "muted", "nobody can say"])
async def test_a_muted_player_cannot_play_by_dm(tmp_path: Path, how: str) -> None:
    """A muted player keeps the turn but cannot play by DM, unless Discord does not reply."""
    async with bot_harness(tmp_path) as place:
        mover, _waiter = await place.start_pair(turn=3600)
        member = place.env.backend.get_guild(place.guild.id).members[mover.id]
        sending = discord.Permissions(send_messages=True).value
        if how == "muted":
            muted = Overwrite(mover.id, OverwriteType.MEMBER, 0, sending)
            place.env.backend.set_overwrite(place.channel.id, muted)
        else:
            member.timed_out_until = (place.env.now() + timedelta(days=7)).isoformat()
        if how == "nobody can say":
            asked = f"/guilds/{place.guild.id}/members/{mover.id}"
            place.env.inject_error("GET", asked, status=403)
        else:
            for _time in range(2):
                assert "timed out" in ephemeral_reply(await mover.press_dm("End turn")).text
            assert (await place.stored(place.table.match_id)).n == 0
            assert await excluded_player_ids(place, mover) == (), "it may be over before the turn is"
            heard = Overwrite(mover.id, OverwriteType.MEMBER, sending, 0)
            place.env.backend.set_overwrite(place.channel.id, heard)
            member.timed_out_until = None
            await place.wait(61)
        await mover.press_dm("End turn")
        assert (await place.stored(place.table.match_id)).n == 1


async def test_players_can_use_dms_if_no_member_can_write(tmp_path: Path) -> None:
    """If no member may write in the channel, players can still play by DM."""
    async with bot_harness(tmp_path) as place:
        everyone = place.bot.guilds[0].default_role
        closed = discord.PermissionOverwrite(send_messages=False)
        ours = discord.PermissionOverwrite(send_messages=True)
        assert place.bot.user is not None
        place.channel = place.guild.create_text_channel(
            "tables", overwrites={everyone: closed, place.bot.user: ours}
        )
        mover, _waiter = await place.start_pair(turn=3600)
        await place.wait(61)
        await mover.press_dm("End turn")
        assert (await place.stored(place.table.match_id)).n == 1


async def excluded_player_ids(place: BotHarness, person: Person) -> tuple[int, ...]:
    """Return the IDs of players without access to the table, who must also be inactive."""
    match = (await place.stored(place.table.match_id)).match
    seat = match.seat_of(person.id)
    assert seat is not None
    assert (match.players[seat].missed >= AWAY_AFTER) == bool(match.roster.shut_out)
    return match.roster.shut_out


async def test_a_rematch_keeps_seats_and_computer_players(tmp_path: Path) -> None:
    """A rematch seats the computer player at once, and keeps the other seats for two minutes."""
    async with bot_harness(tmp_path) as place:
        await place.person("Ann").slash("toad start", lives=1, seats=3, frogs=1)
        ann, ben = place.person("Ann"), place.person("Ben")
        await ben.press("Join")
        await ann.press("Start")
        before = (await place.stored(place.table.match_id)).match
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        await ben.press("Give up", response_of(await ben.slash("toad leave")))
        for _each in range(60):
            if await stored_stage(place, before.id) == "finished":
                break
            await place.wait(60)
        await ann.press("Rematch")
        lobby = (await place.stored(place.table.match_id)).match
        computer_player = next(player for player in before.players if player.is_computer_player)
        assert [(one.id, one.name) for one in lobby.players] == [
            (ann.id, "Ann"),
            (computer_player.id, computer_player.name),
        ]
        stranger = place.person("Cy")
        assert (
            "reserved for players from the last match"
            in ephemeral_reply(await stranger.press("Join")).text
        )
        await place.restart(KEPT_SECONDS)
        await stranger.press("Join")
        assert f"<@{stranger.id}>" in place.table.text


async def test_the_time_bank_is_shown_and_used(tmp_path: Path) -> None:
    """The time bank is shown in the lobby and with the deadline. Time over the limit is deducted."""
    async with bot_harness(tmp_path) as place:
        await place.seat_players("Ann", "Ben", turn=300, bank=600)
        assert "5 minutes per turn, time bank of 10 minutes" in place.table.text
        await place.person("Ann").press("Start")
        mover = place.reminded_player
        await mover.move_hand_to_dm()
        assert f"Your turn ends <t:{place.now + 900}:R>. (time bank of 10 minutes)" in mover.dm.text
        await place.wait(420)
        await mover.press("End turn")
        stored = (await place.stored(place.table.match_id)).match
        assert stored.players[stored.seat_of(mover.id) or 0].bank == 480

"""Tests of hands in DMs and in My hand: private, current, and with the same controls."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.delivery.match_messages import RETRY_SECONDS
from bot.delivery.turn_pings import COOLDOWN_SECONDS
from bot.storage.players import PlayerRecord
from tests.discord.admins import close_table
from tests.discord.bot_harness import (
    HERE,
    BotHarness,
    Person,
    Seen,
    bot_harness,
    ephemeral_reply,
    response_of,
)
from tests.discord.toad_player import SHORT_MATCH, is_over, make_next_move


async def open_hand(place: BotHarness, person: Person) -> Seen:
    """Open My hand."""
    return response_of(await person.press("My hand"))


async def test_each_player_gets_the_hand_by_dm(tmp_path: Path) -> None:
    """At the start each player gets the hand in one DM, with buttons if it is the player's turn."""
    async with bot_harness(tmp_path) as place:
        for person in await place.started("Ann", "Ben", "Cleo"):
            assert len(person.dms) == 1
            assert "Red spots" in person.dm.alt
            assert "Black spots" in person.dm.alt
            assert f"<#{place.channel.id}>" in person.dm.text
            assert bool(person.dm.choices) == (person is place.reminded_player)


async def test_a_whole_turn_can_be_played_in_a_dm(tmp_path: Path) -> None:
    """A whole turn can be played in the DM. The table, the other DMs and the reminder follow."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover = place.reminded_player
        await mover.press_dm(mover.dm.total())
        assert "took" in place.table.text
        assert place.reminders == [], "the mention goes with the first click"
        match_id = place.table.match_id
        await mover.press_dm(mover.dm.total())
        assert "discarded" in place.table.text
        assert mover.dm.choices == []
        stored = await place.bot.database.journal.entries(match_id)
        assert [entry.text.split()[0] for entry in stored] == ["take", "discard", "end"]
        assert place.reminded_player is not mover
        waiting = next(person for person in people if person is not mover)
        assert "End turn" in waiting.dm.labels
        assert all(len(person.dms) == 1 for person in people), "one DM a match, kept current"


async def test_closed_dms_are_reported_once(tmp_path: Path) -> None:
    """Closed DMs are reported once at the table and stored, and no second DM is tried."""
    async with bot_harness(tmp_path) as place:
        _ann, ben = place.person("Ann"), place.person("Ben")
        ben.close_dms()
        await place.started("Ann", "Ben")
        told = [line for line in place.reminders if "DMs are closed" in line]
        assert len(told) == 1
        assert f"<@{ben.id}>" in told[0]
        hand = await open_hand(place, ben)
        assert "Red spots" in hand.alt
        assert not any("DMs are closed" in line for line in place.reminders), "found it"
        for _turn in range(2):
            await place.reminded_player.press("End turn")
        await close_table(place)
        tries = len(dm_requests(place, ben))
        await place.started("Ann", "Ben")
        assert len(dm_requests(place, ben)) == tries == 1
        assert not any("DMs are closed" in line for line in place.reminders)


async def test_a_report_of_closed_dms_that_fails_is_sent_later(tmp_path: Path) -> None:
    """If the report at the table cannot be sent at first, a retry sends it."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.seat_players("Ann", "Ben")
        ben.close_dms()
        place.env.inject_error("POST", f"/channels/{place.channel.id}/messages", status=500, times=None)
        await ann.press("Start")
        assert place.reminders == []
        place.env.backend.faults.clear()
        await place.wait(RETRY_SECONDS[0])
        assert any("DMs are closed" in line for line in place.reminders)


def dm_requests(place: BotHarness, person: Person) -> list[str]:
    """Return the attempts to send this person a DM."""
    path = f"/channels/{person.actor.user.dm_channel.id}/messages"
    return [one.path for one in place.env.http_requests if (one.method, one.path) == ("POST", path)]


async def test_a_player_can_request_the_hand_after_opening_dms(tmp_path: Path) -> None:
    """A player whose DMs were closed can have the hand sent by a button after opening them."""
    async with bot_harness(tmp_path) as place:
        ben = place.person("Ben")
        ben.close_dms()
        await place.started("Ann", "Ben")
        hand = await open_hand(place, ben)
        refused = await ben.press("Send it to my DMs", hand)
        assert "still closed" in response_of(refused).text
        place.env.backend.faults.clear()
        await place.wait(COOLDOWN_SECONDS)
        await ben.press("Send it to my DMs", hand)
        assert "Red spots" in ben.dm.alt


async def test_my_hand_is_private_and_kept_current(tmp_path: Path) -> None:
    """*My hand* is private and follows the game. Opening it again deletes the first panel."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        result = await waiting.press("My hand")
        assert result.ephemeral
        panel = response_of(result)
        assert panel.choices == []
        await mover.press("End turn")
        assert "End turn" in response_of(result).labels
        again = await waiting.press("My hand")
        assert result.response is None, "the first panel is gone"
        assert "End turn" in response_of(again).labels
        by_command = await waiting.slash("toad hand")
        assert by_command.ephemeral
        await waiting.press("End turn", response_of(by_command))
        assert "passed" in place.table.text


@pytest.mark.parametrize("way", ["button", "command"])
async def test_a_deferred_hand_is_updated_in_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """A late My hand, which was announced first, is updated itself, not the table."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        players, swift = place.bot.database.players, place.bot.database.players.get

        async def slow(player_id: int) -> PlayerRecord:
            await asyncio.sleep(0.05)
            return await swift(player_id)

        with monkeypatch.context() as late:
            late.setattr("bot.requests.answers.DEFER_AFTER_SECONDS", 0)
            late.setattr(players, "get", slow)
            if way == "button":
                hand = ephemeral_reply(await waiting.press("My hand"))
            else:
                hand = ephemeral_reply(await waiting.slash("toad hand"))
        assert hand.choices == []
        await mover.press("End turn")
        assert "Your hand" not in place.table.alt
        assert "My hand" in place.table.labels
        assert "End turn" in hand.labels
        assert "Your hand" in hand.alt


async def test_the_table_has_no_buttons_for_moves(tmp_path: Path) -> None:
    """The table has no buttons for moves. An old one still takes a card.

    The rest of the move is shown to the user who clicked, in private.
    """
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover = place.reminded_player
        assert place.table.labels == ["My hand", "What happened?", "How to play"]
        result = await mover.send(place.table, await place.old_button_id("draw"))
        assert [followup.ephemeral for followup in result.followups] == [True]
        hand = Seen(result.followups[0])
        assert sum("›" in label for label in hand.labels) == 3
        ended = await mover.press("End turn", hand)
        assert response_of(ended).choices == []
        assert place.reminded_player is not mover


async def test_a_whole_match_can_be_played_with_closed_dms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all DMs closed the match is played to its end by the table and My hand alone."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: SHORT_MATCH)
    async with bot_harness(tmp_path) as place:
        for name in ("Ann", "Ben"):
            place.person(name).close_dms()
        people = await place.started("Ann", "Ben", lives=1)
        for _move in range(60):
            if is_over(place):
                break
            await make_next_move(place, people, "hand")
        assert is_over(place)
        assert all(len(dm_requests(place, person)) == 1 for person in people)
        assert place.reminders == []


async def test_the_closed_dms_notice_is_deleted_after_the_turn(tmp_path: Path) -> None:
    """The notice mentions the player at the table once, and is deleted when the player has moved."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        ann.close_dms()
        ben.close_dms()
        await place.started("Ann", "Ben")
        assert sum("DMs are closed" in line for line in place.reminders) == 2
        for _turn in range(2):
            turn = next(line for line in place.reminders if "your turn" in line)
            mover = ann if f"<@{ann.id}>" in turn else ben
            await mover.press("End turn")
            assert not any("DMs" in line and f"<@{mover.id}>" in line for line in place.reminders)


async def test_a_new_round_is_shown_in_the_same_dm(tmp_path: Path) -> None:
    """The cards of the next round are shown in the same DM."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        before = [person.dm.alt for person in people]
        for _turn in range(2):
            await place.reminded_player.press_dm("End turn")
        await place.pause()
        assert all(len(person.dms) == 1 for person in people)
        assert [person.dm.alt for person in people] != before
        assert "End turn" in place.reminded_player.dm.labels


def dm_edit_count(place: BotHarness, person: Person) -> int:
    """Return the number of edits of this user's DMs."""
    path = f"/channels/{person.actor.user.dm_channel.id}/messages/"
    return sum(one.method == "PATCH" and one.path.startswith(path) for one in place.env.http_requests)


async def test_a_waiting_players_dm_is_edited_only_at_their_turn(tmp_path: Path) -> None:
    """A waiting player's DM is not edited by other players' moves, but once when the turn begins."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        before = dm_edit_count(place, waiting)
        await mover.press("Draw")
        assert dm_edit_count(place, waiting) == before
        await mover.press_dm("End turn")
        assert dm_edit_count(place, waiting) == before + 1
        assert "End turn" in waiting.dm.labels


async def test_the_move_after_a_false_claim_edits_only_the_table(tmp_path: Path) -> None:
    """The move after a false claim edits the table, but not the claimant's hand."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben", "Cleo")
        claimant = place.reminded_player
        await claimant.press_dm("Ribit!")
        await claimant.press_dm("Say ribit")
        assert "Not a toad" in place.table.alt
        assert "Everybody can see " in claimant.dm.text
        asked = len(place.env.http_requests)
        await place.reminded_player.press_dm("Draw")
        assert "Not a toad" not in place.table.alt
        edited = [one for one in place.env.http_requests[asked:] if one.method == "PATCH"]
        edited = [one for one in edited if "This was a reminder" not in str(one.json)]
        assert len(edited) == 1, "the table, and nobody's hand"


async def test_an_unchanged_picture_is_not_uploaded_again(tmp_path: Path) -> None:
    """An answer that shows the same picture again does not upload it."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair()
        hand = mover.dm
        [picture] = hand.message.attachments
        await mover.send(hand, hand.custom_id("End turn").replace(":0:", ":9:"))
        assert [kept.id for kept in mover.dm.message.attachments] == [picture.id]
        assert "End turn" in mover.dm.labels
        await mover.press_dm("Draw")
        assert [other.id for other in mover.dm.message.attachments] != [picture.id]


async def test_the_dm_links_to_a_hand_that_is_open_at_the_table(tmp_path: Path) -> None:
    """While the hand is open at the table, the DM links to it and is not edited until asked."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        opened = await waiting.press("My hand")
        assert "Your hand is open at the table" in waiting.dm.text
        assert waiting.dm.labels == [HERE]
        assert not waiting.dm.message.attachments
        asked = len(place.env.http_requests)
        await mover.press("End turn")
        assert "End turn" in response_of(opened).labels
        in_dm = f"/channels/{waiting.dm.message.channel.id}/"
        assert not [one for one in place.env.http_requests[asked:] if in_dm in one.path]
        await waiting.press_dm(HERE, waiting.dm)
        assert "End turn" in waiting.dm.labels
        assert opened.response is None, "the panel at the table is gone"
        await waiting.press_dm("End turn")
        assert "passed" in place.table.text


async def test_the_dm_shows_the_hand_after_the_panel_expires(tmp_path: Path) -> None:
    """After 15 minutes a panel takes no more edits, so the DM shows the hand again."""
    async with bot_harness(tmp_path) as place:
        _mover, waiting = await place.start_pair()
        await waiting.press("My hand")
        assert waiting.dm.labels == [HERE]
        await place.wait(16 * 60)
        assert "Red spots" in waiting.dm.alt


async def test_the_dm_links_to_an_open_hand_after_a_restart(tmp_path: Path) -> None:
    """After a restart the DM still links to the open hand, and shows the hand when the turn begins."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        await waiting.press("My hand")
        await place.restart()
        assert waiting.dm.labels == [HERE]
        await mover.press("End turn")
        assert "End turn" in waiting.dm.labels

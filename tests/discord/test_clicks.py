"""Tests of clicks by the wrong user, at the wrong time, twice, or with invalid data."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from bot.delivery.click_dispatch import _KINDS
from bot.messages.custom_ids import Control
from tests.discord.bot_harness import bot_harness, ephemeral_reply, other_person, response_of
from tests.discord.toad_player import true_state

ACTIONS = (
    *("join", "leave", "start", "hand", "dms", "rules", "rematch"),
    *("new", "same", "give"),
)
IN_PRIVATE = ("here", "stop", "quit", "never", "look", "endlesson")


async def test_a_click_without_a_seat_is_refused_in_private(tmp_path: Path) -> None:
    """A click by a user without a seat changes nothing, and is refused in private."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        before = place.table.alt
        buttons = [await place.old_button_id(key) for key in ("end", "draw", "ribit")]
        for custom_id in (*buttons, place.table.custom_id("My hand")):
            answer = await place.person("Stranger").send(place.table, custom_id)
            assert answer.ephemeral
            assert "not at this table" in response_of(answer).text
        assert place.table.alt == before


async def test_a_click_out_of_turn_names_the_player_to_move(tmp_path: Path) -> None:
    """The other player's click is answered with whose turn it is."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        answer = await waiting.send(place.table, await place.old_button_id("end"))
        assert answer.ephemeral
        assert f"<@{mover.id}>'s turn" in response_of(answer).text
        assert place.reminded_player is mover


async def test_a_double_click_counts_once(tmp_path: Path) -> None:
    """The second of two clicks on the same button does nothing, and is not scolded."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        table, custom_id = place.table, await place.old_button_id("end")
        await mover.send(table, custom_id)
        again = await mover.send(table, custom_id)
        assert again.followups == []
        assert place.reminded_player is waiting
        assert place.table.text.count("passed") == 1


async def test_a_stale_click_shows_the_current_state(tmp_path: Path) -> None:
    """A button of an earlier state plays no move and shows the user the new state."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover, table = place.reminded_player, place.table
        stale = await place.old_button_id("draw")
        await mover.press("End turn")
        await other_person(people, mover).press("End turn")
        await place.pause()
        fresh = place.table.alt
        for person in people:
            answer = await person.send(table, stale)
            assert "moved on" in ephemeral_reply(answer).text
        assert place.table.alt == fresh


async def test_forged_custom_ids_get_an_ephemeral_answer(tmp_path: Path) -> None:
    """A custom_id that Ribit never sent gets an ephemeral answer and is not a fault."""
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.started("Ann", "Ben")
        before = place.table.alt
        for custom_id in (
            "",
            "x",
            "m::::",
            "m:nothing0:0:t:s1",
            "a:nothing0:join",
            "a:nothing0:fly",
            "b:chess:0:on",
            "ö" * 100,
        ):
            assert ephemeral_reply(await ann.send(place.table, custom_id)).text.strip(), custom_id
            assert place.table.alt == before, custom_id


def test_each_custom_id_matches_one_type_of_control() -> None:
    """The custom_id patterns of all controls differ, even without the names of their groups."""
    kinds: tuple[type[Control], ...] = (*_KINDS,)
    shapes = Counter(re.sub(r"\?P<\w+>|\{\d*,?\d*\}", "", kind.pattern.pattern) for kind in kinds)
    assert [shape for shape, times in shapes.items() if times > 1] == []


async def test_a_forged_choice_plays_no_move(tmp_path: Path) -> None:
    """A choice that the panel does not have, or of a move yet to come, plays nothing."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover, table, before = place.reminded_player, place.table, await true_state(place)
        for forged in ("0:t:h1", "7:t:end", "0:t:end.end", "0:t:more", "0:t:s9"):
            await mover.send(table, f"m:{table.match_id}:{forged}")
        assert await true_state(place) == before


async def test_a_forged_click_does_not_show_a_hand_in_public(tmp_path: Path) -> None:
    """A forged click on a hand's button at the table is refused, and does not show the hand."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover, table, before = place.reminded_player, place.table, await true_state(place)
        for choice in ("end", "draw", "deal", "more", "h1"):
            answer = await mover.send(table, f"m:{table.match_id}:0:h:{choice}")
            assert "out of date" in ephemeral_reply(answer).text, choice
            assert await true_state(place) == before, choice
            assert place.table.alt == table.alt, choice


async def test_a_large_hand_has_a_private_discard_menu(tmp_path: Path) -> None:
    """With more than ten cards, *My hand* has a menu for the discard instead of buttons."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        first = place.reminded_player
        for _turn in range(8):
            await first.press("Draw")
            await first.press("End turn")
            await place.reminded_player.press("End turn")
        await first.press("Draw")
        hand = response_of(await first.press("My hand"))
        menu = next(custom_id for custom_id in hand.custom_ids if custom_id.endswith(":h:"))
        await first.pick("e1", hand, menu)
        assert "discarded" in place.table.text
        assert len(people) == 2


async def test_an_old_button_stays_stale_after_a_restart(tmp_path: Path) -> None:
    """An old button is as stale after a restart as before."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        table = place.table
        draw, end = await place.old_button_id("draw"), await place.old_button_id("end")
        await mover.send(table, draw)
        await mover.press_dm("End turn")
        await place.restart()
        before = await true_state(place)
        answer = await mover.send(table, end)
        assert "moved on" in ephemeral_reply(answer).text
        again = await mover.send(table, draw)
        assert again.followups == [], "this one was played: it is a double, however late"
        assert await true_state(place) == before
        assert place.reminded_player is waiting


async def test_a_stale_click_in_a_dm_shows_the_current_hand(tmp_path: Path) -> None:
    """An old button in a DM plays nothing, and the DM shows the current hand."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover = place.reminded_player
        stale = mover.dm.custom_id("End turn")
        await mover.press("Draw")
        before = await true_state(place)
        answer = await mover.send(mover.dm, stale)
        assert answer.followups
        assert await true_state(place) == before
        assert "End turn" in mover.dm.labels


async def test_buttons_of_a_former_table_message_still_work(tmp_path: Path) -> None:
    """The buttons of a table's former message, still on a user's screen, play like the new ones."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        await place.expire_interactions()
        place.env.inject_error("PATCH", "/channels/*/messages/*", status=500, times=1)
        old = place.table
        await people[0].slash("toad table")
        assert "My hand" in next(seen for seen in place.messages if seen.id == old.id).labels
        mover = place.reminded_player
        await mover.send(old, await place.old_button_id("end"))
        assert "passed" in place.table.text
        moved = next(seen for seen in place.messages if seen.id == old.id)
        assert "moved" in moved.text
        assert f"/{place.table.id}" in moved.text


async def test_invalid_lobby_clicks_change_nothing(tmp_path: Path) -> None:
    """Lobby buttons pressed twice, too late or by a stranger change nothing."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cleo = (place.person(name) for name in ("Ann", "Ben", "Cleo"))
        await ann.slash("toad start")
        lobby = place.table
        join, leave, start = map(lobby.custom_id, ("Join", "Leave", "Start"))
        assert "need 2 players" in ephemeral_reply(await ann.send(lobby, start)).text
        await ben.send(lobby, join)
        assert "already" in ephemeral_reply(await ben.send(lobby, join)).text
        assert "not at this table" in ephemeral_reply(await cleo.send(lobby, leave)).text
        await ann.send(lobby, start)
        begun = await true_state(place)
        again = await ann.send(lobby, start)
        assert again.followups == [], "a doubled Start is not scolded"
        assert "already begun" in ephemeral_reply(await cleo.send(lobby, join)).text
        assert (await ben.send(lobby, start)).followups == [], "it is as Ben wanted it"
        await ben.send(lobby, leave)
        assert await true_state(place) == begun, "nobody loses a seat in play by a lobby's button"


async def test_a_forged_private_action_reveals_nothing(tmp_path: Path) -> None:
    """A forged click at the table on a private action changes nothing, and shows nothing private."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair()
        table, before = place.table, await true_state(place)
        for name in IN_PRIVATE:
            answer = await mover.send(table, f"a:{table.match_id}:{name}")
            assert "out of date" in ephemeral_reply(answer).text, name
            assert (place.table.id, place.table.alt) == (table.id, table.alt), name
            assert await true_state(place) == before, name


@pytest.mark.parametrize("who", ["Ben", "Stranger"])
async def test_forged_actions_play_nothing_and_log_no_fault(tmp_path: Path, who: str) -> None:
    """A forged click on any action of a match in play logs no fault, and plays nothing.

    Only giving up the own seat is allowed.
    """
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben", "Cleo")
        before, match_id = await true_state(place), place.table.match_id
        person, table = place.person(who), place.table
        for name in sorted((*ACTIONS, *IN_PRIVATE), key=lambda name: name == "quit"):
            private = response_of(await person.slash("toad rules"))
            await person.send(private if name in IN_PRIVATE else table, f"a:{match_id}:{name}")
            stored = await place.stored(match_id)
            assert stored.is_playing, name
            if (who, name) == ("Ben", "quit"):
                assert stored.state.lives == (3, 0, 3)
            else:
                assert stored.state == before, name


async def test_table_actions_on_a_solitaire_deal_are_answered(tmp_path: Path) -> None:
    """Actions that only make sense at a table for many are answered at a table for one as well."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=7)
        deal = place.table
        names = (*ACTIONS, *IN_PRIVATE, "fly")
        for name in names:
            await ben.send(deal, f"a:{deal.match_id}:{name}")
            assert (await place.stored(deal.match_id)).is_playing, name
        await ann.press("Give up", response_of(await ann.press("Give up", deal)))
        for name in names:
            await ben.send(deal, f"a:{deal.match_id}:{name}")
            assert await place.live_match_here() is None, f"{name} opens no table for many"

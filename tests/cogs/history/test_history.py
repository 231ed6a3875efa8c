"""Tests of *What happened?*, the private history of a table by turns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.discord.bot_harness import Person, bot_harness, ephemeral_reply, response_of
from tests.discord.paused_workers import Working, is_busy_refusal
from tests.discord.test_text_mode import add_text_mode_user, readable_choices
from tests.discord.toad_player import true_state

ASK = "What happened?"


async def test_the_history_lists_moves_by_turn(tmp_path: Path) -> None:
    """The story lists the moves by turns of the table, in pages that work after a restart.

    The hand of the player to move lists all turns since the player's own. A card drawn unseen is not
    named.
    """
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo")
        order = list[Person]()
        for turn in range(5):
            mover = people[(await true_state(place)).turn]
            order.append(mover)
            if turn > 2:
                others = [person.name for person in order[turn - 2 : turn]]
                told = [line for line in mover.dm.text.splitlines() if "drew a card" in line]
                assert [line.split()[1] for line in told] == others, "one line for each, in order"
                lap = [line for line in place.table.text.splitlines() if "drew a card" in line]
                assert len(lap) == len(people)
            await mover.press_dm("Draw")
            await mover.press_dm("End turn")
        asker = order[-1]
        page = response_of(await people[(await true_state(place)).turn].press_dm(ASK))
        assert "page 2 of 2" in page.text
        page = response_of(await asker.press(ASK))
        assert "Round 1, turn 2" in page.text
        assert [line for line in page.text.splitlines() if "drew a card" in line] == [
            f"{person.name} drew a card." for person in order[3:]
        ]
        await place.restart()
        page = response_of(await asker.press("◀", page))
        assert "Round 1, turn 1" in page.text
        assert page.text.splitlines()[-3:] == [f"{person.name} drew a card." for person in order[:3]]
        assert "page 1 of 2" in page.text
        page = response_of(await asker.press("▶", page))
        assert "page 2 of 2" in page.text


async def test_text_mode_labels_history_buttons_with_words(tmp_path: Path) -> None:
    """In text mode, the history's only control is a button that reads "Look again"."""
    async with bot_harness(tmp_path) as place:
        ann = await add_text_mode_user(place)
        await ann.slash("toad start", frogs=1, strength=0)
        assert set(readable_choices(response_of(await ann.press(ASK)))) == {"Look again"}


async def test_a_private_match_names_no_channel(tmp_path: Path) -> None:
    """The history of a private match shows only the game and the page number."""
    pytest.importorskip("cogs.duels")
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        page = ephemeral_reply(await ann.press(ASK, ephemeral_reply(await ann.slash("toad daily"))))
        assert "-# Toad · page 1 of 1" in page.text


async def test_a_history_is_read_once_for_all_users(tmp_path: Path) -> None:
    """A worker reads a match once for the history, no matter how many users ask."""
    workers = Working()
    async with bot_harness(tmp_path, opponents=workers) as place:
        ann, ben = await place.given_up()
        story = f"a:{place.table.match_id}:story"
        said = await workers.held(*(one.send(place.table, story) for one in (ann, ben, ann)))
        assert workers.asked == ["PublicEvents"]
        assert not any(map(is_busy_refusal, said))

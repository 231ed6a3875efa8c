"""The hand of a waiting player shows whose turn it is, and the table as the turn began."""

from __future__ import annotations

from pathlib import Path

from tests.discord.bot_harness import Person, bot_harness


def player_to_move(people: list[Person]) -> Person:
    [mover] = [one for one in people if one.dm.choices]
    return mover


async def test_a_waiting_hand_is_edited_once_per_turn(tmp_path: Path) -> None:
    """Ann waits while Ben and Cleo play, and the bot is restarted during Cleo's turn."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo")
        ann = player_to_move(people)
        await ann.press_dm("End turn")

        ben = player_to_move(people)
        waiting, alt = ann.dm.text, ann.dm.alt
        assert f"{ben.name}'s turn." in waiting
        assert "The turn ends" in waiting
        assert "Stock" in alt, "the table is in the picture"
        await ben.press_dm("Draw")
        assert (ann.dm.text, ann.dm.alt) == (waiting, alt), "a step of a turn edits no other hand"
        await ben.press_dm("End turn")

        cleo = player_to_move(people)
        assert {ann, ben, cleo} == set(people)
        waiting = ann.dm.text
        assert f"{cleo.name}'s turn." in waiting
        assert f"{ben.name} drew a card" in waiting, "what happened meanwhile"
        await cleo.press_dm("Draw")
        await place.restart()
        assert ann.dm.text == waiting
        await cleo.press_dm("End turn")
        assert ann.dm.choices
        assert "turn." not in ann.dm.text.split("\n")[1]

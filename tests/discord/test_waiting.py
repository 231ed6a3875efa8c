"""The hand of a player who waits: it is not edited for others' moves, and says nothing of them."""

from __future__ import annotations

from pathlib import Path

from tests.discord.pond import Person, pond

WAITS = "Not your turn yet."


async def ends_turn(people: list[Person]) -> Person:
    """Have the player to move end the turn; returns that player."""
    [mover] = [one for one in people if one.dm.labels]
    await mover.press_dm("End turn")
    return mover


async def test_a_hand_says_nothing_that_others_make_untrue(tmp_path: Path) -> None:
    """Ann has played, then Ben does: her hand stays as it is, names nobody, and calls her in the end.

    Also where the bot was restarted meanwhile.
    """
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo")
        ann = await ends_turn(people)
        waiting = ann.dm.text
        assert WAITS in waiting
        assert not any(name in waiting for name in ("Ben", "Cleo"))
        ben = await ends_turn(people)
        await place.restart()
        assert ann.dm.text == waiting
        cleo = await ends_turn(people)
        assert {ann, ben, cleo} == set(people)
        assert ann.dm.labels
        assert WAITS not in ann.dm.text
        assert ben.name in ann.dm.text, "what happened meanwhile is told with the turn"

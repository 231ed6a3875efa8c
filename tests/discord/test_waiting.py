"""The hand of a player who waits: it is not edited for others' moves, and says nothing of them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bot.engine.match import Entry, Match, Player, Stage
from bot.games import games
from bot.messages.components import Content
from bot.messages.content import hand_content
from bot.sessions.table import Table
from tests.discord.pond import Person, pond, shown

WAITS = "Not your turn yet."
HIDDEN = [key for key, game in games().items() if game.info.hidden_hands]


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


async def test_who_is_out_waits_for_no_turn(tmp_path: Path) -> None:
    """Who gave up is told to be out, when looking and in the DM, while the others play on."""
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo")
        quitter = next(one for one in people if one is not place.awaited)
        await quitter.press("Give up", shown(await quitter.slash("toad leave")))
        await ends_turn(people)
        assert "You're out of this match." in quitter.dm.text


@pytest.mark.parametrize("key", HIDDEN)
@pytest.mark.parametrize("seats", [3, 5])
def test_a_move_changes_few_hands(key: str, seats: int) -> None:
    """What others do is told at the table: most moves are no reason to edit the hand of who waits."""
    game, chance = games()[key], Random(1)
    players = tuple(Player(100 + seat, f"Player {seat}") for seat in range(seats))
    options = {option.key: option.default for option in game.info.options}
    match = Match(
        "m", key, game.info.rules_version, 1, 2, 100, players, seats, options, Stage.PLAYING, bytes(32)
    )
    table, same = Table.dealt(match, game), 0
    shown: dict[int, Content] = {}
    while table.outcome is None and table.n < 300:
        for seat in range(seats):
            content = hand_content(table, seat)
            same += shown.get(seat) == content
            shown[seat] = content
        mover, move = table.to_move, game.automatic(table.state)
        assert mover is not None
        move = move or chance.choice(list(game.legal_moves(table.state)))
        table = table.after(Entry(table.n, mover, game.write(game.recorded(table.state, move))))
    assert same > table.n, "most moves change one hand or two"

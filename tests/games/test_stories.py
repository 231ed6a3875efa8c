"""The history of other players' turns at tables of many players, and of a whole match."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from bot.engine.game import AnyGame
from bot.engine.opponent import new_events
from bot.games import frogger, toad

NAMES = ("Player0", "Player1", "Player2", "Player3", "Player4", "Player5")
_MOST_LINES = 5
_NO_TURN = re.compile(
    "loses a life|is out|last one without|Round|Everybody|lives go|That ends|gave up|drawn to go"
    "|blocked with the market empty"
)


def named_players(lines: Iterable[str]) -> list[int]:
    """Return the players that these lines name, in order."""
    found = (re.search(r"Player(\d)", line) for line in lines if not _NO_TURN.search(line))
    return [int(name[1]) for name in found if name]


@pytest.mark.parametrize(
    ("game", "seats", "options"), [(toad.GAME, 6, {"lives": 2, "count": 1}), (frogger.GAME, 5, {})]
)
def test_each_turn_has_one_line_in_the_story(game: AnyGame, seats: int, options: dict[str, int]) -> None:
    """The mover reads each turn since the own last one.

    Other viewers read the last lap, and the pages have all turns.

    A new deal leaves one line of the round before, and at most five lines are shown at once.
    """
    chance = Random(42)
    names, history = NAMES[:seats], game.history
    assert history is not None
    for number in range(3):
        state: Any = game.deal(seats, options, bytes([number]) * 32)
        turns, events, latest, mover, dealt = list[int](), list[Any](), (), None, 0
        for _move in range(150):
            seat = game.to_move(state)
            events += new_events(latest, latest := game.view(state, None).events)
            if seat is None:
                break
            if game.automatic(state) is not None:
                mover, dealt = None, len(turns)
            elif seat != mover:
                last = max((place for place, one in enumerate(turns) if one == seat), default=-1)
                told = game.words(game.view(state, seat), names).story
                assert named_players(told) == turns[max(last + 1, dealt) :]
                assert len(told) <= _MOST_LINES
                lap = named_players(game.words(game.view(state, None), names).story)
                assert lap == turns[len(turns) - len(lap) :]
                least = min(len(turns) - dealt, len(game.remaining(state)), _MOST_LINES - 1)
                assert least <= len(lap) <= _MOST_LINES
                turns.append(seat)
                mover = seat
            state = game.play(state, chance.choice(game.legal_moves(state)))
        pages = history(events, names)
        by_page = [named_players(page.lines) for page in pages]
        in_all = [seat for page in by_page for seat in page]
        assert in_all == turns[: len(in_all)]
        assert len(in_all) >= len(turns) - 1, "the last turn may have only begun"
        assert all(len(set(page)) == len(page) for page in by_page)
        assert len({page.title for page in pages}) == len(pages)

"""The marks of the last move and of the possible moves in Frogger's pictures."""

from __future__ import annotations

from bot.engine.alt_text import describe
from bot.engine.scene import Mark, PathCard, PathEnd
from bot.games.frogger import GAME
from bot.games.frogger.state import State
from tests.games.frogger.tables import new_state, play_moves

MARKET = "CL 7SK 5SW 8YK 2WL 9MS"
NAMES = ("Ann", "Ben")


def marks_by_space(state: State, viewer: int | None = None) -> dict[str, Mark]:
    """Return the marks, by a space's number and suit, or by the title of an end of the path."""
    found: dict[str, Mark] = {}
    for item in GAME.scene(GAME.view(state, viewer), NAMES).items:
        if isinstance(item, PathCard):
            for suit, mark in zip(item.card.suits, item.marks, strict=False):
                if mark:
                    found[f"{item.number}{suit.value}"] = mark
        elif isinstance(item, PathEnd) and item.mark:
            found[item.title] = item.mark
    return found


def test_the_last_move_is_marked_for_all_viewers() -> None:
    """The picture marks the start and the landing of the last move for all viewers."""
    state = new_state("4YK 6MW", "2SY", at=["2L +5", "3M"], market=MARKET)
    assert marks_by_space(state) == {}
    moved = play_moves(state, "play 4YK K from 2L")
    assert marks_by_space(moved) == {"2L": Mark.LEFT, "3K": Mark.REACHED}
    said = describe(GAME.scene(GAME.view(moved, None), NAMES))
    assert said.endswith("Last move from 2 leaves. Last move to 3 knots.")


def test_the_ends_of_the_path_are_marked() -> None:
    """The ends of the path are marked for a frog that came home, left the Excuse or went back to it."""
    home = play_moves(new_state("6MW 4YK", "2SY", at=["12M +4"], market=MARKET), "play 6MW M from 12M")
    assert marks_by_space(home) == {"12M": Mark.LEFT, "Home": Mark.REACHED}
    out = play_moves(new_state("6MW 4YK", "2SY", at=["12M +4"], market=MARKET), "play 6MW M from start")
    assert marks_by_space(out) == {"Excuse": Mark.LEFT, "1M": Mark.REACHED}
    back = play_moves(
        new_state("6MW 4YK", "2SY", at=["1M +4"], market=MARKET), "back 1M to start take CL"
    )
    assert marks_by_space(back) == {"1M": Mark.LEFT, "Excuse": Mark.REACHED}


def test_the_movers_picture_marks_movable_frogs_and_landings() -> None:
    """The mover's picture rings each frog with a move and marks every space that it could reach."""
    state = new_state("4YK", "2SY", at=["2L +5", "3M"], market=MARKET)
    view = GAME.view(state, 0)
    assert marks_by_space(state, 0) == {
        "2L": Mark.MAY_MOVE,
        "3Y": Mark.LANDING,
        "3K": Mark.LANDING,
        "1M": Mark.LANDING,
        "1K": Mark.LANDING,
    }
    assert len(view.moves) > 4
    over = new_state("4YK", "2SY", at=["12M +4"], market=MARKET)
    assert marks_by_space(over, 0)["Home"] is Mark.LANDING
    assert marks_by_space(over, 0)["Excuse"] is Mark.MAY_MOVE


def test_only_the_owners_picture_marks_reachable_spaces() -> None:
    """Spectators and opponents see no marks of the spaces that the owner's cards can reach."""
    state = new_state("4YK", "2SY", at=["2L +5", "3M"], market=MARKET)
    assert marks_by_space(state) == marks_by_space(state, 1) == {}

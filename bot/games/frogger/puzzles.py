"""The puzzle *Home in one turn*.

The player must find the first action of a turn that brings all remaining frogs home. The solution does
not depend on hidden cards. The rivals' hands do not matter, and the market has enough cards for a turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count, islice

from bot.engine.lots import Lots
from bot.engine.puzzle import EASY, HARD, MOST_WAYS, Puzzle, PuzzleLine, Puzzles
from bot.engine.translation import N_, _
from bot.games.frogger.opponent import recall, sure_win, world
from bot.games.frogger.rules import deal, legal_moves
from bot.games.frogger.search_state import BACK, PLAY, Action, SearchState, readable
from bot.games.frogger.state import (
    ACTIONS,
    FROGS,
    HAND_SIZE,
    MARKET_SIZE,
    Frogs,
    Space,
    State,
    read,
    spaces_of,
    write,
)
from bot.games.frogger.view import view
from bot.games.frogger.words import step_words

SEATS = 2
FEWEST_WAYS = 8
LEAST_MARKET = ACTIONS
"""The minimum number of market cards.

A turn that empties a market of this size has no action left in which it could use the new cards.
"""

ON_EXCUSE = 5
"""One in ``ON_EXCUSE`` puzzle positions has a frog on the Excuse."""

Line = tuple[Action, ...]


def find(grade: int, number: int) -> Puzzle[State]:
    for again in count():
        seed = f"home in one turn {grade} {number} {again}".encode()
        lots = Lots(seed)
        state = _position(lots, seed, missing=1 if grade == EASY else 2)
        if FEWEST_WAYS <= len(legal_moves(state)) <= MOST_WAYS:
            pond = world(recall(None, view(state, 0)), lots)
            line = _only_line(pond)
            if line is not None and len(line) > 1 and _fits(pond, line, grade):
                return Puzzle(state, tuple(_ways(pond, line)))
    raise AssertionError("there is no end of positions")


def _position(lots: Lots, seed: bytes, *, missing: int) -> State:
    dealt = deal(SEATS, {}, seed)
    (hand, rival), market = dealt.hands, dealt.market
    hand_size, laid = (
        1 + lots.below(HAND_SIZE),
        LEAST_MARKET + lots.below(MARKET_SIZE - LEAST_MARKET + 1),
    )
    played = len(dealt.draw) // 2
    places = range(len(dealt.corridor))
    spaces = lots.shuffle_items(
        [space for place in places for space in spaces_of(dealt.corridor, place)]
    )
    own = missing - (lots.below(ON_EXCUSE) == 0)
    home = lots.below(FROGS)
    others = lots.below(FROGS - home + 1)
    return replace(
        dealt,
        frogs=(_frogs(spaces[:own], FROGS - missing), _frogs(spaces[own : own + others], home)),
        hands=(hand[:hand_size], rival),
        market=market[:laid],
        draw=dealt.draw[played:],
        discards=(*dealt.draw[:played], *hand[hand_size:], *market[laid:]),
        turn=0,
        events=(),
    )


def _frogs(path: list[Space], home: int) -> Frogs:
    return Frogs(FROGS - home - len(path), home, tuple(sorted(path)))


def _only_line(pond: SearchState) -> Line | None:
    """Return the shortest sequence of actions that wins in this turn.

    Return None if no sequence wins, or if winning sequences can start with different actions.
    """
    firsts = (action for action in pond.legal_moves() if _wins(pond, action))
    if len(list(islice(firsts, 2))) != 1:
        return None
    hurried = pond.copy()
    for action_count in reversed(range(ACTIONS)):
        hurried.done = action_count  # pretend that fewer actions are left
        if line := sure_win(hurried):
            return line
    raise AssertionError("what can begin a win can be gone on with")


def _wins(pond: SearchState, action: Action) -> bool:
    after = pond.copy()
    after.play(action)
    return after.winner == pond.turn or (after.turn == pond.turn and bool(sure_win(after)))


def _fits(pond: SearchState, line: Line, grade: int) -> bool:
    """Return whether the first action of a solution suits the grade of difficulty.

    In a hard puzzle, the solution starts with a move back, although a frog could move home first.
    """
    if grade != HARD:
        return line[0][0] == PLAY
    return line[0][0] == BACK and any(pond.goes_home(action) for action in pond.legal_moves())


def _ways(pond: SearchState, line: Line) -> Iterator[PuzzleLine]:
    for action in pond.legal_moves():
        is_right = action == line[0]
        actions = line if is_right else (action,)
        yield PuzzleLine(tuple(write(readable(pond.course, one)) for one in actions), Fraction(is_right))


def answer_text(state: State, way: PuzzleLine) -> str:
    return step_words(read(way.moves[0], state))


def verdict(puzzle: Puzzle[State], _picked: int) -> str:
    _first, *others = puzzle.ways[puzzle.ranking[0]].moves
    line = ", ".join(step_words(read(text, puzzle.state)) for text in others)
    return _("Then {line}, and all your frogs are home.").format(line=line)


PUZZLES: Puzzles[State] = Puzzles(
    name=N_("Home in one turn"),
    question=N_("All home in three actions. What's the first?"),
    choice=N_("Which action comes first?"),
    find=find,
    answer_text=answer_text,
    verdict=verdict,
)

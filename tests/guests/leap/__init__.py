"""Leap, in which two frogs leap onto the card at either end of a row.

The frog with the higher sum of cards wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from bot.engine.cards import PACK, Card, cards_of
from bot.engine.errors import IllegalMoveError, UnreadableMoveError
from bot.engine.frozen import frozen, replace_item
from bot.engine.game import Game, Info, Outcome, Viewer, Words
from bot.engine.panel import Buttons, Choice, Panel
from bot.engine.playout_opponent import by_playouts
from bot.engine.rules_pages import rules_pages
from bot.engine.scene import Plate, Scene, Zone
from bot.engine.shuffle import shuffle_items

CARDS = 10


@frozen
class Leap:
    end: str


LEFT, RIGHT = Leap("left"), Leap("right")


@frozen
class State:
    row: tuple[Card, ...]
    taken: tuple[tuple[Card, ...], ...] = ((), ())

    @property
    def turn(self) -> int:
        return len(self.row) % 2

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(sum(card.rank for card in cards) for cards in self.taken)


def deal(_seats: int, _options: Mapping[str, int], seed: bytes) -> State:
    return State(shuffle_items(PACK, seed, "deal")[:CARDS])


def legal_moves(state: State) -> tuple[Leap, ...]:
    return (LEFT, RIGHT)[: len(state.row)]


def play(state: State, leap: Leap) -> State:
    if leap not in legal_moves(state):
        raise IllegalMoveError("There is no card to leap onto.")
    *rest, card = state.row if leap == RIGHT else state.row[::-1]
    row = tuple(rest if leap == RIGHT else rest[::-1])
    return State(row, replace_item(state.taken, state.turn, (*state.taken[state.turn], card)))


def outcome(state: State) -> Outcome | None:
    most = max(state.counts)
    winners = tuple(seat for seat, count in enumerate(state.counts) if count == most)
    return None if state.row else Outcome(winners if len(winners) == 1 else ())


def read(text: str, _state: State) -> Leap:
    if text not in ("left", "right"):
        raise UnreadableMoveError("That is no move of Leap.")
    return Leap(text)


@frozen
class View:
    state: State
    viewer: Viewer


def scene(view: View, names: Sequence[str]) -> Scene:
    plates = (
        Plate(seat, name, 0.1 + 5.7 * seat, 0.1, 5.5, 0.9, counted=f"counts {count}")
        for seat, (name, count) in enumerate(zip(names, view.state.counts, strict=True))
    )
    taken = (Zone(name, 0.1, 4 + 2 * seat, view.state.taken[seat]) for seat, name in enumerate(names))
    return Scene(11.3, 8, (*plates, Zone("Row", 0.1, 1.8, view.state.row), *taken))


def panel(view: View, path: tuple[str, ...] = ()) -> Panel:
    row, leaps = view.state.row, legal_moves(view.state)
    if path or not leaps or view.viewer not in (None, view.state.turn):
        return Panel()
    cards = zip(leaps, (row[0], row[-1]), strict=False)
    return Panel(
        (Buttons(tuple(Choice(leap.end, f"Leap {leap.end} to {card}", leap) for leap, card in cards)),)
    )


def words(view: View, names: Sequence[str]) -> Words:
    ended, turn = outcome(view.state), view.state.turn
    if ended:
        return Words(f"{names[ended.winners[0]]} won!" if ended.winners else "Nobody won.", ())
    return Words("Leap!" if view.viewer == turn else f"{names[turn]} leaps.", ())


INFO = Info(
    key="leap",
    name="Leap",
    about="Leap, a race along ten cards, for 2",
    aim="Leap onto the higher cards.",
    goal="",
    how="Two frogs take turns. Each leaps to one end of the row. The higher sum of cards wins.",
    fewest=2,
    most=2,
    options=(),
    figures=(),
    rules_version=1,
    hidden_hands=False,
)
RULES = Game[State, Leap, View](
    info=INFO,
    deal=deal,
    to_move=lambda state: state.turn if state.row else None,
    legal_moves=legal_moves,
    play=play,
    passing=lambda state: LEFT if state.row else None,
    remaining=lambda state: (0, 1) if state.row else (),
    outcome=outcome,
    tally=lambda _state: ({}, {}),
    every_card=lambda state: (*state.row, *state.taken[0], *state.taken[1]),
    view=View,
    scene=scene,
    panel=panel,
    words=words,
    pages=partial(
        rules_pages, __name__, [lambda: Scene(4, 2, (Zone("Row", 0, 0, cards_of("KS 2C")),))] * 3
    ),
    write=lambda leap: leap.end,
    read=read,
)
GAME = replace(RULES, thinking=by_playouts(RULES))

"""Frogger (for the Decktet): six frogs home along a corridor of suits (rules F1 to F13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.engine.decktet import DecktetCard
from bot.engine.game import Figure, Game, Info, Outcome, Viewer, Words
from bot.engine.panel import Panel
from bot.engine.scene import Scene
from bot.engine.words import N_
from bot.games.frogger import moves, panel, rules, scene, view, words
from bot.games.frogger.state import Move, State
from bot.games.frogger.view import View

RULES_VERSION = 1

_INFO = Info(
    key="frogger",
    name="Frogger (for the Decktet)",
    fewest=2,
    most=5,
    options=(),
    figures=(Figure("home", N_("Frogs home")), Figure("sent", N_("Sent back"))),
    rules_version=RULES_VERSION,
    hidden_hands=True,
)


class Frogger(Game[State, Move, View]):
    """Frogger (José Carlos de Diego Guerrero), for 2 to 5 players."""

    @property
    def info(self) -> Info:
        """Two to five players (F1)."""
        return _INFO

    def deal(self, seats: int, options: Mapping[str, int], seed: bytes) -> State:
        """Return the first state, dealt (F1, F2, F13)."""
        return rules.open_match(seats, seed)

    def to_move(self, state: State) -> int | None:
        """Return the awaited seat."""
        return state.turn if state.winner is None else None

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """Return the moves of the awaited seat (F4 to F8, F11)."""
        return rules.legal_moves(state)

    def play(self, state: State, move: Move) -> State:
        """Return the state after a move, or raise IllegalMoveError (F4 to F12)."""
        return rules.play(state, move)

    def automatic(self, state: State) -> Move | None:
        """Return None: the table makes no move by itself."""
        return None

    def passing(self, state: State) -> Move | None:
        """Return the end of the turn, or the gentlest action before it (F4)."""
        return rules.gentlest(state) if state.winner is None else None

    def remaining(self, state: State) -> tuple[int, ...]:
        """Return the seats that have not given up."""
        return state.playing if state.winner is None else ()

    def withdraw(self, state: State, seat: int) -> State:
        """Return the state after a seat gave up: its frogs leave the path."""
        return rules.withdraw(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Return who had all frogs home first (F12), or is the last one left."""
        return view.outcome(state)

    def tally(self, state: State) -> tuple[Mapping[str, int], ...]:
        """Return frogs home and frogs sent back, by seat."""
        return tuple(
            {"home": frogs.home, "sent": sent}
            for frogs, sent in zip(state.frogs, state.sent, strict=True)
        )

    def every_card(self, state: State) -> tuple[DecktetCard, ...]:
        """Return corridor, hands, market, draw pile and discards."""
        held = [card for hand in state.hands for card in hand]
        return (*state.corridor, *held, *state.market, *state.draw, *state.discards)

    def view(self, state: State, viewer: Viewer) -> View:
        """Return the table, the cards that all saw taken, and the viewer's own hand."""
        return view.view(state, viewer)

    def scene(self, view: View, names: Sequence[str]) -> Scene:
        """Return the table, with the viewer's hand where there is one."""
        return scene.scene(view, names)

    def panel(self, view: View, path: tuple[str, ...] = ()) -> Panel:
        """Return the choices of the seat to move at a step (F4)."""
        return panel.panel(view, path)

    def words(self, view: View, names: Sequence[str]) -> Words:
        """Return what is awaited and what happened."""
        return words.words(view, names)

    def example(self) -> Scene:
        """Return a frog that jumps along a corridor (F3, F5)."""
        return scene.example()

    def write(self, move: Move) -> str:
        """Return the move in writing, such as ``play 7ML L from 3M``."""
        return moves.write(move)

    def read(self, text: str, state: State) -> Move:
        """Return the move that the text writes, or raise UnreadableMoveError."""
        return moves.read(text)


GAME = Frogger()

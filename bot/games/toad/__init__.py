"""Toad: hidden hands, a race to exactly 10 red and 10 black spots (rules T1 to T15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from bot.engine.cards import Card
from bot.engine.game import Figure, Game, Info, Option, Outcome, Viewer, Words
from bot.engine.panel import Panel
from bot.engine.scene import Scene
from bot.engine.words import N_
from bot.games.toad import moves, panel, rounds, rules, scene, view, words
from bot.games.toad.state import TURN, Deal, EndTurn, Move, Phase, State
from bot.games.toad.view import View

RULES_VERSION = 1

_INFO = Info(
    key="toad",
    name="Toad",
    fewest=2,
    most=6,
    options=(Option("lives", "{n} life", "{n} lives", default=3, least=1, most=5),),
    figures=(
        Figure("pot", N_("Pot")),
        Figure("toads", N_("Toads")),
        Figure("maximus", N_("Toadus Maximus")),
        Figure("survived", N_("Rounds survived")),
    ),
    rules_version=RULES_VERSION,
    hidden_hands=True,
)


class Toad(Game[State, Move, View]):
    """Toad (Richard Smith, 1980), for 2 to 6 players."""

    @property
    def info(self) -> Info:
        """Two to six players, one to five lives (T1)."""
        return _INFO

    def deal(self, seats: int, options: Mapping[str, int], seed: bytes) -> State:
        """Return the first round, dealt (T1 to T3)."""
        return rounds.open_match(seats, options["lives"], seed)

    def to_move(self, state: State) -> int | None:
        """Return the awaited seat; between two rounds, the dealer's."""
        return None if state.phase is Phase.OVER else state.turn

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """Return the moves of the awaited seat (T4)."""
        return rules.legal_moves(state)

    def play(self, state: State, move: Move) -> State:
        """Return the state after a move, or raise IllegalMoveError (T4 to T15)."""
        return rules.play(state, move)

    def automatic(self, state: State) -> Move | None:
        """Return the deal of the next round: it starts by itself (T2)."""
        return Deal() if state.phase is Phase.DEAL else None

    def passing(self, state: State) -> Move | None:
        """Return the end of the turn, without a claim: nothing more is taken or discarded (T4)."""
        return EndTurn() if state.phase in TURN else None

    def remaining(self, state: State) -> tuple[int, ...]:
        """Return the seats that still have lives (T15)."""
        return () if state.phase is Phase.OVER else state.playing

    def withdraw(self, state: State, seat: int) -> State:
        """Return the state after a seat gave up: its lives go to the pot."""
        return rounds.withdraw(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """Return the last one left, or a draw (T15)."""
        return view.outcome(state)

    def tally(self, state: State) -> tuple[Mapping[str, int], ...]:
        """Return toads, Toadus Maximus, rounds survived and the pot collected, by seat."""
        return tuple(asdict(tally) for tally in state.tallies)

    def every_card(self, state: State) -> tuple[Card, ...]:
        """Return hands, stock, draw pile and discard pile."""
        held = [card for hand in state.hands for card in hand]
        stock = [card for card in state.stock if card]
        return (*held, *stock, *state.draw, *state.discards)

    def view(self, state: State, viewer: Viewer) -> View:
        """Return the table, the cards laid open, and the viewer's own hand."""
        return view.view(state, viewer)

    def scene(self, view: View, names: Sequence[str]) -> Scene:
        """Return the table, with the viewer's hand where there is one."""
        return scene.scene(view, names)

    def panel(self, view: View, path: tuple[str, ...] = ()) -> Panel:
        """Return the choices of the seat to move (T4, T9)."""
        return panel.panel(view, path)

    def words(self, view: View, names: Sequence[str]) -> Words:
        """Return what is awaited and what happened."""
        return words.words(view, names)

    def example(self) -> Scene:
        """Return two hands that are toads (T8)."""
        return scene.example()

    def write(self, move: Move) -> str:
        """Return the move in writing, such as ``take 3`` or ``discard 7S``."""
        return moves.write(move)

    def read(self, text: str, state: State) -> Move:
        """Return the move that the text writes, or raise UnreadableMoveError."""
        return moves.read(text)


GAME = Toad()

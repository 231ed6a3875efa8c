"""American Toad Solitaire: one player, two packs (rules A1 to A12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.engine.cards import Card
from bot.engine.game import Figure, Game, Info, Option, Outcome, Viewer, Words
from bot.engine.panel import Panel
from bot.engine.scene import Scene
from bot.engine.words import N_
from bot.games.american_toad import moves, panel, rules, scene, view, words
from bot.games.american_toad.state import FULL, MOST_DEALS, SUITS, Move, State
from bot.games.american_toad.view import View

RULES_VERSION = 1
LAST_DAY = 9999_12_31

_INFO = Info(
    key="american_toad",
    name="American Toad Solitaire",
    fewest=1,
    most=1,
    options=(
        Option("deal", "deal {n}", "deal {n}", default=0, least=0, most=MOST_DEALS),
        Option("daily", "day {n}", "day {n}", default=0, least=0, most=LAST_DAY),
    ),
    figures=(
        Figure("up", N_("Cards up")),
        Figure("moves", N_("Moves")),
        Figure("undos", N_("Undos")),
    ),
    rules_version=RULES_VERSION,
    hidden_hands=False,
)


class AmericanToad(Game[State, Move, View]):
    """American Toad Solitaire, for one player."""

    @property
    def info(self) -> Info:
        """One player; the options: the number of the deal, 0 for any, and the day it counts for."""
        return _INFO

    def deal(self, seats: int, options: Mapping[str, int], seed: bytes) -> State:
        """Return the deal of a number, the same for everybody (A1); number 0 draws one by lot."""
        return rules.open_deal(options["deal"] or rules.deal_number(seed))

    def to_move(self, state: State) -> int | None:
        """Return the player's seat until the deal is won or given up."""
        return 0 if view.outcome(state) is None else None

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """Return the moves of cards, all-up, undo and redo (A3 to A10)."""
        return rules.legal_moves(state)

    def play(self, state: State, move: Move) -> State:
        """Return the state after a move, or raise IllegalMoveError."""
        return rules.play(state, move)

    def automatic(self, state: State) -> Move | None:
        """Return None: nothing is ever moved for the player (A3)."""
        return None

    def passing(self, state: State) -> Move | None:
        """Return None: who plays alone has all the time there is."""
        return None

    def remaining(self, state: State) -> tuple[int, ...]:
        """Return the player's seat until the deal is won or given up."""
        return (0,) if view.outcome(state) is None else ()

    def withdraw(self, state: State, seat: int) -> State:
        """Return the state of a deal given up."""
        return rules.withdraw(state)

    def outcome(self, state: State) -> Outcome | None:
        """Return won, or lost where it was given up (A11)."""
        return view.outcome(state)

    def tally(self, state: State) -> tuple[Mapping[str, int], ...]:
        """Return cards on the foundations, moves and undos."""
        up = sum(state.position.heights)
        return ({"up": up, "moves": state.moves, "undos": state.undos},)

    def every_card(self, state: State) -> tuple[Card, ...]:
        """Return the cards of foundations, reserve, columns, stock and waste."""
        position = state.position
        ranks = [(position.base - 1 + step) % FULL + 1 for step in range(FULL)]
        founded = [
            Card(rank, suit)
            for suit, height in zip(SUITS, position.heights, strict=True)
            for rank in ranks[:height]
        ]
        columns = [card for column in position.columns for card in column]
        return (*founded, *position.reserve, *columns, *position.stock, *position.waste)

    def view(self, state: State, viewer: Viewer) -> View:
        """Return everything but the stock and the covered cards of the reserve."""
        return view.view(state, viewer)

    def scene(self, view: View, names: Sequence[str]) -> Scene:
        """Return the whole deal."""
        return scene.scene(view, names)

    def panel(self, view: View, path: tuple[str, ...] = ()) -> Panel:
        """Return the player's controls."""
        return panel.panel(view, path)

    def words(self, view: View, names: Sequence[str]) -> Words:
        """Return how the deal stands."""
        return words.words(view, names)

    def example(self) -> Scene:
        """Return a run and where it fits (A4, A5)."""
        return scene.example()

    def write(self, move: Move) -> str:
        """Return the move in writing, such as ``waste to 3``."""
        return moves.write(move)

    def read(self, text: str, state: State) -> Move:
        """Return the move that the text writes, or raise UnreadableMoveError."""
        return moves.read(text)


GAME = AmericanToad()

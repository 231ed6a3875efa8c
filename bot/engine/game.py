"""The contract of a game: one small Protocol that every folder under ``bot/games`` fits.

A game is frozen data and pure functions. Nothing outside a game's folder looks into its states,
moves or views; they are handed back to the game that made them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from bot.engine.panel import Panel
from bot.engine.scene import Face, Scene

Viewer: TypeAlias = int | None
"""Who looks: a seat, or None for the public."""


@dataclass(frozen=True, slots=True)
class Option:
    """A number that the table may choose before the deal; ``one`` and ``many`` say of what."""

    key: str
    one: str
    many: str
    default: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Figure:
    """Something counted for each seat of a match and added up over a player's matches."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Info:
    """What is known of a game before it is dealt.

    ``rules_version`` goes up with every change after which old moves would fold to another state.
    ``hidden_hands`` says that seats hold cards that only they see, so that hands go out by DM.
    """

    key: str
    name: str
    fewest: int
    most: int
    options: tuple[Option, ...]
    figures: tuple[Figure, ...]
    rules_version: int
    hidden_hands: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: the seats that won; none where it was a draw."""

    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """A view in words.

    ``headline`` says what is awaited, and from whom; ``story`` the last things that happened,
    oldest first. Both are Discord markdown; names in them are the given ones, as they stand.
    """

    headline: str
    story: tuple[str, ...]


S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")


class Game(Protocol[S, M, V]):
    """A game. S is its state, M its move, V its view; all three frozen."""

    @property
    def info(self) -> Info:
        """What is known of the game before it is dealt."""

    def deal(self, seats: int, options: Mapping[str, int], seed: bytes) -> S:
        """Return the first state. ``options`` has a value for each option of ``info``."""

    def to_move(self, state: S) -> int | None:
        """Return the seat whose move it is, or None when the match is over."""

    def legal_moves(self, state: S) -> tuple[M, ...]:
        """Return every move of the seat to move; none when the match is over."""

    def play(self, state: S, move: M) -> S:
        """Return the state after a move of the seat to move, or raise IllegalMoveError."""

    def automatic(self, state: S) -> M | None:
        """Return the legal move that the table makes by itself after a pause, or None.

        Such as dealing the next round. The seat to move may make it sooner.
        """

    def passing(self, state: S) -> M | None:
        """Return the gentlest legal move of the seat to move, for one whose time has run out.

        It is made again until the turn goes on to another seat. None in a game for one, which has
        no clock, and wherever the table itself moves.
        """

    def remaining(self, state: S) -> tuple[int, ...]:
        """Return the seats still in the match, which may yet be awaited; none when it is over."""

    def withdraw(self, state: S, seat: int) -> S:
        """Return the state after a seat gave up, in or out of turn, or raise IllegalMoveError."""

    def outcome(self, state: S) -> Outcome | None:
        """Return how the match ended, or None while it goes on."""

    def tally(self, state: S) -> tuple[Mapping[str, int], ...]:
        """Return, seat by seat, the figures of ``info`` so far."""

    def every_card(self, state: S) -> tuple[Face, ...]:
        """Return every card of the match, wherever it lies, in no meaningful order."""

    def view(self, state: S, viewer: Viewer) -> V:
        """Return what this viewer knows. A card the viewer may not see is not in it."""

    def scene(self, view: V, names: Sequence[str]) -> Scene:
        """Return what there is to see. ``names`` are the players', seat by seat."""

    def panel(self, view: V, path: tuple[str, ...] = ()) -> Panel:
        """Return the viewer's choices at a step; the empty path is the first step of a move.

        The public's panel has the choices of the seat to move that can be offered in public.
        Returns an empty panel for a path that leads nowhere.
        """

    def words(self, view: V, names: Sequence[str]) -> Words:
        """Return the view in words, in the language spoken just now."""

    def example(self) -> Scene:
        """Return the picture that goes with the rules."""

    def write(self, move: M) -> str:
        """Return the move in the game's notation: short, readable, one line."""

    def read(self, text: str, state: S) -> M:
        """Return the move that the notation names in this state, or raise UnreadableMoveError."""


AnyGame: TypeAlias = Game[Any, Any, Any]

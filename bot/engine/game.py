"""The contract of a game: one record of functions, which every folder under ``bot/games`` fills in.

A game is frozen data and pure functions. Its states, moves and views are its own: nobody else looks in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from bot.engine.errors import IllegalMoveError
from bot.engine.immutable import frozen
from bot.engine.lesson import Lesson, Page
from bot.engine.panel import Panel
from bot.engine.puzzle import Puzzles
from bot.engine.review import Review
from bot.engine.scene import Face, Scene
from bot.engine.story import Lookback, StoryPage
from bot.engine.thinking import Thinking, lot_of_seat
from bot.engine.words import _

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")

Viewer: TypeAlias = int | None
"""Who looks: a seat, or None for the public."""


@frozen
class Option:
    """A number that may be chosen before the deal; ``one`` and ``many`` say of what.

    ``asks`` is how the slash command asks for it; what it does not ask for is set by Ribit itself.
    ``by_lot``: where nobody names a number, one above ``least`` is drawn, which nobody can name.
    ``is_yes_or_no``: 1 or 0; ``one`` says that it is so, ``many`` that it is not.
    """

    key: str
    one: str
    many: str
    default: int
    least: int
    most: int
    asks: str = ""
    by_lot: bool = False
    is_yes_or_no: bool = False


def yes_or_no(key: str, so: str, otherwise: str, *, default: int, asks: str) -> Option:
    return Option(key, so, otherwise, default, 0, 1, asks, is_yes_or_no=True)


@frozen
class Figure:
    """Something counted for each seat of a match and added up over a player's matches.

    One that is not ``told`` has no column on boards; profiles have it.
    """

    key: str
    name: str
    told: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """What is known of a game before it is dealt.

    ``key`` is its name in storage, and its slash command too unless that is ``called`` otherwise;
    ``about`` is what Discord's list of commands says of it, ``aim`` what it is in a sentence. With
    ``is_default`` it is meant where nobody says which game.
    ``rules_version`` goes up with every change after which old moves would fold to another state.
    ``hidden_hands`` says that seats hold cards that only they see, so that hands go out by DM.
    """

    key: str
    name: str
    called: str = ""
    about: str
    aim: str = ""
    is_default: bool = False
    fewest: int
    most: int
    options: tuple[Option, ...]
    figures: tuple[Figure, ...]
    rules_version: int
    hidden_hands: bool

    @property
    def command(self) -> str:
        return self.called or self.key

    @property
    def is_solo(self) -> bool:
        """Whether one player sits down alone, and is dealt to at once; else a table opens."""
        return self.most == 1

    @property
    def players(self) -> str:
        """How many can play, such as ``2 to 6``."""
        return str(self.most) if self.fewest == self.most else f"{self.fewest} to {self.most}"


@frozen
class Outcome:
    """How a match ended: the seats that won; none where it was a draw."""

    winners: tuple[int, ...]


@frozen
class Words:
    """A view in words.

    ``headline`` says what is awaited, ``story`` what happened. After the end ``turning_points`` are what
    decided it.
    """

    headline: str
    story: tuple[str, ...]
    turning_points: tuple[str, ...] = ()


def _no_move(_state: object) -> None:
    """Default of a move that a game never has."""


def _nothing(*_given: object) -> tuple[()]:
    return ()


def _nobody_leaves(_state: object, _seat: int) -> NoReturn:
    raise IllegalMoveError(_("Nobody can give up in this game. Close the table to end it."))


UNTOLD = "; "
"""Parts what a player was told from what was only thought out with it, in a move in writing."""


@dataclass(frozen=True, kw_only=True)
class Question(Generic[S, M, V]):
    """What the player of a game for one can ask in the middle of it or after it, by a button.

    ``key`` is a short word for it, ``label`` stands on the button. It may be asked where it ``fits``
    what is seen. ``answer`` is pure and may take seconds, so it is run in a worker. It returns a legal
    move that tells the answer: the journal has that, and no replay has to think again. What fits after
    the end is told to the player alone, and not stored.
    """

    key: str
    label: str
    fits: Callable[[V], bool]
    answer: Callable[[S], M]


@dataclass(frozen=True, kw_only=True)
class Retry(Generic[S, M]):
    """How a match for one that was given up is gone back to, and how it could have been won.

    ``moment`` returns after how many moves that was possible, by the answer to a question, or None where
    the answer says no such thing. ``back`` returns the moves that lead there from the state before it
    was given up; it raises IllegalMoveError for a moment that never was. ``line`` returns moves that win
    from there, or none; it is pure and may take seconds, so it is run in a worker. ``shown`` returns the
    state after so many moves of such a line, in writing, with the next one told.
    """

    moment: Callable[[M], int | None]
    back: Callable[[S, int], tuple[M, ...]]
    line: Callable[[S, int], tuple[M, ...]]
    shown: Callable[[S, int, Sequence[str], int], S]


@dataclass(frozen=True, kw_only=True, repr=False)
class Game(Generic[S, M, V]):
    """A game: a record of functions. S is its state, M its move, V its view; all three frozen.

    The fields with a default are for what not every game has, and left out where it is not had.
    """

    info: Info
    """What is known of the game before it is dealt."""

    deal: Callable[[int, Mapping[str, int], bytes], S]
    """``deal(seats, options, seed)``: the first state. There is a value for each option of ``info``."""

    to_move: Callable[[S], int | None]
    """The seat whose move it is, or None when the match is over."""

    legal_moves: Callable[[S], tuple[M, ...]]
    """Every move that the seat to move may choose; none when the match is over."""

    play: Callable[[S, M], S]
    """The state after a move of the seat to move, or of the clock for it; raises IllegalMoveError."""

    stood_in: Callable[[S, int], S] = lambda state, _seat: state
    """The state told that a frog makes the next move, in the place of the seat's player."""

    automatic: Callable[[S], M | None] = _no_move
    """The legal move that the table makes after a pause, or the seat to move makes sooner, or None."""

    has_banner: Callable[[S], bool] = lambda _state: False
    """Whether the table's picture tells of the last move by a banner, to be seen before a frog moves."""

    passing: Callable[[S], M | None] = _no_move
    """The gentlest move of the seat to move, for one whose time has run out, until the turn goes on.
    None when the match is over, in a game for one, and wherever the table itself moves. It is legal
    where it is made, or the clock's own, which nobody may ever choose: no state has that among its
    ``legal_moves``, no panel offers it, and ``play`` takes it wherever this returns it."""

    remaining: Callable[[S], tuple[int, ...]]
    """The seats still in the match, which may yet be awaited; none when it is over."""

    withdraw: Callable[[S, int], S] = _nobody_leaves
    """The state after a seat gave up, in or out of turn; raises IllegalMoveError."""

    outcome: Callable[[S], Outcome | None]
    """How the match ended, or None while it goes on."""

    places: Callable[[S], tuple[int, ...]] = _nothing
    """Seat by seat, which place each came in when it was over, from 1; equals share one."""

    is_decided: Callable[[S], bool] = lambda _state: True
    """Whether play has decided something: a round, a frog that is home. Giving up alone never does."""

    tally: Callable[[S], tuple[Mapping[str, int], ...]]
    """Seat by seat, the figures of ``info`` so far."""

    unfolding: Callable[[S, S], tuple[S, ...]] = _nothing
    """The few states that are shown one after the other, and not stored, on the way to the next one."""

    every_card: Callable[[S], tuple[Face, ...]]
    """Every card of the match, wherever it lies, in no meaningful order."""

    view: Callable[[S, Viewer], V]
    """What this viewer knows. A card the viewer may not see is not in it."""

    scene: Callable[[V, Sequence[str]], Scene]
    """What there is to see; the names are the players', seat by seat."""

    panel: Callable[..., Panel]
    """``panel(view, path=())``: the viewer's choices at a step of a move, the empty path the first one;
    an empty panel for a path that leads nowhere.
    The public's panel has the choices of the seat to move that can be offered in public. Where one of
    them plays a move there and leads to a further step in the seat's own panel, that step is taken."""

    words: Callable[[V, Sequence[str]], Words]
    """The view in words, in the language spoken just now; the names are the players', seat by seat."""

    history: Callable[[Sequence[Any], Sequence[str]], tuple[StoryPage, ...]] | None = None
    """Tells a match by its views' ``events``, for players' names; None for a game without turns."""

    pages: Callable[[], tuple[Page, ...]]
    """The rules for players, page by page, in the language spoken just now."""

    write: Callable[[M], str]
    """The move in the game's notation: short, readable, one line."""

    read: Callable[[str, S], M]
    """The move that the notation names in this state; raises UnreadableMoveError."""

    recorded: Callable[[S, M], M] = lambda _state, move: move
    """A legal move as the journal has it: where hidden cards decide how far it goes, it says how far."""

    lot: Callable[[bytes, int, int, int], bytes] = lot_of_seat
    """``lot(seed, n, seat, moved)``: what a computer player's move n hangs on beside its memory."""

    thinking: Thinking[V, Any, M] | None = None
    """How its seats think where the bot plays them, or None for a game without opponents."""

    lesson: Lesson[V, M] | None = None
    """How it is learned by playing against a tadpole, or None for a game that nobody teaches."""

    find_deal: Callable[[Mapping[str, int]], Mapping[str, int]] | None = None
    """The options of a deal in place of those whose numbers nobody named, or None for dealing these.
    Pure, the same everywhere, and may take seconds, so it is run in a worker."""

    questions: tuple[Question[S, M, V], ...] = ()
    """What the player of a game for one can ask, such as for a hint."""

    retry: Retry[S, M] | None = None
    """How a match for one that was given up is gone back to, or None for a game without that."""

    review: Review[S, M] | None = None
    """How it is found what a seat missed in a match that is over, or None for a game without that."""

    puzzles: Puzzles[S] | None = None
    """Its puzzles, or None for a game without."""

    lookback: Lookback[S, V] | None = None
    """What it shows of a match that is over: every hand open, and what is worth seeing again."""

    shared: Callable[[V], tuple[str, ...]] = _nothing
    """Lines that say how it went, to paste elsewhere. They give no card away."""

    earlier: tuple[Game[S, M, V], ...] = ()
    """The same game by earlier versions of its rules, for matches that were dealt under them."""

    def __repr__(self) -> str:
        return f"<Game {self.info.key}, rules {self.info.rules_version}>"

    def by_rules(self, version: int) -> Game[S, M, V] | None:
        """Return the game as a version of its rules has it, or None where that is not known any more."""
        versions = (self, *self.earlier)
        return next((game for game in versions if game.info.rules_version == version), None)

    @property
    def has_clock(self) -> bool:
        return self.passing is not _no_move

    @property
    def can_be_left(self) -> bool:
        return self.withdraw is not _nobody_leaves


AnyGame: TypeAlias = Game[Any, Any, Any]

"""The contract of a game: a record of functions that each package under ``bot/games`` fills in.

A game is frozen data and pure functions. No other package reads the fields of its states, moves and
views.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from bot.engine.errors import IllegalMoveError
from bot.engine.frozen import frozen
from bot.engine.lesson import Lesson, Page
from bot.engine.opponent import Thinking, lot_of_seat
from bot.engine.panel import Panel
from bot.engine.puzzle import Puzzles
from bot.engine.review import Review
from bot.engine.scene import Face, Scene
from bot.engine.story import Lookback, StoryPage
from bot.engine.translation import _

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")

Viewer: TypeAlias = int | None
"""The viewing seat, or None for the public."""


@frozen
class Option:
    """A number that can be chosen before the deal.

    Attributes:
        key: The name in storage and in the slash command.
        one: The words for the value 1. For a yes-or-no option, the words for *yes*.
        many: The words for any other value. For a yes-or-no option, the words for *no*.
        default: The value if no user chooses one.
        least: The smallest allowed value.
        most: The largest allowed value.
        asks: The description in the slash command, or empty for an option that only Ribit sets.
        by_lot: Whether a value above ``least`` is drawn at random if no user chooses one. A user cannot
            choose ``least``.
        is_yes_or_no: Whether the value is 1 for yes or 0 for no.
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
    """A number counted for each seat of a match and summed over a player's matches.

    Attributes:
        key: The name in storage.
        name: The name shown to players.
        told: Whether leaderboards have a column for it. Profiles always show it.
        measures_lead: Whether it tells how far a winner is ahead of the others.
    """

    key: str
    name: str
    told: bool = True
    measures_lead: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """Facts about a game that do not depend on a deal.

    Attributes:
        key: The name in storage.
        name: The name shown to players.
        called: The slash command, or empty if it is the same as ``key``.
        about: The description in Discord's list of commands.
        aim: The aim of the game in one line of at most 14 words, for players who have not reached it.
            ``Game.aim_values`` fills in its placeholders.
        how: How to play in three sentences, for newcomers who wait for their turn. Empty for a game for
            one.
        goal: The key of the figure that is above 0 once a player has reached the aim, or empty if only a
            win reaches it.
        is_default: Whether a command without a game means this one.
        fewest: The smallest number of players.
        most: The largest number of players.
        options: The options that can be chosen before the deal.
        figures: The numbers counted for each seat.
        rules_version: Increases with each change after which stored moves would fold to a different
            state.
        hidden_hands: Whether seats hold secret cards, so that hands are sent by DM.
    """

    key: str
    name: str
    called: str = ""
    about: str
    aim: str
    goal: str
    how: str = ""
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
        """True if one player plays alone and is dealt to at once, without a lobby."""
        return self.most == 1

    @property
    def players(self) -> str:
        """The possible numbers of players, such as ``2 to 6``."""
        return str(self.most) if self.fewest == self.most else f"{self.fewest} to {self.most}"


@frozen
class Outcome:
    """The winning seats of a finished match, or none after a draw."""

    winners: tuple[int, ...]


@frozen
class Words:
    """A view in words.

    Attributes:
        headline: The move that is awaited, or the result.
        story: The latest events.
        turning_points: The events that decided a finished match.
    """

    headline: str
    story: tuple[str, ...]
    turning_points: tuple[str, ...] = ()


def _no_move(_state: object) -> None:
    """Return None, as the default for moves that a game never has."""


def _nothing(*_given: object) -> tuple[()]:
    return ()


def _nobody_leaves(_state: object, _seat: int) -> NoReturn:
    raise IllegalMoveError(_("Nobody can give up in this game. Close the table to end it."))


UNTOLD = "; "
"""Separator in a written move between the part shown to the player and the rest of the answer."""


@dataclass(frozen=True, kw_only=True)
class Question(Generic[S, M, V]):
    """A question that the player of a solitaire game can ask by a button, during or after the game.

    Attributes:
        key: A short identifier.
        fits: Returns whether the question can be asked in a view.
        answer: Returns a legal move that contains the answer, so that the journal stores it and a replay
            need not compute it again. Pure, and may take seconds, so it runs in a worker. An answer
            after the end is sent to the player and not stored.
    """

    key: str
    label: str
    fits: Callable[[V], bool]
    answer: Callable[[S], M]


@dataclass(frozen=True, kw_only=True)
class Retry(Generic[S, M]):
    """The way back into a solitaire match that was given up, and a line that would have won it.

    Attributes:
        moment: Returns the number of moves after which the match could still be won, taken from the
            answer to a question, or None if the answer does not say.
        back: Returns the moves from the state before giving up to that moment. Raises IllegalMoveError
            if there was no such moment.
        line: Returns winning moves from that moment, or none. Pure, and may take seconds, so it runs in
            a worker.
        shown: Returns the state after a number of moves of a written line, with the next move announced.
    """

    moment: Callable[[M], int | None]
    back: Callable[[S, int], tuple[M, ...]]
    line: Callable[[S, int], tuple[M, ...]]
    shown: Callable[[S, int, Sequence[str], int], S]


@frozen
class Duel:
    """The boards of a day, each a short match against one toad with the same deal for all players.

    Attributes:
        boards: The number of boards of a day.
        challenge_boards: The number of boards of a challenge.
        options: The options that make a match short.
        limits: The end of a board, as part of a sentence.
    """

    boards: int
    challenge_boards: int
    options: Mapping[str, int]
    limits: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Game(Generic[S, M, V]):
    """A game as a record of functions. S is its state, M its move and V its view, all frozen.

    Fields with a default are optional parts that not every game has.
    """

    info: Info
    """Facts about the game that do not depend on a deal."""

    deal: Callable[[int, Mapping[str, int], bytes], S]
    """``deal(seats, options, seed)``: the first state.

    ``options`` has a value for each option of ``info``.
    """

    to_move: Callable[[S], int | None]
    """The seat to move, or None when the match has ended."""

    legal_moves: Callable[[S], tuple[M, ...]]
    """All moves that the seat to move can choose, or none when the match has ended."""

    play: Callable[[S, M], S]
    """The state after a move of the seat to move, or of the clock in its place.

    Raises IllegalMoveError.
    """

    stood_in: Callable[[S, int], S] = lambda state, _seat: state
    """The state marked so that the next move is by a computer player in place of the seat's player."""

    automatic: Callable[[S], M | None] = _no_move
    """The legal move that the table makes after a pause, or None.

    The seat to move may make it sooner.
    """

    has_banner: Callable[[S], bool] = lambda _state: False
    """True if the picture announces the last move in a banner.

    Players should see the banner before a computer player moves.
    """

    passing: Callable[[S], M | None] = _no_move
    """The move for a seat whose time has run out, repeated until the turn ends.

    It changes as little as possible. None when the match has ended, in a solitaire game, and when the
    table itself moves. It is either a legal move or a move that only the clock can make. The clock's
    move is never in ``legal_moves`` or on a panel, and ``play`` accepts it in each state for which this
    function returns it.
    """

    remaining: Callable[[S], tuple[int, ...]]
    """The seats that may still have to move, or none when the match has ended."""

    withdraw: Callable[[S, int], S] = _nobody_leaves
    """The state after a seat has given up, in or out of turn. Raises IllegalMoveError."""

    outcome: Callable[[S], Outcome | None]
    """The result of the match, or None while it is in progress."""

    places: Callable[[S], tuple[int, ...]] = _nothing
    """The final place of each seat, from 1. Equal seats share a place."""

    is_decided: Callable[[S], bool] = lambda _state: True
    """True if play has decided something, such as a round or a frog at home.

    Giving up alone decides nothing.
    """

    tally: Callable[[S], tuple[Mapping[str, int], ...]]
    """The current figures of ``info`` for each seat."""

    unfolding: Callable[[S, S], tuple[S, ...]] = _nothing
    """Intermediate states to show in order before the next state. They are not stored."""

    every_card: Callable[[S], tuple[Face, ...]]
    """All cards of the match, wherever they are, in no particular order."""

    view: Callable[[S, Viewer], V]
    """The facts that a viewer knows. It contains no card that is hidden from the viewer."""

    scene: Callable[[V, Sequence[str]], Scene]
    """The picture of a view as plain data. The names are those of the players, by seat."""

    panel: Callable[..., Panel]
    """``panel(view, path=())``: the viewer's choices at one step of choosing a move.

    The empty path is the first step. A path that leads nowhere has an empty panel.

    The public's panel has those choices of the seat to move that can be offered in public. If such a
    choice plays a move in public but leads to a further step in the seat's own panel, that step is
    taken.
    """

    aim_values: Callable[[V], Mapping[str, str]] = lambda _view: {}
    """The values of the placeholders in ``info.aim``, in the current language."""

    words: Callable[[V, Sequence[str]], Words]
    """The view in words, in the current language. The names are those of the players, by seat."""

    history: Callable[[Sequence[Any], Sequence[str]], tuple[StoryPage, ...]] | None = None
    """The story of a match from its views' ``events`` and the players' names.

    None for a game without turns.
    """

    pages: Callable[[], tuple[Page, ...]]
    """The pages of the rules for players, in the current language."""

    write: Callable[[M], str]
    """The move in the game's notation: short, readable and on one line."""

    read: Callable[[str, S], M]
    """The move that a text in the notation names in a state. Raises UnreadableMoveError."""

    recorded: Callable[[S, M], M] = lambda _state, move: move
    """A legal move as the journal stores it.

    If hidden cards decide the extent of the move, the stored move states it.
    """

    lot: Callable[[bytes, int, int, int], bytes] = lot_of_seat
    """``lot(seed, n, seat, moved)``: the random seed for a computer player's move ``n``.

    Besides this seed, the move depends only on the strength and the memory.
    """

    thinking: Thinking[V, Any, M] | None = None
    """The computer player, or None for a game without one."""

    lesson: Lesson[V, M] | None = None
    """The lesson, played against a tadpole if the game has computer players, or None."""

    find_deal: Callable[[Mapping[str, int]], Mapping[str, int]] | None = None
    """Returns values for the options that no user chose, or None to deal the options unchanged.

    Pure, with the same result on each machine. It may take seconds, so it runs in a worker.
    """

    questions: tuple[Question[S, M, V], ...] = ()
    """Questions that the player of a solitaire game can ask, such as for a hint."""

    retry: Retry[S, M] | None = None
    """The way back into a solitaire match that was given up, or None if the game has none."""

    review: Review[S, M] | None = None
    """The search for better moves in a finished match, or None if the game has none."""

    puzzles: Puzzles[S] | None = None
    """The game's puzzles, or None if it has none."""

    lookback: Lookback[S, V] | None = None
    """The presentation of a finished match, with open hands and key moments."""

    shared: Callable[[V], tuple[str, ...]] = _nothing
    """Lines about the result to paste elsewhere. They reveal no card."""

    duel: Duel | None = None
    """The duels of a day, or None if the game has none."""

    earlier: tuple[Game[S, M, V], ...] = ()
    """The game under earlier versions of its rules, for matches dealt under those versions."""

    def __repr__(self) -> str:
        return f"<Game {self.info.key}, rules {self.info.rules_version}>"

    def by_rules(self, version: int) -> Game[S, M, V] | None:
        """Return the game under a version of its rules, or None if that version is no longer known."""
        versions = (self, *self.earlier)
        return next((game for game in versions if game.info.rules_version == version), None)

    def as_of(self, rules: int, thinking: int) -> Game[S, M, V] | None:
        """Return the game with versions of its rules and computer players, or None if one is unknown.

        An update with new computer players keeps the game with the earlier ones in ``earlier`` until the
        day's duels that began with them are over.
        """
        for game in (self, *self.earlier):
            version = game.thinking.version if game.thinking else 0
            if (game.info.rules_version, version) == (rules, thinking):
                return game
        return None

    @property
    def has_clock(self) -> bool:
        return self.passing is not _no_move

    @property
    def can_be_left(self) -> bool:
        return self.withdraw is not _nobody_leaves


AnyGame: TypeAlias = Game[Any, Any, Any]

"""Interface that every game implements.

Each package under ``bot/games`` creates one ``Game``, a record of frozen data and pure functions. A
game's states, moves and views are opaque to other packages. They pass these objects around but never
read their fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from bot.engine.errors import IllegalMoveError
from bot.engine.event_groups import StoryPage
from bot.engine.frozen import frozen
from bot.engine.highlights import Lookback
from bot.engine.lesson import Lesson
from bot.engine.lots import lot_of_seat
from bot.engine.opponent import ComputerPlayer
from bot.engine.panel import Panel
from bot.engine.puzzle import Puzzles
from bot.engine.review import Review
from bot.engine.rules_pages import Page
from bot.engine.scene import Face, Scene
from bot.engine.translation import _

S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")

Viewer: TypeAlias = int | None
"""The seat of the player who views the match, or None for the public view."""


@frozen
class GameOption:
    """A match setting that can be chosen before the cards are dealt. Its value is a number.

    Attributes:
        key: The name in storage and in the slash command.
        one: The words for the value 1. For a yes-or-no option, the words for *yes*.
        many: The words for any other value. For a yes-or-no option, the words for *no*.
        default: The value if no user chooses one.
        least: The smallest allowed value.
        most: The largest allowed value.
        asks: The description in the slash command. Empty if users cannot choose the option, because
            Ribit sets it.
        by_lot: True if Ribit draws a random value above ``least`` when the user chooses no value. A user
            cannot choose ``least``.
        is_yes_or_no: True if the option is a yes-or-no choice. Its value is 1 for yes and 0 for no.
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


def yes_or_no(key: str, so: str, otherwise: str, *, default: int, asks: str) -> GameOption:
    return GameOption(key, so, otherwise, default, 0, 1, asks, is_yes_or_no=True)


@frozen
class Statistic:
    """A number that Ribit counts for each player of a match, such as the points scored.

    Ribit adds it up over all of a player's matches.

    Attributes:
        key: The name in storage.
        name: The name shown to players.
        is_on_boards: True if leaderboards have a column for it. Profiles always show it.
        measures_lead: True if it measures the winner's lead over the other players.
    """

    key: str
    name: str
    is_on_boards: bool = True
    measures_lead: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """General information about a game, such as its name, options and numbers of players.

    Attributes:
        key: The name in storage.
        name: The name shown to players.
        called: The slash command, or empty if it is the same as ``key``.
        about: The description in Discord's list of commands.
        aim: The aim of the game in one line of at most 14 words. Only players who have never reached it
            see this line. ``Game.aim_values`` fills in its placeholders.
        how: Three sentences that explain how to play. Newcomers see them while they wait for their turn.
            Empty for a solitaire game.
        goal: The key of a statistic. A player has reached the aim if this statistic is above 0. Empty if
            a player reaches the aim only by winning.
        is_default: True if this game is used when a command names no game.
        fewest: The smallest number of players.
        most: The largest number of players.
        options: The options that can be chosen before the deal.
        figures: The statistics counted for each seat.
        rules_version: The version of the rules. It increases with each change of the rules after which
            replaying a stored match would lead to a different state, and with each change of ``duel``.
            Duels and challenges that have begun keep their version.
        hidden_hands: True if players hold secret cards. Ribit then sends each player's hand by DM.
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
    options: tuple[GameOption, ...]
    figures: tuple[Statistic, ...]
    rules_version: int
    hidden_hands: bool

    @property
    def command(self) -> str:
        return self.called or self.key

    @property
    def is_solo(self) -> bool:
        """True for a solitaire game. Its cards are dealt immediately, without a lobby."""
        return self.most == 1

    @property
    def players(self) -> str:
        """The possible numbers of players, such as ``2 to 6``."""
        return str(self.most) if self.fewest == self.most else f"{self.fewest} to {self.most}"


@frozen
class Outcome:
    """Result of a finished match. ``winners`` is empty after a draw."""

    winners: tuple[int, ...]


@frozen
class Words:
    """A text description of a match that contains only what one viewer may know.

    Attributes:
        headline: A sentence about the next move, or the result of a finished match.
        story: Sentences about the latest events.
        turning_points: Sentences about the events that decided a finished match.
    """

    headline: str
    story: tuple[str, ...]
    turning_points: tuple[str, ...] = ()


def _no_move(_state: object) -> None:
    """Return None. This is the default for a game's optional functions that return a move."""


def _nothing(*_given: object) -> tuple[()]:
    return ()


def _nobody_leaves(_state: object, _seat: int) -> NoReturn:
    raise IllegalMoveError(_("Nobody can give up in this game. Close the table to end it."))


UNTOLD = "; "
"""Separator in the stored text of a move that answers a player's question.

Players see only the text before the separator.
"""


@dataclass(frozen=True, kw_only=True)
class Question(Generic[S, M, V]):
    """A question that a solitaire player can ask with a button, during or after the game.

    Attributes:
        key: A short identifier.
        fits: Takes the player's view and returns whether the player can ask the question now.
        answer: Returns a legal move that contains the answer. The journal stores this move, so a replay
            does not compute the answer again. The function is pure and runs in a worker process, because
            it may take seconds. After the end of the game, the answer is sent to the player but not
            stored.
    """

    key: str
    label: str
    fits: Callable[[V], bool]
    answer: Callable[[S], M]


@dataclass(frozen=True, kw_only=True)
class Retry(Generic[S, M]):
    """Functions for resuming a solitaire match that the player gave up.

    The player can go back to the last moment at which the match could still be won, or watch a line, a
    sequence of moves that wins from there.

    Attributes:
        moment: Takes the answer to a question. Returns the number of moves after which the match could
            still be won, or None if the answer does not contain it.
        back: Returns the moves that lead from the state before giving up back to that moment. Raises
            IllegalMoveError if there was no such moment.
        line: Returns winning moves from that moment, or an empty tuple. The function is pure and runs in
            a worker process, because it may take seconds.
        shown: Takes a line in the game's notation and a number of moves. Returns the state after these
            moves, with the next move announced.
    """

    moment: Callable[[M], int | None]
    back: Callable[[S, int], tuple[M, ...]]
    line: Callable[[S, int], tuple[M, ...]]
    shown: Callable[[S, int, Sequence[str], int], S]


@frozen
class Duel:
    """A game's settings for daily duels and challenges.

    A duel consists of boards. A board is a short match against one toad, the strongest computer player.
    On each board, all players get the same deal.

    Attributes:
        boards: The number of boards per day.
        challenge_boards: The number of boards in a challenge.
        options: The options that make a match short.
        limits: Part of a sentence that explains when a board ends.
    """

    boards: int
    challenge_boards: int
    options: Mapping[str, int]
    limits: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Game(Generic[S, M, V]):
    """A game, defined by its data and pure functions.

    ``S`` is the type of the game's states, ``M`` of its moves and ``V`` of its views. All are frozen.
    Fields with a default are optional features that not every game has.
    """

    info: Info
    """General information about the game, such as its name, options and numbers of players."""

    deal: Callable[[int, Mapping[str, int], bytes], S]
    """``deal(seats, options, seed)`` returns the first state of a match.

    ``options`` has a value for each option of ``info``.
    """

    to_move: Callable[[S], int | None]
    """Returns the seat to move, or None if the match has ended."""

    legal_moves: Callable[[S], tuple[M, ...]]
    """Returns all moves that the seat to move can choose, or none if the match has ended."""

    play: Callable[[S, M], S]
    """Returns the state after a move.

    The move is by the seat to move, or by the clock when that seat's time has run out. Raises
    IllegalMoveError.
    """

    note_substitute: Callable[[S, int], S] = lambda state, _seat: state
    """Returns the state with a note that a computer player makes a seat's next move for its player.

    It is called before such a move. Nothing else in the state changes.
    """

    automatic: Callable[[S], M | None] = _no_move
    """Returns the legal move that Ribit makes automatically after a pause, or None.

    The player to move may make it sooner.
    """

    has_banner: Callable[[S], bool] = lambda _state: False
    """Returns whether the picture announces the last move in a banner.

    Players should see the banner before a computer player moves.
    """

    passing: Callable[[S], M | None] = _no_move
    """Returns the move that is made for a player whose time has run out.

    It is repeated until the turn ends, and changes as little as possible. It is either a legal move or a
    move that only the clock can make. A move that only the clock can make is never in ``legal_moves`` or
    on a panel, but ``play`` accepts it in each state for which this function returns it.

    Returns None if the match has ended, if the next move is automatic, and in every solitaire game.
    """

    remaining: Callable[[S], tuple[int, ...]]
    """Returns the seats that may still have to move, or none if the match has ended."""

    withdraw: Callable[[S, int], S] = _nobody_leaves
    """Returns the state after a seat's player gives up, in or out of turn. Raises IllegalMoveError."""

    outcome: Callable[[S], Outcome | None]
    """Returns the match's result, or None while the match is in progress."""

    places: Callable[[S], tuple[int, ...]] = _nothing
    """Returns the final rank of each seat, from 1. Tied seats share a rank."""

    is_decided: Callable[[S], bool] = lambda _state: True
    """Returns whether play has decided at least a part of the match, such as a round.

    False if the match ended only because players gave up.
    """

    tally: Callable[[S], tuple[Mapping[str, int], ...]]
    """Returns each seat's current statistics, by the keys in ``info.figures``."""

    unfolding: Callable[[S, S], tuple[S, ...]] = _nothing
    """Takes two consecutive states. Returns intermediate states to show between them, in order.

    The intermediate states are not stored.
    """

    every_card: Callable[[S], tuple[Face, ...]]
    """Returns all cards of the match, wherever they are, in no particular order."""

    view: Callable[[S, Viewer], V]
    """Returns a viewer's view of a state. It contains no card that is hidden from the viewer."""

    scene: Callable[[V, Sequence[str]], Scene]
    """Takes a view and the players' names by seat. Returns the picture of the view as plain data."""

    panel: Callable[..., Panel]
    """``panel(view, path=())`` returns the choices for one step of choosing a move.

    ``path`` holds the keys of the choices that the viewer has made so far. If it is empty, this is the
    first step. If no panel has this path, the result is an empty panel.

    For the public view, the panel has those choices of the player to move that everybody may see. A
    choice in the public panel may play a move at once. If the same choice leads to a further step in the
    player's own panel, the player is taken to that step instead.
    """

    aim_values: Callable[[V], Mapping[str, str]] = lambda _view: {}
    """Returns the values for the placeholders in ``info.aim``, in the current language."""

    words: Callable[[V, Sequence[str]], Words]
    """Takes a view and the players' names by seat. Returns a description in the current language."""

    history: Callable[[Sequence[Any], Sequence[str]], tuple[StoryPage, ...]] | None = None
    """Takes the views' ``events`` and the players' names. Returns the story of a match, page by page.

    None for a game without turns.
    """

    pages: Callable[[], tuple[Page, ...]]
    """Returns the pages that explain the rules to players, in the current language."""

    write: Callable[[M], str]
    """Returns a move's text in the game's notation, which is short, readable and on one line."""

    read: Callable[[str, S], M]
    """Parses a move's text in the game's notation, in a given state. Raises UnreadableMoveError."""

    recorded: Callable[[S, M], M] = lambda _state, move: move
    """Returns a legal move in the form that the journal stores.

    If the effect of a move depends on hidden cards, the stored form includes the effect.
    """

    lot: Callable[[bytes, int, int, int], bytes] = lot_of_seat
    """``lot(seed, n, seat, moved)`` returns the random seed for a computer player's move.

    ``n`` is the number of moves before it. Besides this seed, the move depends only on the computer
    player's strength and memory.
    """

    thinking: ComputerPlayer[V, Any, M] | None = None
    """The computer player, or None if the game has none."""

    lesson: Lesson[V, M] | None = None
    """The interactive lesson, or None if the game has none.

    If the game has computer players, the pupil plays against the weakest one, a tadpole.
    """

    find_deal: Callable[[Mapping[str, int]], Mapping[str, int]] | None = None
    """Takes the options of a match and returns them with values for those that the user did not choose.

    The function is pure and returns the same values on every machine. It runs in a worker process,
    because it may take seconds. None if the game deals with the options unchanged.
    """

    questions: tuple[Question[S, M, V], ...] = ()
    """The questions that a solitaire player can ask, for example for a hint."""

    retry: Retry[S, M] | None = None
    """Functions for resuming a solitaire match that the player gave up, or None if there are none."""

    review: Review[S, M] | None = None
    """The search for better moves in a finished match, or None if the game has none."""

    puzzles: Puzzles[S] | None = None
    """The game's puzzles, or None if it has none."""

    lookback: Lookback[S, V] | None = None
    """The presentation of a finished match, with all hands revealed and its key moments, or None."""

    shared: Callable[[V], tuple[str, ...]] = _nothing
    """Returns lines about the result for players to paste elsewhere. They reveal no card."""

    duel: Duel | None = None
    """The settings for daily duels and challenges, or None if the game has none."""

    earlier: tuple[Game[S, M, V], ...] = ()
    """Earlier versions of this game, for matches that were dealt under their rules."""

    def __repr__(self) -> str:
        return f"<Game {self.info.key}, rules {self.info.rules_version}>"

    def by_rules(self, version: int) -> Game[S, M, V] | None:
        """Return this game in a rules version, or None if the code no longer has that version."""
        versions = (self, *self.earlier)
        return next((game for game in versions if game.info.rules_version == version), None)

    def as_of(self, rules: int, thinking: int) -> Game[S, M, V] | None:
        """Return this game with the given versions of the rules and of the computer players.

        Return None if the code no longer has these versions. After an update of the computer players,
        ``earlier`` contains the game with the previous computer players until the current day's duels
        are over.

        Args:
            rules: The version of the rules.
            thinking: The version of the computer players.
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

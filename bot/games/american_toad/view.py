"""The part of an American Toad deal that viewers may see, and the replay of a finished deal."""

from __future__ import annotations

from functools import partial
from operator import attrgetter

from bot.engine.cards import Card, Suit
from bot.engine.frozen import frozen
from bot.engine.game import Outcome, Viewer
from bot.engine.highlights import Highlight, Lookback
from bot.engine.translation import N_
from bot.games.american_toad.card_moves import can_finish, card_moves, foundation_for, next_rank, top
from bot.games.american_toad.rules import moves_with
from bot.games.american_toad.state import (
    FULL,
    SUITS,
    Led,
    Move,
    Pile,
    Place,
    Position,
    Shift,
    State,
    Step,
    Told,
    Turn,
    Up,
)
from bot.matches.leaderboard_rules import FREE_HELP


@frozen
class Effect:
    """The cards that the last move affected.

    Attributes:
        cards: The cards that moved from a single pile or column, or an empty tuple for other moves.
        rose: For each foundation that grew, the cards that moved onto it.
        filled: The columns that the reserve filled, each with the card that filled it.
        covered: The waste card that a turn of the stock covered although it could have gone to a
            foundation, or None.
    """

    cards: tuple[Card, ...]
    rose: tuple[tuple[Card, ...], ...]
    filled: tuple[tuple[int, Card], ...]
    covered: Card | None = None


@frozen
class View:
    """A deal as all viewers see it. The top card of each pile comes last.

    Attributes:
        viewer: Seat 0 for the player, or None for spectators.
        number: The deal number, or 0 for a daily deal, whose number would reveal all its cards.
        day: The date of a daily deal as an integer, such as 20261121, or 0 for other deals.
        par: The number of moves in the best known winning line, or 0 if unknown.
        again: Whether the deal is excluded from all statistics.
        base: The rank that each foundation starts with.
        heights: The number of cards on each foundation.
        foundations: Each foundation's top card, or None if it is empty.
        reserve: The reserve's top card, or None if the reserve is empty.
        reserve_left: The number of cards in the reserve.
        stock_left: The number of cards in the stock.
        known: The stock after the redeal, when all its cards have been seen. Empty before the redeal.
        redeal_left: Whether the redeal is still available.
        legal: The legal moves.
        made: The number of moves made, without undone moves.
        undos: The number of undos.
        hints: The number of hints.
        peeks: The number of peeks, including answers about when the deal became lost.
        told: The help given for the current position, or None.
        up: The total number of cards on the foundations.
        last: The last move, or None.
        effect: The effect of the last move, or None.
        won: Whether the deal is won.
        stuck: Whether no card can move, so the player must undo moves to continue (A11).
        gaps_only: Whether all remaining card moves go into empty columns.
        given_up: Whether the player gave up.
        can_finish: Whether the rest of the deal can be won automatically (A12).
        trail: All steps of the deal if it has ended, or an empty tuple if not.
    """

    viewer: Viewer
    number: int
    day: int
    par: int
    again: bool
    base: int
    heights: tuple[int, ...]
    foundations: tuple[Card | None, ...]
    reserve: Card | None
    reserve_left: int
    columns: tuple[tuple[Card, ...], ...]
    stock_left: int
    known: tuple[Card, ...]
    waste: tuple[Card, ...]
    redeal_left: bool
    legal: tuple[Move, ...]
    made: int
    undos: int
    hints: int
    peeks: int
    told: Told | None
    up: int
    last: Led | None
    effect: Effect | None
    won: bool
    stuck: bool
    gaps_only: bool
    given_up: bool
    can_finish: bool
    trail: tuple[Step, ...] = ()

    def top(self, source: Pile | int) -> Card | None:
        if source is Pile.WASTE:
            return self.waste[-1] if self.waste else None
        if source is Pile.RESERVE:
            return self.reserve
        return self.columns[source][-1] if self.columns[source] else None

    @property
    def with_help(self) -> bool:
        """True if the player used more hints and peeks than are allowed for a trophy."""
        return self.hints + self.peeks > FREE_HELP

    @property
    def is_over(self) -> bool:
        return self.won or self.given_up


def _foundation(suit: Suit, height: int, base: int) -> Card | None:
    """Return the top card of a foundation, or None if it is empty (A2)."""
    return Card(next_rank(base, height - 1), suit) if height else None


def outcome(state: State) -> Outcome | None:
    """Return the result of a deal, or None if the deal is neither won nor given up (A11)."""
    if state.position.is_won:
        return Outcome((0,))
    return Outcome(()) if state.given_up else None


def _effect(state: State, last: Led | None) -> Effect | None:
    before, after = state.before, state.position
    if last is None or before is None:
        return None
    cards: tuple[Card, ...] = ()
    freed: tuple[int, ...] = ()
    match last:
        case Up(Pile() as source) | Place(source):
            card = top(before, source)
            cards = () if card is None else (card,)
        case Up(int() as column):
            cards, freed = before.columns[column][-1:], (column,)
        case Shift(column, _onto, count):
            cards, freed = before.columns[column][-count:], (column,)
        case _:  # a column that was not emptied still begins with the same cards
            both = enumerate(zip(before.columns, after.columns, strict=True))
            freed = tuple(column for column, (was, now) in both if now != was[: len(now)])
    is_filled = len(after.reserve) < len(before.reserve)
    filled = tuple((column, after.columns[column][0]) for column in freed if is_filled)
    heights = zip(SUITS, before.heights, after.heights, strict=True)
    rose = (
        tuple(Card(next_rank(after.base, height), suit) for height in range(was, now))
        for suit, was, now in heights
    )
    return Effect(cards, tuple(filter(None, rose)), filled, _covered_card(before, last))


def _covered_card(before: Position, last: Led) -> Card | None:
    card = top(before, Pile.WASTE)
    if card is None or not isinstance(last, Turn) or last.up:
        return None
    return card if foundation_for(before.base, before.heights, card) is not None else None


def view(state: State, viewer: Viewer) -> View:
    position: Position = state.position
    cards = tuple(card_moves(position))
    return View(
        viewer=viewer,
        number=0 if state.day else state.number,
        day=state.day,
        par=state.par,
        again=state.again,
        base=position.base,
        heights=position.heights,
        foundations=tuple(map(_foundation, SUITS, position.heights, [position.base] * len(SUITS))),
        reserve=position.reserve[-1] if position.reserve else None,
        reserve_left=len(position.reserve),
        columns=position.columns,
        stock_left=len(position.stock),
        known=() if position.redeal_left else position.stock,
        waste=position.waste,
        redeal_left=position.redeal_left,
        legal=tuple(moves_with(state, cards)),
        made=state.moves,
        undos=state.undos,
        hints=state.hints,
        peeks=state.peeks,
        told=state.told,
        up=sum(position.heights),
        last=position.last,
        effect=_effect(state, position.last),
        won=position.is_won,
        stuck=not (cards or position.is_won),
        gaps_only=bool(cards)
        and all(isinstance(move, Place | Shift) and not position.columns[move.column] for move in cards),
        given_up=state.given_up,
        can_finish=can_finish(position),
        trail=() if outcome(state) is None else state.trail,
    )


_FIRST = Highlight(N_("The first card goes up"), is_first=True)
_FULL = N_("Foundation {n} is full")
_REDEAL = Highlight(N_("The redeal"), is_first=True)
_STUCK = N_("No moves are left")
_GIVEN_UP = N_("{name} gives up")
_WON = N_("{name} wins")


def moments(before: State, after: State) -> tuple[Highlight, ...]:
    was, now = before.position, after.position
    highlights = []
    if sum(now.heights) > sum(was.heights):
        highlights.append(_FIRST)
    if (full := now.heights.count(FULL)) > was.heights.count(FULL):
        highlights.append(Highlight(_FULL, n=full, is_first=True))
    if was.redeal_left and not now.redeal_left:
        highlights.append(_REDEAL)
    if now.is_won and not was.is_won:
        highlights.append(Highlight(_WON))
    elif now != was and next(iter(card_moves(now)), None) is None:
        highlights.append(Highlight(_STUCK))
    if after.given_up and not before.given_up:
        highlights.append(Highlight(_GIVEN_UP))
    return tuple(highlights)


LOOKBACK = Lookback(
    opened=partial(view, viewer=None), moments=moments, step=attrgetter("position", "given_up")
)

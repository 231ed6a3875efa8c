"""The rules of American Toad Solitaire (A1 to A12): which moves there are, and where they lead."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import assert_never

from bot.engine.cards import KING, PACK, Card
from bot.engine.errors import IllegalMoveError
from bot.engine.shuffle import SEED_BYTES, lot, shuffled
from bot.engine.words import _
from bot.games.american_toad.state import (
    COLUMNS,
    FOUNDATIONS,
    FULL,
    MOST_DEALS,
    PACKS,
    RESERVE_SIZE,
    SUITS,
    Advice,
    AllUp,
    CardMove,
    Move,
    Pile,
    Place,
    Position,
    Redeal,
    Redo,
    Rescue,
    Shift,
    State,
    Told,
    Turn,
    TurnOn,
    Undo,
    Up,
)


def deal_number(seed: bytes) -> int:
    """Return the number of the deal that a match's seed draws by lot."""
    return 1 + lot(MOST_DEALS, seed, "deal number")


def open_deal(number: int) -> State:
    """Return the first state of a deal: the same cards for everybody who plays this number (A1)."""
    seed = blake2b(f"american toad {number}".encode(), digest_size=SEED_BYTES).digest()
    cards = shuffled(PACK * PACKS, seed, "deal")
    reserve, cards = cards[:RESERVE_SIZE], cards[RESERVE_SIZE:]
    columns, cards = tuple((card,) for card in cards[:COLUMNS]), cards[COLUMNS:]
    first, stock = cards[0], cards[1:]
    heights = tuple(int(place == SUITS.index(first.suit)) for place in range(FOUNDATIONS))
    return State(number, Position(first.rank, heights, reserve, columns, stock, (), redeal_left=True))


def rank_after(rank: int) -> int:
    """Return the next rank up: an Ace after a King (A2, A4)."""
    return rank % KING + 1


def fits(card: Card, on: Card) -> bool:
    """Return whether a card goes onto another in a column: down in suit, King on Ace (A4)."""
    return card.suit is on.suit and rank_after(card.rank) == on.rank


def foundation_for(position: Position, card: Card) -> int | None:
    """Return the foundation that a card can go to now, or None (A2, A3)."""
    for place, (suit, height) in enumerate(zip(SUITS, position.heights, strict=True)):
        awaited = (position.base - 1 + height) % KING + 1
        if suit is card.suit and height < FULL and awaited == card.rank:
            return place
    return None


def top(position: Position, source: Pile | int) -> Card | None:
    """Return the top card of a pile or column, or None where it is empty."""
    cards = _cards(position, source)
    return cards[-1] if cards else None


def card_moves(position: Position) -> tuple[CardMove, ...]:
    """Return every move of a card there is, without undo and the like (A3 to A10)."""
    return (*_stock_moves(position), *_ups(position), *_places(position), *_shifts(position))


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return every move; none once the deal is won or given up (A11).

    Several turns of the stock, or several undos, are one move as well, and not listed.
    """
    position = state.position
    if position.is_won or state.given_up:
        return ()
    turn_on = [TurnOn(), TurnOn(up=True)] if position.stock else []
    all_up = [AllUp()] if any(_ups(position)) else []
    undo = [Undo()] if state.past else []
    redo = [Redo()] if state.future else []
    return (*card_moves(position), *turn_on, *all_up, *undo, *redo)


def is_stuck(position: Position) -> bool:
    """Return whether no card can move any more: lost, unless a move is taken back (A11)."""
    return not position.is_won and not card_moves(position)


def only_gaps_left(position: Position) -> bool:
    """Return whether cards can move, but none elsewhere than into an empty column (A11)."""
    moves = card_moves(position)
    return bool(moves) and all(
        isinstance(move, Place | Shift) and not position.columns[move.column] for move in moves
    )


def can_finish(position: Position) -> bool:
    """Return whether the table can finish by itself (A12)."""
    return not (position.reserve or position.stock or position.waste) and all_up(position).is_won


def play(state: State, move: Move) -> State:
    """Return the state after a move, or raise IllegalMoveError in a player's words."""
    move = recorded(state, move)
    if not _is_legal(state, move):
        raise IllegalMoveError(_refusal(state, move))
    if isinstance(move, Advice | Rescue):
        return _asked(state, move)
    state = replace(state, told=None)
    match move:
        case Undo(count):
            position, *taken_back = state.past[-count:]
            future = (*state.future, state.position, *reversed(taken_back))
            undone = replace(state, position=position, past=state.past[:-count], future=future)
            return replace(undone, undos=state.undos + count)
        case Redo():
            past = (*state.past, state.position)
            return replace(state, position=state.future[-1], past=past, future=state.future[:-1])
        case AllUp():
            after = all_up(state.position)
        case TurnOn():
            raise AssertionError("a turn until something fits is recorded as a turn")
        case _:
            after = moved(state.position, move)
    return replace(
        state, position=replace(after, last=move), past=(*state.past, state.position), future=()
    )


def recorded(state: State, move: Move) -> Move:
    """Return a legal move as the journal has it: a turn until something fits says how many cards."""
    if isinstance(move, TurnOn) and state.position.stock:
        return until_fits(state.position, up=move.up)
    return move


def until_fits(position: Position, *, up: bool) -> Turn:
    """Return the turn after which the waste's top card fits somewhere, or the whole stock."""
    count = 0
    while position.stock:
        position, count = moved(position, Turn(up=up)), count + 1
        card = top(position, Pile.WASTE)
        if card is not None and (
            foundation_for(position, card) is not None
            or any(fits(card, column[-1]) for column in position.columns if column)
        ):
            break
    return Turn(count, up)


def _asked(state: State, told: Told) -> State:
    """Return the state in which the player was told that; it is counted once for a position."""
    if state.told == told:
        return state
    if isinstance(told, Advice) and not told.peeked:
        return replace(state, told=told, hints=state.hints + 1)
    return replace(state, told=told, peeks=state.peeks + 1)


def _is_legal(state: State, move: Move) -> bool:
    """Return whether a move may be played; several turns or undos in a row are one move.

    To be told something is always allowed until the end, and where the deal was lost also after it.
    """
    if isinstance(move, Rescue):
        return not state.position.is_won
    if isinstance(move, Advice):
        return not (state.position.is_won or state.given_up)
    if isinstance(move, Turn | Undo) and move not in (Turn(), Undo()):
        room = state.position.stock if isinstance(move, Turn) else state.past
        return not (state.position.is_won or state.given_up) and 0 < move.count <= len(room)
    return move in legal_moves(state)


def withdraw(state: State) -> State:
    """Return the state of a deal that was given up."""
    if state.position.is_won or state.given_up:
        raise IllegalMoveError(_("This deal is over."))
    return replace(state, given_up=True)


def all_up(position: Position) -> Position:
    """Return the position after everything has gone up that can (A3)."""
    return deque(going_up(position), 1)[0]


def going_up(position: Position) -> Iterator[Position]:
    """Yield the position, and how it lies after each card that goes up, until none can (A3)."""
    yield position
    while move := next(_ups(position), None):
        position = moved(position, move)
        yield position


def moved(position: Position, move: CardMove) -> Position:
    """Return the position after a legal move of cards."""
    match move:
        case Turn(count, up=False):
            stock, turned = position.stock[:-count], position.stock[: -count - 1 : -1]
            return replace(position, stock=stock, waste=(*position.waste, *turned))
        case Turn(count):
            position = all_up(position)
            for _card in range(count):
                position = all_up(moved(position, Turn()))
            return position
        case Redeal():
            stock = position.waste[::-1]
            return replace(position, stock=stock, waste=(), redeal_left=False)
        case Up(source):
            card = _cards(position, source)[-1]
            place = foundation_for(position, card)
            heights = tuple(height + (at == place) for at, height in enumerate(position.heights))
            return _filled(replace(_without(position, source, 1), heights=heights))
        case Place(source, column):
            card = _cards(position, source)[-1]
            return _filled(_onto(_without(position, source, 1), column, (card,)))
        case Shift(source, column, count):
            cards = position.columns[source][-count:]
            return _filled(_onto(_without(position, source, count), column, cards))
        case _:
            assert_never(move)


def _stock_moves(position: Position) -> Iterator[CardMove]:
    """Yield turning the stock, or the one redeal (A9, A10)."""
    if position.stock:
        yield Turn()
    elif position.waste and position.redeal_left:
        yield Redeal()


def _ups(position: Position) -> Iterator[Up]:
    """Yield the moves to a foundation (A2, A3, A8)."""
    for source in (Pile.RESERVE, Pile.WASTE, *range(COLUMNS)):
        card = top(position, source)
        if card is not None and foundation_for(position, card) is not None:
            yield Up(source)


def _places(position: Position) -> Iterator[Place]:
    """Yield the moves of the reserve's and the waste's top card onto a column (A7, A8).

    The reserve fills an empty column by itself, so there is none left to fill while it has a card.
    """
    for source in Pile:
        card = top(position, source)
        for column, cards in enumerate(position.columns):
            if card is not None and (not cards or fits(card, cards[-1])):
                yield Place(source, column)


def _shifts(position: Position) -> Iterator[Shift]:
    """Yield the moves of the top part of a run, or all of it, onto a column (A5, A7)."""
    for source, run in enumerate(position.columns):
        for column, cards in enumerate(position.columns):
            if source == column or not run:
                continue
            if not cards:
                yield Shift(source, column, 1)
                continue
            for count in range(1, len(run) + 1):
                if fits(run[-count], cards[-1]):
                    yield Shift(source, column, count)


def _cards(position: Position, source: Pile | int) -> tuple[Card, ...]:
    if source is Pile.WASTE:
        return position.waste
    if source is Pile.RESERVE:
        return position.reserve
    return position.columns[source]


def _without(position: Position, source: Pile | int, count: int) -> Position:
    rest = _cards(position, source)[:-count]
    if source is Pile.WASTE:
        return replace(position, waste=rest)
    if source is Pile.RESERVE:
        return replace(position, reserve=rest)
    return _with_column(position, source, rest)


def _onto(position: Position, column: int, cards: tuple[Card, ...]) -> Position:
    return _with_column(position, column, position.columns[column] + cards)


def _with_column(position: Position, column: int, cards: tuple[Card, ...]) -> Position:
    columns = (*position.columns[:column], cards, *position.columns[column + 1 :])
    return replace(position, columns=columns)


def _filled(position: Position) -> Position:
    """Fill an empty column from the reserve at once, as long as there is one (A6)."""
    for column, cards in enumerate(position.columns):
        if not cards and position.reserve:
            card = position.reserve[-1]
            position = _onto(replace(position, reserve=position.reserve[:-1]), column, (card,))
    return position


def _refusal(state: State, move: Move) -> str:
    position = state.position
    match move:
        case _ if position.is_won or state.given_up:
            return _("This deal is over.")
        case Turn() | TurnOn() if not position.stock:
            return _("The stock is empty.")
        case Turn():
            return _("There aren't that many cards in the stock.")
        case Redeal():
            if position.stock:
                return _("You can only turn the waste over when the stock is empty.")
            return _("There is no redeal left.") if position.waste else _("The waste is empty.")
        case Undo() if state.past:
            return _("There aren't that many moves to undo.")
        case Undo():
            return _("There is nothing to undo.")
        case Redo():
            return _("There is nothing to redo.")
        case Up() | AllUp():
            return _("That card can't go to a foundation yet.")
        case _:
            return _("That card doesn't fit there: columns build down in suit, King on Ace.")

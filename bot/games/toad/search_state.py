"""Memory and options of Toad's computer player. Cards, hands and moves are represented by integers.

A card is represented by its index in the pack. Cards with the same colour and number of spots are of one
kind. A hand's worth is an integer that combines its red spots, its black spots and the number of its
cards of each kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from bot.engine.cards import PACK, Card
from bot.engine.frozen import frozen, replace_item
from bot.engine.lots import Lots
from bot.engine.opponent import new_events, seat_of
from bot.games.toad.state import (
    GOAL,
    Declare,
    Discard,
    Draw,
    EndTurn,
    Event,
    EventType,
    Move,
    Phase,
    TakeDiscard,
    TakeNothing,
    TakeStock,
    spots,
)
from bot.games.toad.view import View

NUMBER = {card: number for number, card in enumerate(PACK)}

BLACK_SHIFT, SUM_BITS, COUNT_BITS = 8, 16, 4
SUM_MASK = (1 << SUM_BITS) - 1
KINDS = 2 * GOAL
"""The number of kinds of cards. A kind is a combination of colour and number of spots."""


def _kind(card: Card) -> int:
    return spots(card) - 1 + (0 if card.suit.is_red else GOAL)


def _worth(kind: int) -> int:
    """Return the worth of one card of a kind, an integer that encodes its spots and its kind.

    The worth of a hand is the sum over its cards.
    """
    sum_ = kind + 1 if kind < GOAL else (kind + 1 - GOAL) << BLACK_SHIFT
    return sum_ + (1 << (SUM_BITS + COUNT_BITS * kind))


KIND = tuple(map(_kind, PACK))
WORTH_OF_KIND = tuple(map(_worth, range(KINDS)))
WORTH = tuple(WORTH_OF_KIND[kind] for kind in KIND)
TOAD_SUM = GOAL | GOAL << BLACK_SHIFT
MAXIMUS = WORTH_OF_KIND[GOAL - 1] + WORTH_OF_KIND[2 * GOAL - 1]

TAKE_STOCK, DRAW, TAKE_DISCARD, TAKE_NOTHING, END_TURN, DECLARE, DISCARD = 0, 4, 5, 6, 7, 8, 9
"""Moves as integers.

Taking a stock card is ``TAKE_STOCK`` plus its index. Discarding a card is ``DISCARD`` plus the card.
"""

_PLAIN: list[Move] = [
    *map(TakeStock, range(DRAW)),
    Draw(),
    TakeDiscard(),
    TakeNothing(),
    EndTurn(),
    Declare(),
]


def readable(move: int) -> Move:
    return _PLAIN[move] if move < DISCARD else Discard(PACK[move - DISCARD])


@frozen
class Memory:
    """Everything that a player has learned about the cards of a round by watching the table.

    Attributes:
        view: The latest view.
        known: For each seat, the cards in its hand that all players have seen.
        discards: The discard pile. Its top card comes last.
        mixed: The cards that the last reshuffle put into the draw pile, without those seen since then.
        blind: For each seat, the number of cards that it still holds and drew face down since the last
            reshuffle.
        passed: The seats that have passed in an unbroken row (T13).
        taken: The event that reports the card taken in the current turn, or None.
    """

    view: View
    known: tuple[frozenset[Card], ...]
    discards: tuple[Card, ...] = ()
    mixed: frozenset[Card] = frozenset()
    blind: tuple[int, ...] = ()
    passed: frozenset[int] = frozenset()
    taken: Event | None = None

    @property
    def seat(self) -> int:
        return seat_of(self.view.viewer)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards whose location this seat does not know. They are in other hands or the draw pile."""
        seen_cards = {*self.view.hand, *self.view.stock, *self.discards, *frozenset().union(*self.known)}
        return tuple(card for card in PACK if card not in seen_cards)

    @property
    def rivals(self) -> tuple[int, ...]:
        """The other seats that are not safe or out, in the order of their next turns."""
        seats = self.view.seats
        order = [(self.seat + step) % len(seats) for step in range(1, len(seats))]
        return tuple(seat for seat in order if not (seats[seat].is_out or seats[seat].safe))


_TAKING = (EventType.TOOK, EventType.DREW, EventType.TOOK_DISCARD)
_CLAIMS = (EventType.FALSE_CLAIM, EventType.TOAD, EventType.MAXIMUS)
_ENDING = (EventType.ENDED, EventType.PASSED, *_CLAIMS)


def recall(memory: Memory | None, view: View) -> Memory:
    if memory is None or memory.view.round != view.round:
        memory = Memory(view, (frozenset[Card](),) * len(view.seats), blind=(0,) * len(view.seats))
        events: Sequence[Event] = view.round_events
    else:
        events = new_events(memory.view.events, view.events)
    for event in events:
        memory = _heard(memory, event)
    memory = replace(memory, view=view, known=replace_item(memory.known, memory.seat, frozenset()))
    return replace(memory, mixed=memory.mixed.intersection(memory.unseen))


def _heard(memory: Memory, event: Event) -> Memory:
    seat, cards, discards = event.seat, frozenset(event.cards), memory.discards
    known_cards, blind, passed, take_event = (
        memory.known[seat],
        memory.blind[seat],
        memory.passed,
        memory.taken,
    )
    match event.what:
        case EventType.RESHUFFLED:
            mixed, blinds = frozenset(discards[:-1]), (0,) * len(memory.blind)
            return replace(memory, mixed=mixed, discards=discards[-1:], blind=blinds)
        case EventType.TOOK:
            known_cards |= cards
        case EventType.TOOK_DISCARD:
            known_cards, discards = known_cards | cards, discards[:-1]
        case EventType.DREW:
            blind += 1
        case EventType.DISCARDED:
            known_cards, discards = known_cards - cards, discards + event.cards
            blind = max(0, blind - (cards <= memory.mixed))
        case EventType.FALSE_CLAIM | EventType.TOAD | EventType.MAXIMUS:
            known_cards, blind = cards, 0
    if event.what in _TAKING:
        take_event = event
    elif event.what in _ENDING:
        take_event = None
        passed = passed | {seat} if event.what is EventType.PASSED else frozenset()
    hands, blinds = (
        replace_item(memory.known, seat, known_cards),
        replace_item(memory.blind, seat, blind),
    )
    return Memory(memory.view, hands, discards, memory.mixed, blinds, passed, take_event)


def world(memory: Memory, lots: Lots) -> tuple[list[list[int]], list[int]]:
    """Deal the hidden cards at random, consistent with everything that the seat knows.

    Returns:
        Each seat's hand, and the draw pile with its top card last.
    """
    view = memory.view
    unseen = lots.shuffle_items(memory.unseen)
    mixed = [NUMBER[card] for card in unseen if card in memory.mixed]
    old = [NUMBER[card] for card in unseen if card not in memory.mixed]
    hands: list[list[int]] = []
    for seat, (seat_view, known_cards) in enumerate(zip(view.seats, memory.known, strict=True)):
        cards = view.hand if seat == view.viewer else () if seat_view.is_out else known_cards
        hand = sorted(NUMBER[card] for card in cards)
        hidden = 0 if seat_view.is_out else seat_view.held - len(hand)
        late = min(memory.blind[seat], len(mixed), hidden)
        for number in range(hidden):
            hand.append(mixed.pop() if mixed and (number < late or not old) else old.pop())
        hands.append(hand)
    rest = old + mixed
    return hands, rest[len(rest) - view.draw_left :]


COLOUR_MASK = (1 << BLACK_SHIFT) - 1
IN_PACK = tuple(KIND.count(kind) for kind in range(KINDS))
WITHOUT = 1 << KINDS
"""The bit for *no card* in a bit set of kinds. It is set if a hand needs no more cards to be a toad."""

REMEMBERED_HANDS = 1 << 16


def is_toad(worth: int) -> bool:
    """Return whether a hand with this worth has exactly 10 red and 10 black spots (T8)."""
    return worth & SUM_MASK == TOAD_SUM


def distance(worth: int) -> int:
    return abs(GOAL - (worth & COLOUR_MASK)) + abs(GOAL - (worth >> BLACK_SHIFT & COLOUR_MASK))


def kinds_in(worth: int) -> tuple[int, ...]:
    counts = worth >> SUM_BITS
    one = (1 << COUNT_BITS) - 1
    return tuple(kind for kind in range(KINDS) if counts >> COUNT_BITS * kind & one)


@lru_cache(REMEMBERED_HANDS)
def completing(worth: int) -> int:
    """Return the kinds of cards that would complete a hand to 10 red and 10 black spots, as a bit set.

    One card of the hand may be discarded in the same turn.
    """
    kinds = _single(worth)
    for kind in kinds_in(worth):
        kinds |= _single(worth - WORTH_OF_KIND[kind])
    return kinds


def _single(worth: int) -> int:
    """Return the kind of card that completes a hand to 10 red and 10 black spots without a discard.

    The result is a bit set with one bit, or 0 if no single card completes the hand.
    """
    red = GOAL - (worth & COLOUR_MASK)
    black = GOAL - (worth >> BLACK_SHIFT & COLOUR_MASK)
    if not black and 0 <= red <= GOAL:
        return 1 << (red - 1) if red else WITHOUT
    return 1 << (GOAL + black - 1) if not red and 0 < black <= GOAL else 0


def bits(kinds: int) -> tuple[int, ...]:
    return tuple(kind for kind in range(KINDS) if kinds >> kind & 1)


@frozen
class TurnOption:
    """One possible way to play the rest of the current turn.

    Attributes:
        move: The next move.
        worth: The hand's worth at the end of the turn.
        kept: The kinds of the remaining stock cards, as a bit set.
        offered: The kinds of cards that the next seat can take, as a bit set.
        passes: Whether the turn counts as a pass (T6).
        off: The card to discard after the move, or None.
    """

    move: int
    worth: int
    kept: int
    offered: int
    passes: bool = False
    off: int | None = None


def hand_worth(memory: Memory) -> int:
    return sum(WORTH[NUMBER[card]] for card in memory.view.hand)


def kinds_of(cards: Iterable[Card | None]) -> int:
    return sum(1 << kind for kind in {KIND[NUMBER[card]] for card in cards if card is not None})


def takes(memory: Memory) -> list[TurnOption]:
    """Return all ways to play the rest of the turn, except those that draw a card. See ``draws``."""
    view = memory.view
    if view.phase is not Phase.TAKE:
        return discards(memory)
    worth, stock = hand_worth(memory), view.stock
    hand = [NUMBER[card] for card in view.hand]
    top = kinds_of(memory.discards[-1:])
    all_kept = kinds_of(stock)
    options: list[TurnOption] = []
    for place, card in enumerate(stock):
        if card is not None:
            stock_kinds = kinds_of(stock[:place] + stock[place + 1 :])
            new = NUMBER[card]
            options += _ends(place, worth + WORTH[new], [*hand, new], stock_kinds, top)
    if memory.discards:
        new = NUMBER[memory.discards[-1]]
        under = kinds_of(memory.discards[-2:-1])
        options += _ends(TAKE_DISCARD, worth + WORTH[new], hand, all_kept, under)
    options += _ends(TAKE_NOTHING, worth, hand, all_kept, top)[1:]
    options.append(TurnOption(END_TURN, worth, all_kept, all_kept | top, passes=True))
    return options


def discards(memory: Memory) -> list[TurnOption]:
    view, take_event = memory.view, memory.taken
    worth, stock_kinds = hand_worth(memory), kinds_of(view.stock)
    top = kinds_of(memory.discards[-1:])
    options = [TurnOption(END_TURN, worth, stock_kinds, stock_kinds | top, passes=take_event is None)]
    if view.phase is Phase.DISCARD:
        back = (
            take_event.cards[0]
            if take_event is not None and take_event.what is EventType.TOOK_DISCARD
            else None
        )
        for card in view.hand:
            number = NUMBER[card]
            offered = stock_kinds | 1 << KIND[number]
            options.append(
                TurnOption(
                    DISCARD + number, worth - WORTH[number], stock_kinds, offered, passes=card == back
                )
            )
    return options


def draws(memory: Memory, kind: int, worth_of_kind: int) -> list[TurnOption]:
    hand = [NUMBER[card] for card in memory.view.hand]
    stock_kinds = kinds_of(memory.view.stock)
    top = kinds_of(memory.discards[-1:])
    worth = hand_worth(memory) + worth_of_kind
    back = TurnOption(DRAW, worth - worth_of_kind, stock_kinds, stock_kinds | 1 << kind)
    return [*_ends(DRAW, worth, hand, stock_kinds, top), back]


def _ends(move: int, worth: int, hand: list[int], kept: int, top: int) -> list[TurnOption]:
    """Return the options for the discard that follows a move.

    The first option discards nothing. Each further option discards a card of a different kind.
    """
    options = {-1: TurnOption(move, worth, kept, kept | top)}
    for card in hand:
        kind = KIND[card]
        options.setdefault(kind, TurnOption(move, worth - WORTH[card], kept, kept | 1 << kind, off=card))
    return list(options.values())

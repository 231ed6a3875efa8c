"""What a seat of Toad remembers of a round: who took which card, and where the others must be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine.cards import PACK, Card
from bot.engine.thinking import Lots, fresh, seat_of
from bot.engine.values import changed, frozen
from bot.games.toad.compact import NUMBER
from bot.games.toad.state import Event, Happening
from bot.games.toad.view import View


@frozen
class Memory:
    """What the views of a seat over a round come to.

    ``known`` are the cards in each hand that all have seen, ``discards`` the discard pile, its top
    last. ``mixed`` are the cards that went into the draw pile at its last reshuffle and have not
    been seen since; ``blind`` counts the cards that each seat drew from it and still holds unseen.
    ``passed`` are the seats that passed in a row (T13), ``taken`` is what this turn took.
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
        """The cards that lie where this seat cannot see them: in other hands and the draw pile."""
        seen = {*self.view.hand, *self.view.stock, *self.discards, *frozenset().union(*self.known)}
        return tuple(card for card in PACK if card not in seen)

    @property
    def rivals(self) -> tuple[int, ...]:
        """The other seats that are not safe, in the order in which they will move."""
        seats = self.view.seats
        order = [(self.seat + step) % len(seats) for step in range(1, len(seats))]
        return tuple(seat for seat in order if not (seats[seat].out or seats[seat].safe))


_TAKING = (Happening.TOOK, Happening.DREW, Happening.TOOK_DISCARD)
_CLAIMS = (Happening.FALSE_CLAIM, Happening.TOAD, Happening.MAXIMUS)
_ENDING = (Happening.ENDED, Happening.PASSED, *_CLAIMS)


def recall(memory: Memory | None, view: View) -> Memory:
    nothing = (0,) * len(view.seats)
    if memory is None or memory.view.round != view.round:
        memory = Memory(view, (frozenset[Card](),) * len(view.seats), blind=nothing)
        events: Sequence[Event] = view.round_events
    else:
        events = fresh(memory.view.events, view.events)
    known, discards, mixed, blind = memory.known, memory.discards, memory.mixed, memory.blind
    passed, taken = memory.passed, memory.taken
    for event in events:
        if event.what in _TAKING:
            taken = event
        elif event.what in _ENDING:
            taken = None
            passed = passed | {event.seat} if event.what is Happening.PASSED else frozenset()
        if event.what is Happening.RESHUFFLED:
            mixed, discards, blind = frozenset(discards[:-1]), discards[-1:], nothing
            continue
        discards = _discards(discards, event)
        blind = _blind(blind, event, mixed)
        known = _known(known, event)
    if view.viewer is not None:
        known = changed(known, view.viewer, frozenset())
    seen = {*view.hand, *view.stock, *discards, *frozenset().union(*known)}
    return Memory(view, known, discards, mixed - seen, blind, passed, taken)


def _discards(discards: tuple[Card, ...], event: Event) -> tuple[Card, ...]:
    if event.what is Happening.DISCARDED:
        return discards + event.cards
    return discards[:-1] if event.what is Happening.TOOK_DISCARD else discards


def _known(known: tuple[frozenset[Card], ...], event: Event) -> tuple[frozenset[Card], ...]:
    seat = event.seat
    match event.what:
        case Happening.TOOK | Happening.TOOK_DISCARD:
            return changed(known, seat, known[seat] | set(event.cards))
        case Happening.DISCARDED:
            return changed(known, seat, known[seat] - set(event.cards))
        case _ if event.what in _CLAIMS:
            return changed(known, seat, frozenset(event.cards))
        case _:
            return known


def _blind(blind: tuple[int, ...], event: Event, mixed: Iterable[Card]) -> tuple[int, ...]:
    seat = event.seat
    match event.what:
        case Happening.DREW:
            return changed(blind, seat, blind[seat] + 1)
        case Happening.DISCARDED if event.cards[0] in mixed:
            return changed(blind, seat, max(0, blind[seat] - 1))
        case _ if event.what in _CLAIMS:
            return changed(blind, seat, 0)
        case _:
            return blind


def world(memory: Memory, lots: Lots) -> tuple[list[list[int]], list[int]]:
    """Return a way in which the unseen cards may lie: the hands, and the draw pile, its top last."""
    view = memory.view
    unseen = lots.shuffled(memory.unseen)
    mixed = [NUMBER[card] for card in unseen if card in memory.mixed]
    old = [NUMBER[card] for card in unseen if card not in memory.mixed]
    hands: list[list[int]] = []
    for seat, (shown, known) in enumerate(zip(view.seats, memory.known, strict=True)):
        held = view.hand if seat == view.viewer else () if shown.out else known
        hand = sorted(NUMBER[card] for card in held)
        hidden = 0 if shown.out else shown.held - len(hand)
        late = min(memory.blind[seat], len(mixed), hidden)
        for number in range(hidden):
            hand.append(mixed.pop() if mixed and (number < late or not old) else old.pop())
        hands.append(hand)
    rest = old + mixed
    return hands, rest[len(rest) - view.draw_left :]

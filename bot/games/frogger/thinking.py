"""How an opponent plays Frogger: what it remembers, and its choice of the next action."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from bot.engine.decktet import BASIC, DecktetCard
from bot.engine.thinking import Lots, Strength, Thinking, fresh, seat_of
from bot.engine.values import frozen
from bot.games.frogger.compact import NUMBER, Action, Pond, bits_of, course_of, readable
from bot.games.frogger.planning import best_first, nearness, standing
from bot.games.frogger.state import Happening, Move
from bot.games.frogger.view import View
from bot.games.frogger.words import reason


@frozen
class Memory:
    """What the views of a seat over a match come to.

    ``view`` is the last one, without the choices it offers. ``discards`` are the cards known to be
    discarded, ``returned`` those that a reshuffle brought back into the draw pile.
    """

    view: View
    discards: tuple[DecktetCard, ...] = ()
    returned: frozenset[DecktetCard] = frozenset()

    @property
    def seat(self) -> int:
        return seat_of(self.view.viewer)

    @property
    def unseen(self) -> tuple[DecktetCard, ...]:
        """The cards never seen so far: in other hands, the draw pile, or thrown away with a hand."""
        seen = _seen(self.view) | set(self.discards) | self.returned
        return tuple(card for card in BASIC if card not in seen)


def _seen(view: View) -> set[DecktetCard]:
    """Return the cards that lie open, are held for all to know, or are the seat's own."""
    known = (card for seat in view.seats for card in seat.known)
    return {*view.corridor, *view.market, *view.hand, *known}


def recall(memory: Memory | None, view: View) -> Memory:
    memory = memory or Memory(replace(view, events=()))
    discards, returned = memory.discards, memory.returned
    for event in fresh(memory.view.events, view.events):
        match event.what:
            case Happening.PLAYED if event.card is not None:
                discards = (*discards, event.card)
            case Happening.LEFT:
                discards = (*discards, *memory.view.seats[event.seat].known)
            case Happening.RESHUFFLED:
                discards, returned = (), frozenset(discards)
            case _:
                pass
    returned = returned - _seen(view) - set(discards)
    return Memory(replace(view, moves=(), landings=()), discards, returned)


def world(memory: Memory, lots: Lots) -> Pond:
    """Return the match as it may lie: what the seat cannot know is dealt by lot."""
    view = memory.view
    course = course_of(view.corridor)
    unseen = lots.shuffled(memory.unseen)
    hands = []
    for place, seat in enumerate(view.seats):
        if place == memory.seat:
            hands.append(bits_of(view.hand))
            continue
        hidden = seat.held - len(seat.known)
        hands.append(bits_of(seat.known) | bits_of(unseen[:hidden]))
        unseen = unseen[hidden:]
    draw = lots.shuffled([*unseen, *sorted(memory.returned, key=NUMBER.__getitem__)])
    return Pond(
        course=course,
        frogs=[sum(map(course.bit, seat.frogs.path)) for seat in view.seats],
        start=[seat.frogs.start for seat in view.seats],
        home=[seat.frogs.home for seat in view.seats],
        hands=hands,
        market=bits_of(view.market),
        draw=[NUMBER[card] for card in draw[: view.left]],
        discards=[NUMBER[card] for card in memory.discards],
        turn=view.turn,
        done=view.done,
        gone=sum(1 << place for place, seat in enumerate(view.seats) if seat.gone),
        shuffle=lots.shuffled,
    )


WAVERING = 8.0
"""How many cards of the corridor a tadpole may misjudge a move by."""

WORLDS = 4


def choose(memory: Memory, strength: Strength, lots: Lots) -> Move:
    pond = world(memory, lots)
    moves = pond.legal_moves()
    if len(moves) == 1:
        move = moves[0]
    elif strength is Strength.TADPOLE:
        move = max(moves, key=lambda move: nearness(pond, move) + WAVERING * lots.fraction())
    elif strength is Strength.FROGLET:
        move = max(moves, key=lambda move: _standing_after(pond, move))
    else:
        others = (world(memory, lots) for _ in range(WORLDS - 1))
        move = best_first(pond, chain((pond,), others))
    return readable(pond.course, move)


def _standing_after(pond: Pond, move: Action) -> float:
    after = pond.copy()
    after.play(move)
    return standing(after, pond.turn)


THINKING: Thinking[View, Memory, Move] = Thinking(recall=recall, choose=choose, reason=reason)

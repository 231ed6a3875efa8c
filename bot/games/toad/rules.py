"""Rules of a turn of Toad (T4 to T11, T14)."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from bot.engine.cards import Card
from bot.engine.errors import IllegalMoveError
from bot.engine.frozen import replace_item
from bot.engine.shuffle import shuffle_items
from bot.engine.translation import N_, _
from bot.games.toad.match import deal_round, is_pass, next_turn, round_end
from bot.games.toad.state import (
    TURN,
    Deal,
    Declare,
    Discard,
    Draw,
    EndTurn,
    Event,
    EventType,
    Move,
    Pass,
    Phase,
    State,
    TakeDiscard,
    TakeNothing,
    TakeStock,
    add_event,
    is_maximus,
    is_toad,
)

_NOTHING_THERE = {
    TakeStock: N_("That place in the stock is empty."),
    Draw: N_("There are no cards left to draw."),
    TakeDiscard: N_("The discard pile is empty."),
}


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return all legal moves of the current player (T4).

    At each step of a turn, the player may also end the turn or claim a toad.
    """
    match state.phase:
        case Phase.TAKE:
            stock = [TakeStock(place) for place, card in enumerate(state.stock) if card]
            draw = [Draw()] if can_draw(state) else []
            discard = [TakeDiscard()] if state.discards else []
            return (*stock, *draw, *discard, TakeNothing(), EndTurn(), Declare())
        case Phase.DISCARD:
            return (*map(Discard, state.hands[state.turn]), EndTurn(), Declare())
        case Phase.CLAIM:
            return (EndTurn(), Declare())
        case Phase.DEAL:
            return (Deal(),)
        case Phase.OVER:
            return ()
        case _:
            assert_never(state.phase)


def can_draw(state: State) -> bool:
    """Return whether a card can be drawn, possibly after a reshuffle (T7)."""
    return bool(state.draw) or len(state.discards) > 1


def play(state: State, move: Move) -> State:
    """Return the state after a move by the current player.

    ``Pass`` is accepted at each step of a turn, but only the clock makes this move.

    Raises:
        IllegalMoveError: The rules do not allow the move.
    """
    if move not in legal_moves(state) and (move != Pass() or state.phase not in TURN):
        raise IllegalMoveError(_refusal(state, move))
    match move:
        case TakeStock(place):
            return _take_stock(state, place)
        case Draw():
            return _draw(state)
        case TakeDiscard():
            return _take_discard(state)
        case TakeNothing():
            return replace(state, phase=Phase.DISCARD)
        case Discard(card):
            return _discard(state, card)
        case EndTurn():
            return _end_turn(state)
        case Pass():
            return _end_turn(add_event(state, Event(EventType.RAN_OUT, state.turn)))
        case Declare():
            return _declare(state)
        case Deal():
            return deal_round(state)
        case _:
            assert_never(move)


def note_substitute(state: State, seat: int) -> State:
    return add_event(state, Event(EventType.STOOD_IN, seat)) if state.phase is Phase.TAKE else state


def _refusal(state: State, move: Move) -> str:
    match move:
        case _ if state.phase is Phase.OVER:
            return _("This match is over.")
        case _ if state.phase is Phase.DEAL:
            return _("The round is over. The next one is about to be dealt.")
        case Deal():
            return _("This round isn't over yet.")
        case TakeStock() | Draw() | TakeDiscard() | TakeNothing() if state.phase is not Phase.TAKE:
            return _("You can only take once per turn.")
        case TakeStock() | Draw() | TakeDiscard():
            return _(_NOTHING_THERE[type(move)])
        case Discard(card) if card not in state.hands[state.turn]:
            return _("You don't have {card}.").format(card=card)
        case Discard():
            return (
                _("Take a card first, or press **Only discard**.")
                if state.phase is Phase.TAKE
                else _("You can only discard once per turn.")
            )
        case _:
            return _("You can't do that now.")


def _take_stock(state: State, place: int) -> State:
    """Take a stock card. The next card of the draw pile, if any, fills its place (T4, T5, T7)."""
    card = state.stock[place]
    assert card is not None, "legal_moves offers no gap"
    state = _take_card(state, card, Event(EventType.TOOK, state.turn, (card,)))
    if not can_draw(state):
        return replace(state, stock=replace_item(state.stock, place, None))
    state = _refill_stock(state)
    return replace(state, stock=replace_item(state.stock, place, state.draw[0]), draw=state.draw[1:])


def _draw(state: State) -> State:
    """Take the draw pile's top card, which the other players do not see (T4, T7)."""
    state = _refill_stock(state)
    card, rest = state.draw[0], state.draw[1:]
    return _take_card(replace(state, draw=rest), card, Event(EventType.DREW, state.turn))


def _take_discard(state: State) -> State:
    """Take the discard pile's top card (T4)."""
    card, rest = state.discards[-1], state.discards[:-1]
    return _take_card(
        replace(state, discards=rest), card, Event(EventType.TOOK_DISCARD, state.turn, (card,))
    )


def _take_card(state: State, card: Card, event: Event) -> State:
    hands = replace_item(state.hands, state.turn, (*state.hands[state.turn], card))
    return replace(add_event(state, event), hands=hands, phase=Phase.DISCARD)


def _refill_stock(state: State) -> State:
    """If the draw pile is empty, shuffle all discards but the top one into a new draw pile (T7)."""
    if state.draw:
        return state
    number = state.reshuffles + 1
    draw = shuffle_items(state.discards[:-1], state.seed, f"round {state.round} reshuffle {number}")
    state = add_event(state, Event(EventType.RESHUFFLED, state.turn, count=len(draw)))
    return replace(state, draw=draw, discards=state.discards[-1:], reshuffles=number)


def _discard(state: State, card: Card) -> State:
    """Put a card on the discard pile. It may be the card that was taken in this turn (T4, T6)."""
    seat = state.turn
    hand = tuple(other for other in state.hands[seat] if other != card)
    return replace(
        add_event(state, Event(EventType.DISCARDED, seat, (card,))),
        hands=replace_item(state.hands, seat, hand),
        shown=replace_item(state.shown, seat, state.shown[seat] - {card}),
        discards=(*state.discards, card),
        phase=Phase.CLAIM,
    )


def _end_turn(state: State) -> State:
    """End the turn without claiming a toad.

    If all players without a toad have now passed, the round ends (T6, T13).
    """
    seat = state.turn
    if is_pass(state):
        state = replace(add_event(state, Event(EventType.PASSED, seat)), passed=state.passed | {seat})
    else:
        state = replace(add_event(state, Event(EventType.ENDED, seat)), passed=frozenset())
    return round_end(state) or next_turn(state)


def _declare(state: State) -> State:
    """Check the claim that a hand is a toad, and end the turn (T9).

    A claim interrupts a series of passes (T13).
    """
    seat = state.turn
    hand = state.hands[seat]
    state = replace(state, passed=frozenset())
    if not is_toad(hand):
        state = add_event(state, Event(EventType.FALSE_CLAIM, seat, hand))
        return next_turn(replace(state, shown=replace_item(state.shown, seat, frozenset(hand))))  # T10
    state = _hail(state, seat, is_maximus(hand))
    return round_end(state) or next_turn(state)


def _giver(state: State) -> int | None:
    """Return the seat that discarded the card taken in this turn.

    Return None if the card was not another seat's latest discard.
    """
    new = [(card,) for card in state.hands[state.turn] if card not in state.before[0]]
    last = [event for event in state.events if event.cards in new][-2:]
    is_given = [event.what for event in last] == [EventType.DISCARDED, EventType.TOOK_DISCARD]
    return last[0].seat if is_given and last[0].seat != state.turn else None


def _hail(state: State, seat: int, maximus: bool) -> State:
    """Mark a player with a toad as safe, and show the hand to all players (T11).

    If the toad is a Toadus Maximus, the player wins a lost life back from the pot (T14).
    """
    hand = state.hands[seat]
    tally, turns = state.tallies[seat], state.turns[seat]
    tally = replace(
        tally,
        toads=tally.toads + 1,
        maximus=tally.maximus + maximus,
        quickest=min(tally.quickest or turns, turns),
    )
    what = EventType.MAXIMUS if maximus else EventType.TOAD
    state = replace(
        add_event(state, Event(what, seat, hand, count=turns, by=_giver(state))),
        safe=state.safe | {seat},
        shown=replace_item(state.shown, seat, frozenset(hand)),
        tallies=replace_item(state.tallies, seat, tally),
    )
    if not maximus or state.lives[seat] >= state.full:
        return state
    return replace(
        add_event(state, Event(EventType.LIFE_BACK, seat)),
        lives=replace_item(state.lives, seat, state.lives[seat] + 1),
        pot=state.pot - 1,
    )

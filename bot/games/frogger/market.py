"""The market of Frogger: cards taken from it, and when it is refilled (F8, F9)."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.decktet import DecktetCard
from bot.engine.shuffle import shuffled
from bot.games.frogger.state import MARKET_SIZE, Event, Happening, State, changed, told, without


def taken_by(state: State, seat: int, card: DecktetCard) -> State:
    """Move a market card to a hand, seen by all (F10)."""
    return replace(
        state,
        market=without(state.market, card),
        hands=changed(state.hands, seat, (*state.hands[seat], card)),
        known=changed(state.known, seat, state.known[seat] | {card}),
    )


def filled(state: State) -> State:
    """Refill the market with six once it is empty, at once; with too few cards it is smaller (F9).

    Where the draw pile is short, what is left is dealt, then the discards are shuffled.
    """
    if state.market or not (state.draw or state.discards):
        return state
    market, draw, discards = state.draw[:MARKET_SIZE], state.draw[MARKET_SIZE:], state.discards
    number = state.reshuffles
    if len(market) < MARKET_SIZE and discards:
        number += 1
        draw, discards = shuffled(discards, state.seed, f"reshuffle {number}"), ()
        state = told(state, Event(Happening.RESHUFFLED, state.turn, count=len(draw)))
        missing = MARKET_SIZE - len(market)
        market, draw = (*market, *draw[:missing]), draw[missing:]
    state = told(state, Event(Happening.REFILLED, state.turn, count=len(market)))
    return replace(state, market=market, draw=draw, discards=discards, reshuffles=number)

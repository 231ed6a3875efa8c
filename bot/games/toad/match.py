"""A match of Toad from outside: dealt, whose move it is, how it ended, and what is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace

from bot.engine.cards import Card
from bot.engine.game import Outcome
from bot.games.toad.info import COUNT
from bot.games.toad.rounds import open_match
from bot.games.toad.state import TURN, Deal, EndTurn, Move, Phase, State


def deal(seats: int, options: Mapping[str, int], seed: bytes) -> State:
    """Return the first round, dealt (T1 to T3)."""
    counts = bool(options.get(COUNT, True))
    return replace(open_match(seats, options["lives"], seed), counts=counts)


def to_move(state: State) -> int | None:
    """Return the awaited seat; between two rounds, the dealer's."""
    return None if state.phase is Phase.OVER else state.turn


def automatic(state: State) -> Move | None:
    """Return the deal of the next round: it starts by itself (T2)."""
    return Deal() if state.phase is Phase.DEAL else None


def passing(state: State) -> Move | None:
    """Return the end of the turn, without a claim: nothing more is taken or discarded (T4)."""
    return EndTurn() if state.phase in TURN else None


def remaining(state: State) -> tuple[int, ...]:
    """Return the seats that still have lives (T15)."""
    return () if state.phase is Phase.OVER else state.playing


def outcome(state: State) -> Outcome | None:
    """Return how the match ended: the last one left won, or nobody did (T15)."""
    return Outcome(state.playing) if state.phase is Phase.OVER else None


def tally(state: State) -> tuple[Mapping[str, int], ...]:
    """Return toads, Toadus Maximus, rounds survived and the pot collected, by seat."""
    return tuple(asdict(tally) for tally in state.tallies)


def every_card(state: State) -> tuple[Card, ...]:
    """Return hands, stock, draw pile and discard pile."""
    held = [card for hand in state.hands for card in hand]
    stock = [card for card in state.stock if card]
    return (*held, *stock, *state.draw, *state.discards)

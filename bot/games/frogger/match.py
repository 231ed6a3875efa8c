"""A match of Frogger from outside: what is known before it, dealt, how it ended, what is counted."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.decktet import DecktetCard
from bot.engine.game import Figure, Info, Outcome
from bot.engine.words import N_
from bot.games.frogger.rules import open_match
from bot.games.frogger.state import State


def deal(seats: int, _options: Mapping[str, int], seed: bytes) -> State:
    """Return the first state, dealt (F1, F2, F13)."""
    return open_match(seats, seed)


def to_move(state: State) -> int | None:
    return state.turn if state.winner is None else None


def remaining(state: State) -> tuple[int, ...]:
    return state.playing if state.winner is None else ()


def outcome(state: State) -> Outcome | None:
    """Return how the match ended: somebody's frogs are all home, or the last one left (F12)."""
    return None if state.winner is None else Outcome((state.winner,))


def is_decided(state: State) -> bool:
    return any(frogs.home for frogs in state.frogs)


def tally(state: State) -> tuple[Mapping[str, int], ...]:
    return tuple(
        {"home": frogs.home, "sent": sent} for frogs, sent in zip(state.frogs, state.sent, strict=True)
    )


def every_card(state: State) -> tuple[DecktetCard, ...]:
    held = [card for hand in state.hands for card in hand]
    return (*state.corridor, *held, *state.market, *state.draw, *state.discards)


RULES_VERSION = 2

INFO = Info(
    key="frogger",
    name="Frogger (for the Decktet)",
    about="Frogger, a race with the Decktet for 2 to 5",
    aim=N_("A race: play cards to jump along the corridor, and be the first with all six frogs home."),
    fewest=2,
    most=5,
    options=(),
    figures=(Figure("home", N_("Frogs home")), Figure("sent", N_("Sent back"))),
    rules_version=RULES_VERSION,
    hidden_hands=True,
)

"""Tables of Toad laid out card by card, and moves in the game's own notation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.engine.cards import PACK, Card, card_of
from bot.games.toad import GAME
from bot.games.toad.state import Event, EventType, Phase, State

SEED = b"toad" * 8


def parse_cards(codes: str) -> tuple[Card, ...]:
    """Return the cards of codes such as ``"8H 2D"``."""
    found = [card_of(code) for code in codes.split()]
    assert all(found), codes
    return tuple(card for card in found if card)


def joined_codes(some: Iterable[Card | None]) -> str:
    """Return cards as text, with a gap as ``--``."""
    return " ".join(card.code if card else "--" for card in some)


def new_state(
    *hands: str,
    stock: str = "",
    draw: str | None = None,
    discards: str = "",
    out_of_play: int | None = None,
    lives: tuple[int, ...] | None = None,
    full: int = 3,
    turn: int = 0,
    dealer: int | None = None,
    safe: Iterable[int] = (),
) -> State:
    """Return a round with these cards, at the start of a turn.

    The cards not named are the draw pile. If ``draw`` is given, they are in the hand of the seat
    ``out_of_play``. Missing lives are in the pot.
    """
    seats = len(hands)
    lives = lives or (full,) * seats
    held = [parse_cards(hand) for hand in hands]
    laid = tuple(card_of(code) for code in stock.split())
    pile, named = parse_cards(discards), parse_cards(draw or "")
    used = {*laid, *pile, *named, *(card for hand in held for card in hand)}
    rest = tuple(card for card in PACK if card not in used)
    if draw is not None and out_of_play is not None:
        held[out_of_play] += rest
    state = replace(
        GAME.deal(seats, {"lives": full}, SEED),
        lives=lives,
        pot=seats * full - sum(lives),
        dealer=(turn - 1) % seats if dealer is None else dealer,
        turn=turn,
        hands=tuple(held),
        safe=frozenset(safe),
        stock=laid or (None,) * 4,
        draw=rest if draw is None else named,
        discards=pile,
        events=(),
    )
    assert sorted(map(str, GAME.every_card(state))) == sorted(map(str, PACK)), "52 cards, each once"
    return replace(state, before=(frozenset(held[turn]), state.stock, state.discards))


def play_moves(state: State, *texts: str) -> State:
    """Return the state after moves given as text."""
    for text in texts:
        state = GAME.play(state, GAME.read(text, state))
    return state


def legal_move_texts(state: State) -> set[str]:
    """Return the legal moves as text."""
    return {GAME.write(move) for move in GAME.legal_moves(state)}


def event_types(state: State) -> list[EventType]:
    """Return the latest events, oldest first."""
    return [event.what for event in state.events]


def last_event(state: State, what: EventType) -> Event:
    """Return the last event of a kind."""
    return next(event for event in reversed(state.events) if event.what is what)


def is_round_over(state: State) -> bool:
    """Return whether the round has ended."""
    return state.phase in (Phase.DEAL, Phase.OVER)

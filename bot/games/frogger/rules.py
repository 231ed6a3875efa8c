"""Rules of Frogger (F1 to F16).

Each player moves six frogs from the Excuse, the card at the start of the corridor, to home at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from bot.engine.decktet import ACE, BASIC, CROWN, PAWNS, DecktetCard, DecktetSuit
from bot.engine.errors import IllegalMoveError
from bot.engine.frozen import replace_item
from bot.engine.shuffle import lot, shuffle_items
from bot.engine.translation import _
from bot.games.frogger.state import (
    ACTIONS,
    CORRIDOR_BASICS,
    FROGS,
    HAND_SIZE,
    MARKET_SIZE,
    Back,
    EndTurn,
    Event,
    EventType,
    Frogs,
    LegalMove,
    Move,
    Pass,
    Play,
    Space,
    State,
    Take,
    add_event,
    remove_card,
    spaces_of,
)

HOME, TURNS = "home", "turns"
"""The keys of a duel's options.

``HOME`` is the number of frogs that are already home at the start. ``TURNS`` is the maximum number of
turns per seat, and 0 means no limit.
"""


def deal(seats: int, options: Mapping[str, int], seed: bytes) -> State:
    """Return the first state of a match. The first player is drawn by lot (F1, F2, F13)."""
    home = options.get(HOME, 0)
    deck = shuffle_items(BASIC, seed, "deck")
    corridor = shuffle_items((*deck[:CORRIDOR_BASICS], *PAWNS), seed, "corridor")
    rest = deck[CORRIDOR_BASICS:]
    hands = tuple(rest[HAND_SIZE * seat : HAND_SIZE * (seat + 1)] for seat in range(seats))
    rest = rest[HAND_SIZE * seats :]
    first = lot(seats, seed, "first player")
    state = State(
        seed=seed,
        corridor=corridor,
        frogs=(Frogs(FROGS - home, home),) * seats,
        hands=hands,
        known=(frozenset[DecktetCard](),) * seats,
        market=rest[:MARKET_SIZE],
        draw=rest[MARKET_SIZE:],
        discards=(),
        turn=first,
        sent=(0,) * seats,
        turns_left=seats * options.get(TURNS, 0),
    )
    return add_event(state, Event(EventType.STARTED, first))


def legal_moves(state: State) -> tuple[LegalMove, ...]:
    """Return all legal moves of the current player (F4, F5, F7, F8, F11)."""
    if state.winner is not None:
        return ()
    if state.is_blocked:
        return tuple(map(Take, state.market))
    end = (EndTurn(),) if state.done else ()
    return (*_plays(state), *_backs(state), *end)


def _plays(state: State) -> Iterator[Play]:
    frogs: tuple[Space | None, ...] = state.frogs[state.turn].path
    if state.frogs[state.turn].start:
        frogs = (None, *frogs)
    for card in state.hand:
        for suit in card.suits:
            for frog in frogs:
                yield Play(card, suit, frog)


def _backs(state: State) -> Iterator[Back]:
    for frog in state.frogs[state.turn].path:
        for to in landings_behind(state, frog):
            cards: tuple[DecktetCard | None, ...] = may_take(state.market, to)
            for card in cards or (None,):
                yield Back(frog, to, card)


def landing_ahead(
    corridor: tuple[DecktetCard, ...], taken: frozenset[Space], frog: Space | None, suit: DecktetSuit
) -> Space | None:
    """Return the space on which a frog lands if it moves forward with a suit (F5).

    This is the first free symbol of the suit on a card ahead of the frog. Return None if there is no
    such symbol. The frog then moves home.

    Args:
        corridor: The corridor cards.
        taken: The spaces that have a frog.
        frog: The frog's space, or None for a frog on the Excuse.
        suit: The suit that the card is played for.
    """
    first = 0 if frog is None else frog.place + 1
    ahead = (place for place in range(first, len(corridor)) if suit in corridor[place].suits)
    spaces = (Space(place, suit.value) for place in ahead)
    return next((space for space in spaces if space not in taken), None)


def landings_behind(state: State, frog: Space) -> tuple[Space | None, ...]:
    """Return the spaces to which a frog may move back (F7).

    These are the free symbols on the nearest card behind the frog that has a free symbol. If there is no
    such card, the only item is None, which stands for the Excuse, the start card.
    """
    taken = state.occupied_spaces
    for place in reversed(range(frog.place)):
        free = tuple(space for space in spaces_of(state.corridor, place) if space not in taken)
        if free:
            return free
    return (None,)


def may_take(market: tuple[DecktetCard, ...], to: Space | None) -> tuple[DecktetCard, ...]:
    """Return the market cards that a player may take after moving a frog back (F8).

    Cards with the suit of the frog's new space are excluded. If the frog moves back to the Excuse, every
    card is allowed.
    """
    return tuple(card for card in market if to is None or to.suit not in card.suits)


def sent_back(state: State, card: DecktetCard, to: Space | None) -> tuple[tuple[int, Space], ...]:
    """Return the frogs that a played card sends back to the start, as pairs of seat and space (F6)."""
    if card.rank not in (ACE, CROWN) or to is None:
        return ()
    return tuple(
        (seat, space)
        for seat, frogs in enumerate(state.frogs)
        for space in frogs.path
        if space.place == to.place
    )


def play(state: State, move: Move) -> State:
    """Return the state after a move by the current player.

    ``Pass`` is accepted while the match is in progress, but only the clock makes this move (F15).

    Raises:
        IllegalMoveError: The rules do not allow the move.
    """
    if move not in legal_moves(state) and (move != Pass() or state.winner is not None):
        raise IllegalMoveError(_refusal(state, move))
    match move:
        case Play():
            return _after_action(_play(state, move))
        case Back():
            return _after_action(_back(state, move))
        case Take(card):
            state = take_card(
                add_event(state, Event(EventType.TOOK, state.turn, card)), state.turn, card
            )
            return next_turn(refill_market(state))
        case EndTurn():
            return next_turn(add_event(state, Event(EventType.STOPPED, state.turn, count=state.done)))
        case Pass():
            return next_turn(add_event(state, Event(EventType.RAN_OUT, state.turn)))
        case _:
            assert_never(move)


def note_substitute(state: State, seat: int) -> State:
    return state if state.done else add_event(state, Event(EventType.STOOD_IN, seat))


def _refusal(state: State, move: Move) -> str:
    match move:
        case _ if state.winner is not None:
            return _("This match is over.")
        case _ if state.is_blocked:
            return _("No cards, and no frog in the corridor: take one card from the market.")
        case EndTurn():
            return _("You need at least one action first: play a card or move a frog back.")
        case Take():
            return _(
                "You can only take a card like that if you have no cards and no frog in the corridor."
            )
        case Play(card) if card not in state.hand:
            return _("You don't have {card}.").format(card=card)
        case Play(card, suit) if suit not in card.suits:
            return _("There's no {suit} on {card}.").format(card=card, suit=suit.symbol)
        case Play() | Back() if move.frog is not None and move.frog not in state.path:
            return _("You have no frog there.")
        case Play():
            return _("You have no frog on the Excuse.")
        case Back(frog, to) if to not in landings_behind(state, frog):
            return _("A frog moves back to the nearest card behind it with a free symbol.")
        case Back(_, to, card) if card is not None and card in state.market and to is not None:
            return _("You can't take {card}: it has {suit}, the suit your frog lands on.").format(
                card=card, suit=to.suit.symbol
            )
        case Back(_, _, None):
            return _("Moving a frog back earns you a card from the market: choose one.")
        case _:
            return _("That card isn't in the market.")


def _play(state: State, move: Play) -> State:
    """Play a card and move a frog forward or home (F5).

    An Ace or a Crown sends all other frogs on the card that the frog reaches back to the start (F6).
    """
    seat = state.turn
    to = landing_ahead(state.corridor, state.occupied_spaces, move.frog, move.suit)
    victims = sent_back(state, move.card, to)
    state = add_event(state, Event(EventType.PLAYED, seat, move.card, move.frog, to))
    for other, space in victims:
        state = add_event(state, Event(EventType.SENT_BACK, other, frog=space, by=seat))
        state = _move_frog(state, other, space, None)
    state = _move_frog(state, seat, move.frog, to, home=to is None)
    state = replace(
        state,
        hands=replace_item(state.hands, seat, remove_card(state.hands[seat], move.card)),
        known=replace_item(state.known, seat, state.known[seat] - {move.card}),
        discards=(*state.discards, move.card),
        sent=replace_item(state.sent, seat, state.sent[seat] + len(victims)),
    )
    return refill_market(state)


def _back(state: State, move: Back) -> State:
    """Move a frog back (F7) and take the chosen market card, if any (F8)."""
    seat = state.turn
    state = add_event(state, Event(EventType.MOVED_BACK, seat, move.take, frog=move.frog, to=move.to))
    state = _move_frog(state, seat, move.frog, move.to)
    return refill_market(state if move.take is None else take_card(state, seat, move.take))


def _move_frog(
    state: State, seat: int, frog: Space | None, to: Space | None, *, home: bool = False
) -> State:
    """Move one of a seat's frogs to another space.

    A space of None stands for the start card. If ``home`` is True, the frog moves home, and ``to`` must
    be None.
    """
    frogs = state.frogs[seat]
    path = {space for space in frogs.path if space != frog} | ({to} if to else set())
    moved = Frogs(
        start=frogs.start - (frog is None) + (to is None and not home),
        home=frogs.home + home,
        path=tuple(sorted(path)),
    )
    return replace(state, frogs=replace_item(state.frogs, seat, moved))


def _after_action(state: State) -> State:
    """Count an action of the current turn, and end the turn or the match if necessary.

    The player wins if all six frogs are home (F12). The turn ends after three actions, or if the player
    has no card and no frog on the path (F4).
    """
    if state.frogs[state.turn].home == FROGS:
        return end_won(state, state.turn)
    state = replace(state, done=state.done + 1)
    can_go_on = state.done < ACTIONS and (state.hand or state.path)
    return state if can_go_on else next_turn(state)


def end_won(state: State, seat: int) -> State:
    return replace(add_event(state, Event(EventType.WON, seat)), winner=seat, turn=seat)


def next_turn(state: State) -> State:
    """Start the next seat's turn.

    A seat that has no card and no frog on the path is skipped if the market is empty (F11). After the
    last turn of a match with a turn limit, the seat that has made the most progress wins.
    """
    if state.turns_left == 1:
        return end_won(state, max(state.playing, key=lambda seat: _progress(state, seat)))
    state = replace(state, turns_left=max(0, state.turns_left - 1))
    for step in range(1, state.seats + 1):
        seat = (state.turn + step) % state.seats
        if seat in state.gone:
            continue
        next_state = replace(state, turn=seat, done=0)
        if not next_state.is_blocked or next_state.market:
            return next_state
        state = add_event(state, Event(EventType.BLOCKED, seat))
    raise AssertionError("with nobody able to move, all cards would lie in the market")


def _progress(state: State, seat: int) -> tuple[int, int, bool]:
    """Return a sort key for a seat's progress.

    The key holds the number of the seat's frogs at home, the distance covered by its other frogs, and
    whether the seat had the last turn.
    """
    frogs = state.frogs[seat]
    return frogs.home, sum(space.place + 1 for space in frogs.path), seat == state.turn


def withdraw(state: State, seat: int) -> State:
    """Remove a player who gives up, in or out of turn (F14).

    If only one player is left, that player wins.

    Raises:
        IllegalMoveError: The seat is already out of the match.
    """
    if state.winner is not None or seat in state.gone:
        raise IllegalMoveError(_("You're already out of this match."))
    state = replace(
        add_event(state, Event(EventType.LEFT, seat)),
        gone=state.gone | {seat},
        frogs=replace_item(state.frogs, seat, replace(state.frogs[seat], path=())),
        hands=replace_item(state.hands, seat, ()),
        known=replace_item(state.known, seat, frozenset()),
        discards=(*state.discards, *state.hands[seat]),
    )
    state = refill_market(state)
    if len(state.playing) == 1:
        return end_won(state, state.playing[0])
    return next_turn(state) if state.turn == seat else state


def passing(state: State) -> Move | None:
    """Return the move that is made for a player whose time has run out (F15).

    This is normally a pass. If the market is empty and a seat has no card and no frog on the path, that
    seat would never get a turn while the other players are inactive. In this case, the player's card
    with the least effect is played, because this refills the market.

    Returns:
        The move, or None if the match is over.
    """
    if state.winner is not None:
        return None
    stuck = any(not state.hands[seat] and not state.frogs[seat].path for seat in state.playing)
    if state.market or not stuck:
        return Pass()
    return min(_plays(state), key=lambda move: _harm(state, move), default=Pass())


def _harm(state: State, move: Play) -> tuple[int, int]:
    to = landing_ahead(state.corridor, state.occupied_spaces, move.frog, move.suit)
    reached = len(state.corridor) if to is None else to.place
    behind = -1 if move.frog is None else move.frog.place
    return len(sent_back(state, move.card, to)), reached - behind


def take_card(state: State, seat: int, card: DecktetCard) -> State:
    """Move a market card to a seat's hand. All players know this card (F10)."""
    return replace(
        state,
        market=remove_card(state.market, card),
        hands=replace_item(state.hands, seat, (*state.hands[seat], card)),
        known=replace_item(state.known, seat, state.known[seat] | {card}),
    )


def refill_market(state: State) -> State:
    """If the market is empty, deal six cards to it (F9).

    If the draw pile has too few cards, the discards are reshuffled.
    """
    if state.market or not (state.draw or state.discards):
        return state
    market, draw, discards = state.draw[:MARKET_SIZE], state.draw[MARKET_SIZE:], state.discards
    number = state.reshuffles
    if len(market) < MARKET_SIZE and discards:
        number += 1
        draw, discards = shuffle_items(discards, state.seed, f"reshuffle {number}"), ()
        state = add_event(state, Event(EventType.RESHUFFLED, state.turn, count=len(draw)))
        missing = MARKET_SIZE - len(market)
        market, draw = (*market, *draw[:missing]), draw[missing:]
    state = add_event(state, Event(EventType.REFILLED, state.turn, count=len(market)))
    return replace(state, market=market, draw=draw, discards=discards, reshuffles=number)

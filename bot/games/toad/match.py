"""Dealing, rounds, results and statistics of Toad matches (T1 to T16)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace

from bot.engine.cards import PACK, Card
from bot.engine.errors import IllegalMoveError
from bot.engine.frozen import replace_item
from bot.engine.game import GameOption, Info, Outcome, Statistic, yes_or_no
from bot.engine.shuffle import lot, shuffle_items
from bot.engine.translation import N_, _, ngettext
from bot.games.toad.state import (
    GOAL,
    HAND_SIZE,
    STOCK_SIZE,
    TURN,
    Deal,
    Event,
    EventType,
    Move,
    Pass,
    Phase,
    State,
    Tally,
    add_event,
    count_spots,
)


def deal(seats: int, options: Mapping[str, int], seed: bytes) -> State:
    """Return the first state of a match, with the first round dealt (T1 to T3).

    The pot is empty, and the dealer is drawn by lot.
    """
    lives, dealer = options["lives"], lot(seats, seed, "first dealer")
    table = State(
        seed,
        full=lives,
        lives=(lives,) * seats,
        dealer=dealer,
        turn=dealer,
        tallies=(Tally(),) * seats,
        counts=bool(options.get(COUNT, True)),
    )
    return deal_round(table)


def to_move(state: State) -> int | None:
    return None if state.phase is Phase.OVER else state.turn


def automatic(state: State) -> Move | None:
    """Return the move that deals the next round, or None if no round has just ended (T2)."""
    return Deal() if state.phase is Phase.DEAL else None


def passing(state: State) -> Move | None:
    """Return the move that ends a turn whose time has run out (T17).

    Return None if no turn is in progress.
    """
    return Pass() if state.phase in TURN else None


def remaining(state: State) -> tuple[int, ...]:
    """Return the seats that still have lives (T15). Return an empty tuple if the match is over."""
    return () if state.phase is Phase.OVER else state.playing


def outcome(state: State) -> Outcome | None:
    """Return the match result, or None if the match is not over (T15).

    The winner is the last seat with lives. After a draw, the result has no winner.
    """
    return Outcome(state.playing) if state.phase is Phase.OVER else None


def tally(state: State) -> tuple[Mapping[str, int], ...]:
    """Return each seat's statistics, by the keys in ``INFO.figures``.

    ``unhurt`` is 1 if the seat won and survived every round, which means that it never lost a life.
    """
    won = state.playing if state.phase is Phase.OVER else ()
    return tuple(
        {**asdict(seat_tally), "unhurt": int(seat in won and seat_tally.survived == state.round)}
        for seat, seat_tally in enumerate(state.tallies)
    )


def every_card(state: State) -> tuple[Card, ...]:
    hand_cards = [card for hand in state.hands for card in hand]
    stock = [card for card in state.stock if card]
    return (*hand_cards, *stock, *state.draw, *state.discards)


def deal_round(state: State) -> State:
    """Shuffle all 52 cards and deal two to each player and four to the stock (T2, T3)."""
    number = state.round + 1
    dealer = state.turn
    pack = shuffle_items(PACK, state.seed, f"round {number}")
    hands: list[tuple[Card, ...]] = [()] * state.seats
    for place, seat in enumerate(_clockwise(state.playing, dealer, state.seats)):
        hands[seat] = pack[HAND_SIZE * place : HAND_SIZE * (place + 1)]
    rest = pack[HAND_SIZE * len(state.playing) :]
    dealt = replace(
        state,
        round=number,
        reshuffles=0,
        dealer=dealer,
        hands=tuple(hands),
        shown=(frozenset[Card](),) * state.seats,
        safe=frozenset(),
        passed=frozenset(),
        stock=rest[:STOCK_SIZE],
        draw=rest[STOCK_SIZE:],
        discards=(),
        turns=(0,) * state.seats,
    )
    dealt = add_event(dealt, Event(EventType.DEALT, dealer, count=number))
    return begin_turn(dealt, _next(dealt.playing, dealer, dealt.seats))


def begin_turn(state: State, seat: int) -> State:
    """Start a seat's turn.

    Its hand, the stock and the discard pile are recorded, so that ``is_pass`` can compare them later
    (T6).
    """
    before = (frozenset(state.hands[seat]), state.stock, state.discards)
    turns = replace_item(state.turns, seat, state.turns[seat] + 1)
    return replace(state, turn=seat, phase=Phase.TAKE, before=before, turns=turns)


def next_turn(state: State) -> State:
    """Start the turn of the next player clockwise who is not safe yet (T2, T11)."""
    return begin_turn(state, _next(state.unsafe, state.turn, state.seats))


def is_pass(state: State) -> bool:
    """Return whether the hand, the stock and the discard pile have not changed in this turn (T6)."""
    return state.before == (frozenset(state.hands[state.turn]), state.stock, state.discards)


def round_end(state: State) -> State | None:
    """End the round if its end condition is met.

    The round ends if only one player is left without a toad (T12), or if all players without a toad have
    passed (T13).

    Returns:
        The state after the round, or None if the round continues.
    """
    unsafe = state.unsafe
    if len(unsafe) == 1:
        return _lose_lives(add_event(state, Event(EventType.LAST_ONE, unsafe[0])), unsafe)
    if state.passed.issuperset(unsafe):
        return _lose_lives(add_event(state, Event(EventType.ALL_PASSED, state.turn)), unsafe)
    return None


def _lose_lives(state: State, losers: tuple[int, ...]) -> State:
    """Take one life from each loser and put it in the pot (T12, T13).

    If at most one seat still has lives, the match ends (T15).
    """
    survivors = [seat for seat in state.playing if seat not in losers]
    lives = tuple(lives - (seat in losers) for seat, lives in enumerate(state.lives))
    tallies = tuple(
        replace(tally, survived=tally.survived + (seat in survivors))
        for seat, tally in enumerate(state.tallies)
    )
    is_decided = state.is_decided or bool(losers)
    pot = state.pot + len(losers)
    state = replace(state, lives=lives, pot=pot, tallies=tallies, is_decided=is_decided)
    for seat in losers:
        state = add_event(state, Event(EventType.LOST_LIFE, seat, count=lives[seat]))
    for seat in losers:
        if not lives[seat]:
            state = add_event(state, Event(EventType.ELIMINATED, seat))
    if len(state.playing) <= 1:
        return finish(state)
    return replace(state, phase=Phase.DEAL, turn=_next(state.playing, state.dealer, state.seats))


def finish(state: State) -> State:
    """End the match (T15).

    The only seat with lives wins and collects the pot. If no seat has lives, the match is a draw.
    """
    if not state.playing:
        return replace(add_event(state, Event(EventType.DRAWN, state.turn)), phase=Phase.OVER)
    winner = state.playing[0]
    is_comeback = state.lives[winner] == 1 < state.full
    tally = replace(state.tallies[winner], pot=state.pot, comebacks=int(is_comeback))
    return replace(
        add_event(state, Event(EventType.WON, winner, count=state.pot)),
        phase=Phase.OVER,
        turn=winner,
        tallies=replace_item(state.tallies, winner, tally),
    )


def _end_if_spared(state: State) -> State | None:
    """End the round if it was decided by a player giving up (T16). No other player loses a life.

    Returns:
        The state after the round, or None if the round continues.
    """
    unsafe = state.unsafe
    if len(unsafe) > 1 and not state.passed.issuperset(unsafe):
        return None
    return _lose_lives(add_event(state, Event(EventType.SPARED, unsafe[0])), ())


def withdraw(
    state: State, seat: int, round_end: Callable[[State], State | None] = _end_if_spared
) -> State:
    """Remove a player who gives up, in or out of turn (T16).

    The player's lives go to the pot, and the cards stay out of play until the next deal. If only one
    player without a toad is left (T12) or all players without a toad have passed (T13), the round ends
    and no other player loses a life. Otherwise, the round continues.

    Args:
        state: The state before the seat gives up.
        seat: The seat that gives up.
        round_end: A function that ends the round if the rules require it. Version 1 of the rules passes
            the module's ``round_end``, which takes lives from the losers.

    Raises:
        IllegalMoveError: The seat is already out of the match.
    """
    if state.phase is Phase.OVER or not state.lives[seat]:
        raise IllegalMoveError(_("You're already out of this match."))
    # The fields safe, passed and shown keep the seat. They are ignored for a seat without lives.
    ending_turn = state.turn == seat
    broke_row = ending_turn and not is_pass(state)
    state = replace(
        add_event(state, Event(EventType.LEFT, seat, count=state.lives[seat])),
        pot=state.pot + state.lives[seat],
        lives=replace_item(state.lives, seat, 0),
        passed=frozenset() if broke_row else state.passed,
    )
    if len(state.playing) == 1:
        return finish(state)
    if state.phase is Phase.DEAL:
        return replace(state, turn=_next(state.playing, state.dealer, state.seats))
    ended = round_end(state)
    if ended is not None:
        return ended
    return next_turn(state) if ending_turn else state


def _clockwise(seats: Iterable[int], after: int, total: int) -> list[int]:
    """Return the seats in clockwise order, starting with the first one after the seat ``after``."""
    return sorted(seats, key=lambda seat: (seat - after - 1) % total)


def _next(seats: Iterable[int], after: int, total: int) -> int:
    return _clockwise(seats, after, total)[0]


TOADS = (EventType.TOAD, EventType.MAXIMUS)
OUT = (EventType.ELIMINATED, EventType.LEFT)


def places(state: State) -> tuple[int, ...]:
    """Return each seat's final place, starting at 1. Return an empty tuple if the match is not over.

    A seat that stayed in the match longer has a better place. Seats that are eliminated at the end of
    the same round share a place, so several seats share the first place after a draw.
    """
    if state.phase is not Phase.OVER:
        return ()
    lasted = [
        (state.round + 1, 0) if lives else _exit_key(state.history, seat)
        for seat, lives in enumerate(state.lives)
    ]
    return tuple(1 + sum(other > own for other in lasted) for own in lasted)


def _exit_key(history: Sequence[Event], seat: int) -> tuple[int, int]:
    """Return a sort key for a seat without lives. A higher key means a better final place.

    The key is the round in which the seat dropped out, and its order within that round. A seat that gave
    up during the round ranks below the seats that were eliminated at its end.
    """
    for at, (number, event) in enumerate(by_round(history)):
        if event.seat == seat and event.what in OUT:
            return number, at if event.what is EventType.LEFT else len(history)
    return 0, 0


def by_round(history: Sequence[Event]) -> Iterator[tuple[int, Event]]:
    number = 0
    for event in history:
        number = event.count if event.what is EventType.DEALT else number
        yield number, event


def spots_off(hand: Sequence[Card]) -> int:
    return sum(abs(count - GOAL) for count in count_spots(hand))


def missing_words(hand: Sequence[Card]) -> tuple[str, ...]:
    """Return texts about missing or surplus spots in a hand, such as ``1 black spot short``."""
    red, black = (count - GOAL for count in count_spots(hand))
    colours = (
        (
            red,
            ngettext("{n} red spot short", "{n} red spots short", -red),
            ngettext("{n} red spot over", "{n} red spots over", red),
        ),
        (
            black,
            ngettext("{n} black spot short", "{n} black spots short", -black),
            ngettext("{n} black spot over", "{n} black spots over", black),
        ),
    )
    return tuple((short if off < 0 else over).format(n=abs(off)) for off, short, over in colours if off)


RULES_VERSION = 4
COUNT = "count"
"""The key of the option *Count for me*. Matches older than the option behave as if it were on."""

INFO = Info(
    key="toad",
    name="Toad",
    about="Toad, a card game for 2 to 6",
    aim=N_("Exactly 10 red and 10 black spots, then Ribit! J, Q, K count 2."),
    goal="toads",
    how=N_(
        "On your turn, take a card and discard a card, or skip either. Say Ribit when you have a "
        "toad, and you're safe. The last one without a toad loses a life."
    ),
    is_default=True,
    fewest=2,
    most=6,
    options=(
        GameOption(
            "lives",
            "{n} life",
            "{n} lives",
            default=3,
            least=1,
            most=5,
            asks="How many lives each player starts with",
        ),
        yes_or_no(
            COUNT,
            N_("spots are counted"),
            N_("everybody counts their own spots"),
            default=1,
            asks="Count for me: show spots on hands, and ask before a wrong Ribit",
        ),
    ),
    figures=(
        Statistic("pot", N_("Pot")),
        Statistic("toads", N_("Toads")),
        Statistic("maximus", N_("Toadus Maximus")),
        Statistic("survived", N_("Rounds survived"), measures_lead=True),
        Statistic("quickest", N_("Quickest toad"), is_on_boards=False),
        Statistic("comebacks", N_("Comebacks"), is_on_boards=False),
        Statistic("unhurt", N_("No life lost"), is_on_boards=False),
    ),
    rules_version=RULES_VERSION,
    hidden_hands=True,
)

"""Computer player for Frogger.

A plan is the sequence of actions of one turn. A world is a possible position, in which the cards that
the seat has not seen are dealt at random. The strongest computer player, named toad, tries its plans in
several worlds. It compares the positions after the other players' best answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from bot.engine.decktet import BASIC, DecktetCard
from bot.engine.frozen import frozen
from bot.engine.lots import Lots
from bot.engine.opponent import ComputerPlayer, Strength, new_events, seat_of
from bot.games.frogger.search_state import (
    ACTION,
    BACK,
    END,
    NO_CARD,
    NUMBER,
    PLAY,
    SUITS_OF,
    TAKE,
    Action,
    SearchState,
    bits_of,
    cards_in,
    course_of,
    readable,
    singles,
)
from bot.games.frogger.state import ACTIONS, FROGS, EventType, Move
from bot.games.frogger.view import View
from bot.games.frogger.words import reason

WON = 1000 * ACTION
FAR = 100 * ACTION


def home_cost(pond: SearchState, seat: int) -> int:
    """Return the estimated cost for a seat to bring all its frogs home. One action costs ``ACTION``.

    The estimate counts the cards that the seat must play, and the moves back that it must make to get
    those cards. A card in the hand that is better than average lowers the cost.
    """
    if pond.home[seat] == FROGS:
        return -WON
    course, path = pond.course, singles(pond.frogs[seat])
    costs, place = course.costs, course.place
    at = [place[frog.bit_length()] for frog in path]
    if pond.start[seat]:
        at.append(0)
    plays = pond.start[seat] * costs[0]
    for frog in path:
        plays += costs[place[frog.bit_length()]]
    hand = cards_in(pond.hands[seat])
    free = ~pond.taken
    best: dict[int, int] = {}
    bonus = 0
    for card in hand:
        gain = 0
        for suit in SUITS_OF[card]:
            if suit not in best:
                open_ = course.suit[suit] & free
                most = 0
                for here in at:
                    ahead = open_ & course.ahead[here]
                    brought = costs[here] - (costs[place[(ahead & -ahead).bit_length()]] if ahead else 0)
                    most = max(most, brought)
                best[suit] = most
            gain = max(gain, best[suit])
        bonus += gain - ACTION
    return plays + max(0, plays - len(hand) * ACTION) - bonus


def standing(pond: SearchState, seat: int) -> int:
    """Return a seat's lead over the best other seat, in units of ``ACTION``.

    The lead is negative if another seat is ahead.
    """
    seats = range(len(pond.frogs))
    others = (home_cost(pond, other) for other in seats if other != seat and not pond.gone >> other & 1)
    return min(others, default=FAR) - home_cost(pond, seat)


POSITIONS = 240
"""The approximate number of positions to evaluate for each action of a plan."""

NARROWEST = 3
CANDIDATES = 6
ANSWER_POSITIONS = 1800
"""The maximum effort to search the other players' answers, in evaluated positions times seats."""

MOMENT = 0.5
"""The value, in corridor cards, that a card loses because only a later action can play it."""

Plan = tuple[Action, ...]


def apply_plan(pond: SearchState, plan: Plan) -> SearchState:
    """Return the position after the current player has carried out a plan.

    If an action is not possible, the rest of the plan is skipped.
    """
    seat = pond.turn
    after = pond.copy()
    for action in plan:
        if after.turn != seat or after.winner is not None or action not in after.legal_moves():
            break
        after.play(action)
    if after.turn == seat and after.winner is None and after.done:
        after.play((END, 0, 0, 0))
    return after


def plans(pond: SearchState) -> list[tuple[int, Plan, SearchState]]:
    """Return possible plans for the current turn, best first.

    Each item holds the plan's value, the plan, and the position after the plan. If a plan certainly wins
    in this turn, only this plan is returned. Otherwise, a beam search finds the plans.
    """
    seat = pond.turn
    if won := sure_win(pond):
        return [(WON, won, apply_plan(pond, won))]
    width = max(NARROWEST, POSITIONS // max(1, len(pond.legal_moves())))
    ends: dict[object, tuple[int, Plan, SearchState]] = {}
    front: list[tuple[int, Plan, SearchState]] = [(0, (), pond)]
    for _ in range(ACTIONS - pond.done):
        reached: dict[object, tuple[int, Plan, SearchState]] = {}
        for _value, plan, before in front:
            for action in before.legal_moves():
                after = before.copy()
                after.play(action)
                over = after.winner is not None or after.turn != seat or after.done <= before.done
                place = ends if over else reached
                key = after.frogs[seat], after.hands[seat], after.home[seat], after.taken
                if key not in place:
                    place[key] = standing(after, seat), (*plan, action), after
        front = sorted(reached.values(), key=lambda found: -found[0])[:width]
    return sorted(ends.values(), key=lambda found: -found[0])


def sure_win(pond: SearchState) -> Plan:
    """Return a plan that wins in this turn, whatever cards refill the market. Return () if none does."""
    return _winning_plan(pond, set())


def _winning_plan(before: SearchState, tried: set[object]) -> Plan:
    seat, lacking = before.turn, FROGS - before.home[before.turn]
    spare = ACTIONS - before.done - lacking
    own = before.frogs[seat], before.home[seat], before.hands[seat]
    key = before.done, own, before.taken, before.market
    if spare < 0 or key in tried:
        return ()
    tried.add(key)
    for action in before.legal_moves():
        kind, _first, _second, third = action
        if not (spare or before.goes_home(action)) or kind in (TAKE, END):
            continue
        if kind == BACK and third != NO_CARD and before.market == 1 << third:
            continue  # the refill is unknown
        after = before.copy()
        after.play(action)
        if after.winner == seat:
            return (action,)
        if after.turn == seat and (rest := _winning_plan(after, tried)):
            return (action, *rest)
    return ()


def rank_plans(
    pond: SearchState, worlds: Iterable[SearchState]
) -> tuple[list[tuple[int, Plan]], list[SearchState]]:
    """Rank the possible plans for a turn by the position after the other players' answers.

    Returns:
        The plans with their values, best first, and the worlds that were searched.
    """
    seat, samples = pond.turn, list[SearchState]()
    candidates = [plan for _value, plan, _after in plans(pond)[:CANDIDATES]]
    values = [0] * len(candidates)
    looked = 0
    for world in worlds:
        samples.append(world)
        for number, plan in enumerate(candidates):
            value, positions = evaluate_answers(apply_plan(world, plan), seat)
            values[number] += value
            looked += positions
            if len(samples) == 1 and looked > ANSWER_POSITIONS:
                del candidates[number + 1 :], values[number + 1 :]
        if looked > ANSWER_POSITIONS:
            break
    return sorted(zip(values, candidates, strict=True), key=lambda judged: -judged[0]), samples


def evaluate_answers(pond: SearchState, seat: int) -> tuple[int, int]:
    """Let the other players answer with the best actions, and evaluate the position for a seat.

    Returns:
        The seat's lead, and the search effort. The effort is the number of evaluated positions times
        the number of seats.
    """
    looked = 0
    for _ in range(ACTIONS * len(pond.frogs)):
        turn = pond.turn
        if turn == seat or pond.winner is not None:
            break
        best: int | None = None
        before = pond
        for action in before.legal_moves():
            after = before.copy()
            after.play(action)
            looked += len(after.frogs)
            value = standing(after, turn)
            if best is None or value > best:
                best, pond = value, after
    return standing(pond, seat), looked


def nearness(pond: SearchState, move: Action) -> float:
    """Return how many corridor cards closer to home a move brings the player's frogs.

    If the frog moves back and the player takes a card, the best move with this card is included.
    """
    place, kind, first, second, third = pond.course.place, *move
    if kind == PLAY:
        return _jump(pond, second, third)
    if kind != BACK:
        return 0.0
    way = place[second.bit_length()] - place[first.bit_length()]
    if third == NO_CARD:
        return way
    after = pond.copy()
    after.play(move)
    path = singles(after.frogs[pond.turn])
    frogs = [*path, 0] if after.start[pond.turn] else path
    return way + max(_jump(after, suit, frog) for suit in SUITS_OF[third] for frog in frogs) - MOMENT


def _jump(pond: SearchState, suit: int, frog: int) -> float:
    course, to = pond.course, pond.ahead(suit, frog)
    return (course.place[to.bit_length()] if to else course.home) - course.place[frog.bit_length()]


@frozen
class Memory:
    """Everything that a player has learned about the cards of a match by watching the table.

    Attributes:
        view: The latest view, without its moves and landings.
        discards: The cards that the player knows to be in the discard pile.
        returned: The cards that were reshuffled into the draw pile and have not been seen since.
    """

    view: View
    discards: tuple[DecktetCard, ...] = ()
    returned: frozenset[DecktetCard] = frozenset()

    @property
    def seat(self) -> int:
        return seat_of(self.view.viewer)

    @property
    def unseen(self) -> tuple[DecktetCard, ...]:
        """The cards that the player has never seen.

        They are in other hands, in the draw pile, or among the discards of a player who left.
        """
        seen_cards = _known_cards(self.view) | set(self.discards) | self.returned
        return tuple(card for card in BASIC if card not in seen_cards)


def _known_cards(view: View) -> set[DecktetCard]:
    hand_cards = (card for seat in view.seats for card in seat.known)
    return {*view.corridor, *view.market, *view.hand, *hand_cards}


def recall(memory: Memory | None, view: View) -> Memory:
    memory = memory or Memory(replace(view, events=()))
    discards, returned = memory.discards, memory.returned
    for event in new_events(memory.view.events, view.events):
        match event.what:
            case EventType.PLAYED if event.card is not None:
                discards = (*discards, event.card)
            case EventType.LEFT:
                discards = (*discards, *memory.view.seats[event.seat].known)
            case EventType.RESHUFFLED:
                discards, returned = (), frozenset(discards)
    returned = returned - _known_cards(view) - set(discards)
    return Memory(replace(view, moves=(), landings=()), discards, returned)


def world(memory: Memory, lots: Lots) -> SearchState:
    """Return a possible position, in which the unknown cards are dealt at random."""
    view = memory.view
    course = course_of(view.corridor)
    unseen = lots.shuffle_items(memory.unseen)
    hands = []
    for place, seat in enumerate(view.seats):
        if place == memory.seat:
            hands.append(bits_of(view.hand))
            continue
        hidden = seat.held - len(seat.known)
        hands.append(bits_of(seat.known) | bits_of(unseen[:hidden]))
        unseen = unseen[hidden:]
    draw = lots.shuffle_items([*unseen, *sorted(memory.returned, key=NUMBER.__getitem__)])
    return SearchState(
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
        shuffle=lots.shuffle_items,
    )


WAVERING = 8.0

WORLDS = 4


def worlds(memory: Memory, pond: SearchState, lots: Lots) -> Iterator[SearchState]:
    """Yield the possible positions in which the strongest computer player compares its plans.

    The first position is ``pond``, for which the plans were made.
    """
    return chain((pond,), (world(memory, lots) for _ in range(WORLDS - 1)))


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
        ranking, _worlds = rank_plans(pond, worlds(memory, pond, lots))
        move = ranking[0][1][0] if ranking else moves[0]
    return readable(pond.course, move)


def _standing_after(pond: SearchState, move: Action) -> int:
    after = pond.copy()
    after.play(move)
    return standing(after, pond.turn)


THINKING: ComputerPlayer[View, Memory, Move] = ComputerPlayer(
    recall=recall, choose=choose, reason=reason, version=2
)

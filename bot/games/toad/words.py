"""Toad's texts for players: headlines, the story of a match, and reasons for recommended moves.

The story reports the events of a match, with one line per turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine.cards import Card
from bot.engine.event_groups import (
    Passage,
    StoryPage,
    laps,
    last_lap,
    mark_computer_player,
    passages,
    since_own,
)
from bot.engine.game import Words
from bot.engine.translation import N_, _, ngettext
from bot.games.toad.state import (
    GOAL,
    Declare,
    Discard,
    Draw,
    Event,
    EventType,
    Move,
    Phase,
    State,
    TakeDiscard,
    TakeNothing,
    TakeStock,
    count_spots,
    is_maximus,
)
from bot.games.toad.turning_points import turning_points, won_how
from bot.games.toad.view import View, last_hands

_DONE = {
    EventType.TOOK: N_("took {card}"),
    EventType.DREW: N_("drew a card"),
    EventType.TOOK_DISCARD: N_("took {card} from the discards"),
    EventType.DISCARDED: N_("discarded {card}"),
    EventType.RAN_OUT: N_("ran out of time ⏰"),
}

_TAKING = {EventType.TOOK, EventType.DREW, EventType.TOOK_DISCARD}
_CLAIMS = {EventType.FALSE_CLAIM, EventType.TOAD, EventType.MAXIMUS}
_PLAIN_ENDS = {EventType.ENDED, EventType.PASSED}
_ENDS = _CLAIMS | _PLAIN_ENDS | {EventType.LIFE_BACK}
_UNTOLD = _DONE.keys() | _PLAIN_ENDS | {EventType.STOOD_IN}
_TURN = _UNTOLD | _ENDS | {EventType.RESHUFFLED}
"""The types of events that can occur in a turn. All events of a turn share one line of the story."""

_STEPS = {
    Phase.TAKE: (
        N_("Your turn: take a card or skip to the discard."),
        N_("{name}'s turn: take a card or skip to the discard."),
    ),
    Phase.DISCARD: (
        N_("Discard a card, or end your turn."),
        N_("{name}'s turn: discard a card or end the turn."),
    ),
    Phase.CLAIM: (N_("End your turn, or say ribit!"), N_("{name}'s turn: end the turn or say ribit.")),
}

_LINES = {
    EventType.DEALT: N_("Round {n}: {name} deals."),
    EventType.RESHUFFLED: N_("The discards were shuffled into a new draw pile of {n} cards."),
    EventType.FALSE_CLAIM: N_(
        "**{name} says ribit, but it's not a toad:** {cards}. The cards stay face up."
    ),
    EventType.TOAD: N_("**Ribit! {name} has a toad:** {cards}. Safe for this round."),
    EventType.MAXIMUS: N_("👑 **Toadus Maximus! {name} shows {cards}.** Safe for this round."),
    EventType.LIFE_BACK: N_("{name} wins a life back from the pot."),
    EventType.LAST_ONE: N_("{name} is the last one without a toad."),
    EventType.ALL_PASSED: N_("Everybody still in the round has passed."),
    EventType.LOST_LIFE: N_("💔 **{name} loses a life** and has {n} left."),
    EventType.ELIMINATED: N_("☠️ **{name} is out.**"),
    EventType.SPARED: N_("That ends the round, and nobody else loses a life."),
}

_QUIET = {EventType.WON, EventType.DRAWN}
"""The types of events that the story omits, because the headline mentions them."""

_MOST_LINES = 5


def words(view: View, names: Sequence[str]) -> Words:
    lines = (*_safe_or_seen(view), *_in_short(_missed_passages(view), names))
    points = turning_points(view.history, last_hands(view), names, view.full) if view.places else ()
    return Words(_headline(view, names), lines, points)


def _safe_or_seen(view: View) -> tuple[str, ...]:
    """Return a line that reminds a waiting player that they are safe or have face-up cards (T10, T11).

    Return an empty tuple if neither applies.
    """
    if view.viewer is None or view.is_mine or view.phase in (Phase.DEAL, Phase.OVER):
        return ()
    seat_view = view.seats[view.viewer]
    if seat_view.safe:
        toad = _("Toadus Maximus!") if is_maximus(seat_view.shown) else _("Toad!")
        return (
            " ".join(filter(None, (toad, reward_words(view), _("You're safe until the next deal.")))),
        )
    if seat_view.shown:
        return (_("Everybody can see {cards} in your hand.").format(cards=_cards(seat_view.shown)),)
    return ()


def reward_words(view: View) -> str:
    """Return a sentence about the viewer's reward for a Toadus Maximus (T14).

    Return an empty text if the viewer has no Toadus Maximus.
    """
    assert view.viewer is not None
    if not is_maximus(view.seats[view.viewer].shown):
        return ""
    back = any(
        (event.what, event.seat) == (EventType.LIFE_BACK, view.viewer) for event in view.round_events
    )
    return _("A life back from the pot!") if back else _("You already had all your lives.")


def history(events: Sequence[Event], names: Sequence[str]) -> tuple[StoryPage, ...]:
    pages, number, turn = list[StoryPage](), 1, 0
    for lap in laps(_passages(events), lambda event: event.what is EventType.DEALT):
        first = lap[0].events[0]
        number, turn = (first.count, 1) if first.what is EventType.DEALT else (number, turn + 1)
        title = _("Round {round}, turn {turn}").format(round=number, turn=turn)
        pages.append(StoryPage(title, _lines(lap, names)))
    return tuple(pages)


def _passages(events: Sequence[Event]) -> list[Passage[Event]]:
    relevant_events = [event for event in events if event.what not in _QUIET]
    return passages(
        relevant_events,
        lambda event, _seat: event.seat if event.what in _TURN else None,
        lambda event: event.what in _ENDS,
    )


def _missed_passages(view: View) -> Sequence[Passage[Event]]:
    """Return the turns that a view reports.

    If it is the viewer's turn, these are the other players' turns since the viewer's last turn.
    Otherwise, they are the last turn of each player.
    """
    turns = _passages(view.events)
    if view.viewer is not None and view.is_mine and view.phase is not Phase.DEAL:
        missed = since_own(turns, view.viewer)
        return [passage for passage in missed if passage.seat != view.viewer]
    in_round = [
        seat for seat, seat_view in enumerate(view.seats) if not seat_view.is_out or seat in view.lost
    ]
    return last_lap(turns, len(in_round))


def _headline(view: View, names: Sequence[str]) -> str:
    name = names[view.turn]
    match view.phase:
        case Phase.DEAL:
            return _("Round {n} is over. {name} deals the next one.").format(n=view.round, name=name)
        case Phase.OVER:
            return _end_text(view, names)
        case step:
            mine, others = _STEPS[step]
            if view.is_mine and view.counts and step is Phase.DISCARD:
                mine = N_("Discard a card and end your turn, or keep them all.")
            return _drew(view) + _(mine) if view.is_mine else _(others).format(name=name)


def _drew(view: View) -> str:
    taking = next((event for event in reversed(view.events) if event.what in _TAKING), None)
    if view.new is None or taking is None or taking.what is not EventType.DREW:
        return ""
    return _("You drew {card}.").format(card=view.new) + " "


def _end_text(view: View, names: Sequence[str]) -> str:
    if view.outcome is None or not view.outcome.winners:
        return _("It's a draw: nobody is left to win the pot.")
    winner = view.outcome.winners[0]
    if how := won_how(view.history, winner, view.seats[winner].lives, view.full):
        return "🏆 " + _("{name} wins {how}.").format(name=names[winner], how=how)
    won = ngettext(
        "{name} wins the match and collects the pot: {n} life.",
        "{name} wins the match and collects the pot: {n} lives.",
        view.pot,
    )
    return "🏆 " + won.format(name=names[winner], n=view.pot)


def _lines(told: Iterable[Passage[Event]], names: Sequence[str]) -> tuple[str, ...]:
    """Return one line of text for each turn. Turns without any events to report are omitted."""
    return tuple(filter(None, (_line(passage, names) for passage in told)))


def _in_short(told: Iterable[Passage[Event]], names: Sequence[str]) -> tuple[str, ...]:
    """Return the latest lines of the story, for the table's message.

    For each player, only the last turn has a line. Consecutive events outside turns share a line. Lines
    from before the last deal are dropped, except for the line that ends with the deal.
    """
    lines = list[tuple[int | None, str]]()
    for passage in told:
        line, seat = _line(passage, names), passage.seat
        if seat is not None:
            lines = [*(one for one in lines if one[0] != seat), *([(seat, line)] if line else [])]
            continue
        before = lines.pop()[1] if lines and lines[-1][0] is None else ""
        if passage.events[0].what is EventType.DEALT:
            lines = []
        lines.append((None, f"{before} {line}".lstrip()))
    return tuple(line for _seat, line in lines[-_MOST_LINES:])


def _line(passage: Passage[Event], names: Sequence[str]) -> str:
    events = passage.events
    if events[0].what is EventType.STOOD_IN:
        names = mark_computer_player(names, events[0].seat)
    acts = [_act(event) for event in events if event.what in _DONE]
    if any(event.what is EventType.PASSED for event in events):
        is_back = any(event.what is EventType.DISCARDED for event in events)  # same card as taken (T6)
        acts.append(_("changing nothing") if is_back else _("passed"))
    elif not acts and events[-1].what is EventType.ENDED:
        acts.append(_("ended the turn"))
    summary = (
        _("{name} {acts}.").format(name=names[events[0].seat], acts=", ".join(acts)) if acts else ""
    )
    rest = [_sentence(event, names) for event in events if event.what not in _UNTOLD]
    return " ".join(filter(None, (summary, *rest)))


def _act(event: Event) -> str:
    is_seen = event.what is EventType.DREW and event.cards  # revealed only when the match is over
    words = N_("drew {card}") if is_seen else _DONE[event.what]
    return _(words).format(card=_cards(event.cards))


def _sentence(event: Event, names: Sequence[str]) -> str:
    line = (
        ngettext(
            "{name} gives up, and a life goes to the pot.",
            "{name} gives up, and {n} lives go to the pot.",
            event.count,
        )
        if event.what is EventType.LEFT
        else _(_LINES[event.what])
    )
    return line.format(name=names[event.seat], n=event.count, cards=_cards(event.cards))


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def reason(view: View, plan: Sequence[Move]) -> str:
    """Return sentences that explain the recommended moves and count the spots in the resulting hand.

    The player sees this text after the label of the first move. The text therefore does not mention a
    card that the moves only take or only discard.
    """
    move = plan[0]
    cards = taken_cards(view, move)
    thrown = next((then.card for then in plan if isinstance(then, Discard)), None)
    match move:
        case Declare():
            return _("Ten red and ten black spots: that's a toad.")
        case Draw():
            words = _("Your best chance is the draw pile.")
        case _ if thrown in cards:
            words = _("Your hand is best as it is, so you can discard {card} again.")
        case _ if cards and thrown is not None:
            words = _("Swap {other} for {card}.")
        case Discard():
            words = ""
        case _ if thrown is not None:
            words = _("Discard {other}.")
        case _:
            words = "" if cards else _("Your hand is best as it is.")
    sentence = words.format(card="".join(map(str, cards)), other=thrown)
    left = tuple(card for card in (*view.hand, *cards) if card != thrown)
    return f"{sentence} {_count(left)}".strip()


def taken_cards(view: View, move: Move) -> tuple[Card, ...]:
    match move:
        case TakeStock(place):
            card = view.stock[place]
        case TakeDiscard():
            card = view.discard
        case _:
            card = None
    return () if card is None else (card,)


def _count(hand: tuple[Card, ...]) -> str:
    """Return a text with the hand's red and black spots, and the numbers that are missing or in excess.

    If one colour is complete, the text says so first.
    """
    red, black = count_spots(hand)
    match red == GOAL, black == GOAL:
        case True, True:
            return _("10 red and 10 black, a toad!")
        case True, False if black < GOAL:
            return _("Red is full, {n} black to go.").format(n=GOAL - black)
        case False, True if red < GOAL:
            return _("Black is full, {n} red to go.").format(n=GOAL - red)
    reds, blacks = _("{n} red").format(n=red), _("{n} black").format(n=black)
    return _("{reds} and {blacks}.").format(
        reds=reds + _difference(red), blacks=blacks + _difference(black)
    )


def _difference(spots: int) -> str:
    if spots == GOAL:
        return ""
    words = _("({n} to go)") if spots < GOAL else _("({n} too many)")
    return " " + words.format(n=abs(GOAL - spots))


def turn_words(state: State, moves: Iterable[Move]) -> str:
    return ", ".join(filter(None, (_step(state, move) for move in moves)))


def _step(state: State, move: Move) -> str:
    match move:
        case TakeStock(place):
            return _("take {card}").format(card=state.stock[place])
        case TakeDiscard():
            return _("take {card} from the discards").format(card=state.discards[-1])
        case TakeNothing():
            return _("take nothing")
        case Draw():
            return _("draw")
        case Discard(card):
            return _("discard {card}").format(card=card)
        case Declare():
            return _("say Ribit")
        case _:
            return ""

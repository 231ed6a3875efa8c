"""A view of Toad in words: what is awaited, what happened, and why a move is a good one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from bot.engine.cards import Card
from bot.engine.game import Words
from bot.engine.words import N_, _, ngettext
from bot.games.toad.ending import turning_points
from bot.games.toad.state import (
    GOAL,
    Declare,
    Discard,
    Draw,
    Event,
    Happening,
    Move,
    Phase,
    State,
    TakeDiscard,
    TakeNothing,
    TakeStock,
    count_spots,
)
from bot.games.toad.view import View, last_hands

STORY_LINES = 5

_TAKING = {Happening.TOOK, Happening.DREW, Happening.TOOK_DISCARD}
_ACTS = _TAKING | {Happening.DISCARDED, Happening.RAN_OUT}
_TURN = _ACTS | {Happening.ENDED, Happening.PASSED}
"""The parts of a turn and its end, which are told together in one line."""

_STEPS = {
    Phase.TAKE: (
        N_("Your turn: take a card, or none."),
        N_("{name}'s turn: take a card, or none."),
    ),
    Phase.DISCARD: (
        N_("Discard a card, or keep them all."),
        N_("{name}'s turn: discard a card, or keep them all."),
    ),
    Phase.CLAIM: (
        N_("End your turn, or say ribit!"),
        N_("{name}'s turn: end it, or say ribit."),
    ),
}
"""What is awaited at each step of a turn, as it is said to who is to move, and to the others."""

_LINES = {
    Happening.DEALT: N_("Round {n}: {name} deals."),
    Happening.RESHUFFLED: N_("The discards were shuffled into a new draw pile of {n} cards."),
    Happening.FALSE_CLAIM: N_(
        "**{name} says ribit, but it's not a toad:** {cards}. The cards stay face up."
    ),
    Happening.TOAD: N_("🐸 **Ribit! {name} has a toad:** {cards}. Safe for this round."),
    Happening.MAXIMUS: N_("👑 **Toadus Maximus! {name} shows {cards}.** Safe for this round."),
    Happening.LIFE_BACK: N_("{name} wins a life back from the pot."),
    Happening.LAST_ONE: N_("{name} is the last one without a toad."),
    Happening.ALL_PASSED: N_("Everybody still in the round has passed."),
    Happening.ELIMINATED: N_("☠️ **{name} is out.**"),
    Happening.LEFT: N_("{name} gives up, and their lives go to the pot."),
    Happening.SPARED: N_("That ends the round, and nobody else loses a life."),
}
"""The lines of the story that are the same for any number."""

_QUIET = {Happening.WON, Happening.DRAWN}
"""What has no line in the story: the headline says it."""


def words(view: View, names: Sequence[str]) -> Words:
    """Return the headline and the last lines of the story."""
    told = [event for event in view.events if event.what not in _QUIET]
    turns = groupby(told, key=lambda event: (event.seat, event.what in _TURN))
    lines = [
        line
        for (_seat, is_turn), events in turns
        for line in (
            [_turn(list(events), names)] if is_turn else [_line(event, names) for event in events]
        )
    ]
    is_safe = view.viewer is not None and view.seats[view.viewer].safe
    waits = _("Toad! You are safe until the next deal.") if is_safe else ""
    points = turning_points(view.history, last_hands(view), names) if view.places else ()
    return Words(_headline(view, names), tuple(lines[-STORY_LINES:]), waits, points)


def _headline(view: View, names: Sequence[str]) -> str:
    name = names[view.turn]
    match view.phase:
        case Phase.DEAL:
            return _("Round {n} is over. {name} deals the next one.").format(n=view.round, name=name)
        case Phase.OVER:
            return _over(view, names)
        case step:
            mine, others = _STEPS[step]
            return _drew(view) + _(mine) if view.is_mine else _(others).format(name=name)


def _drew(view: View) -> str:
    """Return which card the viewer drew in this turn, which the story does not name."""
    taking = next((event for event in reversed(view.events) if event.what in _TAKING), None)
    if view.new is None or taking is None or taking.what is not Happening.DREW:
        return ""
    return _("You drew {card}.").format(card=view.new) + " "


def _over(view: View, names: Sequence[str]) -> str:
    if view.outcome is None or not view.outcome.winners:
        return _("A draw: nobody is left, so nobody wins the pot.")
    won = ngettext(
        "{name} wins the match and collects the pot: {n} life.",
        "{name} wins the match and collects the pot: {n} lives.",
        view.pot,
    )
    return "🏆 " + won.format(name=names[view.outcome.winners[0]], n=view.pot)


def _turn(events: list[Event], names: Sequence[str]) -> str:
    acts = [_act(event) for event in events if event.what in _ACTS]
    if any(event.what is Happening.PASSED for event in events):
        acts.append(_("passed"))
    elif not acts:
        acts.append(_("ended the turn"))
    return _("{name} {acts}.").format(name=names[events[0].seat], acts=", ".join(acts))


def _act(event: Event) -> str:
    card = event.cards[0] if event.cards else ""
    match event.what:
        case Happening.TOOK:
            return _("took {card}").format(card=card)
        case Happening.DREW:
            return _("drew a card")
        case Happening.TOOK_DISCARD:
            return _("took {card} from the discards").format(card=card)
        case Happening.DISCARDED:
            return _("discarded {card}").format(card=card)
        case _:
            return _("ran out of time ⏰")


def _line(event: Event, names: Sequence[str]) -> str:
    name, n = names[event.seat], event.count
    if event.what is Happening.LOST_LIFE:
        line = ngettext(
            "💔 **{name} loses a life** and has {n} left.",
            "💔 **{name} loses a life** and has {n} left.",
            n,
        )
    else:
        line = _(_LINES[event.what])
    return line.format(name=name, n=n, cards=_cards(event.cards))


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def reason(view: View, move: Move) -> str:
    """Return why the viewer, who is to move, should make a move."""
    match move:
        case Declare():
            return _("Ten red and ten black spots: that's a toad.")
        case TakeStock(place):
            card = view.stock[place]
            return "" if card is None else _with(view, card)
        case TakeDiscard():
            return "" if view.discard is None else _with(view, view.discard)
        case Discard(card):
            left = tuple(held for held in view.hand if held != card)
            return _("Without {card} you have {count}").format(card=card, count=_count(left))
        case Draw():
            words = _("An unseen card may help more than the ones you can see. You have {count}")
            return words.format(count=_count(view.hand))
        case _:
            return _("Your hand is best as it is: {count}").format(count=_count(view.hand))


def _with(view: View, card: Card) -> str:
    return _("With {card} you have {count}").format(card=card, count=_count((*view.hand, card)))


def _count(hand: tuple[Card, ...]) -> str:
    """Return the spots of a hand, and what completes it where one card could."""
    red, black = count_spots(hand)
    count = _("{red} red and {black} black").format(red=red, black=black)
    if red == black == GOAL:
        return _("{count}: a toad!").format(count=count)
    if red == GOAL and black < GOAL:
        return _("{count}: you need {n} more in black.").format(count=count, n=GOAL - black)
    if black == GOAL and red < GOAL:
        return _("{count}: you need {n} more in red.").format(count=count, n=GOAL - red)
    return f"{count}."


def turn_words(state: State, moves: Iterable[Move]) -> str:
    """Return what to do in a turn, in a few words; nothing for one that is only ended."""
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

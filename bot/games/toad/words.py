"""A view of Toad in words: what is awaited, and the last things that happened."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import assert_never

from bot.engine.cards import Card
from bot.engine.game import Words
from bot.engine.words import _, ngettext
from bot.games.toad.state import Event, Happening, Phase
from bot.games.toad.view import View

STORY_LINES = 5

_ACTS = {
    Happening.TOOK,
    Happening.DREW,
    Happening.TOOK_DISCARD,
    Happening.DISCARDED,
}
_TURN = _ACTS | {Happening.ENDED, Happening.PASSED}
"""The parts of a turn and its end, which are told together in one line."""

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
    return Words(_headline(view, names), tuple(lines[-STORY_LINES:]))


def _headline(view: View, names: Sequence[str]) -> str:
    name = names[view.turn]
    match view.phase:
        case Phase.TAKE:
            return (
                _("Your turn: take a card, or none.")
                if view.is_mine
                else _("{name}'s turn: take a card, or none.").format(name=name)
            )
        case Phase.DISCARD:
            return (
                _("Discard a card, or keep them all.")
                if view.is_mine
                else _("{name}'s turn: discard a card, or keep them all.").format(name=name)
            )
        case Phase.CLAIM:
            return (
                _("End your turn, or say ribit!")
                if view.is_mine
                else _("{name}'s turn: end it, or say ribit.").format(name=name)
            )
        case Phase.DEAL:
            return _("Round {n} is over. {name} deals the next one.").format(n=view.round, name=name)
        case Phase.OVER:
            return _over(view, names)
        case _:
            assert_never(view.phase)


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
        case _:
            return _("discarded {card}").format(card=card)


def _line(event: Event, names: Sequence[str]) -> str:
    name, cards, n = names[event.seat], _cards(event.cards), event.count
    match event.what:
        case Happening.DEALT:
            return _("Round {n}: {name} deals.").format(n=n, name=name)
        case Happening.RESHUFFLED:
            return _("The discards were shuffled into a new draw pile of {n} cards.").format(n=n)
        case Happening.FALSE_CLAIM:
            return _(
                "**{name} says ribit, but it's not a toad:** {cards}. The cards stay face up."
            ).format(name=name, cards=cards)
        case Happening.TOAD:
            return _("🐸 **Ribit! {name} has a toad:** {cards}. Safe for this round.").format(
                name=name, cards=cards
            )
        case Happening.MAXIMUS:
            return _("👑 **Toadus Maximus! {name} shows {cards}.** Safe for this round.").format(
                name=name, cards=cards
            )
        case Happening.LIFE_BACK:
            return _("{name} wins a life back from the pot.").format(name=name)
        case Happening.LAST_ONE:
            return _("{name} is the last one without a toad.").format(name=name)
        case Happening.ALL_PASSED:
            return _("Everybody still in the round has passed.")
        case Happening.LOST_LIFE:
            return ngettext(
                "💔 **{name} loses a life** and has {n} left.",
                "💔 **{name} loses a life** and has {n} left.",
                n,
            ).format(name=name, n=n)
        case Happening.ELIMINATED:
            return _("☠️ **{name} is out.**").format(name=name)
        case Happening.LEFT:
            return _("{name} gives up, and their lives go to the pot.").format(name=name)
        case Happening.SPARED:
            return _("That ends the round, and nobody else loses a life.")
        case _:
            return _turn([event], names)


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))

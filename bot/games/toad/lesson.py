"""The Toad lesson, a single round in which each player has one life. A coach explains the rules."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.cards import Card
from bot.engine.lesson import Lesson, Tip
from bot.engine.opponent import new_events
from bot.engine.shuffle import SEED_BYTES
from bot.engine.translation import N_, _
from bot.games.toad.match import COUNT, spots_off
from bot.games.toad.state import (
    Declare,
    Discard,
    Draw,
    EndTurn,
    EventType,
    Move,
    Phase,
    TakeDiscard,
    TakeStock,
    count_spots,
    is_toad,
)
from bot.games.toad.view import View
from bot.games.toad.words import reason, taken_cards

SEED = (383).to_bytes(SEED_BYTES, "big")
"""Seed of the lesson's round. If the pupil follows the coach, every rule comes up.

The tadpole, the pupil's opponent, gets a toad only after that. The seed was found by trying seeds in
order.
"""

RULES = {
    "deal": N_(
        "Your goal is a **toad**: a hand of exactly 10 red and 10 black spots. This is a real "
        "match against a tadpole, the weakest computer player. You have one life each. At a "
        "table, everybody starts with three."
    ),
    "take": N_("Everybody saw which card you took. The gap in the stock was filled right away."),
    "draw": N_("Only you have seen the card you drew."),
    "pile": N_(
        "You took the top card of the discards. If there's a card under it, that one is on top now."
    ),
    "discard": N_("The card you discarded lies face up, and the next player may take it."),
    "end": N_(
        "Your turn is over. A turn that changes nothing is a **pass**: when everybody "
        "who isn't safe passes, one after another, each of them loses a life."
    ),
    "pass": N_(
        "You changed nothing, so that turn was a **pass**. When everybody who isn't "
        "safe passes, one after another, each of them loses a life."
    ),
    "false": N_(
        "That wasn't a toad. It doesn't cost a life, but everybody has seen your hand. Those "
        "cards stay face up until they leave your hand. You can claim a toad again later."
    ),
    "toad": N_("A toad! You're **safe**: no more turns for you in this round."),
    "maximus": N_(
        "**Toadus Maximus**: just a red 10 and a black 10, the finest toad of all. If you'd lost "
        "a life, it would win it back from the pot. You're safe."
    ),
    "rival open": N_("The tadpole took a face-up card, so you know one of its cards."),
    "rival draw": N_("The tadpole drew a card that only it can see."),
    "rival discard": N_("The tadpole's discard is on top of the discard pile. Take it if you like."),
    "rival pass": N_(
        "The tadpole changed nothing: that's a **pass**. If you pass now too, the round ends, and "
        "you both lose a life."
    ),
    "rival toad": N_("The tadpole has a toad, so it's safe."),
    "shuffle": N_("The draw pile was empty, so the discards were shuffled into a new one."),
    "last one": N_(
        "Only one player wasn't safe, so the round is over. That player loses a life to the **pot**."
    ),
    "all passed": N_(
        "Everybody who wasn't safe passed, one after another, so the round is over. Each of them "
        "loses a life to the **pot**."
    ),
    "over": N_(
        "With no lives left, you're out. The last player left wins the match and collects the pot."
    ),
}

_OWN = {
    EventType.TOOK: "take",
    EventType.DREW: "draw",
    EventType.TOOK_DISCARD: "pile",
    EventType.DISCARDED: "discard",
    EventType.ENDED: "end",
    EventType.PASSED: "pass",
    EventType.FALSE_CLAIM: "false",
    EventType.TOAD: "toad",
    EventType.MAXIMUS: "maximus",
}
_RIVAL = {
    EventType.TOOK: "rival open",
    EventType.TOOK_DISCARD: "rival open",
    EventType.DREW: "rival draw",
    EventType.DISCARDED: "rival discard",
    EventType.PASSED: "rival pass",
    EventType.TOAD: "rival toad",
    EventType.MAXIMUS: "rival toad",
}
_ANYBODY = {
    EventType.DEALT: "deal",
    EventType.RESHUFFLED: "shuffle",
    EventType.LAST_ONE: "last one",
    EventType.ALL_PASSED: "all passed",
    EventType.WON: "over",
    EventType.DRAWN: "over",
}


def new_topics(before: View | None, view: View) -> tuple[str, ...]:
    events = view.events if before is None else new_events(before.events, view.events)
    whose = ((event.what, _OWN if event.seat == view.viewer else _RIVAL) for event in events)
    return tuple(filter(None, (_ANYBODY.get(what) or who.get(what) for what, who in whose)))


def tip(view: View, met: frozenset[str]) -> Tip[Move]:
    if is_toad(view.hand):
        words = _(
            "Your **whole hand** makes 10 red and 10 black: a toad! The table won't say it for you."
        )
        return Tip(words, Declare())
    may_err = "false" not in met and bool(met & {"end", "pass"})
    match view.phase:
        case Phase.TAKE:
            return _take(view, met)
        case Phase.DISCARD if (card := _one_too_many(view.hand)) is not None:
            return Tip(_discarding(met, reason(view, (Discard(card),))), Discard(card))
        case _ if may_err:
            words = _(
                "See what a wrong claim does. Say **Ribit!** without a toad: your turn is over anyway."
            )
            return Tip(words, Declare())
        case Phase.DISCARD:
            return Tip(_discarding(met, _("Keep them all this time.")), EndTurn())
    return Tip(_("That isn't a toad yet, so end your turn."), EndTurn())


def _discarding(met: frozenset[str], *words: str) -> str:
    if "discard" in met:
        return " ".join(words)
    rule = _(
        "Now you may discard one card, or keep them all. Your hand can be any size, "
        "but **all** of it counts."
    )
    return " ".join((rule, *words))


def _take(view: View, met: frozenset[str]) -> Tip[Move]:
    now, ways = spots_off(view.hand), sorted(_takes(view), key=lambda way: way[0])
    least, nearest = ways[0] if ways else (now, EndTurn())
    gets = [move for left, move in ways if left < now]
    pile = [move for left, move in ways if left <= now and move == TakeDiscard()]
    draws: list[Move] = [Draw()] if view.can_draw else []
    if not least:
        return Tip(_because(view, nearest), nearest)
    if not met & {"take", "draw", "pile"}:
        words = _(
            "A turn has three steps, and you can skip any of them: **take** a card, **discard** a "
            "card, then say **Ribit!** or end your turn. An Ace counts 1, and a Jack, Queen or "
            "King counts 2."
        )
        return Tip(f"{words} {_because(view, nearest)}", nearest)
    if pile and "pile" not in met:
        words = _("You can also take the top card of the discards.")
        return Tip(f"{words} {_because(view, pile[0])}", pile[0])
    if draws and ("draw" not in met or not gets):
        words = (
            _("Or draw from the pile: nobody else sees what you get.")
            if "draw" not in met
            else _("No face-up card gets you closer, so draw one.")
        )
        return Tip(words, draws[0])
    move = gets[0] if gets else EndTurn()
    return Tip(_because(view, move), move)


def _because(view: View, move: Move) -> str:
    if not isinstance(move, TakeStock | TakeDiscard):
        return reason(view, (move,))
    (card,) = taken_cards(view, move)
    worst = _one_too_many((*view.hand, card))
    if worst is not None:
        return reason(view, (move, Discard(worst)))
    return reason(view, (move,))


def _takes(view: View) -> Iterator[tuple[int, Move]]:
    """Yield each useful move that takes an open card, with a score for the resulting hand.

    The score comes first. It is the number of spots by which the hand differs from 10 red and 10 black
    spots.
    """
    moves: list[TakeStock | TakeDiscard] = [
        TakeStock(place) for place, card in enumerate(view.stock) if card is not None
    ]
    if view.discard is not None:
        moves.append(TakeDiscard())
    for move in moves:
        hand = (*view.hand, *taken_cards(view, move))
        worst = _one_too_many(hand)
        if worst != hand[-1]:
            yield spots_off(tuple(card for card in hand if card != worst)), move


def _one_too_many(hand: tuple[Card, ...]) -> Card | None:
    """Return the card whose removal brings the hand closest to 10 red and 10 black spots.

    Return None if no removal brings it closer.
    """
    without = {card: spots_off(tuple(other for other in hand if other != card)) for card in hand}
    best = min(hand, key=lambda card: without[card], default=None)
    return best if best is not None and without[best] < spots_off(hand) else None


def standing(view: View) -> str:
    red, black = count_spots(view.hand)
    return _("You hold {red} red and {black} black spots, and need 10 of each.").format(
        red=red, black=black
    )


LESSON: Lesson[View, Move] = Lesson(
    options={"lives": 1, COUNT: 1},
    seed=SEED,
    came_up=new_topics,
    rules=RULES,
    always=frozenset({"false", "toad", "maximus", "rival toad", "rival pass", "last one", "all passed"}),
    tip=tip,
    standing=standing,
    needs=(frozenset({"over"}),),  # a full round, which is also the whole match
    untold={
        "false": N_("A wrong **Ribit!** costs no life, but everybody sees your hand."),
        "maximus": N_("Just a red 10 and a black 10 make **Toadus Maximus**. It wins back a lost life."),
        "": N_("At a table, rounds go on until only one player has lives left."),
    },
)

"""The Frogger lesson, a race against a computer player. A coach explains the rules.

The pupil may leave the race as soon as every rule has come up.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.decktet import ACE, CROWN
from bot.engine.lesson import Lesson, Tip
from bot.engine.lots import Lots
from bot.engine.opponent import Strength, new_events
from bot.engine.shuffle import SEED_BYTES
from bot.engine.translation import N_, _
from bot.games.frogger.opponent import choose, recall
from bot.games.frogger.state import Back, EndTurn, Event, EventType, Move, Space, spaces_of
from bot.games.frogger.view import View
from bot.games.frogger.words import reason

SEED = (225).to_bytes(SEED_BYTES, "big")
"""Seed of the race. If the pupil follows the coach, every rule comes up within a few turns.

The seed was found by trying seeds in order.
"""

RULES = {
    "start": N_(
        "To win, get all six frogs home, past the last card. Yours start on the **Excuse**, on "
        "the left. This is a real match against a tadpole, the weakest computer player."
    ),
    "play": N_(
        "Your frog went to the first card ahead with a **free** symbol of that suit. Each symbol is a "
        "space for one frog."
    ),
    "skip": N_(
        "A symbol of that suit was taken, so your frog jumped past it to the next free one. A "
        "crowded corridor makes for long jumps."
    ),
    "home": N_("There was no free symbol of that suit ahead, so your frog is **home** for good."),
    "clear": N_(
        "An **Ace** or a **Crown** sends every other frog on the card it lands on back to the "
        "Excuse, even your own."
    ),
    "rival clear": N_(
        "The tadpole played an **Ace** or a **Crown**: every other frog on the card it landed on went "
        "back to the Excuse."
    ),
    "back": N_(
        "Your frog went to the nearest card behind it with a free symbol, and you took a market card "
        "**without** the suit it landed on. Everybody has seen that card."
    ),
    "excuse": N_("Your frog went back to the Excuse, so you can take any market card."),
    "nothing": N_("Every market card has the suit your frog landed on, so you couldn't take one."),
    "actions": N_(
        "That was one action. You have up to three per turn, in any mix, and you can stop after "
        "any of them."
    ),
    "end": N_("Your turn is over: you stopped, or used all three actions."),
    "rival play": N_("The tadpole played a card: its frogs take up spaces, just like yours."),
    "rival back": N_("The tadpole moved a frog back to take a market card. You saw which one."),
    "refill": N_(
        "The market was empty, so it was refilled right away. That only happens when it's empty."
    ),
    "shuffle": N_("The draw pile was empty, so the discards were shuffled into a new one."),
    "blocked": N_(
        "A player with no cards and no frog in the corridor is **blocked**: all they can do on "
        "their turn is take one market card."
    ),
    "over": N_("One player has all six frogs home, so the match is over."),
}

_OWN = {EventType.STOPPED: "end", EventType.TOOK: "blocked", EventType.BLOCKED: "blocked"}
_RIVAL = {
    EventType.PLAYED: "rival play",
    EventType.MOVED_BACK: "rival back",
    EventType.TOOK: "blocked",
    EventType.BLOCKED: "blocked",
}
_ANYBODY = {
    EventType.STARTED: "start",
    EventType.REFILLED: "refill",
    EventType.RESHUFFLED: "shuffle",
    EventType.WON: "over",
}


def new_topics(before: View | None, view: View) -> tuple[str, ...]:
    if before is None:
        return ("start",)
    events = new_events(before.events, view.events)
    topics = [rule for event in events for rule in _rules(before, view, event)]
    if before.is_mine:
        if view.is_mine:
            topics.append("actions")
        elif "end" not in topics and view.outcome is None:
            topics.append("end")
    return tuple(topics)


def _rules(before: View, view: View, event: Event) -> tuple[str, ...]:
    is_own = event.seat == view.viewer
    match event.what:
        case EventType.SENT_BACK:
            return ("clear",) if before.is_mine else ("rival clear",)
        case EventType.PLAYED if is_own and event.to is None:
            return ("home",)
        case EventType.PLAYED if is_own and event.to is not None:
            return ("play", "skip") if _passes_letter(before, event.frog, event.to) else ("play",)
        case EventType.MOVED_BACK if is_own and event.card is None:
            return ("nothing",)
        case EventType.MOVED_BACK if is_own:
            return ("excuse",) if event.to is None else ("back",)
        case _:
            rule = _ANYBODY.get(event.what) or (_OWN if is_own else _RIVAL).get(event.what)
            return () if rule is None else (rule,)


def _passes_letter(view: View, frog: Space | None, to: Space) -> bool:
    first = 0 if frog is None else frog.place + 1
    return any(
        space.letter == to.letter
        for place in range(first, to.place)
        for space in spaces_of(view.corridor, place)
    )


def tip(view: View, met: frozenset[str]) -> Tip[Move]:
    if view.blocked:
        words = _("You're **blocked**: all you can do this turn is take any one market card.")
        return Tip(words, view.moves[0])
    for rule, words, moves in _exercises(view):
        if moves and rule not in met:
            return Tip(words, moves[0])
    return _usual(view, met)


def _exercises(view: View) -> Iterator[tuple[str, str, list[Move]]]:
    """Yield each rule in teaching order, with the coach's text and the moves that apply the rule."""
    plays = [play for play in view.landings if play[0].card.rank not in (ACE, CROWN)]  # kept for later
    words = _(
        "**Play a card**: choose one of its suits and one of your frogs. The frog jumps to the "
        "first card ahead with a free symbol of that suit."
    )
    yield "play", words, [move for move, landing in plays if landing.to]
    words = _("There's no free symbol of this suit ahead of that frog, so the card takes it **home**.")
    yield "home", words, [move for move, landing in plays if not landing.to]
    words = _(
        "An **Ace** or a **Crown** (Cr) sends every other frog on the card it lands on back to "
        "the Excuse. Here, that's the tadpole's."
    )
    hits = ((move, {seat for seat, _space in landing.sends}) for move, landing in view.landings)
    yield "clear", words, [move for move, seats in hits if seats and view.viewer not in seats]
    words = _("The next symbol of this suit is taken, so the frog jumps past it, further than usual.")
    far = (move for move, landing in plays if landing.to and _passes_letter(view, move.frog, landing.to))
    yield "skip", words, list(far)
    words = _(
        "**Move a frog back** to get a card. The frog goes to the nearest card behind it with a "
        "free symbol. Then you take a market card without the suit it landed on."
    )
    yield "back", words, [move for move in _backs(view) if move.take and move.to]
    words = _(
        "You don't have to use all three actions. Press **End turn** to keep your cards for later."
    )
    yield "end", words, [move for move in view.moves if move == EndTurn()]


def _usual(view: View, met: frozenset[str]) -> Tip[Move]:
    """Suggest the move of a computer player of medium strength, which is enough to beat the opponent."""
    move = choose(recall(None, view), Strength.FROGLET, Lots(SEED))
    if not view.hand and isinstance(move, Back) and "blocked" not in met:
        words = _("You have no cards left. If you had no frog in the corridor either, you'd be blocked.")
        return Tip(f"{words} {reason(view, (move,))}", move)
    return Tip(reason(view, (move,)), move)


def _backs(view: View) -> list[Back]:
    backs = [move for move in view.moves if isinstance(move, Back)]
    return sorted(backs, key=lambda move: move.frog.place - (-1 if move.to is None else move.to.place))


def standing(view: View) -> str:
    home = [view.seats[seat].frogs.home for seat in (view.viewer or 0, 1 - (view.viewer or 0))]
    return _("Frogs home: you {own}, the tadpole {other}.").format(own=home[0], other=home[1])


LESSON: Lesson[View, Move] = Lesson(
    options={},
    seed=SEED,
    came_up=new_topics,
    rules=RULES,
    always=frozenset({"rival clear", "home", "over"}),
    tip=tip,
    standing=standing,
    needs=(
        *(frozenset({rule}) for rule in ("play", "skip", "home", "back", "actions", "end")),
        frozenset({"clear", "rival clear"}),
    ),
    untold={
        "refill": N_("The market is only refilled once all six cards are gone."),
        "blocked": N_(
            "With no cards and no frog in the corridor, all you can do on your turn is take one card."
        ),
        "over": N_("The first player with all six frogs home wins at once."),
    },
)

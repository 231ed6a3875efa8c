"""Options, results and turning points of Frogger matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bot.engine.decktet import DecktetCard
from bot.engine.game import Info, Outcome, Statistic
from bot.engine.translation import N_, _, ngettext
from bot.games.frogger.state import FROGS, Event, EventType, State


def to_move(state: State) -> int | None:
    return state.turn if state.winner is None else None


def remaining(state: State) -> tuple[int, ...]:
    return state.playing if state.winner is None else ()


def outcome(state: State) -> Outcome | None:
    """Return the match result, or None if the match is not over (F12, F14)."""
    return None if state.winner is None else Outcome((state.winner,))


def is_decided(state: State) -> bool:
    return any(frogs.home for frogs in state.frogs)


def tally(state: State) -> tuple[Mapping[str, int], ...]:
    return tuple(
        {"home": frogs.home, "sent": count} for frogs, count in zip(state.frogs, state.sent, strict=True)
    )


def every_card(state: State) -> tuple[DecktetCard, ...]:
    hand_cards = [card for hand in state.hands for card in hand]
    return (*state.corridor, *hand_cards, *state.market, *state.draw, *state.discards)


AGAIN = 2


def places(state: State) -> tuple[int, ...]:
    """Return each seat's final place, starting at 1. Return an empty tuple if the match is not over.

    The winner has the first place. The other seats are ranked by their frogs at home, then by the
    distance covered by their remaining frogs. Seats that gave up rank below all other seats. The seat
    that gave up first has the last place.
    """
    if state.winner is None:
        return ()
    left = [event.seat for event in state.history if event.what is EventType.LEFT]
    scores = []
    for seat, frogs in enumerate(state.frogs):
        far = sum(space.place + 1 for space in frogs.path)
        stayed = left.index(seat) if seat in left else len(left)
        scores.append((seat == state.winner, stayed, frogs.home, far))
    return tuple(1 + sum(other > own for other in scores) for own in scores)


def win_reason(history: Sequence[Event], winner: int) -> str:
    """Return a phrase about the special features of a win, such as ``after being 2 frogs behind``.

    The phrase is empty if the win has no special features.
    """
    homes, behind = Counter[int](), 0
    for event in history:
        homes[event.seat] += event.what is EventType.PLAYED
        behind = max(behind, max(homes.values()) - homes[winner])
    victims = [event.seat for event in history if event.what is EventType.SENT_BACK]
    parts = (
        _("after being {n} frogs behind").format(n=behind) if behind >= AGAIN else "",
        _("with no frog sent back") if len(victims) >= AGAIN and winner not in victims else "",
    )
    return ", ".join(filter(None, parts))


def turning_points(
    history: Sequence[Event], places: Sequence[int], homes: Sequence[int], names: Sequence[str]
) -> tuple[str, ...]:
    """Return sentences about the events that decided a match.

    Args:
        history: The events of the match.
        places: Each seat's final place.
        homes: Each seat's number of frogs at home.
        names: The players' names by seat.
    """
    arrivals = [event.seat for event in history if event.what is EventType.PLAYED]
    lines = list[str]()
    first = next(
        (seat for at, seat in enumerate(arrivals) if arrivals[: at + 1].count(seat) == FROGS - 1), None
    )
    if first is not None and places[first] > 1:
        words = _("{name} was the first to get {n} frogs home.")
        lines.append(words.format(name=names[first], n=FROGS - 1))
    gone = {event.seat for event in history if event.what is EventType.LEFT}
    if FROGS in homes:
        second = sorted(places)[1]
        for seat in (seat for seat, place in enumerate(places) if place == second and seat not in gone):
            missing = FROGS - homes[seat]
            words = ngettext("{name} was {n} frog short.", "{name} was {n} frogs short.", missing)
            lines.append(words.format(name=names[seat], n=missing))
    return (*lines, *_sent_back(history, names))


def _sent_back(history: Sequence[Event], names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence about the player whose frogs were sent back most often.

    Yield nothing if this happened fewer than ``AGAIN`` times, or if two players share the maximum.
    """
    events = [event for event in history if event.what is EventType.SENT_BACK]
    (seat, times), *others = Counter(event.seat for event in events).most_common() or [(0, 0)]
    if times < AGAIN or any(other == times for _seat, other in others):
        return
    rivals = Counter(event.by for event in events if event.seat == seat and event.by not in (seat, None))
    by, count = next(iter(rivals.most_common(1)), (None, 0))
    if by is None or count < AGAIN:
        yield _("{name}'s frogs were sent back most often: {n} times.").format(name=names[seat], n=times)
        return
    words = _("{name}'s frogs were sent back most often: {n} times, {count} of them by {by}.")
    yield words.format(name=names[seat], n=times, count=count, by=names[by])


RULES_VERSION = 3

INFO = Info(
    key="frogger",
    name="Frogger (for the Decktet)",
    about="Frogger, a race with the Decktet for 2 to 5",
    aim=N_("Bring six frogs home first. Cards move frogs to the next free matching suit."),
    goal="home",
    how=N_(
        "A turn has up to three actions. Play a card to move a frog ahead, or move a frog back to "
        "take a card. An Ace or a Crown sends back every other frog on the card it lands on."
    ),
    fewest=2,
    most=5,
    options=(),
    figures=(
        Statistic("home", N_("Frogs home"), measures_lead=True),
        Statistic("sent", N_("Sent back")),
    ),
    rules_version=RULES_VERSION,
    hidden_hands=True,
)

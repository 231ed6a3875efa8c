"""How a match of Frogger ended: who came in where, and what decided it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.engine.words import _, ngettext
from bot.games.frogger.state import FROGS, Event, Happening, State

AGAIN = 2
"""From so often on something is told that happened several times."""


def places(state: State) -> tuple[int, ...]:
    """Return the places of the seats, by frogs home, then by distance, leavers last; none before."""
    if state.winner is None:
        return ()
    left = [event.seat for event in state.history if event.what is Happening.LEFT]
    came = []
    for seat, frogs in enumerate(state.frogs):
        far = sum(space.place + 1 for space in frogs.path)
        stayed = left.index(seat) if seat in left else len(left)
        came.append((seat == state.winner, stayed, frogs.home, far))
    return tuple(1 + sum(other > own for other in came) for own in came)


def turning_points(
    history: Sequence[Event], places: Sequence[int], homes: Sequence[int], names: Sequence[str]
) -> tuple[str, ...]:
    """Return what decided a match, in sentences; ``homes`` is how many frogs of each seat are home."""
    came = [event.seat for event in history if event.what is Happening.PLAYED]
    lines = list[str]()
    first = next((seat for at, seat in enumerate(came) if came[: at + 1].count(seat) == FROGS - 1), None)
    if first is not None and places[first] > 1:
        words = _("{name} was the first to have {n} frogs home.")
        lines.append(words.format(name=names[first], n=FROGS - 1))
    gone = {event.seat for event in history if event.what is Happening.LEFT}
    if FROGS in homes:
        second = sorted(places)[1]
        for seat in (seat for seat, place in enumerate(places) if place == second and seat not in gone):
            missing = FROGS - homes[seat]
            words = ngettext("{name} was {n} frog short.", "{name} was {n} frogs short.", missing)
            lines.append(words.format(name=names[seat], n=missing))
    return (*lines, *_sent_back(history, names))


def _sent_back(history: Sequence[Event], names: Sequence[str]) -> Iterator[str]:
    """Yield whose frogs were sent back most often, and by whom; nothing where that is nobody's alone."""
    sent = [event for event in history if event.what is Happening.SENT_BACK]
    (seat, times), *others = Counter(event.seat for event in sent).most_common() or [(0, 0)]
    if times < AGAIN or any(other == times for _seat, other in others):
        return
    rivals = Counter(event.by for event in sent if event.seat == seat and event.by not in (seat, None))
    by, count = next(iter(rivals.most_common(1)), (None, 0))
    if by is None or count < AGAIN:
        yield _("{name}'s frogs were sent back most often: {n} times.").format(name=names[seat], n=times)
        return
    words = _("{name}'s frogs were sent back most often: {n} times, {count} of them by {by}.")
    yield words.format(name=names[seat], n=times, count=count, by=names[by])

"""How a match of Toad ended: who came in where, what decided it, and by how little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.engine.cards import Card
from bot.engine.words import _, ngettext
from bot.games.toad.state import GOAL, Event, Happening, Phase, State, count_spots

TOADS = (Happening.TOAD, Happening.MAXIMUS)
_OUT = (Happening.ELIMINATED, Happening.LEFT)


def places(state: State) -> tuple[int, ...]:
    """Return the places of the seats: the later one was out, the better; none before the end.

    Who was out by the same round share a place. Where nobody is left nobody is first.
    """
    if state.phase is not Phase.OVER:
        return ()
    lasted = list[tuple[int, int]]()
    for seat in range(state.seats):
        lasted.append((state.round + 1, 0) if state.lives[seat] else _out(state.history, seat))
    best = 1 if state.playing else 2
    return tuple(max(best, 1 + sum(other > own for other in lasted)) for own in lasted)


def _out(history: Sequence[Event], seat: int) -> tuple[int, int]:
    """Return when a seat was out: the round, and behind who gave up in it who was out by its end."""
    number = 0
    for at, event in enumerate(history):
        if event.what is Happening.DEALT:
            number = event.count
        elif event.seat == seat and event.what is Happening.ELIMINATED:
            return number, len(history)
        elif event.seat == seat and event.what is Happening.LEFT:
            return number, at
    return 0, 0


def spots_off(hand: Sequence[Card]) -> int:
    return sum(abs(count - GOAL) for count in count_spots(hand))


def missed_by(hand: Sequence[Card]) -> tuple[str, ...]:
    """Return what a hand lacks to a toad, or has too many, such as ``1 black spot short``."""
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


def turning_points(
    history: Sequence[Event], hands: Mapping[int, Sequence[Card]], names: Sequence[str]
) -> tuple[str, ...]:
    """Return what decided a match, in sentences; ``hands`` are those of who was in the last round."""
    number = next((event.count for event in reversed(history) if event.what is Happening.DEALT), 0)
    lasts = {event.seat: event for event in history if event.what in _OUT}
    lines = list(_last_lives(lasts, hands, number, names))
    if quickest := _quickest(history):
        event, of_round = quickest
        lines.append(
            _("Quickest toad: {name}, in turn {n} of round {round}.").format(
                name=names[event.seat], n=event.count, round=of_round
            )
        )
    return tuple(lines)


def _last_lives(
    lasts: Mapping[int, Event], hands: Mapping[int, Sequence[Card]], number: int, names: Sequence[str]
) -> Iterator[str]:
    """Yield who lost the last life in the last round, and by how little; of several, who was closest."""
    out = [seat for seat in hands if seat in lasts and lasts[seat].what is Happening.ELIMINATED]
    if not out:
        return
    missed = {seat: ", ".join(missed_by(hands[seat])) for seat in out}
    if out[1:]:
        words = _("{names} lost their last lives in round {n}.")
        yield words.format(names=", ".join(names[seat] for seat in out), n=number)
        least = min(spots_off(hands[seat]) for seat in out)
        closest = [seat for seat in out if spots_off(hands[seat]) == least]
        said = ", ".join(f"{names[seat]} ({missed[seat]})" for seat in closest if missed[seat])
        if said:
            yield _("Closest to a toad: {names}.").format(names=said)
        return
    if missed[out[0]]:
        words = _("{name} lost the last life in round {n}: {missed}.")
    else:
        words = _("{name} lost the last life in round {n}, with a toad that was never declared.")
    yield words.format(name=names[out[0]], n=number, missed=missed[out[0]])


def _quickest(history: Sequence[Event]) -> tuple[Event, int] | None:
    """Return the toad that took its seat the fewest turns of a round, and which round it was."""
    toads, number = list[tuple[Event, int]](), 0
    for event in history:
        if event.what is Happening.DEALT:
            number = event.count
        elif event.what in TOADS:
            toads.append((event, number))
    return min(toads, key=lambda toad: toad[0].count, default=None)

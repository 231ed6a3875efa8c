"""The successors of a compact position: where its moves lead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from bot.games.american_toad.compact import (
    ALL_UP,
    BELOW,
    EAGER,
    PLACE,
    REDEAL,
    RESERVE,
    SHIFT,
    SPAN,
    TAIL,
    TURN,
    TURN_UP,
    UP,
    WASTE,
    Lie,
    Step,
    going_of,
    raised,
    tidied,
    without,
)

Successor: TypeAlias = tuple[tuple[Step, ...], Lie]
"""The steps of a play, and how the cards lie after it."""


def successors(reserve: tuple[int, ...], lie: Lie, turns: int | None) -> Iterator[Successor]:
    """Yield where the moves lead, with the steps to it; ``turns`` bounds how many of the talon's cards.

    Without a bound that is every way on, but for moves that only rename columns: the stock is turned
    just before the card that it brings is played, as nothing else hangs on it.
    """
    talon, turned, redeal, left, runs, pairs = lie
    onto, gap = _targets(runs), _gap(runs)
    yield from _shifts(reserve, lie, onto, gap, parts=turns is None)
    going = going_of(pairs, EAGER)
    for column, run in enumerate(runs):
        if run and going >> TAIL[run] & 1:
            rest, shorter = without(reserve, left, run, 1)
            columns = (*runs[:column], shorter, *runs[column + 1 :])
            yield ((UP, column),), (talon, turned, redeal, rest, columns, raised(pairs, TAIL[run]))
    if left:
        card = reserve[left - 1]
        if going >> card & 1:
            yield ((UP, RESERVE),), (talon, turned, redeal, left - 1, runs, raised(pairs, card))
        for column in onto.get(card, ()):
            yield (
                ((PLACE, RESERVE, column),),
                (talon, turned, redeal, left - 1, _longer(runs, column), pairs),
            )
    yield from _talons(lie, onto, gap, going, turns)


def _shifts(
    reserve: tuple[int, ...], lie: Lie, onto: dict[int, list[int]], gap: int, *, parts: bool
) -> Iterator[Successor]:
    """Yield the moves of runs, with ``parts`` also of their parts and of single cards into a gap."""
    talon, turned, redeal, left, runs, pairs = lie
    for source, run in enumerate(runs):
        length = run % SPAN
        counts = range(1, length + 1) if parts else (length,) if run else ()
        for count in counts:
            head = TAIL[run - count + 1]
            for column in onto.get(head, ()):
                if column != source:
                    columns = list(runs)
                    rest, columns[source] = without(reserve, left, run, count)
                    columns[column] += count
                    after = (talon, turned, redeal, rest, tuple(columns), pairs)
                    yield ((SHIFT, source, column, count),), after
        if parts and gap >= 0 and not left and length > 1:
            columns = list(runs)
            columns[gap], columns[source] = TAIL[run] * SPAN + 1, run - 1
            yield ((SHIFT, source, gap, 1),), (talon, turned, redeal, left, tuple(columns), pairs)


def offered_successors(reserve: tuple[int, ...], lie: Lie) -> Iterator[Successor]:
    """Yield where the moves that the table offers lead, but for those that are seldom good.

    Here nothing goes up by itself: it does so as a move, or while the stock turns.
    """
    talon, turned, redeal, left, runs, pairs = lie
    onto, gap = _targets(runs), _gap(runs)
    yield from _shifts(reserve, lie, onto, gap, parts=False)
    if left:
        for column in onto.get(reserve[left - 1], ()):
            yield (
                ((PLACE, RESERVE, column),),
                (talon, turned, redeal, left - 1, _longer(runs, column), pairs),
            )
    if turned:
        card, rest = talon[turned - 1], talon[: turned - 1] + talon[turned:]
        for column in onto.get(card, ()):
            yield (
                ((PLACE, WASTE, column),),
                (rest, turned - 1, redeal, left, _longer(runs, column), pairs),
            )
        if gap >= 0:
            filled = (*runs[:gap], card * SPAN + 1, *runs[gap + 1 :])
            yield ((PLACE, WASTE, gap),), (rest, turned - 1, redeal, left, filled, pairs)
    steps: list[Step] = []
    up = tidied(reserve, lie, EAGER, steps)
    if steps:
        yield ((ALL_UP,),), up
    if turned < len(talon):
        yield ((TURN_UP,),), _turned_up(reserve, up)
    elif redeal and turned:
        yield ((REDEAL,),), (talon, 0, False, left, runs, pairs)


def _turned_up(reserve: tuple[int, ...], lie: Lie) -> Lie:
    """Return how the cards lie after a turn until something fits, in which cards go up."""
    while lie[1] < len(lie[0]):
        lie = tidied(reserve, (lie[0], lie[1] + 1, *lie[2:]), EAGER, [])
        talon, turned, _redeal, _left, runs, _pairs = lie
        if turned and talon[turned - 1] in _targets(runs):
            break
    return lie


def _targets(runs: tuple[int, ...]) -> dict[int, list[int]]:
    """Return the cards that fit onto columns, and which."""
    onto: dict[int, list[int]] = {}
    for column, run in enumerate(runs):
        if run:
            onto.setdefault(BELOW[TAIL[run]], []).append(column)
    return onto


def _gap(runs: tuple[int, ...]) -> int:
    return runs.index(0) if 0 in runs else -1


def _longer(runs: tuple[int, ...], column: int) -> tuple[int, ...]:
    return (*runs[:column], runs[column] + 1, *runs[column + 1 :])


def _talons(
    lie: Lie, onto: dict[int, list[int]], gap: int, going: int, turns: int | None
) -> Iterator[Successor]:
    """Yield the plays of the waste's top card and of those that turning, and the redeal, bring there."""
    talon, turned, redeal, left, runs, pairs = lie
    found, end = 0, len(talon)
    ways: list[tuple[tuple[Step, ...], bool, int, int]] = [((), redeal, turned, max(turned - 1, 0))]
    if redeal:
        to_end: tuple[Step, ...] = ((TURN, end - turned), (REDEAL,)) if turned < end else ((REDEAL,),)
        ways.append((to_end, False, 0, 0))
    for before, still, start, first in ways:
        for place in range(first, end):
            card = talon[place]
            goes, columns = going >> card & 1, onto.get(card, ())
            if not goes and not columns and gap < 0:
                continue
            if turns is not None and found >= turns:
                return
            found += 1
            steps = before if place < start else (*before, (TURN, place + 1 - start))
            rest = talon[:place] + talon[place + 1 :]
            if goes:
                yield (*steps, (UP, WASTE)), (rest, place, still, left, runs, raised(pairs, card))
            for column in columns:
                yield (
                    (*steps, (PLACE, WASTE, column)),
                    (rest, place, still, left, _longer(runs, column), pairs),
                )
            if gap >= 0:
                filled = (*runs[:gap], card * SPAN + 1, *runs[gap + 1 :])
                yield (*steps, (PLACE, WASTE, gap)), (rest, place, still, left, filled, pairs)

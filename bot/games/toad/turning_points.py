"""Texts about the decisive events of a finished Toad match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, groupby, takewhile

from bot.engine.cards import Card
from bot.engine.spoken_cards import join_words
from bot.engine.translation import _
from bot.games.toad.match import OUT, TOADS, by_round, missing_words, spots_off
from bot.games.toad.state import Event, EventType

_LOST = EventType.LOST_LIFE

LEAD = 3
"""The number of rounds that a player must lead before the lead is mentioned."""


def won_how(history: Sequence[Event], winner: int, lives: int, full: int) -> str:
    """Return a phrase about the special features of a win, such as ``with one life left``.

    The phrase is empty if the win has no special features, or if the match ended because a player gave
    up.

    Args:
        history: The events of the match.
        winner: The winning seat.
        lives: The winner's remaining lives.
        full: The number of lives that each seat started with.
    """
    if not history or history[-1].what is EventType.LEFT:
        return ""
    rounds = [(number, event.what) for number, event in by_round(history) if event.seat == winner]
    lost = [number for number, what in rounds if what is _LOST]
    row = max((len(list(takewhile(lost.__contains__, count(first)))) for first in lost), default=0)
    last = _last_round(history)
    lives -= (last, EventType.LIFE_BACK) in rounds  # the winner had one life when the round was dealt
    parts = (
        _("with a Toadus Maximus") if (last, EventType.MAXIMUS) in rounds else "",
        _("with one life left") if lives == 1 < full else "",
        _("without losing a life") if lives == full > 1 and not lost else "",
        _("after losing {n} rounds in a row").format(n=row) if row > 1 else "",
    )
    return ", ".join(filter(None, parts))


def turning_points(
    history: Sequence[Event], hands: Mapping[int, Sequence[Card]], names: Sequence[str], full: int
) -> tuple[str, ...]:
    """Return sentences about the events that decided a match.

    Args:
        history: The events of the match.
        hands: The hands at the end of the last round, by seat.
        names: The players' names by seat.
        full: The number of lives that each seat started with.
    """
    number = _last_round(history)
    lasts = {event.seat: event for event in history if event.what in OUT}
    toads = [pair for pair in by_round(history) if pair[1].what in TOADS]
    lost = {(of_round, event.seat) for of_round, event in by_round(history) if event.what is _LOST}
    gifts = [pair for pair in toads if (pair[0], pair[1].by) in lost]
    lines = [
        _("👑 Toadus Maximus: {name}, in round {n}.").format(name=names[event.seat], n=of_round)
        for of_round, event in toads
        if event.what is EventType.MAXIMUS
    ]
    lines += _last_lives(lasts, hands, number, names)
    for of_round, event in gifts[-1:]:
        words = _(
            "{other} discarded the card that gave {name} a toad in round {n}, and then lost a life."
        )
        lines.append(words.format(other=names[event.by or 0], name=names[event.seat], n=of_round))
    lines += _longest_lead(history, names, full)
    if quickest := min(toads, key=lambda toad: toad[1].count, default=None):
        of_round, event = quickest
        words = _("Quickest toad: {name}, in turn {n} of round {round}.")
        lines.append(words.format(name=names[event.seat], n=event.count, round=of_round))
    return tuple(lines)


def _last_round(history: Sequence[Event]) -> int:
    return next((event.count for event in reversed(history) if event.what is EventType.DEALT), 0)


def _longest_lead(history: Sequence[Event], names: Sequence[str], full: int) -> Iterator[str]:
    """Yield a sentence about the player who led longest, if the lead lasted ``LEAD`` rounds or more."""
    leads = [(seat, len(list(rounds))) for seat, rounds in groupby(_leaders(history, len(names), full))]
    seat_leads = [(seat, n) for seat, n in leads if seat is not None]
    seat, n = max(seat_leads, key=lambda lead: lead[1], default=(0, 0))
    if n >= LEAD:
        yield _("Longest lead: {name}, {n} rounds.").format(name=names[seat], n=n)


def _leaders(history: Sequence[Event], seats: int, full: int) -> Iterator[int | None]:
    lives = [full] * seats
    for _number, events in groupby(by_round(history), lambda each: each[0]):
        for _round, event in events:
            match event.what:
                case EventType.LOST_LIFE:
                    lives[event.seat] = event.count
                case EventType.LIFE_BACK:
                    lives[event.seat] += 1
                case EventType.LEFT:
                    lives[event.seat] = 0
        most = max(lives)
        yield lives.index(most) if lives.count(most) == 1 else None


def _last_lives(
    lasts: Mapping[int, Event], hands: Mapping[int, Sequence[Card]], number: int, names: Sequence[str]
) -> Iterator[str]:
    """Yield sentences about the players who were eliminated in the last round.

    The sentences say how close these players were to a toad.
    """
    out = [seat for seat in hands if seat in lasts and lasts[seat].what is EventType.ELIMINATED]
    if not out:
        return
    missed = {seat: ", ".join(missing_words(hands[seat])) for seat in out}
    if out[1:]:
        words = _("{names} lost their last lives in round {n}.")
        yield words.format(names=join_words([names[seat] for seat in out]), n=number)
        least = min(spots_off(hands[seat]) for seat in out)
        closest = [seat for seat in out if spots_off(hands[seat]) == least]
        parts = [f"{names[seat]} ({missed[seat]})" for seat in closest if missed[seat]]
        if parts:
            yield _("Closest to a toad: {names}.").format(names=join_words(parts))
        return
    if missed[out[0]]:
        words = _("{name} lost their last life in round {n}: {missed}.")
    else:
        words = _("{name} lost their last life in round {n} with a toad they never declared.")
    yield words.format(name=names[out[0]], n=number, missed=missed[out[0]])

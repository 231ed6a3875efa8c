"""Descriptions of scenes in words, for alt text and for players who have turned off pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import assert_never

from bot.engine.cards import Card
from bot.engine.frozen import frozen
from bot.engine.name_sanitizing import isolate_direction
from bot.engine.scene import (
    WEEK,
    Bars,
    Blank,
    Caption,
    Chart,
    Face,
    Item,
    Mark,
    Medal,
    Medals,
    PathCard,
    PathEnd,
    Plate,
    Podium,
    ProgressTally,
    Reveal,
    Scene,
    Standing,
    Subtitles,
    SuitPlace,
    Weeks,
    Zone,
)
from bot.engine.spoken_cards import describe_cards, space_words, spell_icons, spoken
from bot.engine.translation import N_, _, ngettext

_MARKED = {
    Mark.LEFT: N_("last move from"),
    Mark.REACHED: N_("last move to"),
    Mark.MAY_MOVE: N_("may move:"),
    Mark.LANDING: N_("landing:"),
    Mark.TAKE: N_("hint: take this"),
    Mark.PUT: N_("hint: put it here"),
}
"""The words that describe each type of highlight."""

ALT_TEXT_LIMIT = 1024
SHORT_NAME = 12


@frozen
class Detail:
    """The amount of detail in an alt text.

    Attributes:
        marks: Whether to mention highlighted cards and spaces.
        names: Whether to write names in full. If not, they are cut to ``SHORT_NAME`` letters.
        terse: Whether to use the shortest form of each card.
        shown: Whether to list the open cards of other players.
    """

    marks: bool = True
    names: bool = True
    terse: bool = False
    shown: bool = True


DETAILS = (
    Detail(),
    Detail(marks=False),  # the news mentions the last move, and the buttons show the next one
    Detail(marks=False, names=False),
    Detail(marks=False, names=False, terse=True),
    Detail(marks=False, names=False, terse=True, shown=False),
)
"""Levels of detail, starting with the most detailed."""


def describe(scene: Scene, news: Sequence[str] = ()) -> str:
    """Return the alt text for a picture.

    Discord allows 1,024 characters. If the text is too long, it is generated again with less detail.

    Args:
        scene: The content of the picture.
        news: Sentences to put before the description. If space is short, only the last one is kept.
    """
    *most, least = DETAILS
    text, news = "", list(map(_end_sentence, news))
    for detail, intro in (*((level, news) for level in most), (most[-1], news[-1:]), (least, news[-1:])):
        text = " ".join((*intro, *sentences(scene.items, detail)))
        if len(text) <= ALT_TEXT_LIMIT:
            return text
    return text[: ALT_TEXT_LIMIT - 2].rpartition(". ")[0] + ". …"


def sentences(items: Sequence[Item], detail: Detail = DETAILS[0]) -> tuple[str, ...]:
    """Return sentences that describe a picture's items. Adjacent captions are joined into one string."""
    tokens = _tokens(items)
    plated = {item.seat for item in items if isinstance(item, Plate)}
    parts = [(isinstance(item, Caption), _say(item, detail, tokens)) for item in items]
    ends = [at for at, item in enumerate(items, 1) if isinstance(item, (PathCard, PathEnd))]
    if ends:
        player = _("player {n}")
        podiums = (item for item in items if isinstance(item, Podium))
        names = {one.seat: _name(one, detail) for podium in podiums for one in podium.standings}
        others = (
            f"{names.get(seat) or player.format(n=seat + 1)}: {', '.join(at)}."
            for seat, at in tokens.items()
            if seat not in plated
        )
        marked = _marks(items) if detail.marks else ()
        parts[ends[-1] : ends[-1]] = [(False, words) for words in (*others, *marked)]
    lines: list[str] = []
    for are_captions, group in groupby(
        ((is_caption, words) for is_caption, words in parts if words), itemgetter(0)
    ):
        words = [sentence for _is_caption, sentence in group]
        lines += [" ".join(words)] if are_captions else words
    return tuple(lines)


def own_sentences(items: Sequence[Item], *, piles: bool, terse: bool) -> tuple[str, ...]:
    """Return sentences that describe the viewer's own cards, progress and lives.

    Args:
        items: The items of the viewer's scene.
        piles: Whether to describe the piles of a solitaire game instead of a hand.
        terse: Whether to use the shortest form of each card.
    """
    tokens, detail = _tokens(items), Detail(marks=False, terse=terse)

    def is_own(at: int, item: Item) -> bool:
        match item:
            case Zone(count=count):
                return count is not None if piles else at == 0
            case Reveal():
                return at == 0 and has_seat
            case Plate(own=own):
                return own
            case _:
                return isinstance(item, ProgressTally)

    has_seat = any(isinstance(item, Plate) and item.own for item in items)
    return tuple(_say(item, detail, tokens) for at, item in enumerate(items) if is_own(at, item))


def _say(item: Item, detail: Detail, tokens: Mapping[int, list[str]]) -> str:
    match item:
        case Zone():
            return _say_zone(item, detail)
        case Plate():
            return _say_plate(item, detail, tokens.get(item.seat, []))
        case Reveal():
            return _say_reveal(item, detail)
        case Podium():
            return " ".join(_say_standing(standing, detail) for standing in item.standings)
        case PathCard():
            return f"{item.number}: {spoken(item.card, terse=detail.terse)}."
        case PathEnd():
            return ""
        case ProgressTally():
            return _("{label}: {value} of {goal}.").format(
                label=item.label, value=item.value, goal=item.goal
            )
        case Caption():
            return _end_sentence(item.spoken or spell_icons(item.text))
        case Chart():
            rows = [f"{row[0]} {row[1]}: {', '.join(row[2:])}.".strip() for row in item.rows]
            headings = ", ".join(filter(None, item.headings))
            return " ".join((*([f"{headings}."] if headings else []), *rows))  # eleven rows fit
        case Subtitles():
            return " ".join(map(_end_sentence, filter(None, item.lines)))
        case Medals():
            return ", ".join(map(_say_medal, item.medals)) + "."
        case Weeks():
            return f"{item.title}: {item.note}. {_calendar(item)}"
        case Bars():
            return "; ".join(f"{label}: {value}" for label, value in item.rows) + "."
        case _:
            assert_never(item)


def _calendar(weeks: Weeks) -> str:
    """Describe a calendar: the numbers of done and missed days, and each result of the last week."""
    words = {True: _("done"), False: _("missed"), None: _("not tried")}
    saved, count = _("saved (❄️)"), len(weeks.days)
    days = [saved if at in weeks.saved else words[day] for at, day in enumerate(weeks.days)]
    counts = _("{n} days: {done} done, {missed} missed.")
    counted = counts.format(n=count, done=days.count(words[True]), missed=days.count(words[False]))
    if weeks.saved:
        n = len(weeks.saved)
        counted += " " + ngettext(
            "{n} missed day didn't break a streak (❄️).", "{n} missed days didn't break a streak (❄️).", n
        ).format(n=n)
    last = days[-WEEK:]
    return f"{counted} " + _("The last {n} days: {days}.").format(n=len(last), days=", ".join(last))


def _end_sentence(words: str) -> str:
    return words if words.rstrip('*_"').endswith((".", "!", "?", "…", ":")) else f"{words}."


_LEVELS = ("", N_("bronze"), N_("silver"), N_("gold"))


def _say_medal(medal: Medal) -> str:
    level = f" ({_(_LEVELS[medal.level])})" if medal.level else ""
    return f"{medal.label} {medal.value}{level}"


def _say_zone(zone: Zone, detail: Detail) -> str:
    faces = zone.spoken or "; ".join(_say_cards(zone, detail)) or _("none")
    notes = [zone.note] if zone.note and not zone.spoken else []
    if zone.count is not None:
        count = ngettext("{n} card", "{n} cards", zone.count).format(n=zone.count)
        if zone.cards in ((Blank.BACK,), (Blank.GAP,)):
            faces = count
        else:
            notes.append(count)
    if zone.mark is not None and detail.marks:
        several = zone.mark is Mark.TAKE and zone.marked > 1
        words = _("hint: take the last {n}") if several else _(_MARKED[zone.mark])
        notes.append(words.format(n=zone.marked))
    note = f" ({', '.join(notes)})" if notes else ""
    title = zone.called or zone.title
    return f"{title}: {faces}{note}." if title else f"{faces}{note}."


def _say_cards(zone: Zone, detail: Detail) -> Iterator[str]:

    def kind(card: Face | Blank | SuitPlace) -> object:
        return card if isinstance(card, (Blank, SuitPlace)) or card in zone.new else Card

    for _kind, group in groupby(zone.cards, key=kind):
        cards = list(group)
        faces = [card for card in cards if not isinstance(card, (Blank, SuitPlace))]
        if not faces:
            description = _("face down") if cards[0] is Blank.BACK else _("empty")
            yield from [description] * len(cards)
        else:
            words = describe_cards(faces, colours=not detail.terse, terse=detail.terse)
            yield _("{card} (new)").format(card=words) if faces[0] in zone.new else words


def _tokens(items: Sequence[Item]) -> dict[int, list[str]]:
    """Return the positions of each player's tokens in words.

    If the picture has a box for each player, tokens in the goal are omitted, because the box shows their
    number.
    """
    positions: dict[int, list[str]] = {}
    has_plates = any(isinstance(item, Plate) for item in items)
    for item in items:
        match item:
            case PathEnd(tokens=counts) if item.first or not has_plates:
                for seat, count in enumerate(counts):
                    if count:
                        positions.setdefault(seat, []).append(f"{item.title} {count}")
            case PathCard():
                for suit, holder in zip(item.card.suits, item.tokens, strict=True):
                    if holder is not None:
                        positions.setdefault(holder, []).append(space_words(item.number, suit))
    return dict(sorted(positions.items()))


def _marks(items: Sequence[Item]) -> Iterator[str]:
    places: dict[Mark, list[str]] = {}
    for item in items:
        match item:
            case PathEnd(mark=Mark() as mark):
                places.setdefault(mark, []).append(item.title)
            case PathCard():
                for suit, on in zip(item.card.suits, item.marks, strict=False):
                    if on is not None:
                        places.setdefault(on, []).append(space_words(item.number, suit))
    for mark, spaces in places.items():
        words = _(_MARKED[mark])
        yield f"{words[:1].upper()}{words[1:]} {', '.join(spaces)}."


def _say_plate(plate: Plate, detail: Detail, tokens: Sequence[str]) -> str:
    lives = ngettext("{lives} of {full} life", "{lives} of {full} lives", plate.full).format(
        lives=plate.lives, full=plate.full
    )
    parts = [plate.counted or lives] if plate.counted or plate.full else []
    if not plate.out and plate.held is not None:
        parts.append(ngettext("{n} card", "{n} cards", plate.held).format(n=plate.held))
    if plate.badge:
        parts.append(plate.badge)
    if plate.dealer:
        parts.append(_("dealer"))
    if plate.to_move:
        parts.append(_("to move"))
    parts += tokens
    if plate.shown and detail.shown:
        parts.append(_("shows {cards}").format(cards=describe_cards(plate.shown, terse=detail.terse)))
    name = _name(plate, detail)
    whose = _("{name} (you)").format(name=name) if plate.own else name
    return f"{whose}: {', '.join(parts)}." if parts else f"{whose}."


def _name(item: Plate | Reveal | Standing, detail: Detail) -> str:
    name = item.name if detail.names else isolate_direction(item.name[:SHORT_NAME])
    return _("frog {name}").format(name=name) if item.computer else name


def _say_reveal(reveal: Reveal, detail: Detail) -> str:
    cards = describe_cards(reveal.cards, terse=detail.terse) or _("none")
    parts = [
        _("{cards} ({red} red, {black} black)").format(cards=cards, red=reveal.red, black=reveal.black)
    ]
    if reveal.badge:
        parts.append(reveal.badge)
    if reveal.full:
        lives = ngettext("{lives} of {full} life", "{lives} of {full} lives", reveal.full)
        parts.append(lives.format(lives=reveal.lives, full=reveal.full))
    who = _name(reveal, detail)
    head = reveal.says.format(name=who) if reveal.says else who
    colon = "" if head.endswith((".", "!", "?")) else ":"
    return f"{head}{colon} {', '.join(parts)}."


def _say_standing(standing: Standing, detail: Detail) -> str:
    label = ", ".join(filter(None, (_name(standing, detail), standing.note)))
    return _("Place {n}: {name}.").format(n=standing.place, name=label)

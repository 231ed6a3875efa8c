"""Messages in words: for who hears them read, and where no picture can be sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TypeGuard

from bot.engine.alt_text import describe, own_sentences, sentences
from bot.engine.name_sanitizing import inert
from bot.engine.panel import HINT
from bot.engine.scene import Item, Scene
from bot.engine.spoken_cards import spelled
from bot.engine.words import N_, _, speaking
from bot.messages.appearance import LABEL, Appearance, shortened
from bot.messages.button_rows import with_last
from bot.messages.channel_access import ATTACH_FILES, ChannelAccess, NoAccess
from bot.messages.components import (
    Button,
    Content,
    Menu,
    Part,
    Picture,
    Pressable,
    Row,
    Text,
    row,
)
from bot.messages.custom_ids import action_id
from bot.messages.table_message import hand_content, table_content, table_scene
from bot.sessions.table import Table

_SHUT = {
    NoAccess.GONE: N_("The table's channel is gone, so the match is over."),
    NoAccess.REMOVED: N_("I'm no longer in that server. The table will be back when I am."),
    NoAccess.LOCKED: N_("The thread is locked, so I can't show the table there. You can go on here."),
}
"""What a player is told of a place that is shut, where there is more to say than that it is."""


def fitting(content: Content, access: ChannelAccess) -> Content:
    """Return the content, or where the place takes no pictures what they show in words, and why."""
    if content.picture is None or access.attaches:
        return content
    with speaking(content.language):
        why = _(
            "I don't have the permission **{permission}** here, so I describe the picture in words."
        ).format(permission=_(access.missing or ATTACH_FILES))
        parts = (
            Text(f"{inert(describe(part.scene))}\n-# {why}") if isinstance(part, Picture) else part
            for part in content.parts
        )
        return replace(content, parts=tuple(parts))


def with_line(content: Content, line: str | None) -> Content:
    """Return the content with a small line before its controls, or as it is."""
    if line is None:
        return content
    parts = content.parts
    at = next((number for number, part in enumerate(parts) if isinstance(part, Row)), len(parts))
    return replace(content, parts=(*parts[:at], Text(f"-# {line}"), *parts[at:]))


def brought_back(table: Table) -> str | None:
    """Return how a player finds a private deal again: Discord keeps such a message only for a while."""
    if not table.is_playing:
        return None
    words = _("Only you see this. `/{command} {name}` brings it back any time.")
    name = "daily" if table.match.day else "table"
    return words.format(command=table.game.info.command, name=name)


def why_hidden(access: ChannelAccess) -> str | None:
    if access.shows or access.no_access is NoAccess.OUTAGE:
        return None
    if access.no_access in _SHUT:
        return _(_SHUT[access.no_access])
    if access.missing:
        words = _(
            "I can't show the table in its channel without the permission **{permission}**. You can "
            "go on here."
        )
        return words.format(permission=_(access.missing))
    return _("I can't show the table in its channel right now. You can go on here.")


_EMOJI = re.compile(
    "[\u2300-\u23ff\u25aa-\u25fe\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\ufe0f\u200d\u20e3]* ?"
)
"""A sign that only adorns what is said beside it; cards and suits are in words by then."""

_MARKUP = re.compile(r"\\(\W)|^-# |\*\*")
"""What Discord shows none of: escapes, the sign of a small line, and what makes it bold."""

_FROG_NAME = re.compile(r"(?<!## )🐸 (?=[^\s*])")
"""The mark of a frog's name."""


def bare(line: str) -> str:
    return _MARKUP.sub(r"\1", without_signs(spelled(line)))


def without_signs(text: str) -> str:
    named = _FROG_NAME.sub(lambda _found: _("frog {name}").format(name=""), text)
    named = named.replace("🔏 `", _("Commitment:") + " `")
    named = named.replace(f"{HINT} **", _("Hint:") + " **")
    return _EMOJI.sub("", named)


TURN_LETTERS = 350
"""How long the text of a turn may be: whoever hears it read cannot skip through it with a glance."""

MOST_LETTERS = 3_800
"""How long all texts of a message may be together; Discord takes 4,000."""

OPTION = 100
"""How long an option of a menu may be."""

IN_WORDS = Appearance(as_text=True)

_SIGNS = {
    "⏮": N_("To the start"),
    "◀": N_("Step back"),
    "▶": N_("Step on"),
    "⏭": N_("To the end"),
    "🔄": N_("Look again"),
}
"""Labels that are nothing but a sign."""


def turn_in_words(content: Content, table: Table, seat: int | None) -> Content:
    """Return a message of a table in words; a turn's is short, and a button tells all the rest.

    The news comes first. At the start of a turn that is what the others did, the latest of it if there
    is much, before what the player has and what is asked. In a later step the player has read that, so
    what is asked comes first: it names the card that was drawn.

    Args:
        content: The message with its picture.
        table: The table that the message shows.
        seat: The seat whose hand the message shows, or None for a message that everybody sees.
    """
    if not table.is_playing or table.match.is_lesson:
        return in_words(content, MOST_LETTERS)
    with speaking(content.language):
        said = [part for part in map(_said, content.parts) if part is not None]
        asked = [part for part in said if isinstance(part, Text) and not part.news]
        news = [part for part in said if _is_news(part)]
        room = TURN_LETTERS - sum(len(part.words) + 1 for part in asked)
        first = [Text(words) for words in _told_first(news, content.picture, room, table) if words]
        all_of_it = Button(action_id(table.match.id, "words"), _("Tell me everything"))
        rows = [part for part in said if isinstance(part, Row)]
        rows = with_last(rows, all_of_it) if rows else [row(all_of_it)]
        is_later_step = seat is not None and table.to_move == seat and table.n > table.began
        texts = (*asked, *first[::-1]) if is_later_step else (*first, *asked)
        return replace(content, parts=(*texts, *rows))


def _told_first(
    news: Sequence[Text], picture: Picture | None, room: int, table: Table
) -> tuple[str, str]:
    """Return what is new, and what the player has: shorter where the newest line needs its room.

    A game for one tells of the last move first, and then what was asked; another of the last turn last.
    """
    lines = [line for part in news for line in part.words.split("\n")]
    told = sum(len(part.news.split("\n")) for part in news)
    latest = list(range(min(told, len(lines))))[::-1]
    if table.is_solo:
        latest.sort(key=lambda at: (at != 1, at))
    items = picture.scene.items if picture is not None else ()
    whole, short = (own_sentences(items, piles=table.is_solo, terse=terse) for terse in (False, True))
    shortest = short if table.is_solo else short[:-1]  # without the seat, which others see as well
    ways = ["\n".join(map(inert, each)) for each in (whole, short, shortest)]
    needed = sum(len(lines[at]) + 1 for at in latest[:1])
    own = next((each for each in ways if needed + len(each) <= room), ways[-1])
    left = room - len(own)
    for at in latest[:1]:
        lines[at] = shortened(lines[at], max(left - 1, 0))
    dearest = (*latest[:1], *range(told, len(lines)), *latest[1:])
    kept = dearest[: len(_fitting([lines[at] for at in dearest], left))]
    return "\n".join(lines[at] for at in sorted(kept)), own


def whole_content(table: Table, seat: int | None) -> Content:
    """Return all that a seat, or the public, may know of a table, and nothing to press."""
    if seat is None or table.state is None:
        return in_words(_without_rows(table_content(table, (), IN_WORDS)), MOST_LETTERS)
    content = _without_rows(hand_content(table, seat, look=IN_WORDS))
    return in_words(content, MOST_LETTERS, None if table.to_move == seat else table_scene(table, None))


def as_liked(content: Content, look: Appearance) -> Content:
    return in_words(content, MOST_LETTERS) if look.as_text else content


def in_words(content: Content, most: int, beside: Scene | None = None) -> Content:
    """Return a message without pictures and signs: what is new, what may be done, what there is to see.

    Its texts have at most so many letters together, as far as those allow it that say what may be done.
    What there is to see is told as far as that leaves room, of what is new the latest. ``beside`` has
    things that are told after those of the message's own picture.
    """
    with speaking(content.language):
        said = [_said(part) for part in content.parts]
        rest = [part for part in said if part is not None and not _is_news(part)]
        room = most - sum(len(part.words) for part in rest if isinstance(part, Text))
        lines = [line for part in said if _is_news(part) for line in part.words.split("\n")]
        picture = content.picture
        things = _things(picture.scene.items if picture is not None else (), beside)
        needed = sum(len(thing) + 1 for thing in things[:1])
        lines = _fitting(lines[::-1], room - needed)[::-1]
        things = _fitting(things, room - sum(len(line) + 1 for line in lines)) or things[:1]
        news = [Text("\n".join(lines))] if lines else []
        seen = Text("\n".join(things))
        told = [seen if isinstance(part, Picture) else part for part in rest]
        return replace(content, parts=(*news, *told))


def _without_rows(content: Content) -> Content:
    return replace(content, parts=tuple(part for part in content.parts if not isinstance(part, Row)))


def _is_news(part: Part | None) -> TypeGuard[Text]:
    return isinstance(part, Text) and bool(part.news)


def _things(items: Sequence[Item], beside: Scene | None = None) -> list[str]:
    said = sentences(items)
    more = [one for one in sentences(beside.items) if one not in said] if beside else []
    return [inert(sentence) for sentence in (*said, *more)]


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    ends = accumulate(len(line) + 1 for line in lines)
    return [line for line, end in zip(lines, ends, strict=True) if end <= room]


def _said(part: Part) -> Part | None:
    match part:
        case Text(words):
            return replace(part, words=without_signs(spelled(words)))
        case Row(items):
            kept = tuple(_control(item) for item in items if not item.disabled)
            return Row(kept) if kept else None
        case _:
            return part


def _control(item: Pressable) -> Pressable:
    match item:
        case Button():
            return replace(item, label=_label(item.label or "", item.emoji, LABEL), emoji=None)
        case Menu():
            options = (
                replace(each, label=_label(each.label, each.emoji, OPTION), emoji=None)
                for each in item.options
            )
            return replace(item, options=tuple(options))
        case _:
            return item


def _label(label: str, emoji: str | None, most: int) -> str:
    """Return a label in words; of one that is too long the last part is left out, not cut."""
    said = without_signs(spelled(label, digits=True)) or _(_SIGNS.get(label, label))
    if emoji == HINT and said != _("Hint"):
        said = _("{choice} (hint)").format(choice=said)
    while len(said) > most and ", " in said:
        said = said.rpartition(", ")[0]
    said = said[:1].upper() + said[1:]  # it began with the sign of a card
    return said if len(said) <= most else f"{said[: most - 1]}…"

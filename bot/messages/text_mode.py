"""Text mode: messages that use words instead of pictures.

It is for players with screen readers, and for channels in which the bot may not attach files.
"""

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
from bot.engine.spoken_cards import spell_icons
from bot.engine.translation import N_, _, speaking
from bot.messages.appearance import LABEL, Appearance, shorten_line
from bot.messages.button_rows import with_last
from bot.messages.channel_access import ATTACH_FILES, ChannelAccess, NoAccess
from bot.messages.components import (
    Button,
    Content,
    Menu,
    Part,
    Pressable,
    Row,
    ScenePicture,
    Text,
)
from bot.messages.custom_ids import action_id
from bot.messages.hand_message import hand_content
from bot.messages.table_message import table_content
from bot.messages.table_view import TableView, table_view
from bot.sessions.table_state import Table

_SHUT = {
    NoAccess.GONE: N_("The table's channel is gone, so the match is over."),
    NoAccess.REMOVED: N_("I'm no longer in that server. The table will be back when I am."),
    NoAccess.LOCKED: N_("The thread is locked, so I can't show the table there. You can go on here."),
}
"""Sentences that tell players why the bot cannot use a table's channel."""


def fitting(content: Content, access: ChannelAccess) -> Content:
    """Adapt a message's content to the bot's permissions in a channel.

    If the bot may not attach files there, replace pictures with descriptions and explain why.

    Args:
        content: The content.
        access: The bot's permissions in the channel.
    """
    if content.picture is None or access.attaches:
        return content
    with speaking(content.language):
        why = _(
            "I'm missing the permission **{permission}** here, so I describe the picture in words."
        ).format(permission=_(access.missing or ATTACH_FILES))
        parts = (
            Text(f"{inert(describe(part.scene))}\n-# {why}") if isinstance(part, ScenePicture) else part
            for part in content.parts
        )
        return replace(content, parts=tuple(parts))


def with_line(content: Content, line: str | None) -> Content:
    """Add a line of small print above a message's buttons and menus.

    If the line is None, add nothing.
    """
    if line is None:
        return content
    parts = content.parts
    at = next((number for number, part in enumerate(parts) if isinstance(part, Row)), len(parts))
    return replace(content, parts=(*parts[:at], Text(f"-# {line}"), *parts[at:]))


def brought_back(table: TableView) -> str | None:
    """Return a line that tells a player how to reopen a private deal, or None if the deal is over.

    Such a deal is shown in an ephemeral message, which soon disappears.
    """
    if not table.is_playing:
        return None
    words = _("Only you can see this. Use `/{command} {name}` to get back to it any time.")
    name = "daily" if table.match.day else "table"
    return words.format(command=table.game.info.command, name=name)


def why_hidden(access: ChannelAccess) -> str | None:
    """Return a sentence that explains why a table is not shown in its channel.

    Return None if the channel shows the table or soon will.
    """
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
"""Matches decorative emoji. It is applied after the icons of cards and suits became words."""

_MARKUP = re.compile(r"\\(\W)|^-# |\*\*")
"""Matches invisible markdown: escapes, the prefix of a small line, and bold markers."""

_FROG_NAME = re.compile(r"(?<!## )🐸 (?=[^\s*])")
"""Matches the icon before a computer player's name."""


def bare(line: str) -> str:
    return _MARKUP.sub(r"\1", without_icons(spell_icons(line)))


def without_icons(text: str) -> str:
    result = _FROG_NAME.sub(lambda _found: _("frog {name}").format(name=""), text)
    result = result.replace("🔏 `", _("Commitment:") + " `")
    result = result.replace(f"{HINT} **", _("Hint:") + " **")
    return _EMOJI.sub("", result)


TURN_LETTERS = 350
"""Maximum length of the text for one turn. Players with a screen reader cannot skim a longer one."""

SHORTEST_CUT = 24
"""Minimum length of a cut line of news. Shorter ones are omitted, because they say nothing."""

MOST_LETTERS = 3_800
"""Maximum total length of a message's texts. Discord's limit is 4,000."""

OPTION = 100
"""Discord's maximum length of a menu option's label."""

IN_WORDS = Appearance(as_text=True)

_SIGNS = {
    "⏮": N_("To the start"),
    "◀": N_("Step back"),
    "▶": N_("Step forward"),
    "⏭": N_("To the end"),
    "🔄": N_("Look again"),
}
"""Labels of buttons that show only an icon."""


def turn_in_words(content: Content, table: TableView) -> Content:
    """Return a table's message in text mode.

    While a match is in progress, the message is short and has a button that shows everything. The news,
    which is the text about the latest moves, comes first. If it is too long, only the latest part is
    kept. The player's cards and the question follow. If the player has already moved in this turn, the
    question comes first, because it names the card that was drawn.

    Args:
        content: The message with its picture.
        table: The table that the message shows.
    """
    if not table.is_playing or table.match.is_lesson:
        return in_words(content, MOST_LETTERS)
    with speaking(content.language):
        parts = (part for part in content.parts if not (isinstance(part, Text) and part.is_fine_print))
        plain_parts = [part for part in map(_part_in_words, parts) if part is not None]
        others = [part for part in plain_parts if isinstance(part, Text) and not part.news]
        news = [part for part in plain_parts if _is_news(part)]
        room = TURN_LETTERS - sum(len(part.words) + 1 for part in others)
        first = [Text(words) for words in _news_first(news, content.picture, room, table) if words]
        all_of_it = Button(action_id(table.match.id, "words"), _("Tell me everything"))
        rows = with_last([part for part in plain_parts if isinstance(part, Row)], all_of_it)
        is_own = not table.is_solo and table.viewer is not None and table.viewer == table.to_move
        texts = (*others, *first[::-1]) if is_own and table.n > table.began else (*first, *others)
        return replace(content, parts=(*texts, *rows))


def _news_first(
    news: Sequence[Text], picture: ScenePicture | None, room: int, table: TableView
) -> tuple[str, str]:
    """Return the latest news and a description of the player's cards, cut to a maximum total length.

    If the newest line does not fit beside the cards, a shorter description of the cards is used. Lines
    of news that do not fit are omitted, the least important ones first. In a solitaire game, the line
    about the last move is the most important one. In other games, it is the last line.
    """
    lines = [line for part in news for line in part.words.split("\n")]
    news_count = sum(len(part.news.split("\n")) for part in news)
    latest = list(range(min(news_count, len(lines))))[::-1]
    if table.is_solo:
        latest.sort(key=lambda at: (at != 1, at))
    items = picture.scene.items if picture is not None else ()
    whole, short = (own_sentences(items, piles=table.is_solo, terse=terse) for terse in (False, True))
    # The shortest description omits the seat, which other players see as well.
    shortest = short if table.is_solo else short[:-1]
    ways = ["\n".join(map(inert, description)) for description in (whole, short, shortest)]
    needed = sum(len(lines[at]) + 1 for at in latest[:1])
    own = next((way for way in ways if needed + len(way) <= room), ways[-1])
    left = room - len(own)
    for at in latest[:1]:
        cut = shorten_line(lines[at], max(left - 1, 0))
        lines[at] = cut if cut == lines[at] or len(cut) >= SHORTEST_CUT else ""
    dearest = (*latest[:1], *range(news_count, len(lines)), *latest[1:])
    indexes = dearest[: len(_fitting([lines[at] for at in dearest], left))]
    return "\n".join(lines[at] for at in sorted(indexes)), own


def whole_content(table: Table, seat: int | None) -> Content:
    """Describe a table in words, with everything that a player may see, but no buttons or menus.

    Args:
        table: The table.
        seat: The player's seat, or None for the public.
    """
    public = table_view(table)
    if seat is None or table.state is None:
        return in_words(_without_rows(table_content(public, (), IN_WORDS)), MOST_LETTERS)
    content = _without_rows(hand_content(table_view(table, seat), look=IN_WORDS))
    return in_words(content, MOST_LETTERS, None if table.to_move == seat else public.scene())


def adapted_to_reader(content: Content, look: Appearance) -> Content:
    """Convert the content into words if the reader uses text mode. Otherwise, return it unchanged."""
    return in_words(content, MOST_LETTERS) if look.as_text else content


def in_words(content: Content, most: int, beside: Scene | None = None) -> Content:
    """Convert a message to plain text, without pictures or icons.

    The text has the latest events first, then a description of the picture, then everything else. If the
    text is too long, the oldest events and the end of the description are omitted.

    Args:
        content: The message with its picture.
        most: Maximum total length of the texts. It is exceeded only if the other parts are longer.
        beside: Another scene to describe after the message's own picture, or None.
    """
    with speaking(content.language):
        plain_parts = [_part_in_words(part) for part in content.parts]
        rest = [part for part in plain_parts if part is not None and not _is_news(part)]
        room = most - sum(len(part.words) for part in rest if isinstance(part, Text))
        lines = [line for part in plain_parts if _is_news(part) for line in part.words.split("\n")]
        picture = content.picture
        things = _things(picture.scene.items if picture is not None else (), beside)
        needed = sum(len(thing) + 1 for thing in things[:1])
        lines = _fitting(lines[::-1], room - needed)[::-1]
        things = _fitting(things, room - sum(len(line) + 1 for line in lines)) or things[:1]
        news = [Text("\n".join(lines))] if lines else []
        description = Text("\n".join(things))
        body = [description if isinstance(part, ScenePicture) else part for part in rest]
        return replace(content, parts=(*news, *body))


def _without_rows(content: Content) -> Content:
    return replace(content, parts=tuple(part for part in content.parts if not isinstance(part, Row)))


def _is_news(part: Part | None) -> TypeGuard[Text]:
    return isinstance(part, Text) and bool(part.news)


def _things(items: Sequence[Item], beside: Scene | None = None) -> list[str]:
    lines = sentences(items)
    more = [one for one in sentences(beside.items) if one not in lines] if beside else []
    return [inert(sentence) for sentence in (*lines, *more)]


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    ends = accumulate(len(line) + 1 for line in lines)
    return [line for line, end in zip(lines, ends, strict=True) if end <= room]


def _part_in_words(part: Part) -> Part | None:
    match part:
        case Text(words):
            return replace(part, words=without_icons(spell_icons(words)))
        case Row(items):
            controls = tuple(_control(item) for item in items if not item.disabled)
            return Row(controls) if controls else None
        case _:
            return part


def _control(item: Pressable) -> Pressable:
    match item:
        case Button():
            return replace(item, label=_label(item.label or "", item.emoji, LABEL), emoji=None)
        case Menu():
            options = (
                replace(option, label=_label(option.label, option.emoji, OPTION), emoji=None)
                for option in item.options
            )
            return replace(item, options=tuple(options))
        case _:
            return item


def _label(label: str, emoji: str | None, most: int) -> str:
    """Convert a button's label to words. If the result is too long, drop parts from its end."""
    words = without_icons(spell_icons(label, digits=True)) or _(_SIGNS.get(label, label))
    if emoji == HINT and words != _("Hint"):
        words = _("{choice} (hint)").format(choice=words)
    while len(words) > most and ", " in words:
        words = words.rpartition(", ")[0]
    words = words[:1].upper() + words[1:]  # the label began with the icon of a card
    return words if len(words) <= most else f"{words[: most - 1]}…"

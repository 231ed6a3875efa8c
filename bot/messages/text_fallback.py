"""Content with a line more, in words where no picture can be sent, and as it is read aloud."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.engine.description import describe
from bot.engine.names import inert
from bot.engine.panel import HINT
from bot.engine.spelling import spelled
from bot.engine.words import N_, _, speaking
from bot.messages.channel_access import ATTACH_FILES, ChannelAccess, NoAccess
from bot.messages.components import Content, Picture, Row, Text

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
    rows = [access for access, part in enumerate(parts) if isinstance(part, Row)]
    at = rows[0] if rows else len(parts)
    return replace(content, parts=(*parts[:at], Text(f"-# {line}"), *parts[at:]))


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
    """Return a text in which cards are in words already, without the signs that adorn it."""
    named = _FROG_NAME.sub(lambda _found: _("frog {name}").format(name=""), text)
    named = named.replace("🔏 `", _("Commitment:") + " `")
    named = named.replace(f"{HINT} **", _("Hint:") + " **")
    return _EMOJI.sub("", named)

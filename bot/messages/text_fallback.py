"""Content with a line more, and content in words where no picture can be sent."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.names import inert
from bot.engine.scene import describe
from bot.engine.words import N_, _, speaking
from bot.messages.channel_access import ATTACH_FILES, ChannelAccess, NoAccess
from bot.messages.components import Content, Part, Picture, Row, Text

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
        return replace(content, parts=tuple(_told(part, why) for part in content.parts))


def with_line(content: Content, line: str | None) -> Content:
    """Return the content with a small line before its controls, or as it is."""
    if line is None:
        return content
    parts = content.parts
    rows = [access for access, part in enumerate(parts) if isinstance(part, Row)]
    at = rows[0] if rows else len(parts)
    return replace(content, parts=(*parts[:at], Text(f"-# {line}"), *parts[at:]))


def why_hidden(access: ChannelAccess) -> str | None:
    """Return what a player is told, with the hand, where the table itself cannot be shown."""
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


def _told(part: Part, why: str) -> Part:
    return Text(f"{inert(describe(part.scene))}\n-# {why}") if isinstance(part, Picture) else part

"""A sheet with a line more, and a sheet in words where no picture can be sent."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.names import inert
from bot.engine.scene import describe
from bot.engine.words import N_, _, speaking
from bot.messages.parts import Part, Picture, Row, Sheet, Text
from bot.messages.place import ATTACH_FILES, Place, Shut

_SHUT = {
    Shut.GONE: N_("The table's channel is gone, so the match is over."),
    Shut.REMOVED: N_("I'm no longer in that server. The table will be back when I am."),
    Shut.LOCKED: N_("The thread is locked, so I can't show the table there. You can go on here."),
}
"""What a player is told of a place that is shut, where there is more to say than that it is."""


def fitting(sheet: Sheet, place: Place) -> Sheet:
    """Return the sheet, or where the place takes no pictures what they show in words, and why."""
    if sheet.picture is None or place.attaches:
        return sheet
    with speaking(sheet.language):
        why = _(
            "I don't have the permission **{permission}** here, so I describe the picture in words."
        ).format(permission=_(place.missing or ATTACH_FILES))
        return replace(sheet, parts=tuple(_told(part, why) for part in sheet.parts))


def with_line(sheet: Sheet, line: str | None) -> Sheet:
    """Return the sheet with a small line before its controls, or as it is."""
    if line is None:
        return sheet
    parts = sheet.parts
    rows = [place for place, part in enumerate(parts) if isinstance(part, Row)]
    at = rows[0] if rows else len(parts)
    return replace(sheet, parts=(*parts[:at], Text(f"-# {line}"), *parts[at:]))


def why_hidden(place: Place) -> str | None:
    """Return what a player is told, with the hand, where the table itself cannot be shown."""
    if place.shows or place.shut is Shut.OUTAGE:
        return None
    if place.shut in _SHUT:
        return _(_SHUT[place.shut])
    if place.missing:
        words = _(
            "I can't show the table in its channel without the permission **{permission}**. You can "
            "go on here."
        )
        return words.format(permission=_(place.missing))
    return _("I can't show the table in its channel right now. You can go on here.")


def _told(part: Part, why: str) -> Part:
    return Text(f"{inert(describe(part.scene))}\n-# {why}") if isinstance(part, Picture) else part

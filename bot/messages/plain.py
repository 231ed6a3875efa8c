"""A sheet with a line more, and a sheet in words where no picture can be sent."""

from __future__ import annotations

from dataclasses import replace

from discord import ui

from bot.engine.names import inert
from bot.engine.words import N_, _, speaking
from bot.messages.parts import Sheet, text
from bot.messages.place import ATTACH_FILES, Place, Shut

_SHUT = {
    Shut.GONE: N_("The table's channel is gone, so the match is over."),
    Shut.REMOVED: N_("I'm no longer in that server. The table will be back when I am."),
    Shut.LOCKED: N_("The thread is locked, so I can't show the table there. You can go on here."),
}
"""What a player is told of a place that is shut, where there is more to say than that it is."""


def fitting(sheet: Sheet, place: Place) -> Sheet:
    """Return the sheet, or where the place takes no pictures what they show in words, and why."""
    if sheet.image is None or place.attaches:
        return sheet
    with speaking(sheet.language):
        why = _(
            "I don't have the permission **{permission}** here, so I describe the picture in words."
        ).format(permission=_(place.missing or ATTACH_FILES))
    return _rebuilt(sheet, [_told(part, why) for part in _container(sheet).children])


def with_line(sheet: Sheet, line: str | None) -> Sheet:
    """Return the sheet with a small line before its controls, or as it is."""
    if line is None:
        return sheet
    parts = list(_container(sheet).children)
    rows = [place for place, part in enumerate(parts) if isinstance(part, ui.ActionRow)]
    parts.insert(rows[0] if rows else len(parts), text(f"-# {line}"))
    return _rebuilt(sheet, parts, sheet.image)


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


def _told(part: ui.Item[ui.LayoutView], why: str) -> ui.Item[ui.LayoutView]:
    if not isinstance(part, ui.MediaGallery):
        return part
    told = "\n".join(item.description or "" for item in part.items)
    return text(f"{inert(told)}\n-# {why}")


def _container(sheet: Sheet) -> ui.Container[ui.LayoutView]:
    [container] = sheet.view.children
    assert isinstance(container, ui.Container), "a sheet is one container"
    return container


def _rebuilt(sheet: Sheet, parts: list[ui.Item[ui.LayoutView]], image: bytes | None = None) -> Sheet:
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(*parts, accent_colour=_container(sheet).accent_colour))
    view.stop()
    return replace(sheet, view=view, image=image)

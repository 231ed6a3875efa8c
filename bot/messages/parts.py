"""The parts that messages are built from: a layout, paragraphs, pictures, buttons and rows."""

from __future__ import annotations

import io
from dataclasses import field

import discord
import structlog
from discord import ui

from bot.engine.names import inert
from bot.engine.panel import Tone
from bot.engine.scene import Scene, describe
from bot.engine.values import frozen
from bot.engine.words import language
from bot.messages.commands import clickable
from bot.messages.look import unbroken
from bot.rendering import checksum, drawn

log = structlog.get_logger(__name__)

POND = discord.Colour(0x3E8E5A)
GOLD = discord.Colour(0xD9A441)
STONE = discord.Colour(0x6B7280)

_STYLES = {
    Tone.PLAIN: discord.ButtonStyle.secondary,
    Tone.MAIN: discord.ButtonStyle.primary,
    Tone.GOOD: discord.ButtonStyle.success,
    Tone.DANGER: discord.ButtonStyle.danger,
}


@frozen
class Sheet:
    """What one message shows, in a language: its layout, and the image (PNG) that is referred to."""

    view: ui.LayoutView
    image: bytes | None = None
    language: str = field(default_factory=language)

    def files(self) -> list[discord.File]:
        """Return the image as an upload, or nothing. An upload can be sent once."""
        return [discord.File(io.BytesIO(self.image), picture_name(self.image))] if self.image else []

    def spent(self) -> None:
        """Take the layout apart once it has been shown: its parts refer to each other.

        Left whole they would be two thirds of all garbage that Python has to look for.
        """
        for part in self.view.children:
            if isinstance(part, ui.Container):
                for line in part.children:
                    if isinstance(line, ui.ActionRow):
                        line.clear_items()
                part.clear_items()
        self.view.clear_items()

    @property
    def picture_name(self) -> str | None:
        """What the picture's file is called: by that a message tells which picture it shows."""
        return picture_name(self.image) if self.image else None


def picture_name(image: bytes) -> str:
    """Return what a picture's file is called: by that a message tells which picture it shows."""
    return f"ribit-{checksum(image)}.png"


def sheet(
    *parts: ui.Item[ui.LayoutView], image: bytes | None = None, colour: discord.Colour = POND
) -> Sheet:
    """Return the parts, top to bottom, in a container with a coloured edge."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(*parts, accent_colour=colour))
    view.stop()  # a click is known by its custom_id, so discord.py need not remember the view
    return Sheet(view, image)


def text(content: str) -> ui.TextDisplay[ui.LayoutView]:
    """Return a paragraph of Discord markdown; commands in it are clickable, cards whole."""
    return ui.TextDisplay(unbroken(clickable(content)))


def picture(scene: Scene) -> tuple[ui.Item[ui.LayoutView], bytes | None]:
    """Return the part that shows a scene, with its alt text, and the image to upload with it.

    Where drawing fails, the scene's text stands in for the picture: the game goes on.
    """
    try:
        made = drawn(scene)
    except Exception:
        log.exception("could not draw")
        return text(inert(describe(scene))), None
    shown = discord.MediaGalleryItem(f"attachment://{picture_name(made.png)}", description=made.alt)
    return ui.MediaGallery(shown), made.png


def button(
    custom_id: str,
    label: str,
    tone: Tone = Tone.PLAIN,
    *,
    emoji: str | None = None,
    disabled: bool = False,
) -> ui.Button[ui.LayoutView]:
    """Return a button."""
    return ui.Button(
        custom_id=custom_id, label=label, style=_STYLES[tone], emoji=emoji, disabled=disabled
    )


def row(*items: ui.Item[ui.LayoutView]) -> ui.ActionRow[ui.LayoutView]:
    """Return a row of up to five buttons, or of one menu."""
    return ui.ActionRow(*items)


def notice_sheet(content: str, *rows: ui.ActionRow[ui.LayoutView]) -> Sheet:
    """Return a few words, and what can be done about them."""
    return sheet(text(content), *rows, colour=STONE)

"""Conversion of message content into discord.py components and files."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias
from zlib import crc32

import discord
import structlog
from discord import ui

from bot.engine.alt_text import describe
from bot.engine.frozen import frozen
from bot.engine.name_sanitizing import inert
from bot.engine.panel import Tone
from bot.engine.translation import speaking
from bot.messages.appearance import as_spelled, label_of, unbroken
from bot.messages.components import (
    Button,
    ChannelMenu,
    Content,
    Field,
    File,
    Menu,
    Part,
    RoleMenu,
    Row,
    ScenePicture,
    Separator,
    Text,
    UserMenu,
)
from bot.messages.mentions import clickable
from bot.messages.text_mode import bare
from bot.rendering import checksum, draw_picture

log = structlog.get_logger(__name__)

Item: TypeAlias = ui.Item[ui.LayoutView]

_STYLES: Mapping[Tone, discord.ButtonStyle] = {
    Tone.PLAIN: discord.ButtonStyle.secondary,
    Tone.MAIN: discord.ButtonStyle.primary,
    Tone.GOOD: discord.ButtonStyle.success,
    Tone.DANGER: discord.ButtonStyle.danger,
}
CHANNEL_TYPES = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.forum,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
]
"""Channel types in which games can be played, either in their text chat or in their threads."""


@frozen
class Message:
    """A message in the form that discord.py sends.

    Attributes:
        view: The layout view.
        picture: The PNG file of the picture in the layout, or None.
        kept: All other files.
    """

    view: ui.LayoutView
    picture: File | None
    kept: tuple[File, ...] = ()

    def files(self) -> list[discord.File]:
        """Return the picture and the other files as new uploads. Each upload can be sent only once."""
        files = self.kept if self.picture is None else (self.picture, *self.kept)
        return [discord.File(io.BytesIO(file.data), file.name) for file in files]


def message(content: Content) -> Message:
    """Convert content into a message for discord.py. This draws the content's picture."""
    pictures: list[File] = []
    with speaking(content.language):
        news_text = "\n".join(part.news for part in content.parts if isinstance(part, Text))
        news = [bare_line for line in news_text.split("\n") if (bare_line := bare(line))]
        items = [_item(part, pictures, news) for part in content.parts]
    view = ui.LayoutView(timeout=None)
    is_bare = content.colour is None
    for item in items if is_bare else [ui.Container(*items, accent_colour=content.colour)]:
        view.add_item(item)
    view.stop()  # clicks are dispatched by custom_id, so discord.py need not store the view
    files = tuple(part for part in content.parts if isinstance(part, File))
    return Message(view, pictures[0] if pictures else None, files)


def title_of(view: ui.LayoutView) -> str:
    """Return the first line of a message's text."""
    texts = (item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay))
    return next(texts, "").partition("\n")[0]


def title_of_sent(sent: discord.Message) -> str:
    return title_of(ui.LayoutView.from_message(sent))


def spell_emojis(made: Message) -> Message:
    """Replace a message's custom emoji with text, also in buttons and menus. Return the message."""
    for item in made.view.walk_children():
        if isinstance(item, ui.TextDisplay):
            item.content = as_spelled(item.content)
        options = item.options if isinstance(item, ui.Select) else ()
        for component in (item,) if isinstance(item, ui.Button) else options:
            if component.emoji is not None and component.emoji.id is not None:
                component.label = label_of(
                    f"{as_spelled(str(component.emoji))} {component.label or ''}".strip()
                )
                component.emoji = None
    return made


def form(title: str, custom_id: str, fields: Sequence[tuple[str, str]], longest: int = 6) -> ui.Modal:
    """Return a modal with a text input for each field.

    Args:
        title: The title, at most 45 characters.
        custom_id: The modal's custom_id.
        fields: The label and the current value of each text input.
        longest: The maximum length of each text.
    """
    modal = ui.Modal(title=title, custom_id=custom_id)
    for label, default in fields:
        typed: ui.TextInput[ui.Modal] = ui.TextInput(max_length=longest, default=default)
        modal.add_item(ui.Label(text=label, component=typed))
    modal.stop()  # forms are dispatched by custom_id, so discord.py need not store them
    return modal


def menu_form(title: str, custom_id: str, fields: Sequence[Field]) -> ui.Modal:
    """Return a modal with a select menu for each field. The user may leave a menu empty."""
    modal = ui.Modal(title=title, custom_id=custom_id)
    for field in fields:
        select: Any = _control(field.menu)
        select.required = False
        modal.add_item(ui.Label(text=field.label, description=field.about, component=select))
    modal.stop()  # forms are dispatched by custom_id, so discord.py need not store them
    return modal


def _item(part: Part, pictures: list[File], news: Sequence[str]) -> Item:
    match part:
        case Text(words):
            return _text(words)
        case Separator():
            return ui.Separator()
        case ScenePicture():
            return _picture(part, pictures, news)
        case File(name):
            return ui.File(f"attachment://{name}")
        case Row(items):
            return ui.ActionRow(*map(_control, items))


def _text(words: str) -> ui.TextDisplay[ui.LayoutView]:
    return ui.TextDisplay(unbroken(clickable(words)))


def _picture(picture: ScenePicture, pictures: list[File], news: Sequence[str]) -> Item:
    """Draw a picture, add its file to ``pictures``, and return the picture's component.

    If drawing fails, return a text component that describes the scene, so that the game can continue.
    """
    try:
        drawing = draw_picture(picture.scene, news)
    except Exception:
        log.exception("picture not drawn")
        return _text(inert(describe(picture.scene)))
    name = f"ribit-{checksum(drawing.png)}.png"  # equal pictures get equal names
    pictures.append(File(name, drawing.png))
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=drawing.alt))


def _control(item: Button | Menu | ChannelMenu | UserMenu | RoleMenu) -> Item:
    match item:
        case Button():
            return ui.Button(
                custom_id=item.custom_id,
                label=item.label,
                style=_STYLES[item.tone],
                emoji=item.emoji,
                disabled=item.disabled,
            )
        case Menu():
            options = [
                discord.SelectOption(
                    label=option.label,
                    value=option.value,
                    description=option.about,
                    emoji=option.emoji,
                    default=option.picked,
                )
                for option in item.options
            ]
            return ui.Select(
                id=1
                + (crc32(item.custom_id.encode()) >> 2),  # a default ID would keep the user's last pick
                custom_id=item.custom_id,
                placeholder=item.prompt,
                options=options,
                disabled=item.disabled,
            )
        case UserMenu():
            return ui.UserSelect(
                custom_id=item.custom_id,
                placeholder=item.prompt,
                max_values=item.most,
                disabled=item.disabled,
            )
        case ChannelMenu():
            channel = discord.SelectDefaultValueType.channel
            defaults = [
                discord.SelectDefaultValue(id=default_id, type=channel) for default_id in item.picked
            ]
            return ui.ChannelSelect(
                custom_id=item.custom_id,
                placeholder=item.prompt,
                channel_types=CHANNEL_TYPES,
                min_values=0,
                max_values=item.most,
                default_values=defaults,
                disabled=item.disabled,
            )
        case RoleMenu():
            role = discord.SelectDefaultValueType.role
            return ui.RoleSelect(
                custom_id=item.custom_id,
                placeholder=item.prompt,
                min_values=0,
                default_values=[
                    discord.SelectDefaultValue(id=default_id, type=role) for default_id in item.picked
                ],
                disabled=item.disabled,
            )

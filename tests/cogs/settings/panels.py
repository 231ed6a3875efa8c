"""What is seen and picked in ``/settings``."""

from __future__ import annotations

from collections.abc import Sequence

from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

from tests.discord.admins import admin
from tests.discord.pond import MENU, Person, Pond, Seen, shown

TURN, TABLES, STOP, MENTIONS, LANGUAGE, COLOURS, OWN, CHANNELS, TOLD, NIGHT = (
    f"s:{setting}"
    for setting in (
        "turn",
        "tables",
        "stop",
        "mentions",
        "language",
        "colours",
        "own",
        "channels",
        "told",
        "night",
    )
)


CHANNEL_MENU = 8
"""The kind of such a menu among Discord's components."""


async def panel(person: Person) -> Seen:
    """Open the settings."""
    result = await person.slash("settings")
    assert result.ephemeral
    return shown(result)


async def pick_channels(
    person: Person, seen: Seen, channels: Sequence[ChannelHandle], custom_id: str = CHANNELS
) -> InteractionResult:
    """Pick channels in the settings."""
    return await person._done(
        await person.actor.select(seen.message, list(channels), custom_id=custom_id)
    )


async def set_to(place: Pond, custom_id: str, value: str) -> None:
    """Have an admin pick a value for a setting."""
    ada = place.people.get("Ada") or admin(place)
    await ada.pick(value, await panel(ada), custom_id)


def picked(seen: Seen, custom_id: str) -> list[str]:
    """Return the labels that are picked in a menu."""
    menus = [part for part in seen._parts(MENU) if part["custom_id"] == custom_id]
    return [option["label"] for part in menus for option in part["options"] if option.get("default")]


def picked_channels(seen: Seen, custom_id: str = CHANNELS) -> list[int]:
    """Return the channels that are picked in a menu of channels."""
    (menu,) = (part for part in seen._parts(CHANNEL_MENU) if part["custom_id"] == custom_id)
    return sorted(int(value["id"]) for value in menu.get("default_values", ()))

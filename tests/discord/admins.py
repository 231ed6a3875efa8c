"""Admins and moderators at the pond, and what they see and pick in ``/settings``."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

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


def somebody(place: Pond, name: str, **permissions: bool) -> Person:
    """Return somebody new with these permissions in the whole server."""
    role = place.guild.create_role(name, permissions=discord.Permissions(**permissions))
    user = place.env.create_user(name.lower(), global_name=name)
    person = Person(place, place.guild.add_member(user, roles=[role]))
    place.people[name] = person
    return person


def admin(place: Pond, name: str = "Ada") -> Person:
    """Return somebody who may manage the server, but not messages."""
    return somebody(place, name, manage_guild=True)


def moderator(place: Pond, name: str = "Mo") -> Person:
    """Return somebody who may manage messages, but not the server."""
    return somebody(place, name, manage_messages=True)


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


async def allow_only(place: Pond, *channels: ChannelHandle) -> None:
    """Have games be played in these channels only."""
    ada = place.people.get("Ada") or admin(place)
    await pick_channels(ada, await panel(ada), channels)


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


async def thread_of(place: Pond, channel: ChannelHandle) -> ChannelHandle:
    """Open a thread in a channel."""
    found = place.bot.get_channel(channel.id)
    assert isinstance(found, discord.TextChannel)
    await found.create_thread(name="backwater", type=discord.ChannelType.public_thread)
    await place.env.settle()
    [thread] = channel.threads
    return thread


async def close_table(place: Pond, game: str = "toad") -> None:
    """Have a moderator close the channel's table, which takes nobody's consent."""
    mo = place.people.get("Mo") or moderator(place)
    await mo.press("Close the table", shown(await mo.slash(f"{game} stop")))

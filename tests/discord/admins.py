"""Admins and moderators of the bot harness, and their settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from simcord.builders import ChannelHandle

from tests.discord.bot_harness import BotHarness, Person, shown


def somebody(place: BotHarness, name: str, **permissions: bool) -> Person:
    """Return a new user with these permissions in the whole server."""
    role = place.guild.create_role(name, permissions=discord.Permissions(**permissions))
    user = place.env.create_user(name.lower(), global_name=name)
    person = Person(place, place.guild.add_member(user, roles=[role]))
    place.people[name] = person
    return person


def admin(place: BotHarness, name: str = "Ada") -> Person:
    """Return a user with *Manage Server* but not *Manage Messages*."""
    return somebody(place, name, manage_guild=True)


def moderator(place: BotHarness, name: str = "Mo") -> Person:
    """Return a user with *Manage Messages* but not *Manage Server*."""
    return somebody(place, name, manage_messages=True)


async def set_here(place: BotHarness, **changes: Any) -> None:
    """Set settings of the server."""
    await place.bot.database.servers.change(
        place.guild.id, lambda settings: replace(settings, **changes)
    )


async def allow_only(place: BotHarness, *channels: ChannelHandle) -> None:
    """Allow games in these channels only."""
    await set_here(place, channels=frozenset(channel.id for channel in channels))


async def thread_of(place: BotHarness, channel: ChannelHandle) -> ChannelHandle:
    """Open a thread in a channel."""
    found = place.bot.get_channel(channel.id)
    assert isinstance(found, discord.TextChannel)
    await found.create_thread(name="backwater", type=discord.ChannelType.public_thread)
    await place.env.settle()
    [thread] = channel.threads
    return thread


async def close_table(place: BotHarness, game: str = "toad") -> None:
    """Close the channel's table as a moderator, which needs no consent."""
    mo = place.people.get("Mo") or moderator(place)
    await mo.press("Close the table", shown(await mo.slash(f"{game} stop")))

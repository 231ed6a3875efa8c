"""Admins and moderators for tests with the bot harness, and changes to a server's settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from simcord.builders import ChannelHandle

from tests.discord.bot_harness import BotHarness, Person, response_of


def add_user(place: BotHarness, name: str, **permissions: bool) -> Person:
    """Add a user with the given server-wide permissions to the server."""
    role = place.guild.create_role(name, permissions=discord.Permissions(**permissions))
    user = place.env.create_user(name.lower(), global_name=name)
    person = Person(place, place.guild.add_member(user, roles=[role]))
    place.people[name] = person
    return person


def add_admin(place: BotHarness, name: str = "Ada") -> Person:
    """Add a user who has *Manage Server* but not *Manage Messages*."""
    return add_user(place, name, manage_guild=True)


def add_moderator(place: BotHarness, name: str = "Mo") -> Person:
    """Add a user who has *Manage Messages* but not *Manage Server*."""
    return add_user(place, name, manage_messages=True)


async def change_settings(place: BotHarness, **changes: Any) -> None:
    """Change the bot's settings in the server. The keywords are attributes of ``ServerSettings``."""
    await place.bot.database.servers.change(
        place.guild.id, lambda settings: replace(settings, **changes)
    )


async def allow_only_channels(place: BotHarness, *channels: ChannelHandle) -> None:
    """Change the server's settings so that games are only allowed in these channels."""
    await change_settings(place, channels=frozenset(channel.id for channel in channels))


async def create_thread(place: BotHarness, channel: ChannelHandle) -> ChannelHandle:
    """Create a public thread in a channel."""
    found = place.bot.get_channel(channel.id)
    assert isinstance(found, discord.TextChannel)
    await found.create_thread(name="backwater", type=discord.ChannelType.public_thread)
    await place.env.settle()
    [thread] = channel.threads
    return thread


async def close_table(place: BotHarness, game: str = "toad") -> None:
    """Close the channel's table as a moderator, who needs no other player's consent."""
    mo = place.people.get("Mo") or add_moderator(place)
    await mo.press("Close the table", response_of(await mo.slash(f"{game} stop")))

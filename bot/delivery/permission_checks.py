"""Checks whether the server's settings and the bot's permissions allow a game in a channel.

Each interaction contains the bot's permissions in its channel (``app_permissions``), so the bot need not
know its roles. Messages use layouts instead of embeds, so *Embed Links* is not needed. Responses to
interactions need no permission, but later messages in the channel do.
"""

from __future__ import annotations

import discord

from bot.delivery.display import Display
from bot.engine.translation import _
from bot.messages.channel_access import (
    ATTACHING,
    CONNECTING,
    SENDING,
    SENDING_IN_THREADS,
    THREADING,
    VIEWING,
    Permit,
    elsewhere,
)
from bot.messages.text_mode import why_hidden
from bot.requests.channel_permissions import VOICE_CHANNELS, is_guest
from bot.requests.membership import Membership, PlayerAccess
from bot.sessions.errors import TableError
from bot.sessions.table_state import Table


def permits(interaction: discord.Interaction) -> tuple[Permit, ...]:
    """Return the permissions that Ribit needs in the channel of an interaction.

    In threads, *Send Messages in Threads* replaces *Send Messages*.
    """
    if isinstance(interaction.channel, discord.Thread):
        return (VIEWING, SENDING_IN_THREADS, ATTACHING)
    if isinstance(interaction.channel, VOICE_CHANNELS):
        return (VIEWING, CONNECTING, SENDING, ATTACHING)
    may_have_threads = isinstance(interaction.channel, discord.TextChannel)
    return (VIEWING, SENDING, ATTACHING, *(THREADING if may_have_threads else ()))


def is_granted(permit: Permit, interaction: discord.Interaction) -> bool:
    return bool(getattr(interaction.app_permissions, permit.permission))


def is_closed_thread(interaction: discord.Interaction) -> bool:
    """Return whether the channel is a private thread that Ribit cannot see.

    A bot can see a private thread only if it is a member of the thread or may manage it.
    """
    thread, guild = interaction.channel, interaction.guild
    if not isinstance(thread, discord.Thread) or not thread.is_private() or thread.archived:
        return False
    return guild is not None and not guild.unavailable and guild.get_thread(thread.id) is None


def home_of(interaction: discord.Interaction) -> int:
    """Return the interaction's channel ID. For a thread, return the parent channel's ID."""
    return _home_of(interaction.channel, interaction.channel_id or 0)


def _home_of(channel: object, channel_id: int) -> int:
    return channel.parent_id if isinstance(channel, discord.Thread) else channel_id


async def check_may_start_there(
    display: Display, membership: Membership, interaction: discord.Interaction, before: Table
) -> None:
    """Check that the user may start a new table in a finished table's channel.

    Args:
        display: The messages of all matches.
        membership: Asks Discord whether the user can see the channel.
        interaction: The user's interaction. It may come from another channel.
        before: The finished table.

    Raises:
        TableError: The user or the bot lacks access, or the server allows no games there.
    """
    match = before.match
    if await membership.sight(match, interaction.user.id) is PlayerAccess.NONE:
        raise TableError(_("You can't see this table's channel any more."))
    settings = await display.database.servers.get(match.guild_id)
    channel = interaction.client.get_channel(match.channel_id)
    if not settings.allows(_home_of(channel, match.channel_id)):
        raise TableError(elsewhere(settings))
    if why_hidden(display.channels.permissions.match_access(before.match)) is not None:
        raise TableError(_("I can't show a table in that channel right now."))


async def plays_here(display: Display, interaction: discord.Interaction) -> bool:
    """Return whether the bot may answer an interaction with a public message.

    In a server, this depends on the channels in which the server allows games. In DMs with the bot, the
    result is True. If Ribit is not a member of the server or group, the result is False, because no
    admin has allowed games there.
    """
    if interaction.guild_id is None or is_guest(interaction):
        return not is_guest(interaction)
    return (await display.database.servers.get(interaction.guild_id)).allows(home_of(interaction))


async def check_may_share(display: Display, interaction: discord.Interaction) -> None:
    """Check that the bot may answer an interaction publicly, and that its user may write there, too.

    Raises:
        TableError: One of them may not post in the channel.
    """
    if not await plays_here(display, interaction):
        raise TableError(_("Games aren't played in this channel, so I don't post here."))
    check_may_write(interaction)


def check_may_write(interaction: discord.Interaction) -> None:
    """Check that a user may write in the channel, before the bot posts there for the user.

    As at tables, players need not be able to write in channels in which ``@everyone`` may not.

    Raises:
        TableError: The user may not write there, although others may.
    """
    guild, channel = interaction.guild, interaction.channel
    if guild is None or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return
    name = "send_messages_in_threads" if isinstance(channel, discord.Thread) else "send_messages"
    others = channel.permissions_for(guild.default_role)
    if getattr(others, name) and not getattr(interaction.permissions, name):
        raise TableError(_("You may not write in this channel, so I don't post here for you."))


async def check_may_start(display: Display, interaction: discord.Interaction) -> None:
    """Check that the server allows games in the channel and that the bot has the permissions it needs.

    In DMs, everything is allowed. If Ribit is not a member of the server or group, nothing is checked,
    because it has no permissions there anyway.

    Raises:
        TableError: The server allows no games there, or a permission is missing.
    """
    if interaction.guild_id is None or is_guest(interaction):
        return
    settings = await display.database.servers.get(interaction.guild_id)
    if not settings.allows(home_of(interaction)):
        raise TableError(elsewhere(settings))
    if is_closed_thread(interaction):
        raise TableError(_("I'm not in this private thread. Mention me to add me, then try again."))
    vital = [one for one in permits(interaction) if one.is_vital]
    lacking = [_(one.name) for one in vital if not is_granted(one, interaction)]
    if lacking:
        words = _(
            "I can't run a table here, because I'm missing **{permissions}**. `/doctor` tells you "
            "what I need it for. Anyone who manages this channel can allow it in the channel "
            "settings."
        )
        raise TableError(words.format(permissions=", ".join(lacking)))


def is_admin(interaction: discord.Interaction) -> bool:
    """Return whether the user has *Manage Server* in a server that the bot is a member of."""
    return (
        interaction.guild is not None
        and not is_guest(interaction)
        and interaction.permissions.manage_guild
    )


def check_is_admin(interaction: discord.Interaction) -> discord.Guild:
    """Check that the user has *Manage Server*, and return the server.

    Raises:
        TableError: The user may not manage the server, or the bot is not a member of it.
    """
    if interaction.guild is None or not is_admin(interaction):
        raise TableError(_("You need the permission *Manage Server* for that."))
    return interaction.guild

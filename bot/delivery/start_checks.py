"""Where a game may be started: what the server's settings allow, and what Discord lets Ribit do there.

What Ribit may do in a channel comes with every interaction (``app_permissions``), so nothing has to
be known of roles. Layouts are no embeds: *Embed Links* is not needed. The answer to an interaction
takes no permission; all that is written later, by the channel, does.
"""

from __future__ import annotations

import discord

from bot.delivery.display import Display
from bot.engine.words import _
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
from bot.messages.text_table import why_hidden
from bot.requests.channel_permissions import VOICE_CHANNELS, is_guest
from bot.requests.membership import Membership
from bot.sessions.errors import TableError
from bot.sessions.table import Table


def permits(interaction: discord.Interaction) -> tuple[Permit, ...]:
    """Return what Ribit needs where the interaction happened.

    *Send Messages* does not count in threads: they have a permission of their own.
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
    """Return whether this is a private thread that Ribit was not added to.

    Discord tells a bot of the private threads it is in, or may manage, and of no others.
    """
    thread, guild = interaction.channel, interaction.guild
    if not isinstance(thread, discord.Thread) or not thread.is_private() or thread.archived:
        return False
    return guild is not None and not guild.unavailable and guild.get_thread(thread.id) is None


def home_of(interaction: discord.Interaction) -> int:
    """Return the channel where the interaction happened, for a thread the channel it belongs to."""
    return _home_of(interaction.channel, interaction.channel_id or 0)


def _home_of(channel: object, channel_id: int) -> int:
    return channel.parent_id if isinstance(channel, discord.Thread) else channel_id


async def check_may_start_there(
    display: Display, membership: Membership, interaction: discord.Interaction, before: Table
) -> None:
    """Raise TableError where the user may have no table any more in the channel of one that is over."""
    match = before.match
    if await membership.sees(match, interaction.user.id) is False:
        raise TableError(_("You can't see the channel of this table any more."))
    settings = await display.database.servers.get(match.guild_id)
    channel = interaction.client.get_channel(match.channel_id)
    if not settings.allows(_home_of(channel, match.channel_id)):
        raise TableError(elsewhere(settings))
    if why_hidden(display.channels.permissions.of(before.match)) is not None:
        raise TableError(_("I can't show a table in that channel just now."))


async def plays_here(display: Display, interaction: discord.Interaction) -> bool:
    """Return whether the server allows games where the interaction happened: then all may see answers.

    In DMs they may; where Ribit is a guest nobody has been asked.
    """
    if interaction.guild_id is None or is_guest(interaction):
        return not is_guest(interaction)
    return (await display.database.servers.get(interaction.guild_id)).allows(home_of(interaction))


async def check_may_start(display: Display, interaction: discord.Interaction) -> None:
    """Raise TableError where a new table is not allowed, or could not be kept up.

    DMs are free; and where Ribit is a guest it has no permissions, and needs none.
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
            "I can't run a table here, because I'm missing **{permissions}**. `/doctor` says what I "
            "need it for; somebody who manages this channel can allow it in the channel settings."
        )
        raise TableError(words.format(permissions=", ".join(lacking)))


def is_admin(interaction: discord.Interaction) -> bool:
    """Return whether the user may manage the server, which is not one where the bot is only a guest."""
    return (
        interaction.guild is not None
        and not is_guest(interaction)
        and interaction.permissions.manage_guild
    )


def check_is_admin(interaction: discord.Interaction) -> discord.Guild:
    """Return the server that the user may manage, or raise TableError."""
    if interaction.guild is None or not is_admin(interaction):
        raise TableError(_("You need the permission *Manage Server* for that."))
    return interaction.guild

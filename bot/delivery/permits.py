"""Where a game may be started: what the server's settings allow, and what Discord lets Ribit do there.

What Ribit may do in a channel comes with every interaction (``app_permissions``), so nothing has to
be known of roles. Layouts are no embeds: *Embed Links* is not needed. The answer to an interaction
takes no permission; all that is written later, by the channel, does.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.delivery.desk import Desk
from bot.engine.server import ServerSettings
from bot.engine.words import N_, _
from bot.messages.place import ATTACH_FILES, SEND, SEND_IN_THREADS, VIEW
from bot.messages.settings import channel_names
from bot.sessions.errors import TableError


@dataclass(frozen=True, slots=True)
class Permit:
    """A permission that Ribit needs: its name in Discord, and what does not work without it.

    ``is_vital``: without it a table cannot be kept up at all.
    """

    permission: discord.Permissions
    name: str
    without: str
    is_vital: bool = True


_VIEW = Permit(
    discord.Permissions(view_channel=True),
    VIEW,
    N_("I do not see this channel, so I cannot keep a table in it up to date."),
)
_SEND = Permit(
    discord.Permissions(send_messages=True),
    SEND,
    N_(
        "I cannot tell anybody whose turn it is, and cannot post a table again that got too old to edit."
    ),
)
_SEND_IN_THREADS = Permit(
    discord.Permissions(send_messages_in_threads=True), SEND_IN_THREADS, _SEND.without
)
_ATTACH = Permit(
    discord.Permissions(attach_files=True),
    ATTACH_FILES,
    N_("I cannot show pictures: tables and leaderboards are described in words instead."),
    is_vital=False,
)
PERMITS = (_VIEW, _SEND, _SEND_IN_THREADS, _ATTACH)
"""All that Ribit asks for when it is invited."""


def permits(interaction: discord.Interaction) -> tuple[Permit, ...]:
    """Return what Ribit needs where the interaction happened.

    *Send Messages* does not count in threads: they have a permission of their own.
    """
    send = _SEND_IN_THREADS if isinstance(interaction.channel, discord.Thread) else _SEND
    return (_VIEW, send, _ATTACH)


def is_granted(permit: Permit, interaction: discord.Interaction) -> bool:
    """Return whether Ribit has a permission where the interaction happened."""
    return permit.permission <= interaction.app_permissions


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
    if isinstance(interaction.channel, discord.Thread):
        return interaction.channel.parent_id
    return interaction.channel_id or 0


def elsewhere(settings: ServerSettings) -> str:
    """Return the sentence that says where games may be played, and thus not here."""
    return _("In this server games are played in {channels}.").format(channels=channel_names(settings))


async def check_may_start(desk: Desk, interaction: discord.Interaction) -> None:
    """Raise TableError where a new table is not allowed, or could not be kept up. DMs are free."""
    if interaction.guild_id is None:
        return
    settings = await desk.servers.get(interaction.guild_id)
    if not settings.allows(home_of(interaction)):
        raise TableError(elsewhere(settings))
    if is_closed_thread(interaction):
        raise TableError(_("I am not in this private thread. Mention me here to add me, and try again."))
    vital = [one for one in permits(interaction) if one.is_vital]
    lacking = [_(one.name) for one in vital if not is_granted(one, interaction)]
    if lacking:
        words = _(
            "I cannot keep a table here: I am missing **{permissions}**. `/doctor` says what for; "
            "somebody who manages this channel can allow it in its settings."
        )
        raise TableError(words.format(permissions=", ".join(lacking)))

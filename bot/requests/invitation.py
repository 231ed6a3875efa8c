"""The invite link of the bot, with the permissions that it needs."""

from __future__ import annotations

import base64

import discord

from bot.messages.channel_access import PERMITS

SCOPES = ("bot", "applications.commands")
INVITED = discord.Permissions(**{permit.permission: True for permit in PERMITS})


def invite_link(application_id: int) -> str:
    return discord.utils.oauth_url(application_id, permissions=INVITED, scopes=SCOPES)


def invitation(application_id: int) -> str:
    return f"Invite Ribit to a server: {invite_link(application_id)}"


def application_in(token: str) -> int | None:
    """Return the application ID that a bot token contains, or None if the token is invalid.

    A token begins with the bot's user ID. For applications created since 2016, both IDs are the same.
    """
    first = token.partition(".")[0]
    try:
        decoded = base64.urlsafe_b64decode(first + "=" * (-len(first) % 4))
    except ValueError:
        return None
    return int(decoded) if decoded.isdigit() else None

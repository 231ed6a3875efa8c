"""The link that adds the bot to a server, with the permissions that tables need."""

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
    """Return the ID at the beginning of a token, or None if there is none.

    It is the bot's user ID, which is also the application's ID since 2016.
    """
    first = token.partition(".")[0]
    try:
        decoded = base64.urlsafe_b64decode(first + "=" * (-len(first) % 4))
    except ValueError:
        return None
    return int(decoded) if decoded.isdigit() else None

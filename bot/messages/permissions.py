"""The permissions that Ribit asks for, and what does not work without each."""

from __future__ import annotations

from bot.engine.values import frozen
from bot.engine.words import N_, _
from bot.messages.channel_access import ATTACH_FILES, CONNECT, OPEN_THREADS, SEND, SEND_IN_THREADS, VIEW


@frozen
class Permit:
    """A permission that Ribit needs: for discord.py, by name, and what it is for.

    ``is_vital``: without it a table cannot be kept up at all.
    """

    permission: str
    name: str
    without: str
    is_vital: bool = True


VIEWING = Permit(
    "view_channel",
    VIEW,
    N_("I can't see this channel, so I can't run a table in it."),
)
CONNECTING = Permit(
    "connect",
    CONNECT,
    N_("I can't use the chat of this voice channel, so I can't run a table in it."),
)
SENDING = Permit(
    "send_messages",
    SEND,
    N_(
        "I can't tell anybody whose turn it is, or post a table again once its message is too "
        "old to edit."
    ),
)
SENDING_IN_THREADS = Permit("send_messages_in_threads", SEND_IN_THREADS, SENDING.without)
ATTACHING = Permit(
    "attach_files",
    ATTACH_FILES,
    N_("I can't show pictures: tables and leaderboards are described in words instead."),
    is_vital=False,
)
_NO_SECOND_TABLE = N_("I can't open a second table in a thread.")
THREADING = (
    Permit("create_public_threads", OPEN_THREADS, _NO_SECOND_TABLE, is_vital=False),
    Permit(SENDING_IN_THREADS.permission, SEND_IN_THREADS, _NO_SECOND_TABLE, is_vital=False),
)
"""What it takes in a channel to open a thread with a table in it."""

PERMITS = (VIEWING, SENDING, SENDING_IN_THREADS, ATTACHING, THREADING[0])
"""All that Ribit asks for when it is invited."""


def blocked_words() -> str:
    """Return what a player is told whose answer is refused for its words."""
    return _(
        "A filter of this server or of Discord doesn't let me say that here: a name or another word in "
        "it is refused. What you did counts, and play goes on."
    )


def held_back_words(command: str, *, is_blocked: bool) -> str:
    """Return what keeps a guest from showing a deal, a filter or a want of answers, and the way on."""
    why = (
        _(
            "This server's AutoMod refuses what the table says, or Discord itself does, so I can't show "
            "it here."
        )
        if is_blocked
        else _("Discord lets me answer here only a few times at once, and I have used that up.")
    )
    way = _("Your deal is safe, and goes on in our DMs: use `/{command} table` there.")
    return f"{why} {way.format(command=command)}"

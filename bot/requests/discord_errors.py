"""What it means when Discord refuses a request, in one table.

Codes are those of Discord's documentation ("Opcodes and status codes"); 20026 is sent, and not in it. A
code whose meaning its status tells, such as those of missing permissions (403), is not listed.
"""

from __future__ import annotations

import re
from enum import Enum

import aiohttp
import discord

NOT_SENT = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What a request to Discord fails with: Discord's refusal, or a connection that broke."""


class ErrorKind(Enum):
    """What became of a request, and so what is to be done."""

    MESSAGE_GONE = "message gone"  # somebody deleted the message: a new one takes its place
    PLACE_GONE = "place gone"  # the channel, the thread or the server is no more: its matches end
    SHUT = "shut"  # the bot may not do that there: not tried again until that has changed
    NO_FILES = "no files"  # words take the picture's place
    ASLEEP = "asleep"  # the thread is archived: nothing is edited there, a new message wakes it up
    LOCKED = "locked"  # moderators have locked the thread: nothing is written until they open it
    LIMITED = "limited"  # the message takes no edits for long, as announcements do: a new one is sent
    TOO_OLD = "too old"  # the message is over an hour old, and edited too often: a new one is sent
    NO_DMS = "no DMs"  # the player takes none, has blocked the bot, or has no account: remembered
    FLAGGED = "flagged"  # the bot is taken for a spammer, or unverified: nothing about a player
    TOO_LATE = "too late"  # Discord has given up on the interaction: nothing is said any more
    ANSWERED = "answered"  # the interaction has its answer, though its arrival was not confirmed
    BLOCKED = "blocked"  # a filter refuses the words, most often a name: others it takes
    NO_EMOJI = "no emoji"  # text stands in the place of an emoji that Discord does not take
    USED_UP = "used up"  # a guest may follow an answer five times: another interaction has its own
    TROUBLE = "trouble"  # Discord has troubles or is asked too much: later it works
    FAULT = "fault"  # Discord does not understand the request: a mistake of the bot


_BY_CODE = {
    10003: ErrorKind.PLACE_GONE,  # unknown channel
    10004: ErrorKind.PLACE_GONE,  # unknown guild
    10013: ErrorKind.NO_DMS,  # unknown user
    10015: ErrorKind.TOO_LATE,  # unknown webhook: the interaction's token has expired
    10062: ErrorKind.TOO_LATE,  # unknown interaction
    20016: ErrorKind.TROUBLE,  # slowmode
    20022: ErrorKind.LIMITED,  # an announcement was edited too often
    20026: ErrorKind.FLAGGED,  # the bot is in quarantine
    30013: ErrorKind.LOCKED,  # the server has no room for one more channel or thread
    30046: ErrorKind.TOO_OLD,  # too many edits of a message older than an hour
    40002: ErrorKind.FLAGGED,  # the bot's account has to be verified
    40003: ErrorKind.TROUBLE,  # opening DMs too fast
    40004: ErrorKind.TROUBLE,  # sending is switched off for a while
    40006: ErrorKind.TROUBLE,  # a feature is switched off for a while
    40060: ErrorKind.ANSWERED,  # already acknowledged
    40094: ErrorKind.USED_UP,  # no follow-up is left to an interaction of a user-installed app
    40333: ErrorKind.TROUBLE,  # Cloudflare does not let the request through
    50007: ErrorKind.NO_DMS,  # cannot send messages to this user
    50027: ErrorKind.TOO_LATE,  # invalid webhook token
    50033: ErrorKind.NO_DMS,  # invalid recipients
    50083: ErrorKind.ASLEEP,  # the thread is archived
    50278: ErrorKind.NO_DMS,  # no server in common with this user
    160005: ErrorKind.LOCKED,  # the thread is locked
    160006: ErrorKind.LOCKED,  # the server has no room for one more active thread
    160007: ErrorKind.LOCKED,  # nor for one more in an announcement channel
    200000: ErrorKind.BLOCKED,  # AutoMod blocks the message
    200001: ErrorKind.BLOCKED,  # AutoMod blocks the title
    240000: ErrorKind.BLOCKED,  # a link that Discord takes for harmful
    400001: ErrorKind.NO_FILES,  # uploads are limited for this server
}

_BAD_FORM = 50035
_OF_FORM = (
    (re.compile(r"\bemoji\b", re.IGNORECASE), ErrorKind.NO_EMOJI),
    (re.compile(r"\bwords?\b|cannot contain|harmful", re.IGNORECASE), ErrorKind.BLOCKED),
)
"""What of a form Discord does not take, by what it says; any other is a mistake of the bot."""

_BY_STATUS = {
    401: ErrorKind.TROUBLE,
    403: ErrorKind.SHUT,
    404: ErrorKind.MESSAGE_GONE,
    429: ErrorKind.TROUBLE,
}
_SERVER_ERRORS = 500


def error_kind(error: BaseException) -> ErrorKind:
    if not isinstance(error, discord.HTTPException):
        return ErrorKind.TROUBLE if isinstance(error, NOT_SENT) else ErrorKind.FAULT
    if error.code == _BAD_FORM:
        return next((kind for said, kind in _OF_FORM if said.search(error.text)), ErrorKind.FAULT)
    return error_kind_of(error.status, error.code)


def error_kind_of(status: int, code: int) -> ErrorKind:
    """Return what an answer of Discord's means that is a refusal, by its status and its code, or 0."""
    otherwise = ErrorKind.TROUBLE if status >= _SERVER_ERRORS else ErrorKind.FAULT
    return _BY_CODE.get(code) or _BY_STATUS.get(status, otherwise)

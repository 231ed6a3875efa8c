"""Classification of Discord API errors.

The error codes are listed in Discord's documentation ("Opcodes and status codes"), except 20026, which
is undocumented. Codes that follow from their HTTP status, such as missing permissions (403), are not
listed here.
"""

from __future__ import annotations

import re
from enum import Enum

import aiohttp
import discord

NOT_SENT = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Exceptions that a request raises if Discord rejects it or if the connection fails."""


class ErrorKind(Enum):
    """The meaning of a failed request. The comments describe how the bot reacts."""

    MESSAGE_GONE = "message gone"  # the message was deleted, so a new one is sent
    PLACE_GONE = "place gone"  # the channel, thread or server was deleted, so its matches end
    SHUT = "shut"  # the bot lacks permission, so nothing is sent until that changes
    NO_FILES = "no files"  # text is sent instead of the picture
    ASLEEP = "asleep"  # the thread is archived, and a new message unarchives it
    LOCKED = "locked"  # moderators have locked the thread, so nothing is sent until they unlock it
    LIMITED = "limited"  # the message, such as an announcement, cannot be edited for a long time
    TOO_OLD = "too old"  # the message is over an hour old and was edited too often
    NO_DMS = "no DMs"  # the player has closed DMs, blocked the bot or deleted their account
    FLAGGED = "flagged"  # Discord has flagged the bot as a spammer, or its account is unverified
    TOO_LATE = "too late"  # the interaction has expired
    ANSWERED = "answered"  # the interaction is answered, though an earlier response seemed lost
    BLOCKED = "blocked"  # a word filter blocks the message, often because of a name
    NO_EMOJI = "no emoji"  # Discord rejects an emoji, so text is sent instead
    USED_UP = "used up"  # the interaction of a user-installed app has used all five follow-ups
    TROUBLE = "trouble"  # an outage or a rate limit, so a retry may succeed
    FAULT = "fault"  # Discord rejects the request because of a bug in the bot


_BY_CODE = {
    10003: ErrorKind.PLACE_GONE,  # unknown channel
    10004: ErrorKind.PLACE_GONE,  # unknown guild
    10013: ErrorKind.NO_DMS,  # unknown user
    10015: ErrorKind.TOO_LATE,  # unknown webhook, because the interaction's token has expired
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
    40094: ErrorKind.USED_UP,  # an interaction of a user-installed app has no follow-up left
    40333: ErrorKind.TROUBLE,  # Cloudflare does not let the request through
    50007: ErrorKind.NO_DMS,  # cannot send messages to this user
    50027: ErrorKind.TOO_LATE,  # invalid webhook token
    50033: ErrorKind.NO_DMS,  # invalid recipients
    50083: ErrorKind.ASLEEP,  # the thread is archived
    50278: ErrorKind.NO_DMS,  # no server in common with this user
    160005: ErrorKind.LOCKED,  # the thread is locked
    160006: ErrorKind.LOCKED,  # the server has no room for one more active thread
    160007: ErrorKind.LOCKED,  # the announcement channel has no room for one more active thread
    200000: ErrorKind.BLOCKED,  # AutoMod blocks the message
    200001: ErrorKind.BLOCKED,  # AutoMod blocks the title
    240000: ErrorKind.BLOCKED,  # Discord considers a link harmful
    400001: ErrorKind.NO_FILES,  # uploads are limited for this server
}

_BAD_FORM = 50035
_OF_FORM = (
    (re.compile(r"\bemoji\b", re.IGNORECASE), ErrorKind.NO_EMOJI),
    (re.compile(r"\bwords?\b|cannot contain|harmful", re.IGNORECASE), ErrorKind.BLOCKED),
)
"""Meanings of error 50035 (invalid form body), by error text. Any other text means a bug in the bot."""

_BY_STATUS = {
    401: ErrorKind.TROUBLE,
    403: ErrorKind.SHUT,
    404: ErrorKind.MESSAGE_GONE,
    429: ErrorKind.TROUBLE,
}
_SERVER_ERRORS = 500


def error_kind(error: BaseException) -> ErrorKind:
    """Classify an exception that a request to Discord has raised."""
    if not isinstance(error, discord.HTTPException):
        return ErrorKind.TROUBLE if isinstance(error, NOT_SENT) else ErrorKind.FAULT
    if error.code == _BAD_FORM:
        return next((kind for pattern, kind in _OF_FORM if pattern.search(error.text)), ErrorKind.FAULT)
    return error_kind_of(error.status, error.code)


def error_kind_of(status: int, code: int) -> ErrorKind:
    """Classify a failed request by its HTTP status and its Discord error code (0 if unknown)."""
    otherwise = ErrorKind.TROUBLE if status >= _SERVER_ERRORS else ErrorKind.FAULT
    return _BY_CODE.get(code) or _BY_STATUS.get(status, otherwise)

"""The bodies of Discord's answers: one that cannot be read is trouble on the way, and no fault here.

discord.py takes a body to be what was asked for. A page of Cloudflare's, half a message, or one without
its fields comes out of it as whatever goes wrong at the first look into it, which nobody can tell from a
mistake of the bot's.
"""

from __future__ import annotations

import json
import re
from typing import Any

import aiohttp
import discord

from bot.requests.budget import TOO_MANY

_API = "/api/"
_SWITCHED, _NO_CONTENT, _REFUSED, _FAILED = 101, 204, 400, 500
_MESSAGE = {"id", "type", "content"}
_NEEDED = (
    (re.compile(r"POST .*/callback"), {"interaction"}),
    (re.compile(r"(POST|PATCH) .*/messages(/\d+|/@original)?|POST .*/webhooks/\d+/[^/]+"), _MESSAGE),
    (re.compile(r"GET .*/messages/(\d+|@original)"), _MESSAGE),
    (re.compile(r"POST .*/(channels|threads)|GET .*/channels/\d+"), {"id", "type"}),
    (re.compile(r"GET .*/guilds/\d+"), {"id", "name"}),
    (re.compile(r"GET .*/guilds/\d+/members/\d+"), {"user", "roles", "joined_at", "flags"}),
    (re.compile(r"GET .*/thread-members/\d+"), {"id", "user_id", "join_timestamp", "flags"}),
    (re.compile(r"GET .*/users/@me"), {"id", "username", "discriminator", "avatar"}),
    (re.compile(r"GET .*/oauth2/applications/@me"), {"id", "name", "description", "icon", "verify_key"}),
    (re.compile(r"GET .*/gateway/bot"), {"url", "shards", "session_start_limit"}),
    (re.compile(r"POST .*/emojis"), {"id", "name"}),
    (re.compile(r"GET .*/emojis"), {"items"}),
    (re.compile(r"PUT .*/commands|GET .*/messages"), None),
)
"""What discord.py takes for granted in an answer, by what was asked for: fields, or a list (None)."""

_JSON = "application/json"
"""The type of content that discord.py reads; of any other it hands on the text."""

_AGAIN = 54
"""The number of an error after which discord.py asks the same again, as it does after a 502."""


def require_readable(trace: aiohttp.TraceConfig) -> None:
    """Have a request fail as one does where Discord is in trouble, if its answer cannot be read."""
    trace.on_request_end.append(_require_readable)


async def _require_readable(
    _session: object, _context: object, told: aiohttp.TraceRequestEndParams
) -> None:
    answer, status = told.response, told.response.status
    if not answer.url.path.startswith(_API) or status in {_SWITCHED, _NO_CONTENT}:
        return
    kind = answer.headers.get("Content-Type")
    if status >= _FAILED and kind != _JSON:  # the status says it all
        return
    said = await _read(answer) if kind == _JSON else None
    if status == TOO_MANY:
        if not isinstance(said, dict) or "retry_after" not in said:
            raise discord.HTTPException(answer, "by somebody before Discord")
    elif not (
        isinstance(said, dict)
        if status >= _REFUSED
        else _is_whole(f"{answer.method} {answer.url.path}", said)
    ):
        sentence = f"the answer cannot be read: {status}, {kind}"
        if _REFUSED <= status < _FAILED:  # who asks again at once may be barred
            raise aiohttp.ClientPayloadError(sentence)
        raise aiohttp.ClientOSError(_AGAIN, sentence)


def _is_whole(asked: str, said: Any) -> bool:
    """Return whether a body has what discord.py takes for granted in it."""
    for request, fields in _NEEDED:
        if request.fullmatch(asked):
            return (
                isinstance(said, list)
                if fields is None
                else isinstance(said, dict) and fields <= said.keys()
            )
    return isinstance(said, dict | list)


async def _read(answer: aiohttp.ClientResponse) -> Any:
    """Return what is in a body, or None for what is cut or no JSON; whoever has asked reads it too."""
    try:
        return json.loads(await answer.read())
    except (ValueError, aiohttp.ClientPayloadError):
        return None

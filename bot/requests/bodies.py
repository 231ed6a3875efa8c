"""The bodies of Discord's answers: one that cannot be read is trouble on the way, and no fault here.

discord.py takes a body to be what was asked for. A page of Cloudflare's or half a message comes
out of it as whatever goes wrong at the first look into it, which nobody can tell from a mistake of the
bot's.
"""

from __future__ import annotations

import json
from typing import Any

import aiohttp
import discord

from bot.requests.budget import TOO_MANY

_API = "/api/"
_SWITCHED, _NO_CONTENT, _REFUSED, _FAILED = 101, 204, 400, 500

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
    elif not isinstance(said, dict if status >= _REFUSED else dict | list):
        sentence = f"the answer cannot be read: {status}, {kind}"
        if _REFUSED <= status < _FAILED:  # who asks again at once may be barred
            raise aiohttp.ClientPayloadError(sentence)
        raise aiohttp.ClientOSError(_AGAIN, sentence)


async def _read(answer: aiohttp.ClientResponse) -> Any:
    """Return what is in a body, or None for what is cut or no JSON; whoever has asked reads it too."""
    try:
        return json.loads(await answer.read())
    except (ValueError, aiohttp.ClientPayloadError):
        return None

"""HTTP transport to Discord: the proxies on the way, and answers that cannot be read.

discord.py takes the body of an answer to be what was asked for. A page of Cloudflare's or half a message
comes out of it as whatever goes wrong at the first look into it, which nobody can tell from a mistake of
the bot's.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote, urlsplit

import aiohttp
from discord.http import Route

from bot.requests.budget import REFUSED, TOO_MANY

_SWITCHED, _NO_CONTENT, _FAILED = 101, 204, 500

_JSON = "application/json"
"""The type of content that discord.py reads; of any other it hands on the text."""


def proxied(address: str | None) -> dict[str, Any]:
    """Return what a client is told of a proxy: its password apart, as complaints quote the address."""
    if address is None:
        return {}
    url = urlsplit(address)
    name, password = url.username, url.password or ""
    auth = None if name is None else aiohttp.BasicAuth(unquote(name), unquote(password))
    return {"proxy": f"{url.scheme}://{url.netloc.rpartition('@')[2]}", "proxy_auth": auth}


def ask_at(address: str | None) -> None:
    """Ask a Discord proxy in place of Discord, where there is one; the gateway is where that says."""
    if address is not None:
        Route.BASE = address + urlsplit(Route.BASE).path


class BlockedHostError(aiohttp.ClientPayloadError):
    """Cloudflare refused the host by a page in place of Discord's answer, and counts each request."""


def require_readable(trace: aiohttp.TraceConfig) -> None:
    """Let a request whose answer cannot be read fail as one does where Discord is in trouble."""
    trace.on_request_end.append(_require_readable)


async def _require_readable(
    _session: object, _context: object, told: aiohttp.TraceRequestEndParams
) -> None:
    answer, status = told.response, told.response.status
    if not answer.url.path.startswith("/api/") or status in {_SWITCHED, _NO_CONTENT}:
        return
    kind = answer.headers.get("Content-Type")
    if status >= _FAILED and kind != _JSON:  # the status says it all
        return
    said = await json_of(answer) if kind == _JSON else None
    if not isinstance(said, dict | list) or (status == TOO_MANY and "retry_after" not in said):
        error = BlockedHostError if status in REFUSED else aiohttp.ClientPayloadError
        raise error(f"the answer cannot be read: {status}, {kind}")


async def json_of(answer: aiohttp.ClientResponse) -> Any:
    """Return what is in a body, or None where that is no JSON; whoever has asked reads it too."""
    try:
        return json.loads(await answer.read())
    except ValueError:
        return None

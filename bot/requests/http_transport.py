"""HTTP proxies for requests to Discord, and detection of invalid responses.

discord.py assumes that every response body is valid. A Cloudflare error page or an incomplete body
causes some exception later, which looks like a bug in the bot. This module detects such responses.
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
"""The content type that discord.py parses as JSON. It returns any other body as text."""


def proxy_arguments(address: str | None) -> dict[str, Any]:
    """Return the keyword arguments that make a discord.py client use a proxy.

    The password is passed separately from the address, because error messages contain the address.

    Args:
        address: The address of an HTTP proxy, or None for no proxy.
    """
    if address is None:
        return {}
    url = urlsplit(address)
    name, password = url.username, url.password or ""
    auth = None if name is None else aiohttp.BasicAuth(unquote(name), unquote(password))
    return {"proxy": f"{url.scheme}://{url.netloc.rpartition('@')[2]}", "proxy_auth": auth}


def ask_at(address: str | None) -> None:
    """Make discord.py send all API requests to an API proxy.

    The proxy also returns the gateway's address.

    Args:
        address: The proxy's address, or None to send requests to Discord.
    """
    if address is not None:
        Route.BASE = address + urlsplit(Route.BASE).path


class BlockedHostError(aiohttp.ClientPayloadError):
    """Raised when Cloudflare has blocked the host and returns an error page instead of a response.

    Each further request counts against the host.
    """


def require_readable(trace: aiohttp.TraceConfig) -> None:
    """Make requests whose response is invalid raise an error that is handled like a Discord outage."""
    trace.on_request_end.append(_require_readable)


async def _require_readable(
    _session: object, _context: object, told: aiohttp.TraceRequestEndParams
) -> None:
    answer, status = told.response, told.response.status
    if not answer.url.path.startswith("/api/") or status in {_SWITCHED, _NO_CONTENT}:
        return
    kind = answer.headers.get("Content-Type")
    if status >= _FAILED and kind != _JSON:  # discord.py handles errors by their status
        return
    body = await json_of(answer) if kind == _JSON else None
    if not isinstance(body, dict | list) or (status == TOO_MANY and "retry_after" not in body):
        error = BlockedHostError if status in REFUSED else aiohttp.ClientPayloadError
        raise error(f"the answer cannot be read: {status}, {kind}")


async def json_of(answer: aiohttp.ClientResponse) -> Any:
    """Return a response's parsed JSON body, or None if the body is not JSON. The body stays readable."""
    try:
        return json.loads(await answer.read())
    except ValueError:
        return None

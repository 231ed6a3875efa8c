"""The proxies through which Discord is asked, as discord.py is told of them."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

import aiohttp
from discord.http import Route


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

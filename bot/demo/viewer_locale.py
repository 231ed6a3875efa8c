"""The language of the demo's viewers: a menu on SimCord's page, and the locale of what they do."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any, ClassVar

import simcord
from aiohttp import web
from simcord import preview as simcord_preview
from simcord.preview._server import PreviewServer

from bot.engine.words import SOURCE_LANGUAGE, languages
from bot.languages import own_name

HEADER = "X-Ribit-Locale"
"""In which language a window is whose click this is."""

SCRIPT = Path(__file__).with_name("menu.js")
INDEX = Path(simcord_preview.__file__).with_name("static") / "index.html"

_BEFORE_MENU, _BEFORE_SCRIPT = '<button id="refresh"', '<script type="module"'
_SOURCE_LOCALE = "en-US"


class _Server(PreviewServer):
    """SimCord's server with the menu on its page, and an ear for what a window chose there."""

    _STATIC_FILES: ClassVar = {**PreviewServer._STATIC_FILES, "/menu.js": str(SCRIPT)}  # noqa: SLF001

    def __init__(self, preview: simcord.Preview, port: int, locales: dict[str, str]) -> None:
        super().__init__(preview, port)
        self._locales = locales

    async def _index(self, request: web.Request) -> web.Response:
        if request.headers.get("Host", "") not in self._allowed_hosts():
            raise web.HTTPForbidden
        return web.Response(text=_page(), content_type="text/html", headers=self._SECURITY_HEADERS)

    async def _action(self, request: web.Request) -> Any:
        page = self.preview._pages.get(request.headers.get("X-Simcord-Context", ""))  # noqa: SLF001
        if page is not None:
            self._locales[str(page.viewer.id)] = request.headers.get(HEADER, _SOURCE_LOCALE)
        return await super()._action(request)


def offer_languages(env: simcord.Env, preview: simcord.Preview, port: int) -> None:
    """Put a menu of languages on the page; where two windows are one person, the last click says."""
    locales: dict[str, str] = {}
    preview._server = _Server(preview, port, locales)  # noqa: SLF001 — there is no other way to its page

    def set_locale(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            who = payload.get("member", payload)["user"]["id"]
            payload["locale"] = locales.get(who, payload["locale"])

    env.backend.subscribers.insert(0, set_locale)  # before the bot hears of it


def _page() -> str:
    options = "".join(
        f'<option value="{_SOURCE_LOCALE if each == SOURCE_LANGUAGE else escape(each)}">'
        f"{escape(own_name(each))}</option>"
        for each in languages()
    )
    menu = f'<label class="viewer-control">in <select id="language">{options}</select></label>'
    page = INDEX.read_text("utf-8")
    page = page.replace(_BEFORE_MENU, f"{menu}{_BEFORE_MENU}", 1)
    return page.replace(_BEFORE_SCRIPT, f'<script src="/menu.js"></script>{_BEFORE_SCRIPT}', 1)

"""A local model of the part of Discord's HTTP interface that token checks use."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

APPLICATION = {
    "id": "9",
    "name": "Ribit",
    "icon": None,
    "description": "",
    "bot_public": True,
    "bot_require_code_grant": False,
    "verify_key": "",
    "flags": 0,
    "summary": "",
    "team": None,
    "owner": {"id": "5", "username": "ann", "discriminator": "0", "avatar": None},
}


class LocalDiscord(BaseHTTPRequestHandler):
    """The endpoint that names a token's bot. Only one token is valid."""

    protocol_version = "HTTP/1.1"
    is_broken = False
    starts_left = 998
    application: Mapping[str, Any] = APPLICATION
    servers: Sequence[Mapping[str, Any]] = ()
    silence = Event()

    def do_GET(self) -> None:
        if self.headers["Authorization"] == "Bot slow":
            self.silence.wait(30)
        if self.headers["Authorization"] == "Bot page":
            self._answer(200, "<html>Just a moment...</html>")
        elif self.is_broken:
            self._answer(403, {"message": "the pond is closed", "code": 0})
        elif self.headers["Authorization"] != "Bot good":
            self._answer(401, {"message": "401: Unauthorized", "code": 0})
        elif self.path.endswith("/users/@me"):
            self._answer(200, {"id": "7", "username": "frog", "discriminator": "0", "avatar": None})
        elif self.path.endswith("/applications/@me"):
            self._answer(200, self.application)
        elif self.path.partition("?")[0].endswith("/users/@me/guilds"):
            self._answer(200, list(self.servers))
        elif self.path.endswith("/gateway/bot"):
            limit = {"total": 1000, "remaining": self.starts_left, "reset_after": 90_000}
            limit["max_concurrency"] = 1
            self._answer(200, {"url": "wss://x", "shards": 1, "session_start_limit": limit})
        else:
            self._answer(404, {"message": "404: Not Found", "code": 0})

    def _answer(self, status: int, content: object) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 — the library's name
        """Keep quiet."""


@contextmanager
def serve_discord() -> Iterator[tuple[type[LocalDiscord], str]]:
    """Serve a local Discord. Yields its handler, whose attributes a test may set, and its address."""

    class Handler(LocalDiscord):
        silence = Event()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Handler, f"http://127.0.0.1:{server.server_port}/api/v10"
    finally:
        Handler.silence.set()
        server.shutdown()
        thread.join()
        server.server_close()

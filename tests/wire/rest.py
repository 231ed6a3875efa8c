"""Discord's HTTP interface on a real socket, with SimCord's routes and injected faults."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import discord
from aiohttp import web
from simcord.backend import Backend, errors
from simcord.backend.errors import BackendError
from simcord.http import router

from bot.engine.frozen import frozen
from tests.wire.ledger import Ledger

PREFIX = "/api/v10"
BAD_FORM, ALREADY_ANSWERED = 50035, 40060
REPLACED = "unknown attachment id"
"""Discord's error if an edit keeps a picture that another edit has just replaced."""
KEPT_RECORDS = 200
"""Number of records that SimCord keeps, because a long run would run out of memory."""

Nonce = tuple[int, str]
"""A channel, and the nonce of a message in it."""

LANES = 16
"""Number of shards that may identify at the same time, as in a large bot."""

_STATES = re.compile(r'"m:([0-9a-z]{4,16}:\d+):')
_TOKEN = re.compile(r"/webhooks/\d+/([^/]+)")
_NAMES = re.compile(r'(\w+)="([^"]*)"')
_KINDS = (
    ("answer", re.compile(r"POST /interactions/\d+/[^/]+/callback")),
    ("follow-up", re.compile(r"(POST|PATCH|DELETE|GET) /webhooks/\d+/.+")),
    ("post", re.compile(r"POST /channels/\d+/messages")),
    ("edit", re.compile(r"PATCH /channels/\d+/messages/\d+")),
    ("delete", re.compile(r"DELETE /channels/\d+/messages/\d+")),
    ("sync", re.compile(r"PUT /applications/\d+/commands")),
)


@frozen
class Request:
    """A request of the bot to Discord.

    ``kind`` is a word for its purpose.
    """

    method: str
    path: str
    kind: str
    body: Any
    files: list[discord.File]

    @property
    def interaction_id(self) -> int | None:
        """The ID of the interaction that this request answers."""
        return int(self.path.split("/")[2]) if self.kind == "answer" else None

    @property
    def nonce(self) -> Nonce | None:
        """The channel and nonce of a message if Discord is to enforce the nonce, or None."""
        if self.kind != "post" or self.channel_id is None or not self.body.get("enforce_nonce"):
            return None
        return self.channel_id, str(self.body["nonce"])

    @property
    def channel_id(self) -> int | None:
        """The ID of the channel that this request writes to."""
        parts = self.path.split("/")
        return int(parts[2]) if parts[1] == "channels" else None


class DroppedError(Exception):
    """Raised to break the connection without an answer."""


class FailedError(Exception):
    """Raised to answer with a failure of Discord or a rate limit."""

    def __init__(self, status: int, retry_after: float = 0.0, *, bars_host: bool = False) -> None:
        """Create the error. With ``bars_host`` a proxy before Discord refuses every request."""
        super().__init__(status)
        self.status = status
        self.retry_after = retry_after
        self.bars_host = bars_host


@dataclass
class GarbledError(Exception):
    """Raised to answer in place of Discord. With ``is_cut`` the connection breaks within the answer."""

    status: int
    kind: str
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)
    is_cut: bool = False

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Return the answer, or the incomplete one."""
        answer = web.StreamResponse(
            status=self.status, headers={"Content-Type": self.kind, **self.headers}
        )
        answer.content_length = len(self.body) + self.is_cut
        await answer.prepare(request)
        await answer.write(self.body.encode())
        if self.is_cut and request.transport is not None:
            request.transport.close()
        return answer


class Watch(Protocol):
    """An observer of each request, which may fail, drop or delay it or kill its sender."""

    async def before(self, request: Request) -> None:
        """Act before Discord handles the request."""

    async def after(self, request: Request) -> None:
        """Act after Discord has handled the request and before the answer."""


class Rest:
    """The HTTP routes for the bot."""

    def __init__(
        self, backend: Backend, ledger: Ledger, watch: Watch, by_nonce: dict[Nonce, dict[str, Any]]
    ) -> None:
        """Create the routes.

        ``by_nonce`` has the messages posted to a channel by nonce, of all processes.
        """
        self._backend = backend
        self._ledger = ledger
        self.watch = watch
        self.address = ""
        self.gateway: str | None = None
        """The address of the gateway, if it is not this server's."""
        self.starts_left = 999
        self.requests = 0
        self.received = 0
        """The bytes of all requests' bodies."""
        self._by_nonce = by_nonce

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer a request."""
        self.requests += 1
        self.received += request.content_length or 0
        try:
            asked = await _read_request(request)
        except OSError:  # killed in the middle of a request
            return web.Response(status=400)
        words = json.dumps(asked.body)
        self._ledger.show(words)
        states = " ".join(sorted(set(_STATES.findall(words))))
        line = f"{asked.method} {asked.path} {self._target_message_id(asked)} {states}"
        self._ledger.add_line(f"asked: {line}")
        if asked.interaction_id is not None:
            self._ledger.answer(asked.interaction_id)
        try:
            await self.watch.before(asked)
            answer = self._do(asked, dict(request.query))
            await self.watch.after(asked)
        except DroppedError:
            self._ledger.add_line(f"dropped: {line}")
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        except GarbledError as garbled:
            self._ledger.add_line(f"garbled: {line}")
            return await garbled.answer(request)
        except FailedError as failed:
            self._ledger.add_line(f"failed: {line}")
            return _failure_response(failed)
        except BackendError as error:
            self._ledger.add_line(f"refused: {line} {error.code}")
            return self._refuse(asked, error)
        except Exception as error:
            self._ledger.wrong.append(f"the model broke at {asked.method} {asked.path}: {error!r}")
            raise
        self._ledger.add_line(f"answered: {line}")
        return answer

    def _target_message_id(self, asked: Request) -> str:
        """Return the ID of the message of a request that names only an interaction's token."""
        backend, found = self._backend, _TOKEN.match(asked.path)
        token = backend.interaction_tokens.get(found[1]) if found else None
        record = backend.interactions.get(token) if token is not None else None
        return "" if record is None else str(record.message_id or record.source_message_id)

    def _do(self, asked: Request, query: dict[str, str]) -> web.Response:
        if asked.path == "/gateway/bot":
            return _json_response(self._gateway())
        try:
            self._require_attach_files(asked)
            result = self._message_with_same_nonce(asked) or router.dispatch(
                self._backend,
                asked.method,
                asked.path,
                json=asked.body,
                params=query,
                files=asked.files,
                message_content_access=False,
            )
            if asked.nonce is not None:
                self._by_nonce[asked.nonce] = result
        finally:
            self._discard_old_records()
        if asked.interaction_id is not None:
            self._ledger.acknowledge(asked.interaction_id)
        return _json_response(result) if result is not None else web.Response(status=204)

    def _message_with_same_nonce(self, asked: Request) -> dict[str, Any] | None:
        """Return the existing message with the same nonce, as Discord does for a while."""
        return None if asked.nonce is None else self._by_nonce.get(asked.nonce)

    def _refuse(self, asked: Request, error: BackendError) -> web.Response:
        """Refuse a request, and record it if a correct bot would not have sent it."""
        self._ledger.refused[error.code] += 1
        click = self._ledger.clicks.get(asked.interaction_id or 0)
        again = error.code == ALREADY_ANSWERED and click is not None and click.excused
        overtaken = REPLACED in str(error)  # during the click, after which the bot uploads it
        if error.status in (400, 501) and not (again or overtaken):
            self._ledger.wrong.append(f"{asked.method} {asked.path} is refused: {error}")
        return _json_response(error.to_json(), status=error.status)

    def _require_attach_files(self, asked: Request) -> None:
        """Require the permission to attach files when the bot posts to a channel.

        SimCord does not check it.
        """
        if asked.channel_id is None or not asked.files:
            return
        channel = self._backend.get_channel(asked.channel_id)
        bot_id = self._backend.bot_user.id
        self._backend.require_permissions(channel.guild_id, bot_id, channel.id, "attach_files")

    def _gateway(self) -> dict[str, Any]:
        limit = {
            "total": 1000,
            "remaining": self.starts_left,
            "reset_after": 1000,
            "max_concurrency": LANES,
        }
        url = f"ws://{self.gateway or self.address}/gateway"
        return {"url": url, "shards": 1, "session_start_limit": limit}

    def _discard_old_records(self) -> None:
        for kept in (self._backend.http_requests, self._backend.transcript):
            del kept[:-KEPT_RECORDS]
        blobs = self._backend.cdn._blobs
        for url in list(blobs)[:-KEPT_RECORDS]:
            del blobs[url]


async def _read_request(request: web.Request) -> Request:
    raw, body, files = await request.read(), None, []
    if request.content_type == "multipart/form-data":
        parts = _form_parts(raw, request.headers["Content-Type"].partition("boundary=")[2].strip('"'))
        body = json.loads(parts.pop("payload_json")[1])
        words = [part.get("description") for part in body.get("attachments", ())]
        for number, (filename, data) in enumerate(parts.values()):
            alt = words[number] if number < len(words) else None
            files.append(discord.File(io.BytesIO(data), filename, description=alt))
    elif raw:
        body = json.loads(raw)
    path = request.path.removeprefix(PREFIX)
    line = f"{request.method} {path}"
    kind = next((name for name, pattern in _KINDS if pattern.fullmatch(line)), "other")
    return Request(request.method, path, kind, body, files)


def _form_parts(raw: bytes, boundary: str) -> dict[str, tuple[str, bytes]]:
    """Return the parts of a form by name, each with its file name and content."""
    parts = {}
    for part in raw.split(b"--" + boundary.encode())[1:-1]:
        head, _blank, data = part.partition(b"\r\n\r\n")
        name = dict(_NAMES.findall(head.decode()))
        parts[name["name"]] = (name.get("filename", ""), data.removesuffix(b"\r\n"))
    return parts


def _json_response(
    data: Any, status: int = 200, headers: Mapping[str, str] | None = None
) -> web.Response:
    """Answer with data in the exact content type that discord.py requires."""
    kind = {"Content-Type": "application/json"}
    return web.Response(
        body=json.dumps(data).encode(), status=status, headers={**kind, **(headers or {})}
    )


def _failure_response(failed: FailedError) -> web.Response:
    if failed.bars_host:
        headers = {"Retry-After": str(int(failed.retry_after))}
        return web.Response(status=failed.status, text="error code: 1015", headers=headers)
    if failed.status == 429:
        body = {"message": "You are being rate limited.", "retry_after": failed.retry_after}
        return _json_response({**body, "global": False}, status=429, headers={"Via": "1.1 google"})
    return web.Response(status=failed.status, text="upstream connect error")


def closed_dms_error() -> BackendError:
    """Return Discord's answer for a player with closed DMs."""
    return errors.cannot_dm_bot()

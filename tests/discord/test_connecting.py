"""Connections to Discord send a message in one piece and tell of each answer, over a real socket."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio
import yarl
from aiohttp import web

from bot.delivery.connecting import Connector

HOST = "127.0.0.1"


async def _answer(request: web.Request) -> web.Response:
    if request.path == "/silent":
        assert request.transport is not None
        request.transport.close()
    if request.path == "/refused":
        return web.json_response({"code": 50007}, status=403)
    if request.path == "/message":
        form = await request.post()
        picture = form["files[0]"]
        assert isinstance(picture, web.FileField)
        return web.json_response(
            {
                "layout": form["payload_json"],
                "name": picture.filename,
                "picture": picture.file.read().hex(),
            }
        )
    return web.Response(text="croak")


@pytest_asyncio.fixture
async def address() -> AsyncIterator[yarl.URL]:
    """A server that answers, refuses, or hangs up."""
    application = web.Application()
    application.router.add_route("*", "/{path}", _answer)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, HOST, 0)
    await site.start()
    yield yarl.URL.build(scheme="http", host=HOST, port=runner.addresses[0][1])
    await runner.cleanup()


async def test_each_answer_is_told_of(address: yarl.URL) -> None:
    """With its status, before whoever has asked gets it; what is read of it then is read again."""
    connector, told = Connector(), list[tuple[str, int, str]]()

    async def answered(answer: aiohttp.ClientResponse) -> None:
        told.append((answer.url.path, answer.status, await answer.text()))

    connector.tell(answered)
    async with aiohttp.ClientSession(connector=connector) as session:
        async with session.post(address / "table", data="a picture") as answer:
            assert told == [("/table", 200, "croak")]
            assert await answer.text() == "croak"
        async with session.get(address / "refused") as answer:
            assert await answer.json() == {"code": 50007}
    assert [(path, status) for path, status, _body in told] == [("/table", 200), ("/refused", 403)]


async def test_what_gets_no_answer_is_told_of(address: yarl.URL) -> None:
    """Where nobody hangs on to the line to the end, and where nobody is there."""
    connector, cut_off = Connector(), list[tuple[str, type[Exception]]]()

    async def answered(answer: aiohttp.ClientResponse) -> None:
        raise AssertionError(f"there is no answer: {answer}")

    connector.tell(answered, lambda url, error: cut_off.append((url.path, type(error))))
    async with aiohttp.ClientSession(connector=connector) as session:
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await session.post(address / "silent")
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get(address.with_port(1) / "nobody")
    assert cut_off == [
        ("/silent", aiohttp.ServerDisconnectedError),
        ("/nobody", aiohttp.ClientConnectorError),
    ]


async def test_a_message_with_a_picture_goes_out_in_one_piece(address: yarl.URL) -> None:
    """As discord.py makes it, of parts; and it arrives as it was made."""
    pieces = list[bytes]()

    async def sent(
        _session: object, _context: object, piece: aiohttp.TraceRequestChunkSentParams
    ) -> None:
        pieces.append(piece.chunk)

    trace = aiohttp.TraceConfig()
    trace.on_request_chunk_sent.append(sent)
    form = aiohttp.FormData()
    form.add_field("payload_json", '{"type": 7}')
    form.add_field("files[0]", io.BytesIO(b"frog" * 9_000), filename="pond.png")
    async with (
        aiohttp.ClientSession(connector=Connector(), trace_configs=[trace]) as session,
        session.post(address / "message", data=form) as answer,
    ):
        arrived = await answer.json()
    assert arrived == {"layout": '{"type": 7}', "name": "pond.png", "picture": (b"frog" * 9_000).hex()}
    assert len(pieces) == 1

"""Tests of request logging by aiohttp's public tracing, over a real socket."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest
import pytest_asyncio
from aiohttp import web
from discord.http import Route

from bot.metrics import Metrics
from bot.requests.budget import Budget, listen

HOST = "127.0.0.1"
CLOSED_DMS, PICTURE = 50007, b"frog" * 9_000


async def _answer(request: web.Request) -> web.StreamResponse:
    if request.path == "/silent":
        assert request.transport is not None
        request.transport.close()
    if request.path == "/slow":
        await asyncio.sleep(60)
    if request.path == "/refused":
        return web.json_response({"code": CLOSED_DMS}, status=403)
    if request.path == "/channels/1/messages":
        form = await request.post()
        picture = form["files[0]"]
        assert isinstance(picture, web.FileField)
        assert (picture.filename, picture.file.read()) == ("pond.png", PICTURE)
        return web.json_response({"layout": form["payload_json"]})
    return web.json_response({"id": "1", "username": "ribit", "avatar": None, "discriminator": "0"})


@pytest_asyncio.fixture
async def address() -> AsyncIterator[str]:
    """A server that answers, refuses, hangs up, or takes its time."""
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", _answer)
    runner = web.AppRunner(application, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, HOST, 0).start()
    yield f"http://{HOST}:{runner.addresses[0][1]}"
    await runner.cleanup()


def counted_requests(figures: Metrics, **labels: str) -> float:
    """Return the counted refusals or requests."""
    name = "ribit_refused_requests_total" if "meaning" in labels else "ribit_requests_total"
    return figures.registry.get_sample_value(name, labels) or 0


async def test_each_response_is_counted_by_its_meaning(address: str) -> None:
    """Each response is counted by its meaning, and its body can still be read."""
    trace, figures, budget = aiohttp.TraceConfig(), Metrics(), Budget()
    figures.listen(trace)
    listen(budget, trace)
    async with aiohttp.ClientSession(trace_configs=[trace]) as session:
        async with session.post(f"{address}/table", data="a picture") as answer:
            assert (await answer.json())["username"] == "ribit"
        async with session.get(f"{address}/refused") as answer:
            assert await answer.json() == {"code": CLOSED_DMS}
    assert counted_requests(figures, limited="yes") == 2
    assert counted_requests(figures, meaning="no DMs") == 1
    assert budget.refusal_count == 1


async def test_requests_without_a_response_are_counted_as_trouble(address: str) -> None:
    """A broken or refused connection counts as trouble. The gateway and cancelled requests do not."""
    trace, figures = aiohttp.TraceConfig(), Metrics()
    figures.listen(trace)
    async with aiohttp.ClientSession(trace_configs=[trace]) as session:
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await session.post(f"{address}/silent")
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get(f"http://{HOST}:1/nobody")
        assert counted_requests(figures, meaning="trouble") == 2
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.ws_connect(f"ws://{HOST}:1/gateway")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await session.get(f"{address}/slow")
    assert counted_requests(figures, meaning="trouble") == 2
    assert counted_requests(figures, limited="yes") == 0


async def test_a_traced_upload_arrives_unchanged(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While aiohttp traces requests, discord.py can upload a picture, and its requests are counted."""
    monkeypatch.setattr(Route, "BASE", address)
    trace, figures = aiohttp.TraceConfig(), Metrics()
    figures.listen(trace)
    async with discord.Client(intents=discord.Intents.none(), http_trace=trace) as client:
        await client.http.static_login("not.a.token")
        picture = discord.File(io.BytesIO(PICTURE), "pond.png")
        with discord.http.handle_message_parameters("croak", files=[picture]) as made:
            arrived = await client.http.send_message(1, params=made)
    assert "croak" in str(arrived)
    assert counted_requests(figures, limited="yes") == 2

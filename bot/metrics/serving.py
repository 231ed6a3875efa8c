"""The page that Prometheus reads, served from the bot's own event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from aiohttp import web
from prometheus_client.aiohttp import make_aiohttp_handler

from bot.metrics.counting import Metrics
from bot.settings import SettingsError

log = structlog.get_logger(__name__)

CLOSE_SECONDS = 1.0


@asynccontextmanager
async def serving(address: str) -> AsyncIterator[Metrics]:
    """Serve figures at an address, such as ``127.0.0.1:9464``, inside the block.

    They are served from the bot's own event loop: what they are read from changes nowhere else, and a
    loop that does not come round to it would not answer clicks either. Raises SettingsError where they
    cannot be served there.
    """
    figures = Metrics()
    page = make_aiohttp_handler(figures.registry)

    async def answer(request: web.Request) -> web.StreamResponse:
        await figures.count_tables()
        return await page(request)

    host, _colon, port = address.rpartition(":")
    app = web.Application()
    app.router.add_get("/metrics", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=CLOSE_SECONDS)
    await runner.setup()
    try:
        await _open(runner, host.strip("[]"), int(port), address)
        figures.port = runner.addresses[0][1]
        log.info("figures are served", port=figures.port)
        yield figures
    finally:
        await runner.cleanup()


async def _open(runner: web.AppRunner, host: str, port: int, address: str) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        said = str(error.strerror or error).rpartition(": ")[2].lower()
        raise SettingsError(
            f"Figures cannot be served at RIBIT_METRICS={address}: {said}. Set an address of this "
            "machine, and a port that nothing else has; each process of the bot needs one of its own."
        ) from None

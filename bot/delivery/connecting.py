"""Connections to Discord: a request goes out in one piece, and each answer is told of.

So is the answer to a request that is made again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import aiohttp
import yarl
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

Answered: TypeAlias = Callable[[aiohttp.ClientResponse], Awaitable[None]]
CutOff: TypeAlias = Callable[[yarl.URL, Exception], None]


class Connector(aiohttp.TCPConnector):
    """Makes as many connections as discord.py would by itself, and tells of what comes over them.

    A ``TraceConfig`` of aiohttp's would tell of that, too, but follows every piece of a request that is
    written: a twentieth of what a click costs.
    """

    def __init__(self) -> None:
        super().__init__(limit=0)
        self._answered: list[Answered] = []
        self._cut_off: list[CutOff] = []
        self._response = _telling(self._answered, self._was_cut_off)

    def tell(self, answered: Answered, cut_off: CutOff | None = None) -> None:
        """Have these called from now on: with each answer, and with the URL of what gets none, and why.

        Of an answer the status and the headers are there. Its body may be read: whoever has asked reads
        the same after it.
        """
        self._answered.append(answered)
        if cut_off is not None:
            self._cut_off.append(cut_off)

    def _was_cut_off(self, url: yarl.URL, error: Exception) -> None:
        for cut_off in self._cut_off:
            cut_off(url, error)

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 — it is aiohttp's method
    ) -> Connection:
        """Return a connection for a request, whose answer will be told of; it goes out in one piece.

        aiohttp would write each part of a message with a picture, and each line between them, by itself:
        nine calls of the system, and as many packets.
        """
        req.response_class = self._response
        if isinstance(req.body, aiohttp.MultipartWriter):
            await req.update_body(await req.body.as_bytes())
        try:
            return await super().connect(req, traces, timeout)
        except Exception as error:
            self._was_cut_off(req.url, error)
            raise


def _telling(told: list[Answered], cut_off: CutOff) -> type[aiohttp.ClientResponse]:
    """Return the class of answers that tell when they have come, or will not."""

    class Telling(aiohttp.ClientResponse):
        async def start(self, connection: Connection) -> aiohttp.ClientResponse:
            try:
                response = await super().start(connection)
            except Exception as error:
                cut_off(self.url, error)
                raise
            for answered in told:
                await answered(response)
            return response

    return Telling

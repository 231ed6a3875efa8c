"""An HTTP proxy on loopback with a name and a password, like a company's."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import quote, urlsplit

USER, PASSWORD = "toad", "s3cret/p@nd"
_CREDENTIALS = b64encode(f"{USER}:{PASSWORD}".encode())
_NO_BODY = b"\r\nContent-Length: 0\r\n\r\n"
_ASKED = re.compile(rb"([A-Z]+ [a-z]\S+) HTTP/1\.1\r")


class Proxy:
    """Forwards authorised requests. A tunnel leads nowhere, as tests use no outside host."""

    def __init__(self) -> None:
        self.port = 0
        self.connections: list[bytearray] = []
        """What came from who may, by connection."""

    @property
    def address(self) -> str:
        """The address with name and password, in the form of the bot's setting."""
        return f"http://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{self.port}"

    @property
    def asked(self) -> list[str]:
        """Request lines such as ``GET http://…``."""
        return [found.decode() for each in self.connections for found in _ASKED.findall(bytes(each))]

    @property
    def came(self) -> bytes:
        """The bytes of authorised clients."""
        return b"".join(self.connections)

    def connected(self) -> bytearray:
        """Return the buffer of a new connection.

        The bytes of several connections arrive interleaved.
        """
        self.connections.append(bytearray())
        return self.connections[-1]

    async def serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            if b"Basic " + _CREDENTIALS not in head:
                writer.write(b"HTTP/1.1 407 Proxy Authentication Required" + _NO_BODY)
            else:
                came = self.connected()
                came += head
                url = urlsplit(head.split()[1].decode())
                if head.startswith(b"CONNECT"):
                    writer.write(b"HTTP/1.1 502 Bad Gateway" + _NO_BODY)
                else:
                    there, back = await asyncio.open_connection(url.hostname, url.port)
                    back.write(head)
                    await asyncio.gather(self.pipe(reader, back, came), self.pipe(there, writer))
        writer.close()

    async def pipe(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kept: bytearray | None = None
    ) -> None:
        """Forward the bytes and record them."""
        with suppress(ConnectionError):
            while part := await reader.read(65536):
                if kept is not None:
                    kept += part
                writer.write(part)
                await writer.drain()
        writer.close()


@asynccontextmanager
async def open_proxy() -> AsyncIterator[Proxy]:
    """Open a proxy on a free port."""
    proxy = Proxy()
    server = await asyncio.start_server(proxy.serve_connection, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()


@asynccontextmanager
async def open_reverse_proxy(address: str) -> AsyncIterator[Proxy]:
    """Open a server on a free port that replaces Discord and forwards all requests to an address."""
    proxy, (host, _colon, port) = Proxy(), address.partition(":")

    async def serve_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(host, int(port))
        await asyncio.gather(proxy.pipe(reader, back, proxy.connected()), proxy.pipe(there, writer))

    server = await asyncio.start_server(serve_connection, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()

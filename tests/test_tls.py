"""Tests of every fault of encrypted database connections: a sentence and an exit code for each."""

from __future__ import annotations

import asyncio
import gc
import ssl
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from bot.__main__ import UNCONFIGURED, main
from bot.console import FAILED
from bot.storage.database_address import Server
from tests.test_startup_and_docs import assert_single_error, run_bot_command

KEY = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgeA7su+2xDIhDq7n9
kYst5amHmHcDWkmZE0hDX/mtUPmhRANCAARipa51UD5Y1pipO0OmMYOwfbQGicdP
8XL7yZ3Oo/JTT73ykZHeAgYe1WwJPzf+9wV0DrFVeMQgjfuoyTD7i6ay
-----END PRIVATE KEY-----
"""
OWN = """\
-----BEGIN CERTIFICATE-----
MIIBizCCATGgAwIBAgIUA9aqee8wMIWomMMHnLoAB3sbeigwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEcG9uZDAgFw0yNjExMjYxNzMzMzFaGA8yMTI2MTEwMjE3MzMz
MVowDzENMAsGA1UEAwwEcG9uZDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGKl
rnVQPljWmKk7Q6Yxg7B9tAaJx0/xcvvJnc6j8lNPvfKRkd4CBh7VbAk/N/73BXQO
sVV4xCCN+6jJMPuLprKjaTBnMB0GA1UdDgQWBBSlkON65C7tYGyc0J+xkLNV2uK0
mDAfBgNVHSMEGDAWgBSlkON65C7tYGyc0J+xkLNV2uK0mDAPBgNVHRMBAf8EBTAD
AQH/MBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAKBggqhkjOPQQDAgNIADBFAiB0doN9
guSk4S3eQDGaZNffJK6ENmB+A53fWUsZsaDDyAIhANXWwHQ47ny508r56HYrEMIJ
OWS/Cb5KRizysnGUX0jG
-----END CERTIFICATE-----
"""
"""The certificate of ``localhost`` to which the key belongs, until 2126."""

OTHER = """\
-----BEGIN CERTIFICATE-----
MIIBijCCATGgAwIBAgIUdfyKTovr+3fKjt7sH8lofZVlPHwwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEbGFrZTAgFw0yNjExMjYxNzM0MjBaGA8yMTI2MTEwMjE3MzQy
MFowDzENMAsGA1UEAwwEbGFrZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGsV
oZ45qifMf+YtHiMdGuw6OOZNWnnZQ7Pl/MipH8HMLX9zzUVuowaw5CwUNBsrdpLN
3RBGmkzxXdlF0WTX3BOjaTBnMB0GA1UdDgQWBBSXd47QdX4Y5kvZmXWFz85sAGG9
cjAfBgNVHSMEGDAWgBSXd47QdX4Y5kvZmXWFz85sAGG9cjAPBgNVHRMBAf8EBTAD
AQH/MBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAKBggqhkjOPQQDAgNHADBEAiARBgdP
CHnEncVQnFA+9DBtGMm7HwQ9zrYTsggDj0pOkAIgWtgEdFiFlIOvuCwvVKlynRN3
lzVkmhpnOv/pd/5ymD8=
-----END CERTIFICATE-----
"""
"""One that has not signed it."""

REQUEST = 8
"""Length of a client's request for TLS."""


class Front:
    """A proxy on local ports in front of a server. It speaks TLS or passes bytes through.

    The server of the tests is built without TLS.
    """

    def __init__(self, server: Server, context: ssl.SSLContext) -> None:
        host = server.address.partition("host=")[2]
        self._socket, self._context = f"{host}/.s.PGSQL.5432", context
        self.ports: dict[str, int] = {}
        is_ready = Event()
        self._thread = Thread(target=asyncio.run, args=[self._serve(is_ready)])
        self._thread.start()
        is_ready.wait()

    async def _serve(self, is_ready: Event) -> None:
        self._loop, self._done = asyncio.get_running_loop(), asyncio.Event()
        async with AsyncExitStack() as listening:
            for name, answer in (("tls", self._serve_encrypted), ("plain", self._passed)):
                listener = await asyncio.start_server(answer, "127.0.0.1", 0)
                await listening.enter_async_context(listener)
                self.ports[name] = listener.sockets[0].getsockname()[1]
            is_ready.set()
            await self._done.wait()

    async def _serve_encrypted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(REQUEST)
        writer.write(b"S")
        try:
            await writer.start_tls(self._context)
        except OSError:  # who does not trust it goes
            writer.transport.abort()
            return
        await self._passed(reader, writer)

    async def _passed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._socket)
        try:
            await asyncio.gather(_copy_stream(reader, back), _copy_stream(there, writer))
        finally:  # also where the front closes before a last connection has ended
            for each in (back, writer):
                each.transport.abort()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._done.set)
        self._thread.join()


async def _copy_stream(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65536):
            sink.write(data)
    sink.close()


@pytest.fixture
def ports(server: Server, tmp_path: Path) -> Iterator[dict[str, int]]:
    """The ports of a server with TLS and of one without. The certificate files exist."""
    for name, content in (("key", KEY), ("own", OWN), ("other", OTHER), ("text", "Dear frog")):
        (tmp_path / name).write_text(content)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "own", tmp_path / "key")
    front = Front(server, context)
    yield front.ports
    front.close()


WRONG = {
    "tls localhost sslmode=verify-full": "root.crt",
    "tls localhost sslmode=verify-full&sslrootcert={0}/other": "certificate",
    "tls 127.0.0.1 sslmode=verify-full&sslrootcert={0}/own": "127.0.0.1",
    "tls localhost sslmode=verify-ca&sslrootcert={0}/none": "{0}/none",
    "tls localhost sslmode=verify-ca&sslrootcert={0}/text": "{0}/text",
    "tls localhost sslmode=require&sslcert={0}/none&sslkey={0}/key": "{0}/none",
    "tls localhost sslmode=verify-frog": "sslmode",
    "tls localhost sslmod=verify-full": "sslmod",
    "tls localhost ssl_min_protocol_version=frog": "frog",
    "tls localhost statement_timeout=frog": "statement_timeout",
    "plain localhost sslmode=require": "rejected SSL",
}
"""By proxy, host name and options: the expected words of the sentence."""

STARTED = [way for way in WRONG if "/none" in way or "sslmod=" in way or "plain" in way]
"""Faults of other types. Their message ends the start, with the exit code for them."""


def database_address(name: str, way: str, ports: dict[str, int], folder: Path) -> str:
    front, host, options = way.format(folder).split(" ")
    return f"postgresql://postgres:s3cret@{host}:{ports[front]}/{name}?{options}"


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_tls_errors_are_reported_and_not_retried(
    server: Server,
    ports: dict[str, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Start and doctor name the fault. The start exits with the code that prevents retries."""
    name = server.address.partition("@/")[2].partition("?")[0]
    given = {"DISCORD_TOKEN": "x.y.z", "HOME": str(tmp_path)}
    for key, value in given.items():
        monkeypatch.setenv(key, value)
    for way, word in WRONG.items():
        address = database_address(name, way, ports, tmp_path)
        monkeypatch.setenv("RIBIT_DATABASE", address)
        assert main(["doctor", "--offline"]) == FAILED
        last = "".join(capsys.readouterr()).splitlines()[-1].removeprefix("problem  ")
        assert word.format(tmp_path) in last
        assert "s3cret" not in last
        if way in STARTED:
            done = run_bot_command(tmp_path, "-m", "bot", **given, RIBIT_DATABASE=address)
            assert_single_error(done, last, code=UNCONFIGURED)
    for way in (
        "tls localhost sslmode=verify-full&sslrootcert={0}/own",
        "plain localhost sslmode=prefer",
    ):
        monkeypatch.setenv("RIBIT_DATABASE", database_address(name, way, ports, tmp_path))
        main(["doctor", "--offline"])
        assert "lets Ribit in" in capsys.readouterr().out
    gc.collect()  # what a server refuses after TLS, asyncpg leaves half closed to the end of its program

"""The bot behind a proxy sends everything through it and never reveals its password."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from bot.settings import read_settings
from tests.test_startup_and_docs import run_bot_command
from tests.wire.environment import deal_solitaire, open_world
from tests.wire.proxy import PASSWORD, USER, open_proxy, open_reverse_proxy

UNTOLD = (PASSWORD, "s3cret", f"{USER}:")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM")
async def test_gateway_and_requests_use_the_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gateway and every request use the proxy, and the log names it without username or password."""
    async with open_proxy() as proxy:
        monkeypatch.setenv("RIBIT_PROXY", proxy.address)
        monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
        async with open_world(tmp_path, seed=11) as place:
            await place.begin(level="DEBUG")
            assert await place.connected()
            await deal_solitaire(place, place.server.person("Ann"), place.server.channel("pond"))
            at = place.server.address
            assert any(asked.startswith(f"GET ws://{at}/gateway?") for asked in proxy.asked)
            for method in ("GET", "POST", "PUT"):
                assert any(asked.startswith(f"{method} http://{at}/api/") for asked in proxy.asked)
            place.program.ask_to_stop()
            assert await place.end(0) == []
            log = place.program.log.read_text("utf-8")
            assert f"127.0.0.1:{proxy.port}" in log
            assert [word for word in UNTOLD if word in log] == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM")
async def test_requests_go_to_a_proxy_replacing_discord(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests go to the proxy that replaces Discord, and the gateway to Discord's own address."""
    async with (
        open_world(tmp_path, seed=12) as place,
        open_reverse_proxy(place.server.address) as stand_in,
    ):
        monkeypatch.setenv("RIBIT_DISCORD_API", f"http://127.0.0.1:{stand_in.port}/")
        await place.begin()
        assert await place.connected()
        await deal_solitaire(place, place.server.person("Ann"), place.server.channel("pond"))
        place.program.ask_to_stop()
        assert await place.end(0) == []
    for asked in (b"GET /api/v10/gateway/bot ", b"PUT /api/v10/applications/", b"/callback"):
        assert asked in stand_in.came


async def test_the_doctor_checks_the_token_through_the_proxy(tmp_path: Path) -> None:
    """*doctor* names the tunnel and checks the token through it, and ``NO_PROXY`` is respected."""

    async def told(address: str, *arguments: str, **environment: str) -> str:
        given = {"DISCORD_TOKEN": "not.a.token", "HTTPS_PROXY": address, **environment}
        done = await asyncio.to_thread(
            run_bot_command, tmp_path, "-m", "bot", "doctor", *arguments, **given
        )
        assert [word for word in UNTOLD if word in done.stdout + done.stderr] == []
        return done.stdout

    async with open_proxy() as proxy:
        said = await told(proxy.address)
        assert proxy.asked == ["CONNECT discord.com:443"]
        assert f"Discord is reached through the proxy 127.0.0.1:{proxy.port}." in said
        assert "Bad Gateway" in said
        wrong = proxy.address.replace("s3cret", "wrong")
        assert "Proxy Authentication Required" in await told(wrong)
        assert "the proxy" not in await told(wrong, "--offline", NO_PROXY="example.org,discord.com")


@pytest.mark.parametrize(
    "written",
    [
        "socks5://toad:s3cret@pond:1080",
        "http://to/ad:s3cret@pond",
        "http://toad:1#s3cret@pond:1080",
        "toad:1?s3cret@pond",
    ],
)
def test_an_invalid_proxy_is_reported_without_its_value(tmp_path: Path, written: str) -> None:
    """An invalid proxy is reported with the accepted forms, but its value is not."""
    done = run_bot_command(tmp_path, "-m", "bot", "doctor", "--offline", RIBIT_PROXY=written)
    assert "RIBIT_PROXY makes no sense: it takes the address of an HTTP proxy" in done.stdout
    assert "s3cret" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "written", ["proxy.example:3128", "https://a:b@[::1]:3128/", "HTTP://proxy.example"]
)
def test_the_proxy_is_shown_without_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    """The proxy is shown without username or password, and its scheme is optional."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIBIT_PROXY", written)
    settings = read_settings()
    assert settings.proxy_place in {"proxy.example:3128", "[::1]:3128", "proxy.example"}
    assert written not in str(settings)

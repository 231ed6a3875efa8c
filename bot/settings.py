"""The host's settings, read from environment variables and the ``.env`` file."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from stat import S_IROTH
from typing import Any

from dotenv import dotenv_values

from bot.engine.errors import ConfigurationError
from bot.matches.shards import Shards, read_shards


class SettingsError(ConfigurationError):
    """Raised when a setting is missing or invalid."""


LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
FORMATS = ("text", "json")
LEAST_REQUESTS = 10  # with fewer, tables would not be updated in time
_FILE = ".env"
_OURS, _TOKEN = "RIBIT_", "DISCORD_TOKEN"

_SERVED = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):(?P<port>\d{1,5})")
_LAST_PORT = 65535

_PAGE = re.compile(r"https?://[^\s<>()\[\]/?#]+[^\s<>()]{0,400}")
"""Matches a web address. It excludes characters that would end a link in Discord's markdown."""

_PROXY = re.compile(r"(?i)(https?://)?([^\s/?#]*@)?(\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]]+)(:\d{1,5})?/?")
_PROXY_NAME = "RIBIT_PROXY"
_SHARED_PROXY_NAME = "HTTPS_PROXY"  # for all programs, overridden by RIBIT_PROXY


def _level(written: str) -> str:
    if written.upper() not in LEVELS:
        raise ValueError(f"it takes one of {', '.join(LEVELS)}")
    return written.upper()


def _format(written: str) -> str:
    if written.lower() not in FORMATS:
        raise ValueError(f"it takes one of {', '.join(FORMATS)}")
    return written.lower()


def _parse_shards(written: str) -> str:
    match = _SERVED.fullmatch(written)
    if match is None or int(match["port"]) > _LAST_PORT:
        raise ValueError("it takes an address and a port, such as 127.0.0.1:9464 or [::1]:9464")
    return written


def _page(written: str) -> str:
    if _PAGE.fullmatch(written) is None:
        raise ValueError("it takes the address of a page, such as https://example.org/privacy")
    return written


def _proxy(written: str) -> str:
    if _PROXY.fullmatch(written) is None:
        raise ValueError(
            "it takes the address of an HTTP proxy, such as http://proxy.example:3128 or "
            "http://name:password@proxy.example:3128, with %2F, %3F and %23 for /, ? and # in the "
            "password. RIBIT_PROXY counts before HTTPS_PROXY, which NO_PROXY=discord.com turns off"
        )
    return written if "://" in written else f"http://{written}"


def _api(written: str) -> str:
    if _PAGE.fullmatch(written) is None:
        raise ValueError("it takes the address of a Discord proxy, such as http://127.0.0.1:8080")
    return written.rstrip("/")


def _requests(written: str) -> int:
    if not written.isdecimal() or int(written) < LEAST_REQUESTS:
        raise ValueError(f"it takes a number, {LEAST_REQUESTS} or more")
    return int(written)


def _setting_metadata(name: str, read: Callable[[str], object] = str) -> Mapping[str, Any]:
    """Return the metadata of a field that holds a setting.

    Args:
        name: The environment variable.
        read: The parser of its value. It raises ValueError if the value is invalid.
    """
    return {"name": name, "read": read}


@dataclass(frozen=True)
class Settings:
    """All settings of the bot. ``.env.example`` explains each of them to hosts."""

    token: str | None = field(default=None, repr=False, metadata=_setting_metadata("DISCORD_TOKEN"))
    database: str = field(
        default="ribit.sqlite3", repr=False, metadata=_setting_metadata("RIBIT_DATABASE")
    )
    """The path of an SQLite file, or a PostgreSQL address, which may contain a password."""
    shards: Shards | None = field(default=None, metadata=_setting_metadata("RIBIT_SHARDS", read_shards))
    """The shards that this process runs, or None if it runs all shards."""
    log_level: str = field(default="INFO", metadata=_setting_metadata("RIBIT_LOG_LEVEL", _level))
    log_format: str = field(default="text", metadata=_setting_metadata("RIBIT_LOG_FORMAT", _format))
    """``text`` for human-readable lines, or ``json`` for one JSON object per line."""
    metrics: str | None = field(default=None, metadata=_setting_metadata("RIBIT_METRICS", _parse_shards))
    """The address and port of the metrics' HTTP server, or None for no metrics."""
    requests_per_second: int = field(
        default=50, metadata=_setting_metadata("RIBIT_REQUESTS_PER_SECOND", _requests)
    )
    """Discord's global rate limit for the bot, in requests per second."""
    privacy_url: str | None = field(default=None, metadata=_setting_metadata("RIBIT_PRIVACY_URL", _page))
    """The address of the host's privacy policy, which ``/privacy`` links to, or None."""
    proxy: str | None = field(default=None, repr=False, metadata=_setting_metadata(_PROXY_NAME, _proxy))
    """The address of an HTTP proxy for requests to Discord, which may contain a password."""

    discord_api: str | None = field(default=None, metadata=_setting_metadata("RIBIT_DISCORD_API", _api))
    """The address of a Discord proxy that applies Discord's rate limits to all processes."""

    @property
    def proxy_place(self) -> str | None:
        """The proxy's address without user name and password."""
        return self.proxy and self.proxy.rpartition("@")[2].rpartition("//")[2].rstrip("/")


NAMES = tuple(str(setting.metadata["name"]) for setting in fields(Settings))


def read_settings(*, is_offline: bool = False) -> Settings:
    """Read the settings from the environment and ``.env``.

    The environment overrides ``.env``. Empty values are ignored.

    Args:
        is_offline: True to ignore the proxy, for a command that does not use the network.

    Raises:
        SettingsError: A setting is invalid. The message names the variable that the host has set.
    """
    values = {name: text for _place, name, text in _setting_rows()}
    no_proxy = set(re.split(r"[,\s]+", values.get("NO_PROXY", "").lower()))
    settings: dict[str, Any] = {}
    for setting in fields(Settings):
        name = setting.metadata["name"]
        if name == _PROXY_NAME:
            if is_offline:
                continue
            if name not in values and not {"*", "discord.com"} & no_proxy:
                name = _SHARED_PROXY_NAME
        if name not in values:
            continue
        try:
            settings[setting.name] = setting.metadata["read"](values[name])
        except ValueError as error:
            raise SettingsError(f"The setting {name} makes no sense: {error}.") from None
    return Settings(**settings)


def sources() -> str:
    file = settings_file()
    return f"{file} and the environment" if file.exists() else f"the environment; there is no {file}"


LOGIN_REFUSED = (
    "Discord does not accept the token. Copy it anew from the Bot page of your application at "
    "https://discord.com/developers/applications and set DISCORD_TOKEN."
)


def no_token() -> str:
    file = settings_file()
    if not file.exists():
        return (
            f"No token: DISCORD_TOKEN is neither in the environment nor in the file {file}, which is "
            "not there. Run ribit setup, which asks for it."
        )
    return (
        f"No token: DISCORD_TOKEN is neither in the environment nor in the file {file}. Copy it there "
        "from the Bot page of your application."
    )


def complaints() -> Iterator[str]:
    """Yield warnings about unknown settings, and about a ``.env`` file that all users can read."""
    path, has_secret = settings_file(), False
    for place, name, text in _setting_rows():
        if name.startswith(_OURS) and name not in NAMES:
            yield f"{name} in {place} is no setting of Ribit's: see .env.example."
        has_secret |= place == str(path) and (name == _TOKEN or "@" in text)
    if has_secret and sys.platform != "win32" and path.stat().st_mode & S_IROTH:
        yield f"Everybody on this machine can read the secrets in {path}. Say: chmod 600 {path}"


def _setting_rows() -> Iterator[tuple[str, str, str]]:
    path = settings_file()
    if path.is_dir():
        raise SettingsError(
            f"{path} is a folder, but should be a file with settings. Put one in its place."
        )
    try:
        file = dotenv_values(path)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The file {path} cannot be read ({error}). Check it.") from None
    for place, values in ((str(path), file), ("the environment", os.environ)):
        for name, text in values.items():
            if text and text.strip():
                yield place, name.upper(), text.strip()


def settings_file() -> Path:
    return Path(_FILE).absolute()

"""Settings, read from the environment and ``.env`` when asked for, and checked."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from dotenv import dotenv_values

from bot.engine.errors import ConfigurationError
from bot.engine.shards import Shards, ShardsError, read_shards


class SettingsError(ConfigurationError):
    """A setting is missing or makes no sense."""


LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
LEAST_REQUESTS = 10
"""With fewer a table could not be kept up to date."""

_FILE = ".env"
_SERVED = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):(?P<port>\d{1,5})")
_LAST_PORT = 65535


def _level(written: str) -> str:
    if written not in LEVELS:
        raise ValueError(f"it takes one of {', '.join(LEVELS)}")
    return written


def _served(written: str) -> str:
    found = _SERVED.fullmatch(written)
    if found is None or int(found["port"]) > _LAST_PORT:
        raise ValueError("it takes an address and a port, such as 127.0.0.1:9464 or [::1]:9464")
    return written


def _requests(written: str) -> int:
    if not written.strip().isdecimal() or int(written) < LEAST_REQUESTS:
        raise ValueError(f"it takes a number, {LEAST_REQUESTS} or more")
    return int(written)


def _called(name: str, read: Callable[[str], object] = str) -> Mapping[str, Any]:
    """Return what a setting is called outside, and what reads it or raises ValueError."""
    return {"name": name, "read": read}


@dataclass(frozen=True)
class Settings:
    """Everything that can be set. ``.env.example`` documents each for those who run the bot."""

    token: str | None = field(default=None, repr=False, metadata=_called("DISCORD_TOKEN"))
    database: str = field(default="ribit.sqlite3", repr=False, metadata=_called("RIBIT_DATABASE"))
    """The path of a file, or the address of a server's database, which has a password in it."""
    shards: Shards | None = field(default=None, metadata=_called("RIBIT_SHARDS", read_shards))
    """Those of Discord's shards that this process runs; None for all, in one process."""
    log_level: str = field(default="INFO", metadata=_called("RIBIT_LOG_LEVEL", _level))
    metrics: str | None = field(default=None, metadata=_called("RIBIT_METRICS", _served))
    """Where figures are served: an address and a port."""
    requests_per_second: int = field(
        default=50, metadata=_called("RIBIT_REQUESTS_PER_SECOND", _requests)
    )
    """How many requests a second Discord takes of the whole bot."""


NAMES = tuple(str(setting.metadata["name"]) for setting in fields(Settings))
"""What the settings are called, in the environment and in ``.env``."""


def read_settings() -> Settings:
    """Return the settings, as if what is empty were not there; the environment has the last word.

    Raises SettingsError, naming what makes no sense.
    """
    try:
        file = dotenv_values(_FILE)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The file {_FILE} cannot be read ({error}). Check it.") from None
    written = {name.upper(): text for name, text in (*file.items(), *os.environ.items()) if text}
    found: dict[str, Any] = {}
    for setting in fields(Settings):
        name = setting.metadata["name"]
        if name not in written:
            continue
        try:
            found[setting.name] = setting.metadata["read"](written[name])
        except ShardsError as error:
            raise SettingsError(error.sentence) from None
        except ValueError as error:
            raise SettingsError(f"The setting {name} makes no sense: {error}.") from None
    return Settings(**found)

"""Settings, read from the environment and ``.env`` when asked for, and checked."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.engine.errors import RibitError
from bot.engine.shards import Shards, ShardsError, read_shards


class SettingsError(RibitError):
    """A setting is missing or makes no sense."""


_SERVED = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):(?P<port>\d{1,5})")
_LAST_PORT = 65535

LEAST_REQUESTS = 10
"""With fewer a table could not be kept up to date."""


def _served(address: str) -> str:
    found = _SERVED.fullmatch(address)
    if found is None or int(found["port"]) > _LAST_PORT:
        raise PydanticCustomError(
            "served", "it takes an address and a port, such as 127.0.0.1:9464 or [::1]:9464"
        )
    return address


class Settings(BaseSettings):
    """Everything that can be set. ``.env.example`` documents each for those who run the bot."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", env_ignore_empty=True)

    token: SecretStr | None = Field(default=None, validation_alias="DISCORD_TOKEN")
    database: SecretStr = Field(default=SecretStr("ribit.sqlite3"), validation_alias="RIBIT_DATABASE")
    """The path of a file, or the address of a server's database, which has a password in it."""
    shards: Annotated[Shards | None, NoDecode] = Field(default=None, validation_alias="RIBIT_SHARDS")
    """Those of Discord's shards that this process runs; None for all, in one process."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", validation_alias="RIBIT_LOG_LEVEL"
    )
    metrics: Annotated[str, AfterValidator(_served)] | None = Field(
        default=None, validation_alias="RIBIT_METRICS"
    )
    """Where figures are served: an address and a port."""

    requests_per_second: int = Field(
        default=50, ge=LEAST_REQUESTS, validation_alias="RIBIT_REQUESTS_PER_SECOND"
    )
    """How many requests a second Discord takes of the whole bot."""

    @field_validator("shards", mode="before")
    @classmethod
    def _read_shards(cls, written: Any) -> Any:
        return read_shards(written) if isinstance(written, str) else written


def read_settings() -> Settings:
    """Return the settings; raises SettingsError, naming what makes no sense."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(map(str, first["loc"]))
        raise SettingsError(f"The setting {name} makes no sense: {first['msg']}.") from None
    except ShardsError as error:
        raise SettingsError(error.sentence) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The file .env cannot be read ({error}). Check it.") from None

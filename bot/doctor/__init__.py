"""Whether a start would work: one finding a check, in words. Nothing is changed by looking."""

from __future__ import annotations

import time
from collections.abc import Iterator

from bot.doctor.finding import Finding, problem
from bot.doctor.packages import MEND, package_findings


def findings(*, is_offline: bool) -> Iterator[Finding]:
    """Check everything that a start needs; what the other checks stand on comes first."""
    yield from package_findings()
    try:
        from bot.doctor.database import database_findings  # noqa: PLC0415 — packages may be missing
        from bot.doctor.house import house_findings  # noqa: PLC0415 — packages may be missing
        from bot.doctor.server import server_findings  # noqa: PLC0415 — packages may be missing
        from bot.doctor.token import token_finding  # noqa: PLC0415 — packages may be missing
        from bot.settings import SettingsError, read_settings  # noqa: PLC0415 — packages may be missing
        from bot.storage import (  # noqa: PLC0415 — packages may be missing
            AddressError,
            DatabaseError,
            Server,
            locate,
            require_shareable,
        )
    except ImportError as error:
        yield problem(f"The other checks cannot be made ({error}). {MEND}")
        return
    yield from house_findings()
    try:
        settings = read_settings()
    except SettingsError as error:
        yield problem(error.sentence)
        return
    token = settings.token
    yield token_finding(token.get_secret_value() if token else None, is_offline=is_offline)
    try:
        location = locate(settings.database.get_secret_value())
    except AddressError as error:
        yield problem(error.sentence)
        return
    try:
        require_shareable(location, settings.shards)
    except DatabaseError as error:
        yield problem(error.sentence)
    if isinstance(location, Server):
        yield from server_findings(location, int(time.time()), settings.shards)
    else:
        yield from database_findings(location, int(time.time()))

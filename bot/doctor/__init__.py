"""Whether a start would work: one finding a check, in words. Nothing is changed by looking."""

from __future__ import annotations

from collections.abc import Iterator

from bot import __version__
from bot.doctor.finding import MEND, Finding, problem, well


def findings(*, is_offline: bool) -> Iterator[Finding]:
    """Check everything that a start needs; what the other checks stand on comes first."""
    yield well(f"Ribit is {__version__}.")
    try:
        from bot.doctor.settings import settings_findings  # noqa: PLC0415 — packages may be missing
    except ImportError as error:
        yield problem(f"The other checks cannot be made ({error}). {MEND}")
        return
    yield from settings_findings(is_offline=is_offline)

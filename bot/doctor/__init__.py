"""Checks of an installation for the command ``ribit doctor``. They change nothing."""

from __future__ import annotations

from collections.abc import Iterator

from bot import __version__
from bot.engine.errors import RibitError
from bot.engine.frozen import frozen

MEND = "Install Ribit anew: pip install -e . where you run it from its folder, else pip install . there."


@frozen
class Finding:
    """The result of one check. If it is a problem, the sentence says how to solve it."""

    is_well: bool
    sentence: str

    def __str__(self) -> str:
        return f"{'ok' if self.is_well else 'problem':<8} {self.sentence}"


def well(sentence: str) -> Finding:
    return Finding(True, sentence)  # noqa: FBT003 — named by the function


def problem(sentence: str) -> Finding:
    return Finding(False, sentence)  # noqa: FBT003 — named by the function


def findings(*, is_offline: bool) -> Iterator[Finding]:
    """Run all checks and yield their results.

    Stop after a problem that makes further checks impossible.
    """
    yield well(f"Ribit is {__version__}.")
    try:
        from bot.doctor.installation import settings_findings  # noqa: PLC0415 — packages may be missing

        yield from settings_findings(is_offline=is_offline)
    except ImportError as error:
        yield problem(f"The other checks cannot be made ({error}). {MEND}")
    except RibitError as error:  # no further check is possible
        yield problem(error.sentence)

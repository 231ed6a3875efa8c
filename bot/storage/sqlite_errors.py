"""What SQLite's errors mean, and whether what happens can be stored; else no game goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import structlog

from bot.engine.errors import RibitError
from bot.engine.words import _

log = structlog.get_logger(__name__)

_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)


def is_of_kind(error: Exception, *codes: int) -> bool:
    """Return whether an error has one of SQLite's primary codes; extended ones hold them too."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in codes


class HaltedError(RibitError):
    """Nothing can be stored; the sentence says why, and who can mend it."""


class FaultyDiskError(HaltedError):
    """The disk is full or does not take what is written; nothing that was stored is touched."""


class Halt:
    """Whether the last that was written could be stored."""

    def __init__(self) -> None:
        self.is_halted = False
        self._changed: Callable[[bool], object] = lambda _is_halted: None

    def watch(self, changed: Callable[[bool], object]) -> None:
        """Have this called when nothing can be stored any more (True), and when it can again (False)."""
        self._changed = changed

    def note(self, error: BaseException | None) -> None:
        """Take note of how writing ended; what failed for another reason says nothing of it."""
        is_halted = isinstance(error, HaltedError)
        if is_halted == self.is_halted or (error is not None and not is_halted):
            return
        self.is_halted = is_halted
        if isinstance(error, HaltedError):
            log.critical("nothing can be stored: play has stopped", error=type(error).__name__)
        else:
            log.warning("what happens can be stored again: play goes on")
        self._changed(is_halted)


def meant(error: BaseException) -> BaseException:
    """Return what a failed write means to who asked for it: a fault of the disk gets its sentence."""
    if not isinstance(error, sqlite3.Error) or not is_of_kind(error, *_NO_ROOM):
        return error
    stopped = FaultyDiskError(
        _(
            "I can't save anything just now, because my disk is full or failing, so play "
            "has stopped. What you just did doesn't count, but nothing else is lost. "
            "Whoever runs me has to make room; then you can go on."
        )
    )
    stopped.__cause__ = error
    return stopped

"""Translation: gettext in the language spoken just now, behind one context variable.

Public messages speak the server's language, private ones the player's, in the same process and
often for the same click; so the language belongs to the running task, not to the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations

SOURCE_LANGUAGE = "en"
_SOURCE = NullTranslations()
_catalogues: dict[str, NullTranslations] = {}
_spoken: ContextVar[str] = ContextVar("spoken", default=SOURCE_LANGUAGE)


def learn(language: str, catalogue: NullTranslations) -> None:
    """Add the catalogue of a language, by its code (``"de"``), for all tasks."""
    _catalogues[language] = catalogue


@contextmanager
def speaking(locale: str | None) -> Iterator[None]:
    """Speak the language of a Discord locale (``"de"``, ``"en-GB"``) inside the block.

    A locale without a catalogue, or none, is spoken to in the source language, English.
    """
    whole = locale or SOURCE_LANGUAGE
    token = _spoken.set(whole if whole in _catalogues else whole.split("-")[0])
    try:
        yield
    finally:
        _spoken.reset(token)


def is_spoken(locale: str) -> bool:
    return locale in _catalogues or locale.split("-", maxsplit=1)[0] in _catalogues


def languages() -> list[str]:
    return sorted({SOURCE_LANGUAGE, *_catalogues})


def language() -> str:
    return _spoken.get()


def _catalogue() -> NullTranslations:
    return _catalogues.get(_spoken.get(), _SOURCE)


def _(message: str) -> str:
    return _catalogue().gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    return _catalogue().ngettext(one, many, count)


def pgettext(context: str, message: str) -> str:
    return _catalogue().pgettext(context, message)


def N_(message: str) -> str:  # noqa: N802 — gettext's own name for it, which extractors know
    """Mark a sentence for translation where it stands; whoever shows it translates it."""
    return message

"""Translation by gettext into the language of the running task.

Public messages use the server's language and private ones the player's, in the same process and often
for the same click. The language is therefore a context variable.
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
    """Register the catalogue of a language for all tasks.

    Args:
        language: The language code, such as ``"de"``.
        catalogue: The translations.
    """
    _catalogues[language] = catalogue


@contextmanager
def speaking(locale: str | None) -> Iterator[None]:
    """Translate into the language of a Discord locale inside the block.

    Args:
        locale: The locale, such as ``"de"`` or ``"en-GB"``. English if it is None or has no catalogue.
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


def N_(message: str) -> str:  # noqa: N802 — gettext's own name, which extractors recognise
    """Mark a sentence for translation. The code that shows the sentence translates it."""
    return message

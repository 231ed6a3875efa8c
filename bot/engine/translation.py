"""Translation with gettext into the language of the current task.

Public messages are in the server's language, and private messages in the player's language. The same
click may need both, so the language is stored in a context variable.
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


def register_catalogue(language: str, catalogue: NullTranslations) -> None:
    """Register the translations for a language. They are available in all tasks.

    Args:
        language: The language code, such as ``"de"``.
        catalogue: The translations.
    """
    _catalogues[language] = catalogue


@contextmanager
def speaking(locale: str | None) -> Iterator[None]:
    """Translate all texts inside the block into the language of a locale.

    Args:
        locale: The Discord locale, such as ``"de"`` or ``"en-GB"``. If it is None or has no
            translations, texts stay in English.
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
    """Mark a string for translation and return it unchanged. It is translated when it is shown."""
    return message

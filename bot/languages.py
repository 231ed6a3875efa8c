"""The languages that Ribit speaks besides English: the catalogues under ``bot/locales``."""

from __future__ import annotations

from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.engine.words import learn

LOCALES = Path(__file__).parent / "locales"


def learn_languages(folder: Path = LOCALES) -> list[str]:
    """Learn every catalogue ``LANGUAGE/ribit.po`` of a folder; returns the languages.

    Translators' files are read as they are, so that there is nothing to compile and forget.
    """
    learned = []
    for path in sorted(folder.glob("*/ribit.po")):
        language = path.parent.name
        compiled = BytesIO()
        with path.open("rb") as source:
            write_mo(compiled, read_po(source, locale=language))
        compiled.seek(0)
        learn(language, GNUTranslations(compiled))
        learned.append(language)
    return learned


def own_name(language: str) -> str:
    """Return what a language, by its code, is called by those who speak it."""
    try:
        locale = Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return language
    return (locale.get_display_name(locale) or language).capitalize()

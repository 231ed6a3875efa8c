"""The languages that Ribit speaks besides English: the catalogues under ``bot/locales``."""

from __future__ import annotations

from gettext import GNUTranslations
from pathlib import Path

from bot.engine.words import _, learn, speaking

LOCALES = Path(__file__).parent / "locales"


def learn_languages(folder: Path = LOCALES) -> list[str]:
    """Learn every catalogue ``LANGUAGE/ribit.mo`` of a folder; returns the languages.

    An install compiles them from the translators' files, and so does ``poe words``.
    """
    learned = []
    for path in sorted(folder.glob("*/ribit.mo")):
        with path.open("rb") as compiled:
            learn(path.parent.name, GNUTranslations(compiled))
        learned.append(path.parent.name)
    return learned


def own_name(language: str) -> str:
    """Return what a language, by its code, is called by those who speak it."""
    with speaking(language):
        return _("English")  # in a translation: that language's own name, such as Deutsch

"""The languages that Ribit speaks besides English: the catalogues under ``bot/locales``."""

from __future__ import annotations

import struct
from gettext import GNUTranslations
from pathlib import Path

from bot.engine.errors import ConfigurationError
from bot.engine.words import _, learn, speaking

LOCALES = Path(__file__).parent / "locales"


def learn_languages(folder: Path = LOCALES) -> list[str]:
    """Learn every catalogue ``LANGUAGE/ribit.mo`` of a folder; returns the languages.

    Raises ConfigurationError for a spoilt one: who starts the bot would take an OSError for an outage.
    """
    learned = []
    for path in sorted(folder.glob("*/ribit.mo")):
        try:
            with path.open("rb") as compiled:
                learn(path.parent.name, GNUTranslations(compiled))
        except (OSError, ValueError, LookupError, struct.error) as error:
            raise ConfigurationError(
                f"The translation {path} cannot be read ({error}). Install Ribit anew."
            ) from error
        learned.append(path.parent.name)
    return learned


def own_name(language: str) -> str:
    with speaking(language):
        return _("English")  # in a translation: that language's own name, such as Deutsch

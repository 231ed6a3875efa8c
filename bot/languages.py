"""Translations of Ribit's texts. Their catalogues are in ``bot/locales``."""

from __future__ import annotations

import struct
from functools import lru_cache
from gettext import GNUTranslations
from pathlib import Path

from bot.engine.errors import ConfigurationError
from bot.engine.translation import _, register_catalogue, speaking

LOCALES = Path(__file__).parent / "locales"


def load_languages(folder: Path = LOCALES) -> list[str]:
    """Load the translations of all languages from the files ``LANGUAGE/ribit.mo`` in a folder.

    Returns:
        The codes of the languages, sorted.

    Raises:
        ConfigurationError: A catalogue cannot be read.
    """
    learned = []
    for path in sorted(folder.glob("*/ribit.mo")):
        try:
            register_catalogue(path.parent.name, _catalogue(path, path.stat().st_mtime_ns))
        except (OSError, ValueError, LookupError, struct.error) as error:
            raise ConfigurationError(
                f"The translation {path} cannot be read ({error}). Install Ribit anew."
            ) from error
        learned.append(path.parent.name)
    return learned


@lru_cache(8)
def _catalogue(path: Path, _modified_ns: int) -> GNUTranslations:
    """Load a compiled catalogue of translations. The result is cached until the file is modified."""
    with path.open("rb") as compiled:
        return GNUTranslations(compiled)


def own_name(language: str) -> str:
    with speaking(language):
        return _("English")  # translated as the language's own name, such as Deutsch

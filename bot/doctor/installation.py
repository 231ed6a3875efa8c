"""What came with the installation: languages, rules pages, the font, the drawing."""

from __future__ import annotations

from collections.abc import Iterator

from bot.doctor.finding import MEND, Finding, problem, well
from bot.engine.errors import ConfigurationError
from bot.engine.words import SOURCE_LANGUAGE
from bot.games import games
from bot.languages import LOCALES, learn_languages
from bot.rendering import draw

_FAULTS = (ImportError, OSError, ValueError, NotImplementedError)
"""What a missing or broken file or package leads to, in Python and Pillow."""


def house_findings() -> Iterator[Finding]:
    """Check that the installation is whole."""
    yield _languages()
    yield _rules()
    yield _drawing()


def _languages() -> Finding:
    try:
        languages = learn_languages()
    except ConfigurationError as error:
        return problem(error.sentence)
    if not languages:
        return problem(f"There is no catalogue in {LOCALES}. {MEND}")
    return well(f"Ribit speaks {', '.join([SOURCE_LANGUAGE, *languages])}.")


def _rules() -> Finding:
    try:
        names = [game.info.name for game in games().values() if game.pages()]
    except _FAULTS as error:
        return problem(f"The rules of a game cannot be read ({error}). {MEND}")
    return well(f"The games, with their rules: {', '.join(names)}.")


def _drawing() -> Finding:
    """Draw a table of each game; the font is what is most easily missing."""
    try:
        drawn = sum(len(draw(game.pages()[0].picture())) for game in games().values())
    except _FAULTS as error:
        return problem(f"A table cannot be drawn ({error}). {MEND}")
    return well(f"The font is found, and a table of each game is drawn ({drawn // 1024} KB).")

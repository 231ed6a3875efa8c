"""Lines of a message as they are read aloud: without the signs and the markup that only eyes need."""

from __future__ import annotations

import re

from bot.engine.panel import HINT
from bot.engine.spelling import spelled
from bot.engine.words import _

_EMOJI = re.compile(
    "[\u2300-\u23ff\u25aa-\u25fe\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\ufe0f\u200d\u20e3]* ?"
)
"""A sign that only adorns what is said beside it; cards and suits are in words by then."""

_MARKUP = re.compile(r"\\(\W)|^-# |\*\*")
"""What Discord shows none of: escapes, the sign of a small line, and what makes it bold."""

_FROG_NAME = re.compile(r"(?<!## )🐸 (?=[^\s*])")
"""The mark of a frog's name."""


def bare(line: str) -> str:
    """Return a line of a message as an alt text says it: without signs and markup."""
    return _MARKUP.sub(r"\1", without_signs(spelled(line)))


def without_signs(text: str) -> str:
    """Return a text in which cards are in words already, without the signs that adorn it."""
    named = _FROG_NAME.sub(lambda _found: _("frog {name}").format(name=""), text)
    named = named.replace("🔏 `", _("Commitment:") + " `")
    named = named.replace(f"{HINT} **", _("Hint:") + " **")
    return _EMOJI.sub("", named)

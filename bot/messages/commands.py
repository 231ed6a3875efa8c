"""Slash commands in sentences: Discord makes them clickable where their ids are known."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bot.engine.words import pgettext

_IN_WORDS = re.compile(r"`/([\w ]+)((?: \w+:\w+)*)`")
COMMAND = "slash command"
"""What translators see beside the name of a command or of an option."""

_known: dict[str, int] = {}


def know_commands(ids: Mapping[str, int]) -> None:
    """Take note of the ids of Discord's commands by their names, such as ``toad start``."""
    _known.clear()
    _known.update(ids)


def clickable(words: str) -> str:
    """Return a sentence with the commands in it as mentions, as far as they are known.

    Discord finds a mention by the English name. What is to be typed stands there as Discord's own menu
    calls it where this language is spoken.
    """

    def mention(found: re.Match[str]) -> str:
        name, options = found[1], found[2]
        if name in _known and not options:
            return f"</{name}:{_known[name]}>"
        words = re.sub(r"[^\W\d]+", lambda word: pgettext(COMMAND, word[0]), name)
        typed = re.sub(r"(\w+)(?=:)", lambda option: pgettext(COMMAND, option[0]), options)
        return f"`/{words}{typed}`"

    return _IN_WORDS.sub(mention, words)

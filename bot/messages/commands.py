"""Slash commands in sentences: Discord makes them clickable where their ids are known."""

from __future__ import annotations

import re
from collections.abc import Mapping

_IN_WORDS = re.compile(r"`/([\w ]+)`")

_known: dict[str, int] = {}


def know_commands(ids: Mapping[str, int]) -> None:
    """Take note of the ids of Discord's commands by their names, such as ``toad start``."""
    _known.clear()
    _known.update(ids)


def clickable(words: str) -> str:
    """Return a sentence with the commands in it as mentions, as far as they are known."""

    def mention(found: re.Match[str]) -> str:
        name = found[1]
        return f"</{name}:{_known[name]}>" if name in _known else found[0]

    return _IN_WORDS.sub(mention, words)

"""The one door for names into what Discord renders: people and servers call themselves anything."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from bot.engine.words import _

MOST_LETTERS = 48
_MOST_MARKS = 2
"""How many marks may stand over one letter: some languages need two, nobody needs twenty."""

_MARKUP = re.compile(r"([\\*_~`|<>\[\](){}#+\-@:./!])")
"""What begins a link, a mention, a list or any other markup of Discord's."""

_JOINER = "\u200d"
"""Invisible by itself, and what holds many an emoji together."""


def inert(text: str) -> str:
    """Return a text that Discord shows as it is: nothing in it is a link, a mention or markup."""
    return _MARKUP.sub(r"\\\1", text)


def cleaned(name: str) -> str:
    """Return a name on one line and of no great length, as it can stand in a picture.

    What cannot be seen or turns the line around is left out; nothing may be left.
    """
    letters, marks = [], 0
    for letter in unicodedata.normalize("NFC", name):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks <= _MOST_MARKS and (kind[0] != "C" or letter == _JOINER):
            letters.append(letter)
        elif letter.isspace():
            letters.append(" ")
    whole = " ".join("".join(letters).split())
    if not any(unicodedata.category(letter)[0] in "LNPS" for letter in whole):
        return ""
    return whole if len(whole) <= MOST_LETTERS else f"{whole[:MOST_LETTERS]}…"


def written(name: str) -> str:
    """Return a name as it can stand in a message: cleaned, and inert."""
    return inert(cleaned(name))


def written_names(names: Sequence[str]) -> list[str]:
    """Return the names of a table's players; a name of which nothing is left is ``Player 2``."""
    return [written(name) or _("Player {n}").format(n=number) for number, name in enumerate(names, 1)]

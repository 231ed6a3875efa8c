"""Name sanitizing: the one door for names into what Discord or a log shows.

And the ids that take the place of people who were forgotten: random, so that nobody can reverse them.
They are larger than any that Discord gives to anybody before 2050, and fit where its ids do: whatever
is counted by ids goes on as before, and no computer player, whose ids are negative, is made of a person.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Mapping
from typing import Any

from bot.engine.immutable import frozen

MOST_LETTERS = 48
_MOST_MARKS = 2
"""How many marks may stand over one letter: some languages need two, nobody needs twenty."""

_MARKUP = str.maketrans({sign: rf"\{sign}" for sign in r"\*_~`|<>[](){}#+-@:./!"})
"""What begins a link, a mention, a list or any other markup of Discord's."""

_JOINER = "\u200d"
"""Invisible by itself, and what holds many an emoji together."""

_EMOJI_MARKS = frozenset(
    "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}\N{COMBINING ENCLOSING KEYCAP}"
)
"""What makes an emoji of a letter, or a letter of an emoji."""

_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\ufffc"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
"""What counts as a letter, a sign or a mark, and draws nothing: fillers of Hangul, the blank of Braille,
and whatever else Unicode has of that kind."""

_JAVASCRIPT = 1 << 53
"""From here on JavaScript does not have every number."""

_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What moves a terminal's cursor, begins a line, or turns one around."""


_ISOLATE, _ISOLATED = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def visible(text: str) -> str:
    """Return a text on one line, in which what steers whoever shows it is written out, as in Python."""
    return _STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def ids_as_text(told: Any, key: str = "") -> Any:
    """Return what leaves Ribit as JSON, with ids as text: JavaScript makes other numbers of them."""
    if type(told) is int:
        is_id = told >= _JAVASCRIPT or key == "id" or key.endswith("_id")
        return str(told) if is_id else told
    if isinstance(told, str) or told is None:
        return told
    if isinstance(told, Mapping):
        return {name: ids_as_text(value, name) for name, value in told.items()}
    return [ids_as_text(each, key) for each in told] if isinstance(told, list | tuple) else told


def inert(text: str) -> str:
    """Return a text that Discord shows as it is: nothing in it is a link, a mention or markup."""
    return text.translate(_MARKUP)


def cleaned(name: str) -> str:
    """Return a name on one line and of no great length, as it can stand in a picture.

    What cannot be seen, turns the line around or makes an emoji of a letter is left out; nothing may be
    left.
    """
    plain = name.isascii() and name.isprintable()  # as most are, and each is asked for at every move
    whole = " ".join((name if plain else _seen_letters(name)).split())
    if not any(unicodedata.category(letter)[0] in "LNPS" for letter in whole):
        return ""
    return whole if len(whole) <= MOST_LETTERS else f"{whole[:MOST_LETTERS]}…"


def _seen_letters(name: str) -> str:
    letters, marks = [], 0
    for letter in _BLANK.sub(" ", unicodedata.normalize("NFC", name)):
        if letter in _EMOJI_MARKS:
            continue
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks <= _MOST_MARKS and (kind[0] != "C" or letter == _JOINER):
            letters.append(letter)
        elif letter.isspace():
            letters.append(" ")
    return "".join(letters)


def isolated(name: str) -> str:
    """Return a name after which the line goes on where it was, also if it runs from right to left.

    Isolating twice is isolating once; of an isolated name that was cut, the end is put back.
    """
    bare = name.strip(_ISOLATE + _ISOLATED)
    if bare.isascii() or _RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, bare)):
        return bare
    return f"{_ISOLATE}{bare}{_ISOLATED}"


@frozen
class Name:
    """A name that a user has chosen: of a player or a server.

    ``str``, ``format`` and f-strings give the name with its markup escaped. A ``Name`` is no ``str``, so
    mypy refuses it as the words of a ``Text``, and no text can get the name unescaped by mistake.

    Attributes:
        plain: The name without escapes, for labels, menus and pictures only: they show no markup.
    """

    plain: str

    def __str__(self) -> str:
        return inert(self.plain)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


def server_name(name: str) -> Name:
    """Return a server's name cleaned and isolated, or ``?`` if nothing of it can be seen."""
    return Name(isolated(cleaned(name)) or "?")


_FIRST, _NUMBER = 1 << 62, 1 << 61


def new_placeholder() -> int:
    return _FIRST + secrets.randbelow(_NUMBER)


def placeholder_in(placeholder: int, guild_id: int) -> int:
    """Return the id by which somebody forgotten stands in one server; 0: in none, and on all boards.

    Who has one of them finds no other: the ``placeholder`` that they are made of is stored nowhere.
    """
    digest = hashlib.sha256(f"{placeholder} {guild_id}".encode()).digest()
    return _FIRST + int.from_bytes(digest[:8], "big") % _NUMBER


def is_forgotten(player_id: int) -> bool:
    """Return whether an id stands for somebody who was forgotten: nobody can be written to by it."""
    return _FIRST <= player_id < _FIRST + _NUMBER


FORGOTTEN_IDS = {"first": _FIRST, "last": _FIRST + _NUMBER - 1}
"""The smallest and the largest of them."""

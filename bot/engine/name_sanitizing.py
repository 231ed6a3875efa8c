"""Sanitizing of user-chosen names before they appear in Discord or in a log.

This module also creates placeholder IDs. When users delete their data, a placeholder replaces their user
ID in stored matches. A placeholder is random, so it does not reveal the user. It is larger than any ID
that Discord assigns before 2050 and fits the same columns, so statistics by ID stay valid. Computer
players have negative IDs, so they cannot be confused with people.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Mapping
from typing import Any

from bot.engine.frozen import frozen

MOST_LETTERS = 48
_MOST_MARKS = 2
"""The maximum number of combining marks per letter. Some languages need two."""

_MARKUP = str.maketrans({sign: rf"\{sign}" for sign in r"\*_~`|<>[](){}#+-@:./!"})
"""Backslash escapes for the characters that Discord uses in links, mentions, lists and other markup."""

_JOINER = "\u200d"
"""The zero-width joiner, which is invisible and holds many emoji together."""

_EMOJI_MARKS = frozenset(
    "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}\N{COMBINING ENCLOSING KEYCAP}"
)
"""Characters that turn a letter into an emoji or an emoji into a letter."""

_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\ufffc"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
"""Characters that count as letters or marks but draw nothing, such as Hangul fillers."""

_JAVASCRIPT = 1 << 53
"""The integer from which JavaScript numbers lose precision."""

_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that move a terminal's cursor, start a new line or change the text direction."""


_ISOLATE, _ISOLATED = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def visible(text: str) -> str:
    """Return a text on one line. Control and text-direction characters become Python escapes."""
    return _STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def ids_as_text(told: Any, key: str = "") -> Any:
    """Return JSON data with all IDs converted to strings, because JavaScript rounds large integers.

    An integer is an ID if it is at least 2^53, or if its key is ``id`` or ends with ``_id``.

    Args:
        told: The data: a value, mapping, list or tuple.
        key: The data's key in the surrounding mapping.
    """
    if type(told) is int:
        is_id = told >= _JAVASCRIPT or key == "id" or key.endswith("_id")
        return str(told) if is_id else told
    if isinstance(told, str) or told is None:
        return told
    if isinstance(told, Mapping):
        return {name: ids_as_text(value, name) for name, value in told.items()}
    return [ids_as_text(item, key) for item in told] if isinstance(told, list | tuple) else told


def inert(text: str) -> str:
    """Return the text with Discord markup escaped, so that links and mentions have no effect."""
    return text.translate(_MARKUP)


def clean_name(name: str) -> str:
    """Return a name that fits on one line of a picture.

    This removes invisible characters, direction characters and characters that turn letters into emoji.
    Longer names are cut to ``MOST_LETTERS``. The result may be empty.
    """
    plain = name.isascii() and name.isprintable()  # fast path, because each move cleans all names
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


def isolate_direction(name: str) -> str:
    """Return a name that does not change the direction of the text around it.

    If the name contains right-to-left letters, it is enclosed in Unicode isolate characters. The given
    name may already be isolated. If its closing character was cut off, that character is added again.
    """
    bare = name.strip(_ISOLATE + _ISOLATED)
    if bare.isascii() or _RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, bare)):
        return bare
    return f"{_ISOLATE}{bare}{_ISOLATED}"


@frozen
class Name:
    """The user-chosen name of a player or a server.

    ``str``, ``format`` and f-strings return the name with its markup escaped. A ``Name`` is not a
    ``str``, so mypy rejects code that puts the unescaped name into a ``Text`` component by mistake.

    Attributes:
        plain: The unescaped name. Use it only in labels, menus and pictures, which show no markup.
    """

    plain: str

    def __str__(self) -> str:
        return inert(self.plain)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


def server_name(name: str) -> Name:
    """Return the sanitized name of a server, or ``?`` if it has no visible character."""
    return Name(isolate_direction(clean_name(name)) or "?")


_FIRST, _NUMBER = 1 << 62, 1 << 61


def new_placeholder() -> int:
    return _FIRST + secrets.randbelow(_NUMBER)


def placeholder_in(placeholder: int, guild_id: int) -> int:
    """Return the ID that replaces a deleted user's ID in the data of one server.

    Each server gets a different ID. The IDs cannot be linked, because ``placeholder`` is not stored.

    Args:
        placeholder: The user's secret placeholder.
        guild_id: The server's ID, or 0 for matches outside servers and for global leaderboards.
    """
    digest = hashlib.sha256(f"{placeholder} {guild_id}".encode()).digest()
    return _FIRST + int.from_bytes(digest[:8], "big") % _NUMBER


def is_forgotten(player_id: int) -> bool:
    """Return whether the ID is the placeholder of a deleted user, who cannot receive messages."""
    return _FIRST <= player_id < _FIRST + _NUMBER


FORGOTTEN_IDS = {"first": _FIRST, "last": _FIRST + _NUMBER - 1}
"""The smallest and the largest placeholder ID, as parameters for SQL queries."""

"""What the SQL files say, in PostgreSQL's words: they are written once, for SQLite."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""(?P<kept>'(?:[^']|'')*'     # a string
        | "(?:[^"]|"")*"            # a name in quotes
        | --[^\n]*                  # a comment
        | ::                        # a cast
        )
        | :(?P<name>[a-z_][a-z0-9_]*)""",
    re.VERBOSE,
)

_TYPES = {"INTEGER": "BIGINT", "BLOB": "BYTEA", "TEXT": 'TEXT COLLATE "C"', "REAL": "DOUBLE PRECISION"}
"""Integers are of 64 bits, and texts stand in the order of their bytes, as in SQLite."""

_WORD = re.compile(r"(?P<kept>'(?:[^']|'')*'|--[^\n]*)|\b(?P<type>INTEGER|BLOB|TEXT|REAL)\b")
_MANNERS = re.compile(r"\)\s*(?:STRICT|WITHOUT ROWID)(?:,\s*(?:STRICT|WITHOUT ROWID))?\s*;")


def numbered(sql: str, mark: str = "$") -> tuple[str, tuple[str, ...]]:
    """Return a statement with ``$1`` for the first ``:name`` and so on, and the names in that order.

    A name that comes twice has one number. SQLite has another ``mark`` before it, ``?``.
    """
    names: list[str] = []

    def number(found: re.Match[str]) -> str:
        if found["kept"] is not None:
            return found["kept"]
        if found["name"] not in names:
            names.append(found["name"])
        return f"{mark}{names.index(found['name']) + 1}"

    return _TOKEN.sub(number, sql), tuple(names)


def translated(migration: str) -> str:
    """Return a migration that was written for SQLite as PostgreSQL reads it."""

    def word(found: re.Match[str]) -> str:
        return found["kept"] if found["kept"] is not None else _TYPES[found["type"]]

    return _WORD.sub(word, _MANNERS.sub(");", migration))

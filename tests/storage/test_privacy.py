"""The comparison of docs/privacy.md with the columns of a new database."""

from __future__ import annotations

import re
from pathlib import Path

from bot.storage.database import Database
from bot.storage.database_address import Location
from tests.storage.database_types import query_rows

PAGE = (Path(__file__).parents[2] / "docs" / "privacy.md").read_text("utf-8")

_SQLITE = (
    "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c"
    " WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'"
)
_POSTGRES = (
    "SELECT table_name, column_name FROM information_schema.columns"
    " WHERE table_schema = current_schema()"
)


def documented_columns() -> list[tuple[str, str]]:
    """Return the tables and columns of the entries with content, reason and duration."""
    rows = re.findall(
        r"^- \*\*.*\w.*,\*\* (?:to|for|because|so that) .*\w.*\. \*\w.*\.\* ((?:`\w+\.[\w*]+` ?)+)$",
        PAGE,
        re.MULTILINE,
    )
    return [(table, column) for row in rows for table, column in re.findall(r"`(\w+)\.([\w*]+)`", row)]


async def test_the_policy_covers_every_column(database: Database, location: Location) -> None:
    """The page has one entry for every column with its content, person, reason and duration."""
    sql = _SQLITE if isinstance(location, Path) else _POSTGRES
    kept = {(str(table), str(column)) for table, column in await query_rows(location, sql)}
    lines = documented_columns()
    covered = {(table, column) for table, column in kept if {(table, column), (table, "*")} & {*lines}}
    assert sorted(kept - covered) == []
    assert len(lines) == len(set(lines))
    tables = {table for table, _column in kept} | {"migrations"}  # which a server's database has alone
    gone = [line for line in lines if line not in kept and (line[1] != "*" or line[0] not in tables)]
    assert gone == [], "the page tells of what is not kept any more"

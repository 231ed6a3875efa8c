"""SQL files are written once and translated for PostgreSQL."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from bot.storage.database_address import Server
from bot.storage.migrate import migrations, server_migrations, to_postgres
from bot.storage.transfer import tables
from tests.storage.database_types import query_rows


def test_migrations_are_translated_to_postgres() -> None:
    """Types become BIGINT, TEXT COLLATE "C" and BYTEA. Literals and comments stay unchanged."""
    script = (
        "-- TEXT of a comment\n"
        "CREATE TABLE ponds (id INTEGER PRIMARY KEY, name TEXT CHECK (name <> 'TEXT'), map BLOB)"
        " STRICT, WITHOUT ROWID;\nALTER TABLE frogs ADD COLUMN pond INTEGER NOT NULL DEFAULT 0;"
    )
    assert to_postgres(script) == (
        "-- TEXT of a comment\n"
        "CREATE TABLE ponds (id BIGINT PRIMARY KEY, name TEXT COLLATE \"C\" CHECK (name <> 'TEXT'),"
        " map BYTEA);\nALTER TABLE frogs ADD COLUMN pond BIGINT NOT NULL DEFAULT 0;"
    )


async def test_both_databases_have_the_same_schema(server: Server) -> None:
    """Both databases have the same tables, columns and keys, and indexes of the same names."""
    found = await query_rows(
        server,
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name <> 'migrations'",
    )
    assert {tuple(map(str, row)) for row in found} == {
        (table.name, column) for table in tables() for column in table.columns
    }
    keys = await query_rows(
        server,
        "SELECT t.relname, (SELECT string_agg(a.attname, ',' ORDER BY k.n) FROM"
        " unnest(i.indkey) WITH ORDINALITY AS k (attnum, n) JOIN pg_attribute AS a"
        " ON a.attrelid = t.oid AND a.attnum = k.attnum)"
        " FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid"
        " JOIN pg_namespace AS s ON s.oid = t.relnamespace"
        " WHERE i.indisprimary AND s.nspname = 'public' AND t.relname <> 'migrations'",
    )
    assert {str(name): str(key) for name, key in keys} == {
        table.name: table.all_rows.partition(" ORDER BY ")[2].replace(", ", ",") for table in tables()
    }
    with closing(sqlite3.connect(":memory:")) as model:
        for _number, script in migrations():
            model.executescript(script)
        indexes = model.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
        ).fetchall()
    there = await query_rows(server, "SELECT indexname FROM pg_indexes WHERE schemaname = 'public'")
    assert {name for (name,) in indexes} <= {name for (name,) in there}


def test_postgres_migrations_have_no_gaps() -> None:
    """A server's migrations have no gap from the first to the newest."""
    numbers = [number for number, _script in server_migrations()]
    assert numbers == [number for number, _script in migrations() if number >= numbers[0]]

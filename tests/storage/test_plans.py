"""Query plans, which must use an index."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.storage.database import Database
from bot.storage.named_queries import load_queries
from tests.conftest import Running
from tests.storage.database_types import on_sqlite

BIG = (
    "matches seats moves results figures posts players servers "
    "totals total_figures frog_totals par_totals names day_wins days puzzle_answers"
)
"""Tables that grow with play."""

PARAMETER = re.compile(r"\?\d+")
SCAN = re.compile(
    rf"SCAN (?:{BIG.replace(' ', '|')}|[a-z])\b(?! USING (?:COVERING )?INDEX live_matches)"
)
"""A step of a plan that reads a whole table, by its name or alias.

Live matches are allowed.
"""


def _statements(*, for_server: bool = False) -> dict[str, str]:
    """Return every statement of the SQL files by name."""
    queries = load_queries(for_server=for_server)
    return {name: getattr(queries, name).sql for name in queries.available_queries}


STATEMENTS = _statements()


@on_sqlite
async def test_no_statement_scans_a_match_history_table(path: Path, database: Database) -> None:
    """No statement reads a table of all matches ever played."""
    found = dict[str, list[str]]()
    with closing(sqlite3.connect(path)) as connection:
        for name, sql in STATEMENTS.items():
            values = [1] * len(set(PARAMETER.findall(sql)))
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
            found[name] = [step for step in plan if SCAN.match(step)]
    assert {name: scans for name, scans in found.items() if scans} == {}


def test_statements_avoid_sqlite_only_syntax() -> None:
    """Statements use neither SQLite's time, rowids nor JSON paths, so that PostgreSQL can run them."""
    own = re.compile(r"rowid|unixepoch|strftime|json_|->|\bIS NOT \?|\bIS \?|INSERT OR")
    assert [name for name, sql in STATEMENTS.items() if own.search(sql)] == []


@on_sqlite
async def test_the_check_detects_a_table_scan(path: Path, database: Database) -> None:
    """The check finds a query without an index, so the test above can fail."""
    with closing(sqlite3.connect(path)) as connection:
        for sql in (
            "SELECT * FROM matches AS m WHERE json_extract(m.options, '$.daily') = 3",
            "SELECT count(*) FROM results WHERE won = 1",
        ):
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}")]
            assert any(SCAN.match(step) for step in plan), plan


# ---- on a server -------------------------------------------------------------------------------------


def _scanned_tables(running: Running, sql: str) -> list[str]:
    """Return the tables that a statement reads whole although indexes are preferred."""
    plan = running.postgres.sql(
        "SET enable_seqscan = off; SET enable_bitmapscan = off;"
        f" EXPLAIN (GENERIC_PLAN, FORMAT JSON) {sql}",
        database=running.template,
    )
    return [
        node["Relation Name"]
        for node in _plan_nodes(json.loads(plan)[0]["Plan"])
        if node.get("Relation Name") in BIG.split()
        and ("Index Cond" not in node or node["Node Type"] == "Seq Scan")
        and not node.get("Index Name", "").startswith("live_matches")
    ]


def _plan_nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if plan["Node Type"] != "ModifyTable":
        yield plan
    for part in plan.get("Plans", []):
        yield from _plan_nodes(part)


def test_postgres_statements_use_an_index(running: Running) -> None:
    """PostgreSQL's statements use an index too, and a statement without one is found."""
    found = {name: _scanned_tables(running, sql) for name, sql in _statements(for_server=True).items()}
    assert {name: tables for name, tables in found.items() if tables} == {}
    assert _scanned_tables(running, "SELECT count(*) FROM results WHERE won = 1") == ["results"]
    assert _scanned_tables(running, "SELECT * FROM matches WHERE options = $1") == ["matches"]

"""What a restore undoes, and what of the database before it takes over, since nobody may undo it so."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.storage.forgotten_hashes import CARRIED_OUT, gone_since, list_beside

_LAST = "SELECT max(coalesce((SELECT max(at) FROM moves), 0), (SELECT max(opened_at) FROM matches))"
_CARRIED_OUT = f"SELECT (SELECT value FROM notes WHERE key = '{CARRIED_OUT}')"  # noqa: S608 — our own

_SINCE = {
    "matches that ended": """SELECT count(*) FROM old.matches WHERE stage = 'finished'
        AND id NOT IN (SELECT id FROM main.matches WHERE stage = 'finished')""",
    "servers whose settings changed": """SELECT count(*) FROM
        (SELECT * FROM old.servers EXCEPT SELECT * FROM main.servers)""",
    "players who are new or chose something": """SELECT count(*) FROM
        (SELECT player_id, told, four_colours, text_table FROM old.players
        EXCEPT SELECT player_id, told, four_colours, text_table FROM main.players)""",
    "corrections of leaderboards, which stay (recount --apply)": """SELECT count(*) FROM
        (SELECT * FROM old.removals EXCEPT SELECT * FROM main.removals)""",
}
"""What the database before has, and the backup has not."""

_TAKEN_OVER = """BEGIN;
INSERT OR REPLACE INTO main.removals SELECT * FROM old.removals EXCEPT SELECT * FROM main.removals;
INSERT OR IGNORE INTO main.servers SELECT * FROM old.servers WHERE barred <> '[]';
UPDATE main.servers SET barred = o.barred FROM old.servers AS o WHERE o.guild_id = servers.guild_id;
COMMIT;"""
"""Who is off the boards, and who is barred: else they would be back."""


def take_over(draft: Path, database: Path, now: int) -> str:
    """Take over into a copy of a backup what must not be undone; returns what is undone, in sentences.

    Of a database that is missing, too damaged or of another version less is known.
    """
    with closing(sqlite3.connect(draft.as_uri(), uri=True, isolation_level=None)) as copy:
        last, gone = _asked(copy, _LAST), gone_since(list_beside(database), _asked(copy, _CARRIED_OUT))
        with suppress(sqlite3.Error):
            copy.execute("ATTACH ? AS old", (f"{database.as_uri()}?mode=ro",))
        since = {what: count for what, question in _SINCE.items() if (count := _asked(copy, question))}
        with suppress(sqlite3.Error):
            copy.executescript(_TAKEN_OVER)
    at, age = datetime.fromtimestamp(last, UTC), timedelta(seconds=max(0, now - last))
    told = [f"Its last move is of {at:%Y-%m-%d %H:%M} UTC, {age} ago."] if last else []
    if since:
        told.append(f"After it came: {', '.join(f'{what}: {count}' for what, count in since.items())}.")
    return " ".join([*told, f"The next start forgets {len(gone)} again."] if gone else told)


def _asked(copy: sqlite3.Connection, question: str) -> int:
    """Return a number; 0 where the shape of a database has none of it."""
    with suppress(sqlite3.Error):
        return int(copy.execute(question).fetchone()[0] or 0)
    return 0

"""Keyed hashes of who was forgotten: what still counts for two days, and whom a backup would bring back.

They answer nobody but who has an id already, and asks about that.
"""

from __future__ import annotations

import hmac
import os
import secrets
from pathlib import Path

from bot.storage.file_modes import make_private, real_path
from bot.storage.sql import Queries
from bot.storage.writer import Session

CARRIED_OUT = "forgettings"
"""The key of the note of how many of the list a database has carried out."""


def _hashed(key: str, what: str) -> str:
    return hmac.digest(key.encode(), what.encode(), "sha256").hex()


# ---- in the database, for two days: tries of deals, and who met -----------------------------------


def try_of(player_id: int, game: str, deal: int) -> str:
    """Return what a try of a deal is kept as."""
    return f"try {player_id} {game} {deal}"


def met(people: str, day: int) -> str:
    """Return what the meetings of a company on a day are kept as."""
    return f"met {day} {people}"


async def keep_counting(sql: Queries, session: Session, day: int, what: str, amount: int = 1) -> None:
    """Have something of a day, since 1970, stay counted after it is forgotten who it was."""
    key = await sql.key_of_day(session, day=day)
    if key is None:
        key = secrets.token_hex()
        await sql.add_mark(session, day=day, mark=key, amount=0)
    await sql.add_mark(session, day=day, mark=_hashed(key, what), amount=amount)


async def still_counted(sql: Queries, session: Session, what: str) -> int:
    """Return how often something counts that was forgotten."""
    keys = [(row["day"], row["mark"]) async for row in sql.keys_of_days(session)]
    return sum([await sql.amount_of(session, day=day, mark=_hashed(key, what)) for day, key in keys])


# ---- beside a file, for good: its backups are older than what was forgotten since --------------------


def list_beside(database: Path) -> Path:
    """Return the list of who was forgotten in a file: a key, and a hash for each."""
    return real_path(database).with_name(f"{real_path(database).name}.forgotten")


async def note_down(sql: Queries, session: Session, file: Path, player_id: int) -> None:
    """Append somebody to the list, before they are forgotten in the database.

    A list that was lost is begun with as many empty lines as it had had: copies go by their number.
    """
    make_private(file)
    known, noted = _lines(file), await sql.note(session, key=CARRIED_OUT)
    before = [] if known else [secrets.token_hex(), *[""] * int(noted["value"] if noted else 0)]
    key = (known or before)[0]
    with file.open("a", encoding="ascii") as lines:
        lines.write("\n".join(before) + f"\n{_hashed(key, str(player_id))}")
        lines.flush()
        os.fsync(lines.fileno())
    await sql.put_note(session, key=CARRIED_OUT, value=str(len(known or before)))


async def back_again(sql: Queries, session: Session, file: Path) -> list[int]:
    """Return who is in a database and was forgotten after it was copied; it is noted as carried out."""
    noted = await sql.note(session, key=CARRIED_OUT)
    gone, found, player_id = gone_since(file, int(noted["value"]) if noted else 0), list[int](), 0
    while gone and (player_id := await sql.next_person(session, player_id=player_id)) is not None:
        if _hashed(_lines(file)[0], str(player_id)) in gone:
            found.append(player_id)
    if gone:
        await sql.put_note(session, key=CARRIED_OUT, value=str(len(_lines(file)) - 1))
    return found


def gone_since(file: Path, carried_out: int) -> set[str]:
    """Return the hashes of who was put on the list after so many; all where it was begun anew."""
    hashes = _lines(file)[1:]
    return set(hashes[carried_out if carried_out <= len(hashes) else 0 :])


def _lines(file: Path) -> list[str]:
    return file.read_text("ascii", "replace").splitlines() if file.exists() else []

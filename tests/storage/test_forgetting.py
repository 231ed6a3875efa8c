"""Forgetting on either kind of database: by two at once, and by a host on the command line."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from bot.engine.forgotten import is_forgotten, new_placeholder
from bot.engine.leaderboard import DAY_SECONDS
from bot.engine.match import Entry, Player, Stage
from bot.games import games
from bot.storage import Database, Location, alone, open_database, recount
from tests import processes
from tests.discord.test_forgetting import traces
from tests.storage.kinds import ask
from tests.storage.matches import ADA, CY, NOW, append, finished, found, lobby, playing
from tests.storage.test_recount import OLD

DEE = Player(1234567890123456789, "Dee")


async def test_two_at_once(database: Database, other: Database, location: Location) -> None:
    """Whoever is first counts, there is one stand-in for all, and a move of that moment is not lost."""
    for n in range(6):
        await finished(database, f"over{n}", ADA if n % 2 else DEE, CY)
    await playing(database, "live", DEE, CY)
    before = await found(database, "live")
    await asyncio.gather(
        database.players.forget(DEE.id, new_placeholder()),
        other.players.forget(DEE.id, new_placeholder()),
        *(append(other, "live", Entry(n, n % 2, "pass")) for n in range(2)),
    )
    assert await traces(location, DEE.id, DEE.name) == []
    ids = {row[0] for row in await ask(location, "SELECT player_id FROM seats")}
    assert len([each for each in ids if is_forgotten(each)]) == 1
    assert ids >= {ADA.id, CY.id}
    after = await found(database, "live")
    [(moves,)] = await ask(location, "SELECT count(*) FROM moves WHERE match_id = 'live'")
    assert after.version == before.version + 1 + moves


async def test_on_the_command_line(path: Path) -> None:
    """It says first what is known; told to, it forgets, and boards can be computed anew as before."""
    shutil.copy(OLD, path)
    await (await open_database(path)).close()
    await recount(path, games(), is_applied=True)

    def said(*words: str, code: int = 0) -> str:
        environment = {"RIBIT_DATABASE": str(path), "PATH": ""}
        done = processes.run("bot", "forget", *words, folder=path.parent, environment=environment)
        assert done.returncode == code
        return done.stdout + done.stderr

    [(ida,)] = await ask(path, "SELECT player_id FROM seats WHERE name = 'Ida' LIMIT 1")
    before = await traces(path, ida, "Ida")
    asked = said(str(ida))
    assert "They are called Ida" in asked
    assert "Nobody is forgotten yet" in asked
    assert await traces(path, ida, "Ida") == before != []
    assert "the number that Discord has" in said("Ida", code=2)
    async with alone(path):
        assert "Stop" in said(str(ida), "--yes", code=1)
    assert "They are forgotten" in said(str(ida), "--yes")
    assert await traces(path, ida, "Ida") == []
    file = path.read_bytes()
    assert not [trace for trace in (b"Ida", ida.to_bytes(8, "big")) if trace in file], "between the rows"
    assert "sat: 0." in said(str(ida), "--yes")
    assert (await recount(path, games(), is_applied=True)).changes == ()
    database = await open_database(path)
    left = await database.players.seats_left()
    await database.close()
    assert all(is_forgotten(player_id) for _match_id, player_id in left)


async def test_a_name_of_a_former_time_goes_too(database: Database, location: Location) -> None:
    """Also where it stands at a seat alone: an earlier Ribit stored it nowhere else."""
    ended = lobby("m1", DEE, CY, stage=Stage.STOPPED, ended_at=NOW)
    assert await database.journal.create(ended, "channel 5") is None
    await database.players.dms(DEE.id, 7)
    for days in (0, 2, 93, 95):
        for _page in range(3):
            await database.retention.pass_on(NOW + days * DAY_SECONDS)
    assert await traces(location, DEE.name) == []
    assert await traces(location, DEE.id) != [], "who sat there stays"

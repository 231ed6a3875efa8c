"""The checks of the stress test find the errors that they look for."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from itertools import pairwise
from multiprocessing.spawn import get_command_line
from pathlib import Path

import pytest

from bot.engine.panel import Choice
from bot.games import games
from bot.matches.match import LEAVES, Entry, Match, Player, Result, Stage, fold, opening
from bot.matches.match_type import AGAIN
from bot.storage.database import Database, open_database
from tests.contract.playouts import Table
from tests.storage.matches import store_move
from tests.wire.audit import Audit
from tests.wire.database_snapshot import Glances
from tests.wire.environment import open_world, open_worlds
from tests.wire.final_check import Revival
from tests.wire.fleet_checks import Border, Truth
from tests.wire.ledger import ACKNOWLEDGED_WITHIN_SECONDS, Click, Ledger
from tests.wire.logs import unexpected_errors
from tests.wire.rest import Request

MATCH, PLAYER = "m123", 42
REVIVED_WITHIN_SECONDS = 0.3
GAME = "american_toad"
LOG = """2026-11-21 07:26:45 [info     ] move match=m123
2026-11-21 07:26:45 [error    ] fault asked=m:m123:0:t:up
Traceback (most recent call last):
  File "/x.py", line 1, in y
{}
"""


def new_match() -> Match:
    """Return a newly dealt match of a game."""
    game = games()[GAME]
    options = tuple((option.key, option.default) for option in game.info.options)
    match = Table(game, 1, options).match(bytes(32))
    return replace(match, id=MATCH, host_id=PLAYER, players=(Player(PLAYER, "Ann"),), opened_at=1)


def first_move_choices() -> list[Choice]:
    """Return the first choices at the public table that are moves."""
    game = games()[GAME]
    panel = game.panel(game.view(opening(game, new_match()), None))
    return [choice for choice in panel.choices() if choice.move is not None]


TEXT = "turn"
"""A move that can be repeated."""
FIRST = next(choice for choice in first_move_choices() if games()[GAME].write(choice.move) == TEXT)
OTHER = next(choice for choice in first_move_choices() if choice != FIRST)


@asynccontextmanager
async def store_match(path: Path, *moves: str) -> AsyncIterator[Database]:
    """Store the match with these moves in a database."""
    database = await open_database(path)
    match = new_match()
    assert match.seed is not None
    await database.journal.create(match, "here")
    for n, text in enumerate(moves):
        assert await store_move(database, MATCH, Entry(n, 0, text))
    try:
        yield database
    finally:
        await database.close()


def record_clicks(ledger: Ledger, *custom_ids: str) -> None:
    for number, custom_id in enumerate(custom_ids):
        ledger.ask(Click(number, PLAYER, custom_id))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ribit.sqlite3"


async def test_a_move_requested_by_its_player_is_accepted(path: Path) -> None:
    """A move with a click of its player that was not shown is no error."""
    ledger = Ledger()
    record_clicks(ledger, f"m:{MATCH}:0:t:{FIRST.key}")
    ledger.show(f'{{"custom_id": "m:{MATCH}:1:t:{FIRST.key}"}}')
    async with store_match(path, TEXT):
        assert Audit(path, ledger, games()).look() == []


@pytest.mark.parametrize(
    "custom_id", ["m::::", f"m:{MATCH}:1:t:{FIRST.key}", f"m:{MATCH}:0:t:{OTHER.key}"]
)
async def test_a_move_without_a_click_is_reported(path: Path, custom_id: str) -> None:
    """A move without a click on the state before it is reported as unasked or made twice."""
    ledger = Ledger()
    record_clicks(ledger, custom_id)
    async with store_match(path, TEXT):
        [complaint] = Audit(path, ledger, games()).look()
    assert "nobody asked for" in complaint


@pytest.mark.parametrize("moves", [1, 0, None], ids=["asked for", "elsewhere", "nobody asked"])
async def test_a_resumed_match_can_begin_with_earlier_moves(path: Path, moves: int | None) -> None:
    """A match may begin with the moves of the one that its player went back to with a click."""
    ledger, game, again = Ledger(), games()[GAME], "m456"
    record_clicks(ledger, f"m:{MATCH}:0:t:{FIRST.key}", f"m:{MATCH}:1:t:{FIRST.key}", f"a:{MATCH}:quit")
    entries = [Entry(0, 0, TEXT, 1), Entry(1, 0, TEXT, 1), Entry(2, 0, LEAVES, 1)]
    end = (Result(0, won=False, figures={}),)
    audit = Audit(path, ledger, games())
    async with store_match(path) as database:
        for entry in entries:
            results = end if entry.text == LEAVES else ()
            assert await store_move(database, MATCH, entry, results)
        assert audit.look() == []
        state = fold(game, new_match(), entries)
        assert game.retry is not None
        back = [game.write(move) for move in game.retry.back(state, 1)]
        texts = [TEXT, TEXT, *back]
        options = {**new_match().options, AGAIN: 1}
        match = replace(new_match(), id=again, options=options, stage=Stage.PLAYING)
        copied = [Entry(n, 0, text, 1) for n, text in enumerate(texts)]
        assert await database.journal.create(match, "here", copied) is None
    if moves is not None:
        record_clicks(ledger, f"w:{MATCH}:{moves}")
    complaints = audit.look()
    assert all("nobody asked for" in complaint for complaint in complaints)
    assert len(complaints) == (0 if moves == 1 else len(texts))


async def test_a_resumed_match_may_be_stored_before_its_original(path: Path) -> None:
    """A continued match is recognised by the original one, even if a database stores that one later."""
    ledger, game, again = Ledger(), games()[GAME], "m456"
    record_clicks(ledger, f"m:{MATCH}:0:t:{FIRST.key}", f"c:{MATCH}", f"w:{MATCH}:0")
    entries = [Entry(0, 0, TEXT, 1), Entry(1, 0, LEAVES, 1)]
    state = fold(game, new_match(), entries)
    assert game.retry is not None
    texts = [TEXT, *map(game.write, game.retry.back(state, 0))]
    copied = [Entry(n, 0, text, 1) for n, text in enumerate(texts)]
    async with store_match(path, TEXT) as database:
        end = (Result(0, won=False, figures={}),)
        assert await store_move(database, MATCH, entries[-1], end)
        options = {**new_match().options, AGAIN: 1}
        opened_at = int(time.time()) + 1
        match = replace(new_match(), id=again, options=options, stage=Stage.PLAYING, opened_at=opened_at)
        assert await database.journal.create(match, "here", copied) is None
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE matches SET rowid = 1000 WHERE id = ?", (MATCH,))
    assert Audit(path, ledger, games()).look() == []


async def test_a_second_resume_click_does_not_request_a_move(path: Path) -> None:
    """A second click on the same button does not ask for a move of the next match."""
    ledger, game, ids = Ledger(), games()[GAME], (MATCH, "m456", "m789")
    back = f"w:{MATCH}:0"
    record_clicks(ledger, f"m:{MATCH}:0:t:{FIRST.key}", f"a:{MATCH}:quit", back, back)
    record_clicks(ledger, f"a:{ids[1]}:quit", f"w:{ids[1]}:0")
    assert game.retry is not None
    end = (Result(0, won=False, figures={}),)
    texts = [TEXT]
    async with store_match(path, TEXT) as database:
        for number, (before, again) in enumerate(pairwise(ids), 1):
            entries = [Entry(n, 0, text, 1) for n, text in enumerate([*texts, LEAVES])]
            assert await store_move(database, before, entries[-1], end)
            texts += map(game.write, game.retry.back(fold(game, new_match(), entries), 0))
            match = replace(
                new_match(),
                id=again,
                options={**new_match().options, AGAIN: 1},
                stage=Stage.PLAYING,
                opened_at=int(time.time()) + number,
            )
            copied = [Entry(n, 0, text, 1) for n, text in enumerate(texts)]
            assert await database.journal.create(match, "here", copied) is None
    assert Audit(path, ledger, games()).look() == []


async def test_a_shown_move_missing_in_the_database_is_reported(path: Path) -> None:
    """A match shown after n moves must have n moves in the database."""
    ledger = Ledger()
    ledger.show(f'{{"custom_id": "m:{MATCH}:1:t:up"}}')
    ledger.show('{"custom_id":"m:m999:0:t:up"}')
    async with store_match(path):
        first, second = Audit(path, ledger, games()).look()
    assert "shown after 1 moves; 0 are stored" in first
    assert "m999 was shown and is not stored" in second


RUIN = {
    "has 1 results, not 0": f"INSERT INTO results VALUES ('{MATCH}', 0, {PLAYER}, 1, '{GAME}', 0, 1)",
    "has 0 results, not 1": "UPDATE matches SET stage = 'finished'",
    "is gone": "DELETE FROM seats; DELETE FROM matches",
    "has changed: ": "UPDATE matches SET seed = zeroblob(31)",
    "a foreign key leads nowhere": "INSERT INTO moves VALUES ('m999', 0, 0, 'up', 0, NULL, NULL)",
    "the moves": "DELETE FROM moves",
    "not numbered from 0 on": "INSERT INTO moves SELECT match_id, 7, seat, text, 0, '', NULL FROM moves",
}


@pytest.mark.parametrize("complaint", RUIN)
async def test_corrupted_match_data_is_reported(path: Path, complaint: str) -> None:
    """The journal only grows, results come once at the end, and matches neither vanish nor change."""
    ledger = Ledger()
    record_clicks(ledger, f"m:{MATCH}:0:t:{FIRST.key}")
    audit = Audit(path, ledger, games())
    async with store_match(path, TEXT):
        assert audit.look() == []
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(RUIN[complaint])
        assert any(complaint in words for words in audit.look())


async def test_an_unplayable_table_is_reported(tmp_path: Path) -> None:
    """A live table that no click and no command moves is dead, and a finished table is not."""
    async with open_world(tmp_path, seed=1) as place, store_match(place.program.database):
        assert place.audit.look() == []
        user = place.server.person("Ann")
        place.server.backend.users[PLAYER] = user
        place.server.backend.messages[2] = {}
        revival = Revival(place.crowd, place.audit, Glances(place.program.database), place.server)
        [complaint] = await revival.unresponsive_tables(REVIVED_WITHIN_SECONDS)
        assert "is dead" in complaint
        with closing(sqlite3.connect(place.program.database)) as connection, connection:
            connection.execute("UPDATE matches SET stage = 'finished'")
        assert await revival.unresponsive_tables(REVIVED_WITHIN_SECONDS) == []


async def test_writes_to_matches_of_other_processes_are_reported(tmp_path: Path, path: Path) -> None:
    """Writes to another process's matches are reported, and writes to its own are not."""
    async with open_worlds([tmp_path, tmp_path], path, seed=1, shards=4) as places:
        first, second = places
        channel = first.server.channel("pond", shard=3)
        asked = Request("POST", f"/channels/{channel.id}/messages", "post", {}, [])
        for place in (second, first):
            assert first.ledger.wrong == []
            await Border(place, place.perils).before(asked)
        [complaint] = first.ledger.wrong
        assert "process 0 writes to another's match" in complaint


async def test_a_stale_message_with_controls_is_reported(tmp_path: Path) -> None:
    """A message with controls of a live table is reported with its content if it shows an old state."""
    async with (
        open_world(tmp_path, seed=1) as place,
        store_match(place.program.database, TEXT) as database,
    ):
        channel, bot_id = place.server.channel("pond"), place.server.backend.bot_user.id
        truth = Truth(place, Glances(place.location))

        async def shown(n: int, slot: str = "table") -> int:
            button = {
                "type": 2,
                "style": 1,
                "label": "Turn",
                "custom_id": f"m:{MATCH}:{n}:t:{FIRST.key}",
            }
            rows = [{"type": 1, "components": [button]}]
            message = place.server.backend.create_message(channel.id, bot_id, components=rows)
            await database.posts.store_message(MATCH, slot, channel.id, message.id)
            return message.id

        def place_of(message_id: int) -> str:
            return f"it is message {message_id} of channel {channel.id}, where there is now:"

        first = await shown(0)
        old = f"message {first}, which shows [0]"
        [found] = await truth.untrue()
        assert found.splitlines() == [
            f"match {MATCH}: table shows [0] and not 1",
            place_of(first),
            old,
        ]
        last = await shown(1)
        assert await truth.untrue() == []
        place.server.backend.delete_message(channel.id, last)
        [found] = await truth.untrue()
        assert found.splitlines() == [
            f"match {MATCH}: table shows [] and not 1",
            place_of(last),
            old,
        ]
        await shown(1)
        await shown(0, "hand 0")
        [found] = await truth.untrue()
        assert found.startswith(f"match {MATCH}: hand 0 shows [0] and not 1\n")
        await database.players.dms_closed(PLAYER)
        assert await truth.untrue() == []


def test_a_late_click_response_is_reported() -> None:
    """A click is late if its answer or its process's exit came after Discord's limit."""
    ledger = Ledger()
    names = ("late", "in time", "excused", "never", "starved")
    record_clicks(ledger, *names)
    for number, name in enumerate(names):
        ledger.sent(number)
        click = ledger.clicks[number]
        assert click.sent is not None
        click.sent -= 0.0 if name == "in time" else ACKNOWLEDGED_WITHIN_SECONDS
        click.starved -= 1.0 if name == "starved" else 0.0
    ledger.excuse_click(2, "Discord failed")
    for number in (0, 1, 2, 4):
        ledger.answer(number)
    ledger.end_life()
    first, last = ledger.wrong
    assert re.fullmatch(r"answered after 3.* late", first)
    assert re.fullmatch(r"not answered after 3.* never", last)


@pytest.mark.parametrize(
    ("raised", "injected", "is_told"),
    [
        ("KeyError: 'x'", {"dropping"}, True),
        ("aiohttp.client_exceptions.ServerDisconnectedError: gone", {"dropping"}, False),
        ("aiohttp.client_exceptions.ServerDisconnectedError: gone", {"failing"}, True),
        ("discord.errors.DiscordServerError: 500 Internal (error code: 0): x", {"failing"}, False),
        ("sqlite3.OperationalError: database or disk is full", {"full disk"}, False),
    ],
)
def test_unexpected_tracebacks_are_reported(raised: str, injected: set[str], is_told: bool) -> None:
    """A traceback in the log is reported unless it comes from an injected fault."""
    assert bool(unexpected_errors(LOG.format(raised), injected, was_killed=False)) is is_told


def test_truncated_tracebacks_are_allowed_only_after_a_kill() -> None:
    """An incomplete traceback is allowed only for a process that was killed."""
    assert unexpected_errors(LOG.format(""), set(), was_killed=True) == []
    assert unexpected_errors(LOG.format(""), set(), was_killed=False)


def test_errors_of_a_worker_killed_during_its_start_are_ignored() -> None:
    """The error of a worker whose process was killed before its first task is not reported."""
    read, write = os.pipe()
    os.close(write)
    try:
        asked = get_command_line(tracker_fd=read, pipe_handle=read)
        said = subprocess.run(
            asked, pass_fds=(read,), capture_output=True, text=True, check=False
        ).stderr
    finally:
        os.close(read)
    assert "EOFError" in said
    line = LOG.splitlines()[0] + "\n"
    assert unexpected_errors(line + said, set(), was_killed=True) == []
    assert unexpected_errors(line + said, set(), was_killed=False)
    assert unexpected_errors(LOG.format("KeyError: 1") + said, set(), was_killed=True)

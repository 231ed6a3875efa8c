"""The log of the real program at DEBUG helps no player win and has no token."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from bot.games import games
from bot.matches.match_type import LESSON
from tests.discord.secrecy import lines_with_secrets
from tests.wire.channel_players import TABLE, Party
from tests.wire.environment import World, open_world
from tests.wire.injected_faults import CALM, Weather
from tests.wire.program import KILLED, TOKEN

MOVES = 6
PATIENCE_SECONDS = 90.0
TROUBLES = 40
BAD = Weather(limited=0.2, failing=0.1, dropping=0.1)
"""Events of refused requests, logged by Ribit and by the libraries."""


def stored_seeds(place: World) -> dict[str, list[bytes]]:
    """Return the seeds of each game's matches with some moves, except lessons, which are no secret."""
    found: dict[str, list[bytes]] = {}
    with closing(sqlite3.connect(place.program.database)) as connection:
        for game, seed, options in connection.execute(
            "SELECT game, seed, options FROM matches"
            " WHERE (SELECT count(*) FROM moves WHERE match_id = id) >= ?",
            (MOVES,),
        ):
            if not json.loads(options).get(LESSON):
                found.setdefault(game, []).append(seed)
    return found


async def test_nothing_secret_is_logged(tmp_path: Path) -> None:
    """Every game at DEBUG, even with injected faults, logs no seed, card or token in any form."""
    async with open_world(tmp_path, seed=12) as place:
        await place.begin(level="DEBUG")
        assert await place.connected()
        people = [place.server.person(name) for name in ("Ann", "Ben")]
        parties = [
            Party(place.crowd, place.ledger, place.server.channel(f"pond-{number}"), people, number)
            for number in range(len(games()))
        ]
        for party in parties:
            async with asyncio.timeout(5 * PATIENCE_SECONDS):
                await _play_several_moves(place, party)
        assert stored_seeds(place).keys() == games().keys()
        place.perils.weather = BAD
        for turn in range(TROUBLES):
            await _act_unchecked(parties[turn % len(parties)])
        place.perils.weather = CALM
        place.program.kill()
        assert await place.end(KILLED) == []
        seeds = [seed for of_game in stored_seeds(place).values() for seed in of_game]
        tokens = [TOKEN, *place.server.backend.interaction_tokens]
        lines = place.program.log.read_text("utf-8").splitlines()
    assert len(lines) > len(games()) * MOVES, "there is something to look at"
    assert lines_with_secrets(lines, [*seeds, *(token.encode() for token in tokens)]) == []


def test_secrets_are_detected_in_every_encoding() -> None:
    """A secret is found in a line as bytes, hexadecimal, base64 or a number, even if it is truncated."""
    seed = bytes(range(100, 132))
    for told in (
        repr(seed),
        seed.hex(),
        str(int.from_bytes(seed)),
        f"{list(seed)}"[:40],
        "ZGVmZ2hpamtsbW5vcA==",
    ):
        assert lines_with_secrets(["a line", f"seed={told}"], [seed]) == [f"seed={told}"]


async def _play_several_moves(place: World, party: Party) -> None:
    """Let one of a party play its game, with a computer player if needed, and do nothing else.

    If all played at random, a game might have no table while lessons and other games go on.
    """
    crowd, player, before = place.crowd, party.people[0], stored_seeds(place).keys()
    start = crowd.starts()[party.game]
    asked = {option["name"] for option in crowd.commands()[start][0]["options"]}
    while stored_seeds(place).keys() == before:
        table = crowd.seen(player, party.channel.id)
        moves = [
            one
            for one in table + crowd.dm_controls(player)
            if one.move is not None and one.move[1] >= place.ledger.shown[one.move[0]]
        ]
        if moves:
            await crowd.press(player, place.random.choice(moves))
        elif not any(one.move or one.action in TABLE for one in table):
            await crowd.slash(
                player, party.channel.id, start, **dict.fromkeys(asked & {"frogs", "deal"}, 1)
            )
        else:
            await asyncio.sleep(0.02)  # the computer player's turn


async def _act_unchecked(party: Party) -> None:
    """Let a party go on, without checks of unanswered clicks, which the stress tests do."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_SECONDS / 4):
            await party.act()

"""Moves of solitaire that are stored instead of clicked, in tests of what comes after them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from bot.engine.opponent import Mover
from bot.games import games
from bot.games.american_toad.state import State
from bot.matches.match import Entry
from tests.discord.bot_harness import BotHarness, Person
from tests.discord.solitaire_player import deal_number_and_par, play_move, winning_moves
from tests.storage.matches import move_change

SOLITAIRE = games()["american_toad"]


@cache
def _journal_moves(state: State, moves: tuple[str, ...]) -> tuple[str, ...]:
    """Return moves from a state as the journal has them."""
    texts = list[str]()
    for text in moves:
        move = SOLITAIRE.recorded(state, SOLITAIRE.read(text, state))
        state = SOLITAIRE.play(state, move)
        texts.append(SOLITAIRE.write(move))
    return tuple(texts)


async def store_moves(place: BotHarness, moves: Sequence[str]) -> None:
    """Store moves of the deal at the table, and show the table after the last of them."""
    before, database = await place.stored(place.table.match_id), place.bot.database
    match_id, texts = before.match.id, _journal_moves(before.state, tuple(moves))
    entries = [
        Entry(n, 0, text, place.now, mover=Mover.PLAYER) for n, text in enumerate(texts, before.n)
    ]

    async def store(sql: Any) -> None:
        for entry in entries[:-1]:
            columns = {"n": entry.n, "seat": 0, "text": entry.text, "at": entry.at, "choice": None}
            await sql.add_move(match_id=match_id, **columns, mover=Mover.PLAYER.value)

    await database.writer.write(store)
    assert await database.journal.commit(move_change(before.match, entries[-1]))
    place.bot.tables.live_match(match_id).table = None
    await place.show_stored(match_id)


async def store_until_nearly_won(place: BotHarness, person: Person, left: int = 6) -> list[str]:
    """Go on to so many moves before the deal at the table is won, and return those moves."""
    number, _par = await deal_number_and_par(place)
    moves = winning_moves(number)
    await play_move(
        place, person, moves[0]
    )  # a private message can be edited for 15 minutes after a click
    await store_moves(place, moves[1:-left])
    return moves[-left:]


async def win_deal(place: BotHarness, person: Person) -> int:
    """Win the deal at the table and return its number."""
    [last] = await store_until_nearly_won(place, person, left=1)
    number, _par = await deal_number_and_par(place)
    await play_move(place, person, last)
    return number

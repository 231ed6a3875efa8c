"""Functions that play the boards of daily duels and challenges against a toad, a computer player."""

from __future__ import annotations

from collections.abc import Iterator

from bot.messages.custom_ids import HAND, Choose
from bot.sessions.table_state import Table
from tests.discord.bot_harness import BotHarness, Person, Seen

MOVES_SHOWN = 3
PAUSE = 8
"""Seconds after which the toad has moved. SimCord does not wait that long for timers by itself."""


async def play_moves(place: BotHarness, person: Person, seen: Seen, most: int = 1000) -> Table:
    """Make up to ``most`` moves as a player on a duel's board, and return the board's table.

    If ``most`` is larger than ``MOVES_SHOWN``, each turn ends as soon as possible. Otherwise, the player
    makes the first possible moves.
    """
    match_id = seen.match_id
    for _move in range(most):
        table = await wait_for_turn(place, person, match_id)
        if not table.is_playing:
            return table
        paths = list(choosable_moves(table, person.id))
        ends = [path for path, text in paths if text == "end"]
        path = ends[0] if ends and most > MOVES_SHOWN else paths[0][0]
        await person.send(seen, Choose(match_id, table.n, HAND, path).custom_id)
    return await wait_for_turn(place, person, match_id)


def choosable_moves(
    table: Table, player_id: int, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each move that a player can choose: the keys to pick, and the move in notation."""
    seat = table.match.seat_of(player_id)
    for choice in table.panel(seat, path).choices():
        if choice.move is not None:
            yield (*path, choice.key), table.game.write(choice.move)
        elif len(path) < MOVES_SHOWN:
            yield from choosable_moves(table, player_id, (*path, choice.key))


async def wait_for_turn(place: BotHarness, person: Person, match_id: str) -> Table:
    """Wait until it is the player's turn on a board or the board is finished, and return its table."""
    for _second in range(100):
        table = await place.bot.tables.read(match_id)
        if not table.is_playing or table.to_move == table.match.seat_of(person.id):
            return table
        await place.wait(PAUSE)
    raise AssertionError("the toad does not move")

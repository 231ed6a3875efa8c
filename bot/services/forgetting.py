"""Forgetting somebody, or a server: what is stored, what is in memory, and the tables that go on."""

from __future__ import annotations

import structlog

from bot.engine.errors import IllegalMoveError
from bot.engine.forgotten import new_placeholder
from bot.requests.budget import Priority
from bot.services import Services
from bot.sessions.errors import TableError
from bot.sessions.table import Table

log = structlog.get_logger(__name__)


async def forget_person(services: Services, player_id: int) -> None:
    """Forget a person; their live seats are given up, as if they had left by themselves.

    They are another from the first step on: whatever they click meanwhile, or after a stop in between,
    is a new player's, and who still sits there is taken away from the table a day later at most.
    """
    await services.names.settle()
    other = new_placeholder()
    await services.players.forget(player_id, other)
    services.tables.forget_player(player_id)
    await give_up_seats(services)
    await services.players.forget(player_id, other)  # what was on its way meanwhile
    services.tables.forget_player(player_id)
    await services.retention.empty_log()
    log.info("somebody was forgotten")


async def give_up_seats(services: Services) -> None:
    """Take all who were forgotten away from the tables at which they still sit."""
    for match_id, player_id in await services.players.seats_left():
        is_live = True
        try:
            await _give_up(services, await services.tables.look(match_id), player_id)
            is_live = (await services.tables.look(match_id)).match.stage.is_live
        except (TableError, IllegalMoveError):
            log.info("a seat was given up in that moment", match=match_id)
        await services.display.refreshed(match_id)
        if not is_live:  # what stood in their DMs has the ids of those still
            await services.players.forget(player_id, player_id)


async def _give_up(services: Services, table: Table, player_id: int) -> None:
    seat = table.match.seat_of(player_id)
    if table.match.is_lesson:
        await services.tables.stop(table.match.id)
    elif table.is_lobby or seat in table.people:  # else that one has left the match before
        await services.seating.leave(table.match.id, player_id)


async def forget_server(services: Services, guild_id: int, *, is_gone: bool) -> None:
    """Forget what was played in a server: its tables are closed, and its boards are empty.

    Where the bot ``is_gone`` its settings go, too. What stops in between goes on when it is asked again.
    """
    for match_id in await services.tables.live_of(guild_id):
        try:
            await services.tables.stop(match_id)
        except TableError:
            log.warning("a table that is not understood stays as it is", match=match_id)
        await services.display.refreshed(match_id, Priority.UPKEEP)
    while matches := await services.retention.forget_matches(guild_id):
        for match_id in matches:
            services.tables.forget_table(match_id)
    await services.retention.forget_server(guild_id, is_gone=is_gone)
    await services.retention.empty_log()
    services.players.forget_read()
    if is_gone:
        services.servers.forget_read(guild_id)
    log.info("a server was forgotten", server=guild_id)

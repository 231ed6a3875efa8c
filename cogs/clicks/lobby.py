"""The lobby: sitting down, getting up, starting, and how the game is played."""

from __future__ import annotations

from bot.services.click import Clicked
from bot.services.player_names import sitting_down
from bot.sessions.table import Table
from cogs.clicks.handlers import action


@action("join")
async def join(clicked: Clicked, table: Table) -> None:
    """Take a seat, or come back to it."""
    await clicked.services.players.speaks(clicked.player_id, str(clicked.interaction.locale))
    await clicked.services.seating.join(table.match.id, sitting_down(clicked.interaction))
    await clicked.show_changed(table.match.id, in_public=not clicked.is_private)


@action("wake")
async def wake(clicked: Clicked, table: Table) -> None:
    """Come back to a table that rests."""
    await clicked.services.tables.come_back(table.match.id, clicked.player_id)
    await clicked.show_changed(table.match.id, in_public=not clicked.is_private)


@action("leave")
async def leave(clicked: Clicked, table: Table) -> None:
    """Give the seat up while the match has not started."""
    if table.is_lobby:
        await clicked.services.seating.leave(table.match.id, clicked.player_id)
    await clicked.show_changed(table.match.id)


@action("start")
async def start(clicked: Clicked, table: Table) -> None:
    """Have the cards dealt."""
    await clicked.services.seating.start(table.match.id, clicked.player_id, clicked.interaction.id)
    await clicked.show_changed(table.match.id)


@action("rules")
async def rules(clicked: Clicked, table: Table) -> None:
    """Explain how the game is played."""
    await clicked.answer.whisper(
        await clicked.services.display.appearances.rules(
            table.game,
            clicked.interaction,
            match_id=None if table.match.is_lesson else table.match.id,
        )
    )

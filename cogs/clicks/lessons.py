"""A lesson: begun, looked at again, and ended."""

from __future__ import annotations

from bot.delivery.clicked_message import Clicked, unknown_button
from bot.delivery.lessons import open_lesson
from bot.messages.lessons import Learn
from bot.sessions.table import Table
from cogs.clicks.handlers import action, handles


@handles(Learn)
async def begin(clicked: Clicked, asked: Learn) -> None:
    """Begin a lesson in a game, or go on with the player's own."""
    game = clicked.services.games.get(asked.game)
    if game is None or game.lesson is None:
        raise unknown_button()
    await open_lesson(clicked.services, clicked.answer, game)


@action("look", in_private=True)
async def look(clicked: Clicked, table: Table) -> None:
    """Show how a lesson stands by now, where nobody has shown it."""
    if not table.match.is_lesson:
        raise unknown_button()
    await clicked.show_changed(table.match.id, in_public=False)


@action("endlesson", in_private=True)
async def end(clicked: Clicked, table: Table) -> None:
    """End a lesson."""
    await clicked.services.dealing.end_lesson(table.match.id, clicked.player_id)
    await clicked.show_changed(table.match.id, in_public=False)

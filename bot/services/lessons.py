"""Lessons: who is offered one, and where it is shown.

A lesson stands in a message that only its pupil sees, below the command or the button that asked for
it, and in no DM, so that nobody needs to open theirs. Each click renews Discord's 15 minutes for editing
it, and the tadpole answers within seconds. Its buttons work after any restart; where the message itself
is gone, the command shows the lesson again as it stands.
"""

from __future__ import annotations

from bot.delivery.slots import Step
from bot.engine.game import AnyGame
from bot.requests.answers import Answer
from bot.services import Services
from bot.services.click import open_panel
from bot.services.player_names import player_of


async def open_lesson(services: Services, answer: Answer, game: AnyGame) -> None:
    """Show who asked a lesson in a game: the one that was begun, or a new one."""
    asked = answer.interaction
    await services.players.speaks(asked.user.id, str(asked.locale))
    table = await services.dealing.teach(game.info.key, player_of(asked.user))
    await open_panel(services, answer, table, Step(table.n))
    services.display.refresh(table.match.id)  # the tadpole may have moved meanwhile

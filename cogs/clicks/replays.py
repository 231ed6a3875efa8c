"""Watching a match that is over, in private."""

from __future__ import annotations

from bot.delivery.clicked_message import Clicked
from bot.delivery.replays import replay_page, watched
from bot.messages.replays import TurnTo, Watch
from cogs.clicks.handlers import handles


@handles(Watch)
async def watch(clicked: Clicked, asked: Watch) -> None:
    """Show a match from its deal on to who clicked, alone."""
    services, interaction = clicked.services, clicked.interaction
    replay = await watched(services, interaction, asked.match_id)
    await clicked.answer.whisper(await replay_page(services, interaction, replay, 0))


@handles(TurnTo, in_private=True)
async def turn_to(clicked: Clicked, asked: TurnTo) -> None:
    """Show the match as it was after so many moves."""
    services, interaction = clicked.services, clicked.interaction
    replay = await watched(services, interaction, asked.match_id)
    await clicked.answer.update(await replay_page(services, interaction, replay, asked.n))

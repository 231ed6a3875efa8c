"""A puzzle that is solved, and another one."""

from __future__ import annotations

from bot.engine.game import AnyGame
from bot.messages.puzzles import Pose, Solve
from bot.services.click import Clicked, unknown_button
from bot.services.puzzles import answered_content, posed_content
from cogs.clicks.handlers import handles


@handles(Solve, in_private=True)
async def solve(clicked: Clicked, asked: Solve) -> None:
    """Say what became of the way that was picked."""
    game = _game(clicked, asked.posed.game)
    await clicked.answer.update(
        await answered_content(clicked.services, clicked.interaction, game, asked.posed, asked.way)
    )


@handles(Pose, in_private=True)
async def pose(clicked: Clicked, asked: Pose) -> None:
    """Show another puzzle in place of the one before."""
    game = _game(clicked, asked.game)
    await clicked.answer.update(
        await posed_content(clicked.services, clicked.interaction, game, asked.grade)
    )


def _game(clicked: Clicked, key: str) -> AnyGame:
    game = clicked.services.games.get(key)
    if game is None or game.puzzles is None:
        raise unknown_button()
    return game

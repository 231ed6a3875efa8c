"""First pictures take long: they are drawn before anybody waits for one."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from itertools import islice

import structlog

from bot.engine.game import AnyGame
from bot.engine.scene import Scene
from bot.engine.shuffle import SEED_BYTES
from bot.games import games
from bot.rendering import draw, warmed

log = structlog.get_logger(__name__)

CARD_PAUSE_SECONDS = 0.03

EXAMPLE_MOVES = 14
"""After so many, cards have lain in nearly each of the ways they do."""

VIEWS = 2
"""What is seen of a state: the table, and a hand."""

GARBAGE_AFTER = (1_000, 2, 50)
"""How many new objects have garbage looked for among them; each third time that is done among older
ones too, and rarely among all. A look holds clicks up, the longer the more it goes through: 11 ms so, 40
where it is taken half as often, and each eleventh time among older ones. Python's own are 700 and 10."""


def draw_examples() -> None:
    """Draw each game's deal, with fonts and many cards."""
    for key, game in games().items():
        for scene in islice(examples(game), VIEWS):
            draw(scene)
        log.debug("examples drawn", game=key)


async def warm_up() -> None:
    """Make every card in the sizes that tables have, a little at a time.

    The pauses are for clicks: one goes through the event loop a hundred times, and behind a card at each
    of them it would be answered seconds later.
    What has been loaded by then stays for good, and need not be gone through for garbage.
    """
    gc.set_threshold(*GARBAGE_AFTER)
    for _step in warmed(scene for game in games().values() for scene in examples(game)):
        await asyncio.sleep(CARD_PAUSE_SECONDS)
    gc.collect()
    gc.freeze()
    log.info("warmed up")


def examples(game: AnyGame) -> Iterator[Scene]:
    """Yield a game's table and the hand of who is to move, the same ones each time."""
    options = {option.key: option.default for option in game.info.options}
    seats = game.info.fewest
    state = game.deal(seats, options, bytes(SEED_BYTES))
    for n in range(EXAMPLE_MOVES):
        seat, move = game.to_move(state), game.automatic(state)
        for viewer in (None, seat):
            yield game.scene(game.view(state, viewer), [""] * seats)
        if seat is None:
            break
        moves = game.legal_moves(state)
        state = game.play(state, moves[n % len(moves)] if move is None else move)

"""Prerendering: fonts and cards take long at first, so they are made before anybody waits for one."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice
from random import Random

import structlog

from bot.engine.game import AnyGame
from bot.engine.scene import Scene
from bot.engine.shuffle import SEED_BYTES
from bot.games import games
from bot.rendering import draw, warmed

log = structlog.get_logger(__name__)

CARD_PAUSE_SECONDS = 0.005
"""Between one card, which takes a millisecond, and the next: what has come meanwhile is seen to."""

EXAMPLE_MOVES = 14
"""After so many, cards have lain in nearly each of the ways they do."""

MOST_MOVES = 300
"""By then what is seen of a round's end, and of a match's, has mostly been seen."""

VIEWS = 2
"""What is seen of a state: the table, and a hand."""

GARBAGE_AFTER = (3_000, 2, 50)
"""How many new objects have Python look for garbage among them: Discord's components refer to each
other. Each third time that is done among older ones too, often enough that they are few, and rarely
among all. Python's own are 700, 10 and 10."""


def draw_examples() -> None:
    """Draw each game's deal, with fonts and many cards."""
    for key, game in games().items():
        for scene in islice(examples(game), VIEWS):
            draw(scene)
        log.debug("examples drawn", game=key)


async def warm_up(yield_to_clicks: Callable[[], Awaitable[None]]) -> None:
    """Make every card in the sizes that tables have, a little at a time.

    ``yield_to_clicks`` waits until clicks are answered: one goes through the event loop many times, and
    behind a card at each of them it would be answered seconds later.
    What has been loaded by then stays for good, and need not be gone through for garbage.
    """
    gc.set_threshold(*GARBAGE_AFTER)
    for _step in warmed(await asyncio.to_thread(_all_examples)):
        await yield_to_clicks()
        await asyncio.sleep(CARD_PAUSE_SECONDS)
    gc.collect()
    gc.freeze()
    log.info("warmed up")


def _all_examples() -> list[Scene]:
    return [scene for game in games().values() for scene in examples(game)]


def examples(game: AnyGame) -> Iterator[Scene]:
    """Yield what is seen of a match, the same one each time, by all and by who is to move.

    That is all of the first moves, and later what is made up of other things than any scene before.
    """
    options = {option.key: option.default for option in game.info.options}
    seats, chance = game.info.fewest, Random(0)  # noqa: S311 — nothing hangs on how this match goes
    state = game.deal(seats, options, bytes(SEED_BYTES))
    kinds = set[tuple[object, ...]]()
    for n in range(MOST_MOVES):
        seat, move = game.to_move(state), game.automatic(state)
        for viewer in (None, seat):
            scene = game.scene(game.view(state, viewer), [""] * seats)
            kind = (scene.height, *map(type, scene.items))
            if n < EXAMPLE_MOVES or kind not in kinds:
                kinds.add(kind)
                yield scene
        if seat is None and move is None:
            break
        state = game.play(state, chance.choice(game.legal_moves(state)) if move is None else move)

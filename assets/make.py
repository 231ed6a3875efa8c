"""Draw the project's own pictures anew: ``python assets/make.py``.

The avatar, and the pictures that the README shows, each of a match dealt from a fixed seed.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from bot.games import games
from bot.rendering import draw, drawable_names
from bot.rendering.avatar import avatar

HERE = Path(__file__).parent
README = HERE / "readme"
NAMES = ("Ann", "Ben", "Cleo", "Dora")
SEED = b"the README's table".ljust(32)
MATCHES = {"table": ("toad", 4, 21), "hand": ("toad", 3, 9), "frogger": ("frogger", 4, 60)}
"""Each picture's game, its seats, and how many moves of a match have been played."""


def main() -> None:
    """Write every picture to its place."""
    (HERE / "avatar.png").write_bytes(avatar())
    for name, (key, seats, moves) in MATCHES.items():
        game, state = games()[key], played(key, seats, moves)
        viewer = game.to_move(state) if name == "hand" else None
        scene = game.scene(game.view(state, viewer), drawable_names(NAMES[:seats]))
        (README / f"{name}.png").write_bytes(draw(scene))
    under_way = games()["american_toad"].pages()[2]
    (README / "solitaire.png").write_bytes(draw(under_way.picture()))


def played(key: str, seats: int, moves: int) -> Any:
    """Return the state of a match after some moves made by chance, claims of a toad left out."""
    game, chance = games()[key], Random(7)  # noqa: S311 — a picture, no secret
    options = {option.key: option.default for option in game.info.options}
    state = game.deal(seats, options, SEED)
    for _move in range(moves):
        choices = [move for move in game.legal_moves(state) if game.write(move) not in ("ribit", "end")]
        state = game.play(state, chance.choice(choices or game.legal_moves(state)))
    return state


if __name__ == "__main__":
    main()

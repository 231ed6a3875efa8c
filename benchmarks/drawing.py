"""Benchmark of the drawing time and the picture size of a table with six players.

``python -m benchmarks.drawing`` prints the picture's size in bytes, the CPU time in which it is drawn,
and the ratio to a baseline measured in the same run. The baseline is the compression of an empty picture
of the same size. With the extra ``bench``, it also draws the board of a published game, 2048 from
discord-games.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from time import process_time

from isal import isal_zlib
from PIL import Image

from benchmarks.bare_bot import PEER
from bot.engine.scene import Scene
from bot.games import games
from bot.rendering.picture import LEVEL, draw

RUNS = 200
SEATS = 6
NAMES = ("Ann", "Benjamin", "Cleo", "Dora", "Eva", "Florian the Frog")
MILLISECONDS = 1000


def full_table() -> Scene:
    """Return the scene of a table with six players in the middle of a round, with two open hands."""
    toad = games()["toad"]
    state = toad.deal(SEATS, {"lives": 5}, bytes(32))
    for text in ("take 1", "ribit", "draw", "ribit", "take 3", "end"):
        state = toad.play(state, toad.read(text, state))
    return toad.scene(toad.view(replace(state, pot=3), None), NAMES)


def cpu_milliseconds(work: Callable[[], object]) -> tuple[float, float]:
    """Return the smallest and the median CPU time of ``RUNS`` calls of a function, in milliseconds."""
    work()
    times = []
    for _run in range(RUNS):
        start = process_time()
        work()
        times.append((process_time() - start) * MILLISECONDS)
    return min(times), median(times)


def peer_line() -> str:
    """Return a line with the drawing time of a 2048 board.

    Return an empty string if the extra ``bench`` is not installed.
    """
    if find_spec(PEER.split(".", maxsplit=1)[0]) is None:
        return ""
    game = import_module(PEER).BetaTwenty48({}, render_image=True)
    game.board = [[2, 4, 8, 16], [32, 64, 128, 256], [0, 2, 0, 4], [0, 0, 2, 0]]

    async def draw_board() -> None:
        await game.render_image()

    with asyncio.Runner() as runner:
        least, middle = cpu_milliseconds(lambda: runner.run(draw_board()))
    side = game.IMG_LENGTH
    return f"2048     {least:.2f} ms least, {middle:.2f} ms median, {side} x {side} px\n"


def main() -> None:
    """Run the benchmark from the command line, and print the results."""
    scene = full_table()
    picture = draw(scene)
    size = Image.open(io.BytesIO(picture)).size
    empty = bytes(size[0] * size[1])
    least, middle = cpu_milliseconds(lambda: draw(scene))
    floor_least, floor_middle = cpu_milliseconds(lambda: isal_zlib.compress(empty, LEVEL))
    sys.stdout.write(
        f"{size[0]} x {size[1]} px, {len(picture):,} bytes\n"
        f"drawing  {least:.2f} ms least, {middle:.2f} ms median of {RUNS}\n"
        f"floor    {floor_least:.2f} ms least, {floor_middle:.2f} ms median\n"
        f"ratio    {middle / floor_middle:.1f}\n"
        f"{peer_line()}"
    )


if __name__ == "__main__":
    main()

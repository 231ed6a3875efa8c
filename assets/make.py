"""Draw the project's own pictures anew: ``python assets/make.py``.

The avatar, and the pictures in the README and docs/pictures.md, each of a match dealt from a fixed seed.
The one of a phone is a screenshot of the demo, and needs Chromium.
"""

from __future__ import annotations

import asyncio
import io
import re
import shutil
import sys
from asyncio.subprocess import PIPE
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image, ImageDraw
from playwright.async_api import async_playwright

from bot.engine.cards import KING, Card, cards_of
from bot.engine.scene import Scene
from bot.games import games
from bot.matches.leaderboard_rules import LeaderboardRow
from bot.matches.match import Player
from bot.rendering import draw, theme
from bot.rendering.cards import paint_card
from bot.rendering.display_list import CardSprite
from bot.rendering.symbols import draw_court
from cogs.leaderboards.badges import DEALS, Career, Results
from cogs.leaderboards.profile import Profile, profile_scene

HERE = Path(__file__).parent
AVATAR = HERE.parent / "bot" / "demo" / "avatar.png"
"""The king of frogs before the finest hand of all: the bot's picture in the demo, and anywhere."""

README = HERE / "readme"
NAMES = ("Ann", "Ben", "Cleo", "Dora")
SEED = b"the README's table".ljust(32)
MATCHES = {"table": ("toad", 4, 21), "hand": ("toad", 3, 9), "frogger": ("frogger", 4, 60)}
"""Each picture's game, its seats, and how many moves of a match have been played."""


def main() -> None:
    """Write every picture to its place."""
    AVATAR.write_bytes(avatar())
    for name, (key, seats, moves) in MATCHES.items():
        game, state = games()[key], played(key, seats, moves)
        viewer = game.to_move(state) if name == "hand" else None
        scene = game.scene(game.view(state, viewer), NAMES[:seats])
        (README / f"{name}.png").write_bytes(draw(scene))
    under_way = games()["american_toad"].pages()[2]
    (README / "solitaire.png").write_bytes(draw(under_way.picture()))
    (README / "replay.png").write_bytes(draw(replay()))
    (README / "profile.png").write_bytes(draw(profile_scene(games(), PROFILE, TODAY)))
    if chromium := shutil.which("chromium") or shutil.which("google-chrome"):
        asyncio.run(photograph(chromium, README / "phone.png"))


def replay() -> Scene:
    """Return a moment of a match with all hands open, as a replay shows it."""
    game = games()["toad"]
    assert game.lookback is not None
    return game.scene(game.lookback.opened(played("toad", 3, 9)), NAMES[:3])


def row(rank: int, player_id: int, name: str, matches: int, wins: int, **figures: int) -> LeaderboardRow:
    return LeaderboardRow(rank, player_id, name, matches, wins, figures)


TODAY = date(2026, 11, 28)
PROFILE = Profile(
    Player(1, "Ann"),
    Career(
        {
            "toad": row(2, 1, "Ann", 64, 27, toads=112, maximus=3, comebacks=6, survived=140),
            "frogger": row(1, 1, "Ann", 21, 11, home=84, sent=47),
            "american_toad": row(4, 1, "Ann", 40, 31),
        },
        {-1: 4, 0: 6, 2: 9, 5: 3},
        {DEALS: {TODAY - timedelta(days=back): back % 5 > 0 for back in range(48)}},
        frozenset({"american_toad"}),
    ),
    Results(
        {("toad", 2): (20, 11), ("toad", 3): (44, 16), ("frogger", 2): (21, 11)},
        5,
        (row(1, 2, "Ben", 22, 12), row(2, 3, "Cleo", 17, 9), row(3, 4, "Dora", 9, 3)),
    ),
)


async def photograph(chromium: str, path: Path) -> None:
    """Save a picture of the demo's table on the screen of a phone."""
    command = (sys.executable, "-m", "bot", "demo", "--port", "0")
    demo = await asyncio.create_subprocess_exec(*command, stdout=PIPE)
    assert demo.stdout is not None
    try:
        while not (found := re.search(rb"http://\S+", await demo.stdout.readline())):
            pass
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = await browser.new_page(viewport={"width": 400, "height": 900}, locale="en-GB")
            await page.goto(found[0].decode())
            await page.get_by_alt_text(re.compile("Stock")).first.wait_for()
            await asyncio.sleep(3)  # until the frogs have moved
            shot = Image.open(io.BytesIO(await page.screenshot()))
            await browser.close()
    finally:
        demo.terminate()
        await demo.communicate()
    shown = shot.crop((0, 112, 400, 724)).convert("RGB")
    shown.quantize(colors=128, dither=Image.Dither.NONE).save(path, "PNG", optimize=True)


def played(key: str, seats: int, moves: int) -> Any:
    """Return the state of a match after some moves made by chance, claims of a toad left out."""
    game, chance = games()[key], Random(7)  # noqa: S311 — a picture, no secret
    options = {option.key: option.default for option in game.info.options}
    state = game.deal(seats, options, SEED)
    for _move in range(moves):
        choices = [move for move in game.legal_moves(state) if game.write(move) not in ("ribit", "end")]
        state = game.play(state, chance.choice(choices or game.legal_moves(state)))
    return state


SIDE_PX = 512
CARD, CARD_TOP, CARD_TURN, CARD_APART = 0.38, 0.11, 13, 0.3
FROG, FROG_TOP = 0.54, 0.3
"""Sizes and places as shares of the side; all within the circle that Discord shows."""


def avatar() -> bytes:
    """Return the picture as a square PNG."""
    side = SIDE_PX * theme.SUPERSAMPLING
    image = Image.new("RGB", (side, side), theme.FELT)
    draw = ImageDraw.Draw(image)
    draw.ellipse((0.1 * side, 0.58 * side, 0.9 * side, 1.02 * side), fill=theme.PAD)
    for card, way in zip(cards_of("TH TS"), (-1, 1), strict=True):
        shown = _turned(card, round(CARD * side), -way * CARD_TURN)
        left = side / 2 + way * CARD_APART / 2 * side - shown.width / 2
        image.paste(shown, (round(left), round(CARD_TOP * side)), shown)
    left = (1 - FROG) / 2 * side
    draw_court(draw, (left, FROG_TOP * side, FROG * side), KING, theme.RED)
    small = image.reduce(theme.SUPERSAMPLING).quantize(colors=128, dither=Image.Dither.NONE)
    png = io.BytesIO()
    small.save(png, "PNG", optimize=True)
    return png.getvalue()


def _turned(card: Card, width_px: int, degrees: float) -> Image.Image:
    """Return a card, turned about its middle, on nothing."""
    indices, mask = paint_card(CardSprite(card, width_px, theme.FELT))
    flat = Image.frombytes("P", indices.size, indices.tobytes())
    flat.putpalette([part for colour in theme.PALETTE for part in colour])
    upright = flat.convert("RGB").convert("RGBA")
    upright.putalpha(mask.convert("L"))
    return upright.rotate(degrees, Image.Resampling.BICUBIC, expand=True)


if __name__ == "__main__":
    main()

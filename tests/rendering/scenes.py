"""Scenes of the recorded matches, and others that the recordings do not reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from bot.engine.scene import Bars, Chart, Medal, Medals, Scene, Weeks
from bot.engine.translation import speaking
from bot.games import games
from bot.languages import load_languages
from bot.matches.match import advance
from bot.messages.computer_player_controls import with_computer_players
from tests.games.american_toad import positions as deals
from tests.games.frogger import tables as ponds
from tests.playthroughs.recording import parse_recording, recording_paths

NAMES = ("Ann", "Benjamin the Great of the Pond!!", "Клео", "Dora 🐸", "Eva", "Florian the Frog")
STRIDE = 3
"""Interval of the recorded states that are drawn, besides the last one."""

BOARD = Scene(
    7.4,
    3,
    (
        Chart(
            0.15,
            0.15,
            7.1,
            ("#", "Player", "Wins", "Matches", "Pot", "Toads", "Toadus Maximus", "Rounds survived"),
            (("1", NAMES[1], "120", "310", "999", "41", "3", "1204"), ("2", "Ann", *"123456")),
            own=1,
        ),
    ),
)
"""A leaderboard of Toad with the longest headings."""

BARS = Scene(
    7.4,
    3.2,
    (Bars(0.2, 0.2, 7.0, (("… −10", 1), ("−9 … −1", 20), ("par", 3), ("1 … 9", 118), ("50 …", 2))),),
)
"""Counts as a profile shows them."""

PROFILE = Scene(
    7.4,
    5.5,
    (
        Medals(
            0.2, 0.2, 7.0, tuple(Medal("Sent back", str(12**level), level % 4) for level in range(5))
        ),
        Weeks(0.2, 2.2, 2.2, "Deal of the day", (True, False, None, None, True, None, None) * 10, "1"),
    ),
)
"""A player's counts, and days with activity."""


@cache
def recorded_scenes(locale: str | None = None) -> tuple[Scene, ...]:
    """Return the distinct public scenes of the recordings and the rules' pictures, in a language."""
    load_languages()
    with speaking(locale):
        return tuple(dict.fromkeys(_recorded_scenes()))


def _recorded_scenes() -> Iterator[Scene]:
    for path in recording_paths():
        recording = parse_recording(path.read_text("utf-8"))
        game = recording.by_rules()
        yield from (page.picture() for page in game.pages())
        state = game.deal(recording.seats, recording.options, recording.seed)
        for number, entry in enumerate(recording.entries):
            state = advance(game, state, entry)
            if number % STRIDE and number != len(recording.entries) - 1:
                continue
            for viewer in (None, *range(recording.seats)):
                yield game.scene(game.view(state, viewer), NAMES[: recording.seats])
        yield with_computer_players(game.scene(game.view(state, None), NAMES[: recording.seats]), {0})
    yield BOARD
    yield BARS
    yield PROFILE
    yield from _hint_scenes()
    yield from _end_scenes()


def _end_scenes() -> Iterator[Scene]:
    """Yield a finished race of seats with long names, and a won solitaire."""
    solitaire, frogger = games()["american_toad"], games()["frogger"]
    up = replace(
        deals.new_position(
            "3C|||||||", base=4, heights=deals.foundation_heights(C=12, D=13, H=13, S=13)
        ),
        par=120,
    )
    full = replace(up, position=replace(up.position, heights=(12, *(13,) * 7)))
    yield solitaire.scene(solitaire.view(deals.play_moves(full, "1 up"), 0), NAMES[1:2])
    race = ponds.new_state(
        *["6MW", "9LK", "2SY", "5ML", "CM"], at=["12M +5", "3M +5", "+4", "", ""], market="CL"
    )
    yield frogger.scene(frogger.view(ponds.play_moves(race, "play 6MW M from 12M"), None), NAMES[:5])


def _hint_scenes() -> Iterator[Scene]:
    """Yield pictures of American Toad with a hint's move marked."""
    game = games()["american_toad"]
    state = game.deal(1, {"deal": 8, "daily": 0}, b"")
    for text in ("turn on, up", "waste to 2", "5 to 4 x1"):
        advised = game.play(state, game.read(f"hint: {text}", state))
        yield game.scene(game.view(advised, 0), NAMES[:1])
        state = game.play(state, game.read(text, state))

"""Tests of replay pages of recorded matches: states and highlights."""

from __future__ import annotations

import io
from dataclasses import replace
from operator import itemgetter
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from bot.engine.highlights import Highlight
from bot.engine.opponent import Mover
from bot.engine.scene import Plate
from bot.matches.match import Entry, Match, Player, Stage, advance
from bot.matches.replay import KEPT_EVERY, Replay, course
from bot.messages.components import Text
from bot.rendering.animation import film
from cogs.replays.replay_page import moment_options, replay_content
from cogs.replays.tasks import Film, moves_of, told_below
from tests.contract.traversal import card_types, cards_in
from tests.examples import few_or_all
from tests.playthroughs.recording import RECORDINGS, Recording, parse_recording, recording_paths


def replay_of(recording: Recording) -> Replay:
    """Return the replay of a recorded match."""
    players = tuple(Player(seat + 1, f"P{seat}") for seat in range(recording.seats))
    match = Match(
        id="m1",
        game=recording.game,
        rules_version=recording.rules_version,
        guild_id=None,
        channel_id=1,
        host_id=1,
        players=players,
        limit=recording.seats,
        options=recording.options,
        stage=Stage.FINISHED,
        seed=recording.seed,
    )
    game = recording.by_rules()
    return Replay(match, game, course(game, match, recording.entries))


@pytest.mark.parametrize("path", list(recording_paths()), ids=lambda path: str(path.stem))
def test_each_replay_page_shows_the_state_of_its_move(path: Path) -> None:
    """Each page has the state after its move and all hands, also if folded from a cached state."""
    recording = parse_recording(path.read_text("utf-8"))
    replay, game = replay_of(recording), recording.by_rules()
    state = game.deal(recording.seats, recording.options, recording.seed)
    for n in range(replay.last + 1):
        assert replay.state(n) == state
        is_beside_kept = n % KEPT_EVERY in {0, 1, KEPT_EVERY - 1}
        if few_or_all(is_beside_kept or n == replay.last, True):
            view, names = replay.view(state), replay.match.names
            seen = cards_in(game.scene(view, names), card_types(game, state))
            in_play = [
                hand for seat, hand in enumerate(getattr(state, "hands", ())) if view.seats[seat].held
            ]
            assert {card for hand in in_play for card in hand} <= seen
        if is_beside_kept:
            assert replay_content(replay, n).picture is not None
        if n < replay.last:
            state = advance(game, state, recording.entries[n])
    assert len(replay.course.stages) == replay.last // KEPT_EVERY + 1


def test_a_substitutes_turn_is_shown_as_the_computer_players() -> None:
    """A substitute's move is the computer player's, and so is the seat until its player moves."""
    replay = replay_of(parse_recording((RECORDINGS / "toad.txt").read_text("utf-8")))
    entries = replay.entries(0, replay.last)
    entries[3:6] = [replace(entry, mover=Mover.STAND_IN) for entry in entries[3:6]]
    replay = Replay(replay.match, replay.game, course(replay.game, replay.match, entries))
    told = {6: "🐸 P1 drew 3♣, discarded 7♥", 9: "P2 drew J♠, discarded J♠", 15: "P1 drew A♠"}
    for n, words in told.items():
        page = replay_content(replay, n)
        assert page.picture is not None
        text = "".join(part.words for part in page.parts if isinstance(part, Text))
        assert f"turn {n // 3} of 60, round 1\n{words}" in text.replace("\ufe0e", "")
        plates = [each for each in page.picture.scene.items if isinstance(each, Plate)]
        assert [each.seat for each in plates if each.computer] == [1] * (n < 15)
        assert f"v:m1:{n + 3}:on" in str(page.parts), "a step is a turn, not a move"


MOMENTS = {
    "toad": {
        145: "P1 has the first toad (turn 50, round 1)",
        154: "P0 says ribit but has no toad (turn 55, round 2)",
        161: "P2 has Toadus Maximus; P1 loses a life; P1 is out; P2 wins the match (turn 60, round 3)",
    },
    "toad-2": {40: "P3 gives up (turn 25, round 1)"},
    "frogger": {5: "P0's frog goes back to the Excuse (turn 2)", 17: "P4 brings frog 1 home (turn 6)"},
    "american_toad": {46: "The first card goes up (move 46)"},
}


@pytest.mark.parametrize("name", MOMENTS)
def test_the_menu_lists_each_key_moment(name: str) -> None:
    """The menu lists each key moment of a recorded match at its move."""
    replay = replay_of(parse_recording((RECORDINGS / f"{name}.txt").read_text("utf-8")))
    options = moment_options(replay)
    found = {int(option.value): f"{option.label} ({option.about})" for option in options}
    assert {n: found.get(n) for n in MOMENTS[name]} == MOMENTS[name]
    assert len(found) <= 12


def durations(picture: bytes) -> list[int]:
    """Return the duration of each frame of a GIF."""
    return [one.info["duration"] for one in ImageSequence.Iterator(Image.open(io.BytesIO(picture)))]


def test_a_film_contains_all_key_moments() -> None:
    """A film contains all key moments, shown longer, even if the match or the film is long."""
    replay = replay_of(parse_recording((RECORDINGS / "toad.txt").read_text("utf-8")))
    moves = moves_of(replay, 0, replay.last)
    assert (len(moves), moves[0], moves[-1]) == (40, 0, 161)
    key = {145, 147, 154, 157, 161}
    assert key <= set(moves)
    moves = few_or_all(tuple(sorted({*key, *moves[::4]})), moves)
    film_ = Film(replay.match, replay.course, moves, four_colours=False, spoken="en")
    whole, shots = film_.compute(), film_.shots()
    assert durations(whole) == [3000 if n in key else 1000 for n in moves]
    for most in few_or_all((len(whole) // 2,), (len(whole) // 2, len(whole) // 4)):
        shorter = durations(film(shots, most))
        assert len(shorter) < len(moves)
        assert shorter.count(3000) == len(key)
    assert len(durations(film(shots[:5], 1))) == 1

    [*_others, (_n, maximus), _won] = [one for one in replay.course.moments if one[0] == replay.last]
    [*toads] = [(n, Highlight("{name} has the first toad")) for n in range(1, 160, 4)]
    course_ = replace(replay.course, moments=tuple(sorted([*toads, (32, maximus)], key=itemgetter(0))))
    long = replace(replay, course=course_)
    assert 32 in moves_of(long, 0, long.last)
    assert len(moment_options(long)) == 12


def test_a_solitaire_replay_skips_hints() -> None:
    """A hint is not a step of a replay."""
    recording = parse_recording((RECORDINGS / "american_toad.txt").read_text("utf-8"))
    entries = [Entry(0, 0, "hint: turn"), *(replace(one, n=one.n + 1) for one in recording.entries[:9])]
    replay = replay_of(replace(recording, entries=tuple(entries)))
    assert replay.last == 10
    page = replay_content(replay, replay.last)
    assert "move 9 of 9" in "".join(part.words for part in page.parts if isinstance(part, Text))


def test_each_frame_names_the_player_to_move() -> None:
    """The text below each picture names the player and the end of the turn, even if it is shortened."""
    replay = replay_of(parse_recording((RECORDINGS / "frogger.txt").read_text("utf-8")))
    names, long = [player.name for player in replay.match.players], 0
    for n in range(1, replay.last + 1, few_or_all(3, 1)):
        [turn] = replay.event_lines(n, replay.view(replay.state(n)), names)
        below = told_below([turn])
        long += below[0].endswith("…")
        assert len(below) <= 3
        assert below[0][:2] == turn.replace("**", "")[:2]
        assert turn.replace("**", "").endswith(below[-1])
    assert long

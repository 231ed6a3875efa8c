"""Recorded matches looked back on: each page is its move's state, and the moments are those known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.engine.scene import Plate
from bot.engine.thinking import Mover
from bot.matches.match import Match, Player, Stage, advance
from bot.matches.replay import KEPT_EVERY, Replay, course
from bot.messages.components import Text
from bot.rendering.drawing import frame, gif
from bot.sessions.errors import TableError
from cogs.replays import MOST_BYTES, Film, moves_of, told_below
from cogs.replays.replay_page import moment_options, replay_content
from tests.contract.walking import cards_in, kinds_of_card
from tests.playthroughs.recording import RECORDINGS, Recording, parse, recordings


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


@pytest.mark.parametrize("path", list(recordings()), ids=lambda path: str(path.stem))
def test_a_match_is_replayed_move_by_move(path: Path) -> None:
    """Each page has the state of its move and every hand in it, whichever state it is folded from."""
    recording = parse(path.read_text("utf-8"))
    replay, game = replay_of(recording), recording.by_rules()
    state = game.deal(recording.seats, recording.options, recording.seed)
    for n in range(replay.last + 1):
        assert replay.state(n) == state
        view, names = replay.view(state), replay.match.names
        seen = cards_in(game.scene(view, names), kinds_of_card(game, state))
        in_play = [
            hand for seat, hand in enumerate(getattr(state, "hands", ())) if view.seats[seat].held
        ]
        assert {card for hand in in_play for card in hand} <= seen
        if n % KEPT_EVERY in {0, 1, KEPT_EVERY - 1}:
            assert replay_content(replay, n).picture is not None
        if n < replay.last:
            state = advance(game, state, recording.entries[n])
    assert len(replay.course.stages) == replay.last // KEPT_EVERY + 1


def test_a_move_is_told_as_whose_it_was() -> None:
    """One that a frog made in a person's place is the frog's, and so is the seat until they move."""
    replay = replay_of(parse((RECORDINGS / "toad.txt").read_text("utf-8")))
    entries = replay.entries(0, replay.last)
    first, second, third, *_later = [each.n for each in entries if each.seat == 0]
    entries[second] = replace(entries[second], mover=Mover.STAND_IN)
    replay = Replay(replay.match, replay.game, course(replay.game, replay.match, entries))
    for n, name in ((first, "P0"), (second, "🐸 P0"), (third, "P0")):
        page = replay_content(replay, n + 1)
        assert page.picture is not None
        told = "".join(part.words for part in page.parts if isinstance(part, Text))
        assert f"**{name}:** `" in told
        plates = [each for each in page.picture.scene.items if isinstance(each, Plate)]
        assert [each.seat for each in plates if each.computer] == [0] * (n == second)


MOMENTS = {
    "toad": {
        145: "P1 has the first toad (round 1, move 145)",
        154: "P0 says ribit, and has no toad (round 2, move 154)",
        161: "P2 has Toadus Maximus; P1 loses a life; P1 is out; P2 wins the match (round 3, move 161)",
    },
    "toad-2": {40: "P3 gives up (round 1, move 40)"},
    "frogger": {5: "P0's frog goes back to the Excuse (move 5)", 17: "P4 brings frog 1 home (move 17)"},
    "american_toad": {46: "The first card goes up (move 46)"},
}


@pytest.mark.parametrize("name", MOMENTS)
def test_key_moments(name: str) -> None:
    """First toads, lost lives, Maximus; frogs sent back and home; cards going up: each at its move."""
    replay = replay_of(parse((RECORDINGS / f"{name}.txt").read_text("utf-8")))
    options = moment_options(replay, 0)
    found = {int(option.value): f"{option.label} ({option.about})" for option in options}
    assert {n: found.get(n) for n in MOMENTS[name]} == MOMENTS[name]
    assert len(found) <= 25


def test_a_moving_picture_keeps_its_limits() -> None:
    """A film ends with its last move, however long it is; one that is too large has fewer frames."""
    replay = replay_of(parse((RECORDINGS / "toad.txt").read_text("utf-8")))
    whole = moves_of(replay, 0, replay.last)
    assert (len(whole), whole[0], whole[-1]) == (80, 0, 161)
    assert replay.round_at(150) == (148, 158)
    with pytest.raises(TableError, match="80 are the most"):
        moves_of(replay, 0, 80, is_exact=True)
    solo = replay_of(parse((RECORDINGS / "american_toad.txt").read_text("utf-8")))
    assert len(moves_of(solo, 0, solo.last)) == 40
    moves = (0, 1, 160, 161)
    film = Film(replay.match, replay.course, moves, four_colours=False, spoken="en")
    assert film.made().startswith(b"GIF")
    names = [player.name for player in replay.match.players]
    made = [frame(replay.game.scene(replay.view(replay.state(n)), names)) for n in moves]
    full = gif(made, MOST_BYTES)
    assert len(gif(made, len(full) - 1)) < len(full)


def test_a_moving_picture_says_who_moves() -> None:
    """Below each picture stands whose turn it was and how it ended, however long the turn."""
    replay = replay_of(parse((RECORDINGS / "frogger.txt").read_text("utf-8")))
    names, long = [player.name for player in replay.match.players], 0
    for n in range(1, replay.last + 1):
        *_before, turn = replay.game.words(replay.game.view(replay.state(n), None), names).story
        below = told_below([turn])
        long += below[0].endswith("…")
        assert len(below) <= 3
        assert below[0][:2] == turn.replace("**", "")[:2]
        assert turn.replace("**", "").endswith(below[-1])
    assert long

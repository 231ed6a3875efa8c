"""The end of a match in picture and words, with ranks, margins and the deciding moment."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.alt_text import describe
from bot.engine.scene import Blank, Podium, Zone
from bot.games.american_toad import GAME as SOLITAIRE
from bot.games.frogger import GAME as FROGGER
from bot.games.frogger import state as pond_state
from bot.games.toad import GAME as TOAD
from bot.games.toad.state import Event, EventType
from tests.games.american_toad.positions import new_position
from tests.games.american_toad.positions import play_moves as walk
from tests.games.frogger import tables as ponds
from tests.games.toad import tables
from tests.games.toad.tables import play_moves

NAMES = ("Ann", "Ben", "Cleo", "Dot")
TOAD_HAND, SHORT_BY_ONE, FAR_OFF = "8H 2D 9S AC", "9H AD 9C", "4D 3S"


def test_toad_players_rank_by_survival() -> None:
    """Players of Toad rank by survival.

    The end shows the last life, the margin and the quickest toad.
    """
    state = tables.new_state(
        TOAD_HAND, SHORT_BY_ONE, FAR_OFF, "4H 4C", lives=(1, 2, 1, 1), stock="5D 6D 5S 6S"
    )
    state = play_moves(TOAD.withdraw(state, 3), "ribit", "end", "end", "deal")
    assert TOAD.places(state) == ()
    state = play_moves(state, "end", "end")
    assert TOAD.places(state) == (1, 1, 3, 4), "the last two were out together and share the first place"
    told = TOAD.words(TOAD.view(state, None), NAMES).turning_points
    assert told[0] == "Ann and Ben lost their last lives in round 2."
    assert told[1].startswith("Closest to a toad: ")

    state = tables.new_state(TOAD_HAND, SHORT_BY_ONE, lives=(1, 1), stock="5D 6D 5S 6S")
    state = play_moves(state, "take 1", "discard 5D", "end", "end", "ribit")
    view = TOAD.view(state, None)
    scene = TOAD.scene(view, NAMES[:2])
    (podium,) = [item for item in scene.items if isinstance(item, Podium)]
    assert [each.crowned for each in podium.standings] == [True, False]
    assert "Place 1: Ann, 1 toad. Place 2: Ben, 1 black spot short." in describe(scene)
    assert TOAD.words(view, NAMES).turning_points == (
        "Ben lost their last life in round 1: 1 black spot short.",
        "Quickest toad: Ann, in turn 2 of round 1.",
    )


def test_toad_results_name_the_decisive_discard_and_leader() -> None:
    """The headline says how Toad was won. The end names the decisive discard and the longest leader."""
    begun = play_moves(TOAD.deal(2, {"lives": 3}, tables.SEED), *["end", "end", "deal"] * 2)
    laid = tables.new_state("TH", "TS 9H", lives=(1, 1), turn=1)
    laid = replace(laid, history=begun.history, round=begun.round)
    assert TOAD.words(TOAD.view(laid, None), NAMES[:2]).turning_points == ()
    state = play_moves(laid, "take nothing", "discard TS", "end", "take discard", "ribit")
    words = TOAD.words(TOAD.view(state, None), NAMES[:2])
    how = "with a Toadus Maximus, with one life left, after losing 2 rounds in a row"
    assert words.headline == f"🏆 Ann wins {how}."
    assert words.turning_points[:3] == (
        "👑 Toadus Maximus: Ann, in round 3.",
        "Ben lost their last life in round 3: 1 red spot short, 10 black spots short.",
        "Ben discarded the card that gave Ann a toad in round 3, and then lost a life.",
    )
    state = play_moves(replace(laid, hands=(tables.parse_cards("TH TS"), ()), turn=0), "ribit")
    assert "discarded" not in "".join(TOAD.words(TOAD.view(state, None), NAMES[:2]).turning_points)
    gave_up = TOAD.words(TOAD.view(TOAD.withdraw(laid, 1), None), NAMES[:2])
    assert "collects the pot" in gave_up.headline, "there is nothing great in that"

    state = tables.new_state(TOAD_HAND, SHORT_BY_ONE, FAR_OFF, lives=(2, 1, 3))
    lost = [(seat, state.lives[seat]) for seat in (0, 1)]
    events = [Event(EventType.DEALT, 0, count=number) for number in range(1, 5)]
    events[1:1] = [Event(EventType.LOST_LIFE, seat, count=lives) for seat, lives in lost]
    state = TOAD.withdraw(TOAD.withdraw(replace(state, history=tuple(events), round=4), 0), 1)
    words = TOAD.words(TOAD.view(state, None), NAMES[:3])
    assert "Longest lead: Cleo, 4 rounds." in words.turning_points


def test_frogger_players_rank_by_frogs_home_then_progress() -> None:
    """Players of Frogger rank by frogs home, then by progress, and a player who gave up is last."""
    state = ponds.new_state(
        "6MW", "9LK", "CM", "2SY", at=["12M +5", "9L +5", "10W +5", ""], market="CL 7SK 5SW 8YK 2WL 9MS"
    )
    state = FROGGER.withdraw(state, 3)
    assert FROGGER.places(state) == ()
    state = ponds.play_moves(state, "play 6MW M from 12M")
    view = FROGGER.view(state, None)
    assert FROGGER.places(state) == (1, 3, 2, 4)
    alt = describe(FROGGER.scene(view, NAMES))
    assert alt.startswith(
        "Ann wins! Place 1: Ann, 6 home. Place 2: Cleo, 5 home. Place 3: Ben, 5 home. "
        "Place 4: Dot, gave up. "
    )
    assert FROGGER.words(view, NAMES).turning_points == ("Cleo was 1 frog short.",)
    assert FROGGER.words(view, NAMES).headline == "🏆 Ann wins: all six frogs are home!"
    home, hit = pond_state.EventType.PLAYED, pond_state.EventType.SENT_BACK
    told = [(home, 2), (home, 2), (hit, 1), (hit, 2), *[(home, 0)] * 6]
    behind = replace(view, history=tuple(pond_state.Event(what, seat) for what, seat in told))
    assert FROGGER.words(behind, NAMES).headline == (
        "🏆 Ann wins after being 2 frogs behind, with no frog sent back: all six frogs are home!"
    )


def test_a_won_deals_picture_has_no_empty_column_or_pile() -> None:
    """A won deal's picture has a crowned frog between the foundations and no empty column or pile."""
    won = walk(new_position("4H|||||||", base=5, heights=(13,) * 4 + (12, 13, 13, 13)), "1 up")
    scene = SOLITAIRE.scene(SOLITAIRE.view(won, 0), NAMES[:1])
    (podium,) = [item for item in scene.items if isinstance(item, Podium)]
    assert [each.crowned for each in podium.standings] == [True]
    cards = [card for item in scene.items if isinstance(item, Zone) for card in item.cards]
    assert len(cards) == 8
    assert Blank.GAP not in cards
    assert "Ann wins" in describe(scene)
    assert "Clubs: complete." in describe(scene)


def test_a_solitaire_path_shows_its_steps_as_icons() -> None:
    """A solitaire's path has an icon for one step or a few.

    It has two lines at most and names no card.
    """
    before = new_position("KC|KC|KC|KC|KC|KC|KC|KC", reserve="2S", stock="9H 9H", redeal=False)
    asked = walk(before, "turn", "undo", "turn", "hint: turn", "peek: turn", "turn")
    over = SOLITAIRE.view(SOLITAIRE.withdraw(asked, 0), None)
    result, way = SOLITAIRE.shared(over)
    assert result == "0 of 104 cards up · 2 moves · 1 undo · 1 hint · 1 peek"
    assert way == "⬜↩️⬜💡👀🟥🏳️"
    won = new_position("4H 3H|||||||", base=5, heights=(13,) * 4 + (11, 13, 13, 13))
    won = walk(replace(won, par=4), *["1 up", "undo"] * 30, "1 up", "1 up")
    result, *lines = SOLITAIRE.shared(SOLITAIRE.view(won, None))
    assert result.startswith("2 under par · 2 moves · 30 undos")
    assert "".join(lines) == "↩️" * 20 + "🟩🏆"
    assert len(lines) == 2

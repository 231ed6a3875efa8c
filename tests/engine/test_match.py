"""Matches as a seed and a journal that are folded into a state."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.errors import IllegalMoveError, RibitError, UnreadableMoveError
from bot.games.toad import GAME
from bot.matches.match import LEAVES, Entry, Match, Player, Stage, advance, fold, opening
from bot.matches.match_type import Purpose

SEED = b"match" * 6
MATCH = Match(
    id="m1",
    game="toad",
    rules_version=1,
    guild_id=None,
    channel_id=5,
    host_id=10,
    players=(Player(10, "Ada"), Player(20, "Bo"), Player(30, "Cy")),
    limit=6,
    options={"lives": 2},
    stage=Stage.PLAYING,
    seed=SEED,
)


def _entries_of(*texts: str) -> list[Entry]:
    """Return entries in the table's notation."""
    entries, state = list[Entry](), opening(GAME, MATCH)
    for n, text in enumerate(texts):
        seat = GAME.to_move(state)
        assert seat is not None
        entries.append(Entry(n, seat, text))
        state = advance(GAME, state, entries[-1])
    return entries


@pytest.mark.parametrize(
    ("options", "purpose", "counts", "is_private"),
    [
        ({"lives": 5}, Purpose.TABLE, True, False),
        ({"deal": 0}, Purpose.SOLITAIRE, True, False),  # as version 1.0.0 stored it
        ({"deal": 8, "par": 90, "daily": 0, "again": 0, "replay": 0}, Purpose.SOLITAIRE, True, False),
        ({"deal": 8, "daily": 20261121, "private": 1}, Purpose.DAILY, True, True),
        ({"deal": 8, "daily": 20261121, "private": 2}, Purpose.DAILY, True, True),
        ({"deal": 8, "daily": 0, "replay": 20261121}, Purpose.ARCHIVE, False, False),
        ({"deal": 8, "again": 1, "replay": 20261121}, Purpose.ARCHIVE, False, False),
        ({"deal": 8, "again": 1}, Purpose.PRACTICE, False, False),
        ({"lives": 5, "again": 1, "private": 1}, Purpose.PRACTICE, False, True),
        ({"lives": 1, "hints": 0, "lesson": 1}, Purpose.LESSON, True, True),
    ],
)
def test_options_include_the_match_type(
    options: dict[str, int], purpose: Purpose, *, counts: bool, is_private: bool
) -> None:
    """The options give a match's purpose, its privacy and whether it counts, as 1.0.0 stored it too."""
    kind = replace(MATCH, options=options).type
    assert (kind.purpose, kind.counts, kind.is_private) == (purpose, counts, is_private)
    assert kind.any_day == options.get("daily", 0) + options.get("replay", 0)
    assert kind.bears_notice is (options.get("private") == 2)
    assert kind.deal == options.get("deal", 0)


def test_a_match_starts_with_the_deal_for_its_players() -> None:
    """The first state is the deal for the match's number of players."""
    assert opening(GAME, MATCH) == GAME.deal(3, {"lives": 2}, SEED)
    assert fold(GAME, MATCH, []) == opening(GAME, MATCH)


def test_opening_a_match_without_a_seed_raises() -> None:
    """A match cannot be folded before the deal."""
    with pytest.raises(ValueError, match="m1"):
        opening(GAME, replace(MATCH, seed=None))


def test_folding_plays_each_entry() -> None:
    """Folding a journal gives the same state as reading and playing its entries one by one."""
    state = opening(GAME, MATCH)
    for text in ("draw", "end", "ribit"):
        state = GAME.play(state, GAME.read(text, state))
    assert fold(GAME, MATCH, _entries_of("draw", "end", "ribit")) == state


def test_folding_handles_seats_that_give_up() -> None:
    """The journal of every game may have a seat's giving up, in or out of turn."""
    journal = _entries_of("draw", "end")
    away = (GAME.to_move(fold(GAME, MATCH, journal)) or 0) - 1
    folded = fold(GAME, MATCH, [*journal, Entry(2, away % 3, LEAVES)])
    assert folded == GAME.withdraw(fold(GAME, MATCH, journal), away % 3)
    assert folded.lives[away % 3] == 0


def test_folding_an_invalid_journal_raises() -> None:
    """An illegal or unreadable entry is never skipped."""
    with pytest.raises(IllegalMoveError):
        fold(GAME, MATCH, [Entry(0, 0, "deal")])
    with pytest.raises(UnreadableMoveError):
        fold(GAME, MATCH, [Entry(0, 0, "hop")])


def test_player_errors_share_a_base_class() -> None:
    """Errors that a player may cause share a base class."""
    assert issubclass(IllegalMoveError, RibitError)
    assert issubclass(UnreadableMoveError, RibitError)
    assert RibitError("No.").sentence == str(RibitError("No.")) == "No."


def test_a_players_seat_is_the_players_index() -> None:
    """A player's seat is the player's index."""
    assert [MATCH.seat_of(user) for user in (10, 20, 30, 40)] == [0, 1, 2, None]
    assert MATCH.names == ("Ada", "Bo", "Cy")


def test_the_repr_of_a_match_hides_its_seed() -> None:
    """The repr of a match does not contain its secret."""
    assert repr(SEED) not in repr(MATCH)
    assert "seed" not in repr(MATCH)


def test_live_stages_occupy_the_channel() -> None:
    """A lobby and a match in play occupy their channel, and finished or stopped matches do not."""
    assert [stage for stage in Stage if stage.is_live] == [Stage.LOBBY, Stage.PLAYING]

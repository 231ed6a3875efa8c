"""The aim of a game, shown to players until they have reached it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games import games
from bot.messages.hand_message import hand_content
from bot.messages.table_message import table_content
from bot.messages.table_view import table_view
from bot.messages.text_mode import turn_in_words
from tests.messages.tables import new_players, new_table, tables_after_leaving, text_of

TOAD = "Exactly 10 red and 10 black spots, then Ribit! J, Q, K count 2."


@pytest.mark.parametrize("key", [key for key, game in games().items() if game.info.hidden_hands])
def test_a_newcomer_sees_the_aim_above_the_hand(key: str) -> None:
    """The last line above the picture is the aim, for the newcomers of a table only."""
    table = new_table(key, new_players("Ann", "Ben"))
    table = replace(table, newcomers=frozenset({table.match.players[0].id}))
    first, *_rest = hand_content(table_view(table, 0)).parts
    assert first.words.split("\n")[-1] == f"🎯 {games()[key].info.aim}"  # type: ignore[union-attr]
    assert "🎯" not in text_of(hand_content(table_view(table, 1)))
    assert "🎯" not in text_of(table_content(table_view(table)))


def test_the_aim_of_solitaire_names_the_base() -> None:
    """The message of a deal has the aim with the rank that foundations begin with."""
    table = new_table("american_toad", new_players("Ann"), {"deal": 1})
    assert "🎯" not in text_of(table_content(table_view(table)))
    table = replace(table, newcomers=frozenset({table.match.host_id}))
    base = table.game.view(table.state, None).base
    rank = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(base, str(base))
    assert f"🎯 Build eight piles up in suit from {rank}." in text_of(table_content(table_view(table)))


def test_the_aim_disappears_after_the_first_toad() -> None:
    """A player whose figures show the first toad has no use for the aim any more."""
    table = new_table("toad", new_players("Ann", "Ben"))
    table = replace(table, newcomers=frozenset(player.id for player in table.match.players))
    tallies = list(table.state.tallies)
    tallies[1] = replace(tallies[1], toads=1)
    table = replace(table, state=replace(table.state, tallies=tuple(tallies)))
    assert TOAD in text_of(hand_content(table_view(table, 0)))
    assert TOAD not in text_of(hand_content(table_view(table, 1)))


def test_a_newcomers_turn_in_text_mode_includes_the_aim() -> None:
    """The aim is part of a turn's short message for screen readers, without its icon."""
    table = new_table("toad", new_players("Ann", "Ben"))
    table = replace(table, newcomers=frozenset(player.id for player in table.match.players))
    seat = table.to_move
    assert seat is not None
    said = text_of(turn_in_words(hand_content(table_view(table, seat)), table_view(table, seat)))
    assert f"\n{TOAD}" in f"\n{said}"


def test_an_eliminated_player_sees_no_aim() -> None:
    """A newcomer who has given up no longer reads the aim, and a remaining newcomer still does."""
    table = new_table("toad", new_players("Ann", "Ben", "Cleo"))
    table = replace(table, newcomers=frozenset(player.id for player in table.match.players))
    table = next(tables_after_leaving(table))
    [out] = {0, 1, 2} - set(table.remaining)
    assert TOAD not in text_of(hand_content(table_view(table, out)))
    assert TOAD in text_of(hand_content(table_view(table, table.remaining[0])))

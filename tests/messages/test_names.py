"""Names in messages never link, mention or format anything, and are distinguishable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.engine.icons import SIGNS
from bot.matches.match import Player
from bot.messages.appearance import Appearance
from bot.messages.channel_access import ChannelAccess
from bot.messages.components import Content
from bot.messages.hand_message import hand_content
from bot.messages.player_names import written_names
from bot.messages.table_message import table_content
from bot.messages.table_view import table_view
from bot.messages.text_mode import IN_WORDS, fitting, turn_in_words, whole_content
from bot.sessions.table_state import AWAY_AFTER, Table
from tests.messages.names import HOSTILE, WITH_EMOJI, live_markup
from tests.messages.tables import (
    alt_of,
    labels_of,
    new_lobby,
    new_players,
    new_table,
    options_of,
    table_after,
    table_after_passes,
    tables_after_leaving,
    text_of,
)

SEATS = 6


def match_tables(names: tuple[str, ...]) -> Iterator[Table]:
    """Yield a match of people of these names from its lobby to its end."""
    players = new_players(*names)
    yield new_lobby("toad", players)
    table = new_table("toad", players, {"lives": 2})
    yield table
    yield table_after(table, "end")
    yield (table := table_after_passes(table))
    yield from tables_after_leaving(table)


def table_contents(table: Table) -> Iterator[Content]:
    """Yield the table and each hand with pictures, without permission for files, and in words."""
    no_files = ChannelAccess(1, 2, attaches=False)
    seats = range(len(table.match.players)) if table.state is not None else ()
    for content in (
        table_content(table_view(table)),
        *(hand_content(table_view(table, seat)) for seat in seats),
    ):
        yield content
        yield fitting(content, no_files)
    yield turn_in_words(table_content(table_view(table), (), IN_WORDS), table_view(table))
    for seat in seats:
        yield turn_in_words(
            hand_content(table_view(table, seat), look=IN_WORDS), table_view(table, seat)
        )
        yield whole_content(table, seat)


@pytest.mark.parametrize("first", range(0, len(HOSTILE), SEATS))
def test_game_messages_escape_names(first: int) -> None:
    """No name has an effect in a lobby, at a table, in a hand, in place of pictures or in words."""
    told = [
        text_of(each)
        for table in match_tables(HOSTILE[first : first + SEATS])
        for each in table_contents(table)
    ]
    assert {text: live_markup(text) for text in told if live_markup(text)} == {}


def test_every_method_of_inserting_a_name_escapes_it() -> None:
    """A ``Name`` in a template, an f-string or a joined list is escaped, and only ``plain`` is not."""
    [name] = written_names([Player(1, "**croak**")])
    escaped = r"\*\*croak\*\*"
    template = "{name} wins"
    assert [template.format(name=name), f"{name} wins"] == [f"{escaped} wins"] * 2
    assert ", ".join(map(str, [name, name])) == f"{escaped}, {escaped}"
    assert name.plain == "**croak**"


@pytest.mark.parametrize("name", HOSTILE)
def test_unescaped_hostile_names_fail_the_check(name: str) -> None:
    """Each name in `HOSTILE` has an effect in an unescaped text, except for three harmless ones."""
    harmless = ("\u200b\u2800", "\\", "{n} {name} %s")
    assert live_markup(name) or name in harmless


def test_the_menu_to_remove_players_shows_distinct_names() -> None:
    """A lobby's menu shows visible, distinct names, as the host removes a player by the name alone."""
    content = table_content(table_view(new_lobby("toad", new_players("Zoe", "Ben", "Ben", "\u3164"))))
    names = ("Ben (somebody2)", "Ben (somebody3)", "somebody4")
    assert [each for each in options_of(content) if "away" in each] == [
        f"Send {name} away" for name in names
    ]


def test_long_names_fit_on_buttons() -> None:
    """An inactive player with one of two equal longest names gets a button for a substitute."""
    players = [Player(each, "W" * 32, user_name=letter * 32) for each, letter in ((1, "a"), (2, "b"))]
    table = new_table("toad", [players[0], replace(players[1], missed=AWAY_AFTER)])
    [label] = [
        label
        for label in labels_of(table_content(table_view(table)))
        if label.startswith("Let a frog play")
    ]
    assert len(label) <= 80
    assert re.search(r"\(b+…$", label), "it is told who that is"


@pytest.mark.parametrize("game", ["toad", "frogger"])
def test_names_omit_emoji_that_no_font_has(game: str) -> None:
    """Words at tables, in hands and at the end omit emoji of a name that no font has."""
    chosen = list(WITH_EMOJI)[: 6 if game == "toad" else 5]
    table = new_table(game, new_players(*chosen))
    *_others, over = tables_after_leaving(table)
    for seat, name in enumerate(chosen):
        for each in (table_content(table_view(table)), hand_content(table_view(table, seat))):
            assert re.search(rf"\b{WITH_EMOJI[name]}(?: \(you\))?:", alt_of(each))
            assert name not in text_of(each) + alt_of(each)
    assert table.to_move is not None
    assert WITH_EMOJI[chosen[table.to_move]] in text_of(table_content(table_view(table)))
    assert f"🏆 {WITH_EMOJI[chosen[-1]]} wins" in text_of(table_content(table_view(over)))


@pytest.mark.parametrize("name", ["7♠︎", "A☀️", "3☀️🪢", "🐸", "🐸 Ann", "①②", "🌊", "K♥︎ Ann"])
def test_names_do_not_turn_into_icons(name: str) -> None:
    """A name does not turn into an icon of a card, a suit or a frog."""
    look = Appearance({sign.name: f"<:{sign.name}:1>" for sign in SIGNS})
    [shown] = written_names([Player(1, name, user_name="ann")])
    assert look.replace_icons(str(shown)) == str(shown)

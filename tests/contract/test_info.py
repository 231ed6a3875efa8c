"""Facts about a game before it is dealt."""

from __future__ import annotations

import re
from pathlib import Path

import bot.games
from bot.engine.alt_text import ALT_TEXT_LIMIT, describe
from bot.engine.game import AnyGame
from bot.engine.translation import _, speaking
from bot.games import default_of, games
from tests.contract.playouts import each_game
from tests.contract.traversal import nested_values
from tests.guests import games_with_guests

MOST_PAGES, PAGE_LIMIT, TITLE_LIMIT = 5, 1300, 20
"""Buttons of one row, and text that a phone shows below a page's picture without much scrolling."""
KEY = re.compile(r"[a-z][a-z_]{0,31}")
DESCRIPTION_LIMIT = 100
ASKED_OF_TABLES = {"seats", "turn"}
"""Options of every multiplayer game's slash command beside the game's own options."""


def test_every_game_package_is_found_by_name() -> None:
    """A folder under ``bot/games`` is a game, found by its own name."""
    here = Path(bot.games.__file__).parent
    assert set(games()) == {page.parent.name for page in here.glob("*/__init__.py")}
    assert games()


@each_game
def test_seat_and_option_bounds_are_valid(game: AnyGame) -> None:
    """Seats and options have bounds in order, and keys are short and unique."""
    info = game.info
    assert info.name.strip() == info.name
    assert info.name
    assert 1 <= info.fewest <= info.most
    assert info.rules_version >= 1
    for option in info.options:
        assert option.least <= option.default <= option.most
        if option.is_yes_or_no:
            assert (option.least, option.most) == (0, 1)
            assert all("{n}" not in words for words in (option.one, option.many))
        else:
            assert "{n}" in option.one
            assert "{n}" in option.many
    for figure in info.figures:
        assert figure.name
    options, figures = [o.key for o in info.options], [f.key for f in info.figures]
    assert len(set(options)) == len(options)
    assert len(set(figures)) == len(figures)
    assert all(KEY.fullmatch(key) for key in (info.key, *options, *figures))
    assert info.hidden_hands is False or info.most > 1
    assert not info.is_solo or game.can_be_left, "who plays alone may always leave"
    hash(info)


@each_game
def test_a_games_slash_command_is_within_discords_limits(game: AnyGame) -> None:
    """A slash command's name, description and options keep Discord's limits."""
    info, asked = game.info, [option for option in game.info.options if option.asks]
    assert KEY.fullmatch(info.command)
    assert len(asked) + len(ASKED_OF_TABLES) <= 25
    assert not {option.key for option in asked} & ASKED_OF_TABLES
    for words in (info.about, *(option.asks for option in asked)):
        assert 0 < len(words) + len(" (default: 999)") <= DESCRIPTION_LIMIT


def test_each_game_has_its_own_command_and_one_is_the_default() -> None:
    """No two games share a slash command, and one game is the default."""
    known = games_with_guests()
    assert len({game.info.command for game in known.values()}) == len(known)
    assert [game for game in known.values() if game.info.is_default] == [default_of(known)]


@each_game
def test_each_rules_page_is_short_with_a_heading(game: AnyGame) -> None:
    """Every game has a few short pages of rules, with headings for their buttons."""
    pages = game.pages()
    assert 1 <= len(pages) <= MOST_PAGES
    assert len({page.title for page in pages}) == len(pages)
    for page in pages:
        assert len(page.text) <= PAGE_LIMIT
        assert len(page.title) <= TITLE_LIMIT
        assert f"## {page.title}" in page.text
        assert not re.search(r"^#{4,}|^\||<[a-z]+>", page.text, re.MULTILINE), "Discord shows no such"


@each_game
def test_each_rules_page_has_a_picture_with_alt_text(game: AnyGame) -> None:
    """A page's picture is frozen data, equal each time, and has an alt text."""
    for page in game.pages():
        scene = page.picture()
        assert list(nested_values(scene))
        assert 0 < len(describe(scene)) <= ALT_TEXT_LIMIT
        assert page.picture() == scene


AIM_WORDS, GERMAN_SHARE = 14, 1.25


@each_game
def test_a_game_states_its_aim_in_one_line(game: AnyGame) -> None:
    """A game has an aim of at most 14 words, in German 25% more, that any view can fill in."""
    info = game.info
    options = {option.key: option.default for option in info.options}
    view = game.view(game.deal(info.fewest, options, bytes(32)), 0)
    for language, most in (("en", AIM_WORDS), ("de", int(AIM_WORDS * GERMAN_SHARE))):
        with speaking(language):
            words = _(info.aim).format(**game.aim_values(view)).split()
        assert 0 < len(words) <= most, words
    assert info.goal in ("", *(figure.key for figure in info.figures))

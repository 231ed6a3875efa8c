"""Icons in words and on labels, which replace their text if the bot has them."""

from __future__ import annotations

from bot.engine.cards import PACK
from bot.engine.translation import speaking
from bot.messages.appearance import Appearance
from tests.messages.icons import EVERY, SPELLED


def test_every_icon_is_found_in_a_text() -> None:
    """Each card, suit and frog is found in a text, alone and beside others."""
    for sign in SPELLED:
        emoji = EVERY.emojis[sign.name]
        assert EVERY.replace_icons(sign.text) == emoji
        assert EVERY.replace_icons(f"**{sign.text}**, 12{sign.text}{PACK[0]}") == (
            f"**{emoji}**, 12{emoji}{EVERY.emojis['ace_clubs']}"
        )


def test_icons_use_four_colours() -> None:
    """With four colours, clubs and diamonds have their own colours in texts and on buttons."""
    four = Appearance(EVERY.emojis, four_colours=True)
    for card in PACK:
        name = EVERY.replace_icons(str(card))
        assert (four.replace_icons(str(card)) != name) == (card.suit.name in ("CLUBS", "DIAMONDS"))


def test_icons_never_make_a_text_too_long() -> None:
    """A text stays without icons if they would exceed a message's 4,000 characters."""
    everything = " ".join(map(str, PACK))
    assert EVERY.replace_icons(everything) == everything
    assert EVERY.emoji_and_label("🌊" * 40, "🌊", None)[1] == "🌊" * 40


def test_icons_replace_only_single_cards_in_labels() -> None:
    """An icon replaces a card that is a word of the label, but not one in a run or the whole label."""
    seven, emoji = str(PACK[6]), EVERY.emojis["7_clubs"]
    assert EVERY.emoji_and_label(f"Take {seven}", seven, None) == (emoji, "Take")
    assert EVERY.emoji_and_label(f"{seven} nehmen", seven, None) == (emoji, "Nehmen")
    assert EVERY.emoji_and_label(f"Take {seven} (discard)", seven, None) == (emoji, "Take (discard)")
    assert EVERY.emoji_and_label(f"Play {seven}, home", seven, None) == (emoji, "Play, home")
    assert EVERY.emoji_and_label(seven, seven, None) == (emoji, seven)
    assert EVERY.emoji_and_label(f"{seven}–{PACK[0]} up", seven, None) == (
        emoji,
        f"{seven}–{PACK[0]} up",
    )
    assert EVERY.emoji_and_label(f"Take {seven}", seven, "💡") == ("💡", f"Take {seven}")
    with speaking(None):
        assert EVERY.emoji_and_label("☀️ from place 3 🌊 to place 5", "☀️", None) == (
            EVERY.emojis["suns"],
            "From place 3 Waves to place 5",
        )
    assert Appearance().emoji_and_label(f"Take {seven}", seven, "🐸") == ("🐸", f"Take {seven}")

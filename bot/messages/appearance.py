"""Look of messages: custom emoji for cards, suits and seats, and the cards' colours.

An icon is the text for a card, a suit or a seat. It can be replaced with a custom emoji.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from bot.engine.decktet import DecktetSuit
from bot.engine.frozen import frozen
from bot.engine.icons import SIGNS
from bot.engine.panel import Choice
from bot.engine.scene import Scene
from bot.engine.spoken_cards import suit_words

LABEL = 80
"""Discord's maximum length of a button label."""

MOST_LETTERS = 2_000
"""Maximum length of a text with custom emoji.

Discord allows 4,000 characters per message, and each custom emoji takes many of them.
"""

_LINE = 4
"""Number of characters to reserve for the markup of a line."""

_PLAIN = {sign.text: sign.name for sign in SIGNS if not sign.four_colours}
_COLOURED = _PLAIN | {sign.text: sign.name for sign in SIGNS if sign.four_colours}

_SUITS = {suit.symbol: suit for suit in DecktetSuit}
_SUIT = re.compile("|".join(map(re.escape, _SUITS)))
_SIGN = re.compile(
    "|".join(re.escape(sign.text) for sign in sorted(SIGNS, key=lambda sign: -len(sign.text)))
)
"""Matches any icon. Longer icons are tried first, so a card is matched as a whole, not by its suit."""

_TEXTS = {sign.name: sign.text for sign in SIGNS}
_EMOJI = re.compile(r"<:([a-z0-9_]+)_ribit[0-9a-f]{6}:\d+>")
"""Matches a custom emoji in a message. The emoji's name ends with a digest of its image."""

_JOINER = "\N{WORD JOINER}"
_INSIDE = re.compile(rf"(?<=[^\s{_JOINER}])(?=<:|{_SUIT.pattern})")
"""Matches the position before a suit or custom emoji that directly follows other text."""


def label_of(words: str) -> str:
    """Return a label, cut to Discord's limit of 80 characters for button labels."""
    return words if len(words) <= LABEL else f"{words[: LABEL - 1]}…"


@frozen
class Appearance:
    """The look of a message: custom emoji or text, card colours, and pictures or words.

    Attributes:
        emojis: The custom emoji in Discord's markup, by the name of the icon that they replace. Empty if
            icons are shown as text.
        four_colours: True if each suit of a standard pack has its own colour.
        totals: True if a choice also states the result of its move, such as the hand's new total.
        as_text: True for text mode. The message then has no pictures, for players with a screen reader.
    """

    emojis: Mapping[str, str] = field(default_factory=dict)
    four_colours: bool = False
    as_text: bool = False
    totals: bool = True

    def emoji_for(self, text: str) -> str | None:
        """Return the custom emoji for an icon, or None if the icon has none."""
        return self.emojis.get((_COLOURED if self.four_colours else _PLAIN).get(text, ""))

    def replace_icons(self, text: str) -> str:
        """Replace the icons in a text with custom emoji.

        If the text would become too long, do not change it.
        """
        if not self.emojis:
            return text
        result = _SIGN.sub(lambda found: self.emoji_for(found[0]) or found[0], text)
        return result if len(result) <= MOST_LETTERS else text

    def words_of(self, choice: Choice) -> str:
        """Return the label of a choice.

        If the player's settings ask for it, include the move's result.
        """
        if not (choice.result and self.totals):
            return choice.label
        return f"{choice.label}: {choice.result}" if self.as_text else choice.brief

    def emoji_and_label(self, label: str, sign: str, emoji: str | None) -> tuple[str | None, str]:
        """Return the emoji and the label of a button or menu option.

        If the emoji shows a card, the label omits that card. Suits in the label are written as words.

        Args:
            label: The full label.
            sign: The icon of the card or suit that the label names, or empty.
            emoji: An emoji that is always shown, or None.
        """
        if not self.emojis:
            whole = unbroken(label)
            return emoji, whole if len(whole) <= LABEL else label
        card_emoji = None if emoji else self.emoji_for(sign)
        short_label = _strip_card(label, sign if card_emoji else "")
        return card_emoji or (self.emoji(emoji) if emoji else None), short_label if len(
            short_label
        ) <= LABEL else label

    def emoji(self, text: str) -> str:
        return self.emoji_for(text) or text

    def recolour(self, scene: Scene) -> Scene:
        return replace(scene, four_colours=True) if self.four_colours else scene


PLAIN = Appearance()
"""Icons as text, and cards in two colours."""


def story_text(lines: Sequence[str], look: Appearance) -> str:
    return look.replace_icons("\n".join(f"-# {line}" for line in fitted_lines(lines)))


def fitted_lines(lines: Sequence[str]) -> list[str]:
    """Shorten the longest lines to a common length, so that all lines fit into one message."""
    longest = max(map(len, lines), default=0)
    while sum(min(len(line), longest) + _LINE for line in lines) > MOST_LETTERS:
        longest -= _LINE
    return [shorten_line(line, longest) for line in lines]


def shorten_line(line: str, most: int) -> str:
    """Cut a line to a maximum number of characters.

    Add an ellipsis, and close a bold passage that was cut.
    """
    if len(line) <= most:
        return line
    short = line[: most - _LINE].rstrip("\\*")
    return short + "…" + ("**" if short.count("**") % 2 else "")


def as_spelled(text: str) -> str:
    """Replace the custom emoji in a text with the icons that they stand for."""
    return _EMOJI.sub(lambda found: _TEXTS.get(found[1], found[0]), text)


def unbroken(text: str) -> str:
    """Prevent line breaks inside the names of cards, between a card's number and its suits."""
    return _INSIDE.sub(_JOINER, text)


def _strip_card(label: str, shown: str) -> str:
    """Remove a card from a label, and write the label's suits as words of the current language."""
    rest = _remove_word(label, shown) if shown else label
    return _SUIT.sub(lambda found: f" {suit_words(_SUITS[found[0]]).title()}", rest).replace("  ", " ")


def _remove_word(label: str, sign: str) -> str:
    """Remove a word from a label. If nothing else would remain, return the label unchanged."""
    match = re.search(rf"(?<!\S){re.escape(sign)}(?=$|[\s,])", label)
    if match is None:
        return label
    rest = " ".join(f"{label[: match.start()]} {label[match.end() :]}".split()).replace(" ,", ",")
    return rest[:1].upper() + rest[1:] if rest.strip(" ,") else label

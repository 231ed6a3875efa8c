"""Names with markup, and the effects that they would have in Discord."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

HOSTILE = (
    "[croak](https://evil.example/x)",
    "https://evil.example/croak",
    "HTTP://evil.example",
    "<https://evil.example>",
    "hop@evil.example",
    "@everyone",
    "@here croak",
    "<@4242424242>",
    "<@!4242424242>",
    "<@&4242424242>",
    "<#4242424242>",
    "</toad start:4242424242>",
    "<t:4242424242:R>",
    "<:croak:4242424242>",
    "<id:customize>",
    "# croak",
    "hop\n## croak",
    "-# croak",
    "- croak",
    "1. croak",
    "> croak",
    ">>> croak",
    "||croak||",
    "**croak**",
    "__croak__ *croak* ~~croak~~",
    "`croak`",
    "```croak```",
    "\u202ekaorc\u2066 hop",
    "c" + "\u0301\u0316" * 14 + "roak",
    "\u200b\u2800",
    "\\",
    "{n} {name} %s",
)
LIVE = (
    re.compile(r"evil\.example"),
    re.compile(r"<(?:@|#|/|t:|:|id:)[^>]*(?:4242|customize)"),
    re.compile(r"@(?:everyone|here)"),
    re.compile(r"(?:\*|__|~~|\|\||`)croak"),
    re.compile(r"^(?:#{1,3}|-#|-|\d+\.|>|>>>) croak", re.MULTILINE),
    re.compile("[\u202a-\u202e\u2066-\u2069]"),
)
BLOCK = re.compile(r"```\n.*?\n```", re.DOTALL)
"""Text for copying, which Discord shows literally."""
ESCAPED = re.compile(r"\\[^0-9A-Za-z\s]")
MOST_MARKS = 4


def live_markup(text: str) -> list[str]:
    """Return the markup in a text that Discord would render because of a name in it."""
    left = ESCAPED.sub("\0", BLOCK.sub("", text))
    marks = [
        len(list(run))
        for is_mark, run in groupby(left, lambda letter: unicodedata.category(letter) == "Mn")
        if is_mark
    ]
    found = [rule.pattern for rule in LIVE if rule.search(left)]
    return found + ["zalgo"] * (max(marks, default=0) > MOST_MARKS)


WITH_EMOJI = {
    "Ann 🇩🇪": "Ann",
    "👨‍👩‍👧 Fam": "Fam",
    "1️⃣ One": "1 One",
    "👍🏽 Thumb": "Thumb",
    "Zoë❤️‍🔥🔥": "Zoë",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿 Lionheart": "Lionheart",
}
"""Emoji such as flags, families, keycaps and skin tones, and the names without them."""

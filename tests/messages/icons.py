"""Every icon as a custom emoji of an application."""

from __future__ import annotations

import re

from bot.engine.icons import SIGNS
from bot.messages.appearance import Appearance

SPELLED = [sign for sign in SIGNS if not sign.four_colours]
CARD = re.compile(r"[♣♦♥♠]|[🌙🌊🍃🐍🪢🐸①②③④⑤]|☀️")
EVERY = Appearance({sign.name: f"<:{sign.name}_ribit00ff00:1234567890123456789>" for sign in SIGNS})

"""What is known of Frogger before it is dealt."""

from __future__ import annotations

from bot.engine.game import Figure, Info
from bot.engine.words import N_

RULES_VERSION = 1

INFO = Info(
    key="frogger",
    name="Frogger (for the Decktet)",
    about="Frogger, a race with the Decktet for 2 to 5",
    fewest=2,
    most=5,
    options=(),
    figures=(Figure("home", N_("Frogs home")), Figure("sent", N_("Sent back"))),
    rules_version=RULES_VERSION,
    hidden_hands=True,
)

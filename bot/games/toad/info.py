"""What is known of Toad before it is dealt."""

from __future__ import annotations

from bot.engine.game import Figure, Info, Option, yes_or_no
from bot.engine.words import N_

RULES_VERSION = 2
COUNT = "count"
"""The option *Count for me*. Matches that were dealt before there was one do not have it: it is on."""

INFO = Info(
    key="toad",
    name="Toad",
    about="Toad, a card game for 2 to 6",
    is_default=True,
    fewest=2,
    most=6,
    options=(
        Option(
            "lives",
            "{n} life",
            "{n} lives",
            default=3,
            least=1,
            most=5,
            asks="How many lives each player starts with",
        ),
        yes_or_no(
            COUNT,
            N_("spots are counted"),
            N_("everybody counts their own spots"),
            default=1,
            asks="Count for me: hands show their spots, and a wrong Ribit asks first",
        ),
    ),
    figures=(
        Figure("pot", N_("Pot")),
        Figure("toads", N_("Toads")),
        Figure("maximus", N_("Toadus Maximus")),
        Figure("survived", N_("Rounds survived")),
    ),
    rules_version=RULES_VERSION,
    hidden_hands=True,
)

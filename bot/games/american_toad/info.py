"""What is known of American Toad before it is dealt."""

from __future__ import annotations

from bot.engine.game import Figure, Info, Option, yes_or_no
from bot.engine.words import N_
from bot.games.american_toad.state import MOST_DEALS

RULES_VERSION = 1
MOST_PAR = 9_999
LAST_DAY = 9999_12_31

INFO = Info(
    key="american_toad",
    name="American Toad Solitaire",
    called="solitaire",
    about="American Toad Solitaire, for one",
    fewest=1,
    most=1,
    options=(
        Option(
            "deal",
            "deal {n}",
            "deal {n}",
            default=0,
            least=0,
            most=MOST_DEALS,
            asks="The number of a deal, so that friends can play the same",
            by_lot=True,
        ),
        yes_or_no(
            "any",
            N_("any deal"),
            N_("a deal that can be won"),
            default=0,
            asks="Whether it may be a deal that cannot be won",
        ),
        Option("par", "par {n}", "par {n}", default=0, least=0, most=MOST_PAR),
        Option("daily", "day {n}", "day {n}", default=0, least=0, most=LAST_DAY),
    ),
    figures=(
        Figure("up", N_("Cards up")),
        Figure("moves", N_("Moves")),
        Figure("undos", N_("Undos")),
    ),
    rules_version=RULES_VERSION,
    hidden_hands=False,
)

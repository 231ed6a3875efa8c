"""Options, dealing, results and statistics of American Toad."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.engine.cards import Card
from bot.engine.game import GameOption, Info, Statistic, yes_or_no
from bot.engine.shuffle import lot
from bot.engine.translation import N_
from bot.games.american_toad import card_moves, rules
from bot.games.american_toad.lesson import lesson_deal
from bot.games.american_toad.state import FULL, MOST_DEALS, AllUp, State, Turn
from bot.games.american_toad.view import outcome
from bot.matches.match_type import MatchType

PICTURES = 3
"""The number of pictures that animate an automatic finish. The final picture is not counted."""


def deal(_seats: int, options: Mapping[str, int], seed: bytes) -> State:
    """Return the first state of a match with the given options (A1).

    If the option ``deal`` is 0, the deal number is derived from the seed. Matches of earlier versions
    may lack some options.
    """
    kind = MatchType.parse(options)
    if kind.is_lesson:
        return lesson_deal()
    state = rules.open_deal(kind.deal or 1 + lot(MOST_DEALS, seed, "deal number"))
    return replace(state, day=kind.any_day, par=kind.par, again=not kind.counts)


def to_move(state: State) -> int | None:
    return 0 if outcome(state) is None else None


def remaining(state: State) -> tuple[int, ...]:
    return (0,) if outcome(state) is None else ()


def tally(state: State) -> tuple[Mapping[str, int], ...]:
    up = sum(state.position.heights)
    helped = state.hints + state.peeks
    full = sum(height == FULL for height in state.position.heights)
    return ({"up": up, "moves": state.moves, "undos": state.undos, "helped": helped, "full": full},)


def unfolding(before: State, after: State) -> tuple[State, ...]:
    """Return the intermediate states that animate a move with which the player wins the deal (A12).

    Return an empty tuple if the move does not win the deal.
    """
    if not after.position.is_won:
        return ()
    passed = list(card_moves.going_up(before.position))
    while passed[-1].stock:
        passed += card_moves.going_up(card_moves.apply_move(passed[-1], Turn()))
    steps = len(passed) - 1
    indices = sorted({steps * part // (PICTURES + 1) for part in range(1, PICTURES + 1)} - {0})
    return tuple(
        replace(before, position=replace(passed[step], last=AllUp()), before=before.position, told=None)
        for step in indices
    )


def every_card(state: State) -> tuple[Card, ...]:
    position = state.position
    columns = [card for column in position.columns for card in column]
    founded = card_moves.foundation_cards(position.base, position.heights)
    return (*founded, *position.reserve, *columns, *position.stock, *position.waste)


RULES_VERSION = 1
MOST_PAR = 9_999
LAST_DAY = 9999_12_31

INFO = Info(
    key="american_toad",
    name="American Toad Solitaire",
    called="solitaire",
    about="American Toad Solitaire, a card game for one",
    aim=N_("Build eight piles up in suit from {rank}."),
    goal="full",
    fewest=1,
    most=1,
    options=(
        GameOption(
            "deal",
            "deal {n}",
            "deal {n}",
            default=0,
            least=0,
            most=MOST_DEALS,
            asks="The number of a deal, to play the same one as your friends",
            by_lot=True,
        ),
        yes_or_no(
            "any",
            N_("any deal"),
            N_("a deal that can be won"),
            default=0,
            asks="Allow deals that can't be won",
        ),
        GameOption("par", "par {n}", "par {n}", default=0, least=0, most=MOST_PAR),
        GameOption("daily", "day {n}", "day {n}", default=0, least=0, most=LAST_DAY),
        GameOption("again", "again {n}", "again {n}", default=0, least=0, most=1),
        GameOption("replay", "replay {n}", "replay {n}", default=0, least=0, most=LAST_DAY),
    ),
    figures=(
        Statistic("up", N_("Cards up")),
        Statistic("moves", N_("Moves")),
        Statistic("undos", N_("Undos")),
        Statistic("helped", N_("Help")),
        Statistic("full", N_("Foundations filled"), is_on_boards=False),
    ),
    rules_version=RULES_VERSION,
    hidden_hands=False,
)

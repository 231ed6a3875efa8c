"""Functions that play solitaire in the bot harness with the table's buttons and menus."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from bot.games import games
from bot.games.american_toad.rules import open_deal
from bot.games.american_toad.solver import DEAL_NODES, best_line
from bot.games.american_toad.state import write
from tests.discord.bot_harness import BotHarness, Person, Seen, ephemeral_reply, response_of
from tests.discord.known_deals import WINNING_LINES, winning_line

SOLITAIRE = games()["american_toad"]
STUCK_DEAL = 14
WASTING = ("Turn until it fits", "Redeal")
"""Beginnings of the labels of the buttons that a careless player presses whenever possible."""
HINT_MARK = re.compile(r"(, | \()hint: [^,)]*\)?")


@cache
def winning_moves(number: int) -> list[str]:
    """Return the moves of the shortest known solution to a deal."""
    if number in WINNING_LINES:
        return winning_line(number)
    return [write(move) for move in best_line(open_deal(number).position, nodes=DEAL_NODES)]


async def play_move(place: BotHarness, person: Person, text: str) -> None:
    """Make a move with its button or, if it has no button, with the menu.

    ``text`` is the move in the game's notation.
    """
    table = place.table
    match_id = table.custom_ids[0].split(":")[1]
    live = await place.stored(match_id)
    choices = SOLITAIRE.panel(SOLITAIRE.view(live.state, 0)).choices()
    choice = next(choice for choice in choices if SOLITAIRE.write(choice.move) == text)
    if choice.label in table.labels:
        await person.press(choice.label)
        return
    menu = next(custom_id for custom_id in table.custom_ids if custom_id.endswith(":t:"))
    result = await person.actor.select(table.message, [choice.key], custom_id=menu)
    assert result.acknowledged


async def play_without_clicks(place: BotHarness, _person: Person, moves: Sequence[str]) -> None:
    """Make moves without clicks, and update the table's message only after the last move.

    ``moves`` are in the game's notation.
    """
    left = iter(moves)

    def choose(state: Any) -> tuple[str] | None:
        if (text := next(left, None)) is None:
            return None
        choices = SOLITAIRE.panel(SOLITAIRE.view(state, 0)).choices()
        return (next(choice.key for choice in choices if SOLITAIRE.write(choice.move) == text),)

    await place.play_ahead(choose, in_public=True)


async def play_hint(place: BotHarness, person: Person) -> None:
    """Make the move that the bot's hint suggests."""
    state = (await place.stored(place.table.match_id)).state
    await play_move(place, person, SOLITAIRE.write(state.told.move))


def table_layout(place: BotHarness) -> str:
    """Return the part of the table's alt text that describes the layout of the cards."""
    return layout_text(place.table.alt)


def layout_text(alt: str) -> str:
    """Return the part of an alt text that describes the layout of the cards.

    The latest events and the hint are left out.
    """
    return HINT_MARK.sub("", alt[alt.index("Deal ") :]).replace(")", "")


async def deal_number_and_par(place: BotHarness) -> tuple[int, int]:
    """Return the number and par of the deal at the table."""
    options = (await place.stored(place.table.match_id)).match.options
    return options["deal"], options["par"]


def shown_answer(place: BotHarness) -> str:
    """Return the bot's answer to the player's question, as the table shows it after 💡."""
    return next(line for line in place.table.text.split("\n") if "💡" in line).partition("💡 ")[2]


_WAYS_TO_BE_STUCK: dict[int, tuple[list[str], list[str]]] = {}
"""For each deal, the moves until it is stuck, and the layout of the cards after each move."""


async def play_until_stuck(place: BotHarness, person: Person) -> list[str]:
    """Play carelessly until the deal is stuck, and return the layout after each move.

    The first test that plays a deal presses the buttons. Later tests make the same moves without clicks.
    """
    number, _par = await deal_number_and_par(place)
    if number in _WAYS_TO_BE_STUCK:
        moves, moments = _WAYS_TO_BE_STUCK[number]
        await play_without_clicks(place, person, moves)
        return moments
    moves, moments = [], [table_layout(place)]
    while "Where was it lost?" not in place.table.labels:
        wasting = (label for label in place.table.labels if label.startswith(WASTING))
        label = next(wasting, place.table.labels[0])
        state = (await place.stored(place.table.match_id)).state
        choices = SOLITAIRE.panel(SOLITAIRE.view(state, 0)).choices()
        moves.append(next(SOLITAIRE.write(each.move) for each in choices if each.label == label))
        await person.press(label)
        moments.append(table_layout(place))
    _WAYS_TO_BE_STUCK[number] = moves, moments
    return moments


async def give_up_with_review(place: BotHarness, person: Person) -> Seen:
    """Give up the deal, ask where it was lost, and return the ephemeral answer."""
    await person.press("Give up", response_of(await person.press("Give up")))
    return ephemeral_reply(await person.press("Where was it lost?"))


async def win_deal(place: BotHarness, person: Person) -> int:
    """Win the table's deal and return the deal's number."""
    [last] = await play_until_nearly_won(place, person, left=1)
    number, _par = await deal_number_and_par(place)
    await play_move(place, person, last)
    return number


async def play_until_nearly_won(place: BotHarness, person: Person, left: int = 6) -> list[str]:
    """Play the table's deal until ``left`` moves are left, and return these moves."""
    number, _par = await deal_number_and_par(place)
    moves = winning_moves(number)
    await play_move(
        place, person, moves[0]
    )  # a private message can be edited for 15 minutes after a click
    await play_without_clicks(place, person, moves[1:-left])
    return moves[-left:]


async def give_up(person: Person) -> None:
    """Give up the table's deal and confirm it."""
    await person.press("Give up", response_of(await person.press("Give up")))


async def open_results_of_today(person: Person) -> Seen:
    """Open the results of today's deal in an ephemeral message, and return it."""
    return ephemeral_reply(
        await person.press("Results", response_of(await person.slash("leaderboard", board="daily")))
    )


async def solitaire_lines(person: Person) -> list[str]:
    """Return the lines about solitaire in the user's profile."""
    lines = response_of(await person.slash("profile")).text.splitlines()
    told = [line.removeprefix("-# ").removeprefix("American Toad Solitaire: ") for line in lines]
    return [line for line in told if "match" in line or "📅" in line]

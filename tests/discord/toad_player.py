"""Functions that play Toad in the bot harness with a simple strategy.

A test chooses in which message the buttons are pressed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.games import games
from bot.games.toad.state import Move, Phase, State, count_spots
from bot.messages.appearance import PLAIN
from tests.discord.bot_harness import MENU, BotHarness, Person, Seen, response_of

TOAD = games()["toad"]
SHORT_MATCH = bytes([19]) * 32
"""Seed of a short match. Two players with one life each play 21 moves, with moves of every type."""
WAYS = ("table", "dm", "hand")
"""The messages in which a player's buttons can be: the table, a DM, or the answer to *My hand*."""


def clever_move(state: State) -> Move:
    """Return the move that takes the hand closest to a toad, or declare a toad if the hand is one.

    A toad is a hand with exactly 10 red and 10 black spots. If no move improves the hand, draw a card or
    end the turn.
    """
    written: dict[str, Move] = {TOAD.write(move): move for move in TOAD.legal_moves(state)}

    def distance(after: State) -> int:
        red, black = count_spots(after.hands[state.turn])
        return abs(10 - red) + abs(10 - black) + 3 * max(red - 10, 0) + 3 * max(black - 10, 0)

    def closest(start: str) -> Move:
        moves = [move for text, move in written.items() if text.startswith(start)]
        return min(moves, key=lambda move: distance(TOAD.play(state, move)))

    if distance(state) == 0:
        return written["ribit"]
    if state.phase is Phase.CLAIM:
        return written["end"]
    if state.phase is Phase.DISCARD:
        worst = closest("discard")
        return worst if distance(TOAD.play(state, worst)) < distance(state) else written["end"]
    taken = closest("take")
    return taken if distance(TOAD.play(state, taken)) < distance(state) else written["draw"]


async def true_state(place: BotHarness) -> State:
    """Return the true state of the table's match, which the strategy needs."""
    state = (await place.stored(place.table.match_id)).state
    assert isinstance(state, State)
    return state


def label_of(state: State, move: Move) -> str:
    """Return the label of the button with which the player to move makes a move."""
    panel = TOAD.panel(TOAD.view(state, state.turn))
    return next(PLAIN.words_of(choice) for choice in panel.choices() if choice.move == move)


async def message_with_button(place: BotHarness, person: Person, label: str, way: str) -> Seen:
    """Return the message in which a player can press the button with this label.

    ``way`` is one of ``WAYS``. If the table does not have the button, the message is the player's DM.
    """
    if way == "table" and label in place.table.labels:
        return place.table
    if way != "hand":
        await person.move_hand_to_dm()
    seen = response_of(await person.press("My hand")) if way == "hand" else person.dm
    assert label in seen.labels
    return seen


async def make_next_move(
    place: BotHarness,
    people: list[Person],
    way: str = "dm",
    meanwhile: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Make the next move in the match.

    ``meanwhile`` is awaited after the button was found and before it is clicked.
    """
    state = await true_state(place)
    person = people[state.turn]
    label = label_of(state, clever_move(state))
    seen = await message_with_button(place, person, label, way)
    if meanwhile is not None:
        await meanwhile()
    await person.send(seen, seen.custom_id(label))


async def is_between_rounds(place: BotHarness) -> bool:
    """Return whether the round is over and the next one is about to be dealt."""
    return (await true_state(place)).phase is Phase.DEAL


def is_over(place: BotHarness) -> bool:
    """Return whether the match has ended."""
    return "Rematch" in place.table.labels


def computer_menu_id(seen: Seen) -> str:
    """Return the custom_id of the menu with which a lobby adds computer players."""
    return next(str(part["custom_id"]) for part in seen._parts(MENU))

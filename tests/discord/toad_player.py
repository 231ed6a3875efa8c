"""Plays Toad in the bot harness with a simple strategy, by the buttons that a test chooses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.games import games
from bot.games.toad.state import Move, Phase, State, count_spots
from bot.messages.appearance import PLAIN
from tests.discord.bot_harness import MENU, BotHarness, Person, Seen, shown

TOAD = games()["toad"]
SHORT_MATCH = bytes([19]) * 32
"""Deals a match of two with one life each, in 21 moves of every kind, to players who can count."""
WAYS = ("table", "dm", "hand")
"""The places of a player's buttons: at the table, in the DMs or in the panel of My hand."""


def clever_move(state: State) -> Move:
    """Return a move towards ten and ten, and the declaration when the hand is complete."""
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
    """Return the state behind the table, for the strategy."""
    state = (await place.stored(place.table.match_id)).state
    assert isinstance(state, State)
    return state


def label_of(state: State, move: Move) -> str:
    """Return the label of the button that plays a move in a player's own panel."""
    panel = TOAD.panel(TOAD.view(state, state.turn))
    return next(PLAIN.words_of(choice) for choice in panel.choices() if choice.move == move)


async def control(place: BotHarness, person: Person, label: str, way: str) -> Seen:
    """Return the message in which this player can press this button now, if there is one."""
    if way == "table" and label in place.table.labels:
        return place.table
    if way != "hand":
        await person.look_in_dm()
    seen = shown(await person.press("My hand")) if way == "hand" else person.dm
    assert label in seen.labels
    return seen


async def step(
    place: BotHarness,
    people: list[Person],
    way: str = "dm",
    meanwhile: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Make the next move. ``meanwhile`` runs between reading the button and clicking it."""
    state = await true_state(place)
    person = people[state.turn]
    label = label_of(state, clever_move(state))
    seen = await control(place, person, label, way)
    if meanwhile is not None:
        await meanwhile()
    await person.send(seen, seen.custom_id(label))


async def is_between_rounds(place: BotHarness) -> bool:
    """Return whether the table is about to deal the next round automatically."""
    return (await true_state(place)).phase is Phase.DEAL


def is_over(place: BotHarness) -> bool:
    """Return whether the match has ended."""
    return "Rematch" in place.table.labels


def menu_of(seen: Seen) -> str:
    """Return the custom_id of a lobby's menu of computer players."""
    return next(str(part["custom_id"]) for part in seen._parts(MENU))

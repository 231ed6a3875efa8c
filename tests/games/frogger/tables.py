"""Tables of Frogger laid out card by card, and moves and frogs in the game's own notation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine.decktet import BASIC, PAWNS
from bot.engine.panel import Panel
from bot.engine.scene import Face
from bot.games.frogger import GAME
from bot.games.frogger.state import FROGS, Event, EventType, Frogs, Space, State
from tests.decktet import decktet_cards_of

SEED = b"frogger!" * 4
CORRIDOR = "2MK 7ML PMYK AS 3LY PWLY CW 6SY PMSL 9WY PSWK 8MS"
"""The corridor of the tables here.

Moons are on its cards 1 2 3 9 12, Suns on 4 8 9 11 12, Waves on 6 7 10 11, Leaves on 2 5 6 9, Wyrms on 3
5 6 8 10 and Knots on 1 3 11.
"""
FULL_DECK = (*BASIC, *PAWNS)


def joined_codes(some: Iterable[Face]) -> str:
    """Return cards as text."""
    return " ".join(card.code for card in some)


def _parse_frogs(text: str) -> Frogs:
    """Return frogs from a text such as ``2L 3Y +1``.

    It means one frog home and the others on the Excuse.
    """
    words = text.split()
    path = sorted(Space(int(word[:-1]) - 1, word[-1]) for word in words if not word.startswith("+"))
    home = sum(int(word) for word in words if word.startswith("+"))
    return Frogs(start=FROGS - home - len(path), home=home, path=tuple(path))


def frog_spaces(state: State, seat: int = 0) -> str:
    """Return the spaces of a seat's frogs in the notation of ``table``, without those on the Excuse."""
    held = state.frogs[seat]
    assert held.start + held.home + len(held.path) == FROGS, "six frogs"
    path = [f"{space.place + 1}{space.letter}" for space in held.path]
    return " ".join([*path, *([f"+{held.home}"] if held.home else [])])


def new_state(
    *hands: str,
    at: Sequence[str] = (),
    market: str = "",
    draw: str | None = None,
    discards: str = "",
    known: str = "",
    turn: int = 0,
    done: int = 0,
    keeper: int | None = None,
    corridor: str = CORRIDOR,
) -> State:
    """Return a match with these hands, and frogs ``at`` these spaces, at an action of a turn.

    The cards not named are the draw pile. If ``draw`` is given, they are the bottom of the discards, or
    in the hand of the ``keeper``. ``known`` are the cards that all players saw taken.
    """
    held = [decktet_cards_of(hand) for hand in hands]
    laid, shop, pile, seen = map(decktet_cards_of, (corridor, market, discards, known))
    named = {
        *laid,
        *shop,
        *pile,
        *decktet_cards_of(draw or ""),
        *(card for hand in held for card in hand),
    }
    rest = tuple(card for card in BASIC if card not in named)
    if draw is not None and keeper is None:
        pile += rest
    elif draw is not None and keeper is not None:
        held[keeper] += rest
    state = State(
        seed=SEED,
        corridor=laid,
        frogs=tuple(_parse_frogs(at[seat] if seat < len(at) else "") for seat in range(len(hands))),
        hands=tuple(held),
        known=tuple(frozenset(card for card in hand if card in seen) for hand in held),
        market=shop,
        draw=rest if draw is None else decktet_cards_of(draw),
        discards=pile,
        turn=turn,
        done=done,
        sent=(0,) * len(hands),
    )
    assert sorted(joined_codes(GAME.every_card(state)).split()) == sorted(
        joined_codes(FULL_DECK).split()
    )
    spaces = [space for each in state.frogs for space in each.path]
    assert len(set(spaces)) == len(spaces), "one frog a space"
    assert all(space.suit in laid[space.place].suits for space in spaces), "frogs stand on symbols"
    return state


def play_moves(state: State, *texts: str) -> State:
    """Return the state after moves given as text."""
    for text in texts:
        state = GAME.play(state, GAME.read(text, state))
    return state


def legal_move_texts(state: State) -> list[str]:
    """Return the legal moves as text."""
    return [GAME.write(move) for move in GAME.legal_moves(state)]


def seat_and_action_count(state: State) -> tuple[int, int]:
    """Return the seat to move and its number of finished actions."""
    return state.turn, state.done


def event_types(state: State) -> list[EventType]:
    """Return the latest events, oldest first."""
    return [event.what for event in state.events]


def last_event(state: State, what: EventType) -> Event:
    """Return the last event of a kind."""
    return next(event for event in reversed(state.events) if event.what is what)


def panel_at(state: State, *path: str, viewer: int | None = 0) -> Panel:
    """Return a viewer's panel after these steps."""
    return GAME.panel(GAME.view(state, viewer), path)


def options_at(state: State, *path: str, viewer: int | None = 0) -> dict[str, tuple[str, str]]:
    """Return the key of each choice at a step, its label, and the move that it plays, if any."""
    return {
        choice.key: (choice.label, GAME.write(choice.move) if choice.move else "")
        for choice in panel_at(state, *path, viewer=viewer).choices()
    }

"""Splash, in which the highest card makes the splash.

The player with the most splashes wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from bot.engine.cards import PACK, Card, card_of, cards_of
from bot.engine.errors import IllegalMoveError, UnreadableMoveError
from bot.engine.frozen import frozen
from bot.engine.game import Game, GameOption, Info, Outcome, Statistic, Viewer, Words
from bot.engine.panel import Buttons, Choice, Panel
from bot.engine.rules_pages import rules_pages
from bot.engine.scene import Plate, Scene, Zone
from bot.engine.shuffle import shuffle_items


@frozen
class Jump:
    card: Card


@frozen
class State:
    """The state of Splash.

    ``pond`` has the cards of the current jumps by seat, and ``out`` has every card that left a hand.
    """

    hands: tuple[tuple[Card, ...], ...]
    splashes: tuple[int, ...]
    turn: int = 0
    pond: tuple[tuple[int, Card], ...] = ()
    out: tuple[Card, ...] = ()
    last: tuple[int, Card] | None = None


def card_rank_key(card: Card) -> tuple[int, str]:
    return card.rank, card.suit.value


def deal(seats: int, options: Mapping[str, int], seed: bytes) -> State:
    pack, size = shuffle_items(PACK, seed, "deal"), options["cards"]
    hands = (pack[size * seat : size * (seat + 1)] for seat in range(seats))
    return State(tuple(tuple(sorted(hand, key=card_rank_key)) for hand in hands), (0,) * seats)


def legal_moves(state: State) -> tuple[Jump, ...]:
    return tuple(map(Jump, state.hands[state.turn]))


def play(state: State, jump: Jump) -> State:
    if jump not in legal_moves(state):
        raise IllegalMoveError("You cannot jump with that now.")
    hands, pond = list(state.hands), (*state.pond, (state.turn, jump.card))
    hands[state.turn] = tuple(card for card in hands[state.turn] if card != jump.card)
    state = replace(state, hands=tuple(hands), out=(*state.out, jump.card), pond=pond)
    if len(pond) < len(hands):
        return replace(state, turn=(state.turn + 1) % len(hands))
    seat, card = max(pond, key=lambda jumped: card_rank_key(jumped[1]))
    splashes = tuple(count + (place == seat) for place, count in enumerate(state.splashes))
    return replace(state, splashes=splashes, turn=seat, pond=(), last=(seat, card))


def outcome(state: State) -> Outcome | None:
    most = max(state.splashes)
    winners = tuple(seat for seat, count in enumerate(state.splashes) if count == most)
    return None if any(state.hands) or state.pond else Outcome(winners)


def read(text: str, _state: State) -> Jump:
    card = card_of(text.removeprefix("jump ")) if text.startswith("jump ") else None
    if card is None:
        raise UnreadableMoveError("That is no move of Splash.")
    return Jump(card)


@frozen
class View:
    turn: int
    is_mine: bool
    hand: tuple[Card, ...]
    pond: tuple[tuple[int, Card], ...]
    held: tuple[int, ...]
    splashes: tuple[int, ...]
    last: tuple[int, Card] | None
    outcome: Outcome | None


def view(state: State, viewer: Viewer) -> View:
    ended, hand = outcome(state), () if viewer is None else state.hands[viewer]
    is_mine, held = viewer == state.turn and ended is None, tuple(map(len, state.hands))
    return View(state.turn, is_mine, hand, state.pond, held, state.splashes, state.last, ended)


def scene(view: View, names: Sequence[str]) -> Scene:
    plates = (
        Plate(seat, name, 0.1 + 2.3 * seat, 0.1, 2.2, 1.2, held=view.held[seat], counted=f"{n} made")
        for seat, (name, n) in enumerate(zip(names, view.splashes, strict=True))
    )
    pond = Zone("Pond", 0.1, 1.8, tuple(card for _seat, card in view.pond))
    return Scene(9.4, 5.4, (Zone("Your hand", 0.1, 3.8, view.hand), pond, *plates))


def panel(view: View, path: tuple[str, ...] = ()) -> Panel:
    cards = enumerate(view.hand, 1) if view.is_mine and not path else ()
    choices = tuple(Choice(f"h{place}", f"Jump with {card}", Jump(card)) for place, card in cards)
    return Panel((Buttons(choices),)) if choices else Panel()


def words(view: View, names: Sequence[str]) -> Words:
    story = (f"{names[view.last[0]]} made a splash with {view.last[1]}.",) if view.last else ()
    if view.outcome:
        return Words(f"{', '.join(names[seat] for seat in view.outcome.winners)} won!", story)
    return Words("Jump!" if view.is_mine else f"{names[view.turn]} jumps.", story)


INFO = Info(
    key="splash",
    name="Splash",
    about="Splash, who jumps in highest, for 2 to 4",
    aim="Jump in with your highest card.",
    goal="splashes",
    how="Pick a card. All jump at once. The highest card splashes.",
    fewest=2,
    most=4,
    options=(GameOption("cards", "{n} card", "{n} cards", 3, 1, 5, asks="How many cards each gets"),),
    figures=(Statistic("splashes", "Splashes"),),
    rules_version=1,
    hidden_hands=True,
)
SPLASH = Scene(4.0, 2.0, (Zone("The king splashes", 0.1, 0.4, cards_of("KS 9H 2C")),))
GAME = Game[State, Jump, View](
    info=INFO,
    deal=deal,
    to_move=lambda state: None if outcome(state) else state.turn,
    legal_moves=legal_moves,
    play=play,
    remaining=lambda state: () if outcome(state) else tuple(range(len(state.hands))),
    outcome=outcome,
    tally=lambda state: tuple({"splashes": count} for count in state.splashes),
    every_card=lambda state: (*(card for hand in state.hands for card in hand), *state.out),
    view=view,
    scene=scene,
    panel=panel,
    words=words,
    pages=partial(rules_pages, __name__, [lambda: SPLASH] * 3),
    write=lambda jump: f"jump {jump.card.code}",
    read=read,
)

"""The steps of a move in Frogger: few clicks, and what a click will do stands on its button.

A legal move is a row of steps, such as *which card*, then *which suit and frog*. A step at which
nothing is left to choose is taken by itself; only where frogs would be sent back, it is asked first.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import assert_never

from bot.engine.decktet import DecktetCard
from bot.engine.panel import Buttons, Choice, Menu, Panel, Tone
from bot.engine.values import frozen
from bot.engine.words import N_, _
from bot.games.frogger.rules import may_take
from bot.games.frogger.state import Back, EndTurn, Move, Play, Space, Take
from bot.games.frogger.view import Landing, View
from bot.games.frogger.words import cards_text, marks, origin_text, space_text, target_text

ROW_SIZE = 5
MENU_SIZE = 25
MOST_BUTTONS = 10
MORE = "more"


class Kind(Enum):
    """What is chosen at a step."""

    CARD = "card"
    FROG = "frog"
    SURE = "sure"
    BACK = "back"
    BACK_FROG = "back frog"
    LANDING = "landing"
    TAKE = "take"
    END = "end"


_NOTES = {
    Kind.SURE: N_("This sends every other frog on that card back to the Excuse. Play it?"),
    Kind.BACK_FROG: N_("Which frog moves back? It lands on the nearest card behind it that has room."),
    Kind.LANDING: N_("Which symbol does it land on?"),
}
"""What is to be known at a step whatever the cards are."""


@frozen
class _Step:
    kind: Kind
    key: str
    label: str
    tone: Tone = Tone.MAIN


@frozen
class _Option:
    """A move, and the steps of choosing it that are still to come."""

    steps: tuple[_Step, ...]
    move: Move


def panel(view: View, path: tuple[str, ...] = ()) -> Panel:
    """Return the choices of the seat to move; the public's leave out the cards of the hand (F4)."""
    if view.viewer is not None and not view.is_mine:
        return Panel()
    landings = dict(view.landings)
    moves = sorted(view.moves, key=lambda move: _place(view, move))
    if path and path[0] != MORE:  # most moves are no longer in question
        moves = [move for move in moves if _first_key(view, move) == path[0]]
    options = [_Option(_steps(view, move, landings), move) for move in moves]
    for key in path:
        if key == MORE:
            options = _second_page(options)
        else:
            chosen = [option for option in options if option.steps[0].key == key]
            options = _taken(_after(chosen))[1]
        if not options or not options[0].steps:
            return Panel()
    return Panel(tuple(_rows(options)), _note(view, options)) if options else Panel()


def _place(view: View, move: Move) -> int:
    """Return where a move stands among the choices: cards as they lie in the hand, then the rest."""
    return view.hand.index(move.card) if isinstance(move, Play) else len(view.hand)


def _after(options: list[_Option]) -> list[_Option]:
    return [_Option(option.steps[1:], option.move) for option in options]


def _taken(options: list[_Option]) -> tuple[list[str], list[_Option]]:
    """Take the steps with nothing left to choose; return what they add to a label, and the rest."""
    labels = []
    while options and options[0].steps:
        first = options[0].steps[0]
        if first.kind is Kind.SURE or any(option.steps[0].key != first.key for option in options):
            break
        joined = " " if first.kind in (Kind.BACK_FROG, Kind.LANDING) else ", "
        labels.append(joined + first.label)
        options = _after(options)
    return labels, options


def _second_page(options: list[_Option]) -> list[_Option]:
    """Return the options of the cards for which the first menu has no room."""
    keys = _keys(options, Kind.CARD)
    return [
        option
        for option in options
        if len(keys) > MENU_SIZE and option.steps[0].key in keys[MENU_SIZE - 1 :]
    ]


def _keys(options: list[_Option], kind: Kind) -> list[str]:
    firsts = (option.steps[0] for option in options)
    return list(dict.fromkeys(step.key for step in firsts if step.kind is kind))


# ---- the steps of each move ------------------------------------------------------------------------


def _first_key(view: View, move: Move) -> str:
    """Return the key of a move's first step."""
    match move:
        case Play(card):
            return f"c{view.hand.index(card) + 1}"
        case Back():
            return "back"
        case Take(card):
            return _market_key(view, card)
        case EndTurn():
            return "end"
        case _:
            assert_never(move)


def _steps(view: View, move: Move, landings: dict[Play, Landing]) -> tuple[_Step, ...]:
    match move:
        case Play():
            return _play_steps(view, move, landings[move])
        case Back():
            return _back_steps(view, move)
        case Take(card):
            return (_Step(Kind.TAKE, _first_key(view, move), _("Take {card}").format(card=card)),)
        case EndTurn():
            return (_Step(Kind.END, _first_key(view, move), _("End turn"), Tone.PLAIN),)
        case _:
            assert_never(move)


def _play_steps(view: View, move: Play, landing: Landing) -> tuple[_Step, ...]:
    """Return which card, then suit and frog with where it lands, then a question if it sends back."""
    card = _Step(Kind.CARD, _first_key(view, move), _("Play {card}").format(card=move.card))
    origin = origin_text(move.frog)
    way = (
        f"{origin} {target_text(landing.to)}"
        if landing.to
        else _("{origin} home with {suit}").format(origin=origin, suit=move.suit.symbol)
    )
    key = move.suit.value.lower() + _key(move.frog)
    if not landing.sends:
        tone = Tone.MAIN if landing.to else Tone.GOOD
        return card, _Step(Kind.FROG, key, way, tone)
    sent = marks(landing.sends)
    warned = _("{way}, sending back {frogs}").format(way=way, frogs=sent)
    sure = _Step(Kind.SURE, "yes", _("Yes, send back {frogs}").format(frogs=sent), Tone.DANGER)
    return card, _Step(Kind.FROG, key, warned, Tone.DANGER), sure


def _back_steps(view: View, move: Back) -> tuple[_Step, ...]:
    """Return that a frog goes back, which, onto which symbol, and which card is taken."""
    back = _Step(Kind.BACK, _first_key(view, move), _("Move a frog back"), Tone.PLAIN)
    frog = _Step(Kind.BACK_FROG, "f" + _key(move.frog), origin_text(move.frog))
    landing = _Step(Kind.LANDING, "t" + _key(move.to), target_text(move.to))
    if move.take is None:
        return back, frog, landing, _Step(Kind.TAKE, "k0", _("take nothing"))
    taken = _Step(Kind.TAKE, _market_key(view, move.take), _("take {card}").format(card=move.take))
    return back, frog, landing, taken


def _market_key(view: View, card: DecktetCard) -> str:
    return f"k{view.market.index(card) + 1}"


def _key(space: Space | None) -> str:
    return "0" if space is None else f"{space.place + 1}{space.letter.lower()}"


# ---- rows ------------------------------------------------------------------------------------------


def _rows(options: list[_Option]) -> Iterator[Buttons | Menu]:
    """Yield the choices of a step: cards apart from what else may be done."""
    cards = [option for option in options if option.steps[0].kind is Kind.CARD]
    others = [option for option in options if option.steps[0].kind is not Kind.CARD]
    for group in (cards, others):
        choices = _choices(group)
        if len(choices) > MENU_SIZE:
            choices = [*choices[: MENU_SIZE - 1], Choice(MORE, _("More cards …"))]
        if len(choices) > MOST_BUTTONS:
            yield Menu(_("Play a card") if group is cards else _("Choose"), tuple(choices))
        else:
            for at in range(0, len(choices), ROW_SIZE):
                yield Buttons(tuple(choices[at : at + ROW_SIZE]))


def _choices(options: list[_Option]) -> list[Choice]:
    """Return a choice for each way to go on, with the steps in its label that it takes by itself."""
    choices = []
    for key in dict.fromkeys(option.steps[0].key for option in options):
        chosen = [option for option in options if option.steps[0].key == key]
        first = chosen[0].steps[0]
        labels, rest = _taken(_after(chosen))
        move = None if rest[0].steps else rest[0].move
        said = "".join((first.label, *labels))
        choices.append(Choice(key, said[:1].upper() + said[1:], move, first.tone))
    return choices


def _note(view: View, options: list[_Option]) -> str:
    """Return what is to be known at a step: what the question is, and what is not on offer and why."""
    move, step = options[0].move, options[0].steps[0]
    match step.kind:
        case Kind.FROG if isinstance(move, Play):
            return _(
                "{card}: which frog moves, and by which suit? The buttons say where it lands."
            ).format(card=move.card)
        case Kind.TAKE if isinstance(move, Back) and move.to is not None:
            allowed = may_take(view.market, move.to)
            barred = [card for card in view.market if card not in allowed]
            where = _("Your frog lands on {space}.").format(space=space_text(move.to))
            if not barred:
                return where
            return f"{where} " + _("You can't take cards that share its suit, {suit}: {cards}").format(
                suit=move.to.suit.symbol, cards=cards_text(barred)
            )
        case kind:
            return _(_NOTES[kind]) if kind in _NOTES else ""

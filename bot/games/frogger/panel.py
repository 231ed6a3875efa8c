"""Buttons and menus with which players choose a move in Frogger.

The player chooses a move in steps, for example first the card, then the suit and the frog. Each button's
label states the effect. A step with only one choice is skipped, except for the step in which the player
confirms that frogs are sent back.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from bot.engine.decktet import DecktetCard
from bot.engine.frozen import frozen
from bot.engine.panel import (
    MENU_SIZE,
    MORE,
    Buttons,
    Choice,
    ChoiceMenu,
    Panel,
    Tone,
    button_rows,
    menu_page,
)
from bot.engine.translation import N_, _
from bot.games.frogger.rules import may_take
from bot.games.frogger.state import Back, EndTurn, LegalMove, Play, Space, Take
from bot.games.frogger.view import Landing, View
from bot.games.frogger.words import marks, origin_text, place_text, space_text, target_text

MOST_BUTTONS = 10


class StepSubject(Enum):
    """The thing that the player chooses or confirms in one step of choosing a move."""

    CARD = "card"
    FROG = "frog"
    SURE = "sure"
    BACK = "back"
    BACK_FROG = "back frog"
    LANDING = "landing"
    TAKE = "take"
    END = "end"


_NOTES = {
    StepSubject.SURE: N_("This sends every other frog on that card back to the Excuse. Play it?"),
    StepSubject.BACK_FROG: N_(
        "Which frog moves back? It lands on the nearest card behind it that has room."
    ),
    StepSubject.LANDING: N_("Which symbol does it land on?"),
}

_BY_SUIT = {StepSubject.FROG, StepSubject.BACK_FROG, StepSubject.LANDING}
"""The steps whose labels start with a suit. Positions in these labels are named without their suit."""


@frozen
class _Step:
    """One choice that the player has in a step of choosing a move.

    Attributes:
        kind: The subject of the step.
        key: The identifier of the choice within the step.
        label: The text of the button or menu entry.
        tone: The emphasis of the button.
        icon: The card or suit that the choice is about, or an empty text.
    """

    kind: StepSubject
    key: str
    label: str
    tone: Tone = Tone.MAIN
    icon: str = ""


@frozen
class _Option:
    """A legal move and the steps with which the player chooses it. Finished steps are not included."""

    steps: tuple[_Step, ...]
    move: LegalMove


def panel(view: View, path: tuple[str, ...] = ()) -> Panel:
    """Return the choices for the next step of choosing a move (F4).

    The public panel omits choices that would reveal hand cards. If it is not the viewer's turn, the
    panel is empty.

    Args:
        view: The view of the player or the public.
        path: The keys of the choices made so far.
    """
    if view.viewer is not None and not view.is_mine:
        return Panel()
    options = list(_options(view))
    for key in path:
        if key == MORE:
            options = _second_page(options)
        else:
            chosen = [option for option in options if option.steps[0].key == key]
            options = _forced_steps(_remaining_options(chosen))[1]
        if not options or not options[0].steps:
            return Panel()
    return Panel(tuple(_rows(options)), _note(view, options)) if options else Panel()


def _options(view: View) -> Iterator[_Option]:
    """Yield each move with all its steps.

    Moves that play a card come first, in the order of the cards in the hand.
    """
    places = {card: place for place, card in enumerate(view.hand, 1)}
    for play, landing in sorted(view.landings, key=lambda offer: places[offer[0].card]):
        yield _Option(_play_steps(view, f"c{places[play.card]}", play, landing), play)
    for move in view.moves:
        match move:
            case Back():
                yield _Option(_back_steps(view, move), move)
            case Take(card):
                yield _Option((_take_step(view, card, _("Take {card}")),), move)
            case EndTurn():
                yield _Option((_Step(StepSubject.END, "end", _("End turn"), Tone.PLAIN),), move)


def _remaining_options(options: list[_Option]) -> list[_Option]:
    return [_Option(option.steps[1:], option.move) for option in options]


def _forced_steps(options: list[_Option]) -> tuple[list[str], list[_Option]]:
    """Skip the steps that have only one choice.

    Returns:
        The labels of the skipped steps, and the options after those steps.
    """
    labels = []
    while options and options[0].steps:
        first = options[0].steps[0]
        if first.kind is StepSubject.SURE or any(option.steps[0].key != first.key for option in options):
            break
        joined = " " if first.kind in (StepSubject.BACK_FROG, StepSubject.LANDING) else ", "
        labels.append(joined + first.label)
        options = _remaining_options(options)
    return labels, options


def _second_page(options: list[_Option]) -> list[_Option]:
    firsts = (option.steps[0] for option in options)
    keys = list(dict.fromkeys(step.key for step in firsts if step.kind is StepSubject.CARD))
    later = keys[MENU_SIZE - 1 :] if len(keys) > MENU_SIZE else []
    return [option for option in options if option.steps[0].key in later]


def _play_steps(view: View, key: str, move: Play, landing: Landing) -> tuple[_Step, ...]:
    target = _("home") if landing.to is None else target_text(landing.to, place_text)
    way, frogs = f"{_origin(view, move.frog)} {target}", marks(landing.sends)
    suit, sign = move.suit.symbol, str(move.card)
    card = _Step(StepSubject.CARD, key, _("Play {card}").format(card=sign), icon=sign)
    frog = move.suit.value.lower() + _key(move.frog)
    if not landing.sends:
        tone = Tone.MAIN if landing.to else Tone.GOOD
        return card, _Step(StepSubject.FROG, frog, way, tone, suit)
    warned = _("{way}, sending back {frogs}").format(way=way, frogs=frogs)
    sure = _("Yes, send back {frogs}").format(frogs=frogs)
    return (
        card,
        _Step(StepSubject.FROG, frog, warned, Tone.DANGER, suit),
        _Step(StepSubject.SURE, "yes", sure, Tone.DANGER),
    )


def _back_steps(view: View, move: Back) -> tuple[_Step, ...]:
    frog, to, card = move.frog, move.to, move.take
    return (
        _Step(StepSubject.BACK, "back", _("Move a frog back"), Tone.PLAIN),
        _Step(StepSubject.BACK_FROG, "f" + _key(frog), _origin(view, frog), icon=_suit(frog)),
        _Step(StepSubject.LANDING, "t" + _key(to), target_text(to, place_text), icon=_suit(to)),
        _take_step(view, card, _("take {card}") if card else _("take nothing")),
    )


def _take_step(view: View, card: DecktetCard | None, words: str) -> _Step:
    place, sign = (0, "") if card is None else (view.market.index(card) + 1, str(card))
    return _Step(StepSubject.TAKE, f"k{place}", words.format(card=sign), icon=sign)


def _origin(view: View, frog: Space | None) -> str:
    """Return a text for the position that a frog leaves, such as ``from place 3``.

    If the player has more than one frog on this card, the text includes the suit.
    """
    path = view.seats[view.turn].frogs.path
    is_one_of_two = frog is not None and sum(space.place == frog.place for space in path) > 1
    return origin_text(frog, space_text if is_one_of_two else place_text)


def _suit(space: Space | None) -> str:
    return "" if space is None else space.suit.symbol


def _key(space: Space | None) -> str:
    return "0" if space is None else f"{space.place + 1}{space.letter.lower()}"


def _rows(options: list[_Option]) -> Iterator[Buttons | ChoiceMenu]:
    cards = [option for option in options if option.steps[0].kind is StepSubject.CARD]
    others = [option for option in options if option.steps[0].kind is not StepSubject.CARD]
    for group in (cards, others):
        choices = menu_page(tuple(_choices(group)), 0, _("More cards …"))
        if len(choices) > MOST_BUTTONS:
            yield ChoiceMenu(_("Play a card") if group is cards else _("Choose"), choices)
        else:
            yield from button_rows(choices)


def _choices(options: list[_Option]) -> Iterator[Choice]:
    for key in dict.fromkeys(option.steps[0].key for option in options):
        chosen = [option for option in options if option.steps[0].key == key]
        first = chosen[0].steps[0]
        labels, rest = _forced_steps(_remaining_options(chosen))
        move = None if rest[0].steps else rest[0].move
        suit = f"{first.icon} " if first.kind in _BY_SUIT and first.icon else ""
        said = "".join((suit, first.label, *labels))
        yield Choice(key, said[:1].upper() + said[1:], move, first.tone, icon=first.icon)


def _note(view: View, options: list[_Option]) -> str:
    move, step = options[0].move, options[0].steps[0]
    match step.kind:
        case StepSubject.FROG if isinstance(move, Play):
            return _(
                "{card}: which frog moves, and with which suit? The buttons show where it lands."
            ).format(card=move.card)
        case StepSubject.TAKE if isinstance(move, Back) and move.to is not None:
            allowed = may_take(view.market, move.to)
            barred = [card for card in view.market if card not in allowed]
            where = _("Your frog lands on {space}.").format(space=space_text(move.to))
            if not barred:
                return where
            return f"{where} " + _("You can't take cards that share its suit, {suit}: {cards}").format(
                suit=move.to.suit.symbol, cards=", ".join(map(str, barred))
            )
        case kind:
            return _(_NOTES[kind]) if kind in _NOTES else ""

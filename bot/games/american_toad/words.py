"""American Toad's texts for players, including a spoiler-free result to share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.engine.cards import PACK, Card
from bot.engine.game import Words
from bot.engine.translation import _, ngettext
from bot.games.american_toad.deadlock import only_circles
from bot.games.american_toad.panel import label, name, origin, run_text
from bot.games.american_toad.state import (
    PACKS,
    SUITS,
    Advice,
    AllUp,
    Led,
    Pile,
    Place,
    Redeal,
    Rescue,
    Shift,
    Step,
    Turn,
    Up,
)
from bot.games.american_toad.view import Effect, View

ALL_CARDS = PACKS * len(PACK)


def aim_values(view: View) -> Mapping[str, str]:
    """Return the values for the placeholders in the aim of the game, which names the base rank (A2)."""
    return {"rank": Card(view.base, SUITS[0]).index}


def words(view: View, names: Sequence[str]) -> Words:
    again = _("This try doesn't count on any leaderboard or profile.") if view.again else ""
    story = (_last(view), _help_text(view), _count(view), again)
    return Words(_headline(view, names[0]), tuple(filter(None, story)))


def _headline(view: View, name: str) -> str:
    deal = deal_name(view)
    if view.won and view.with_help:
        words = _("🛟 {name} solves {deal} with help.")
    elif view.won:
        words = _("🏆 {name} wins {deal}!")
    elif view.given_up:
        words = _("{name} gave up {deal}.")
    elif view.stuck:
        words = _("{name}, {deal}: no moves left. Undo, or give up.")
    elif view.gaps_only:
        words = _("{name}, {deal}: the only moves left are into empty columns.")
    elif only_circles(view):
        words = _("{name}, {deal}: just going in circles now. Undo, or give up.")
    elif view.can_finish:
        words = _("{name}, {deal}: all the other cards can go up now.")
    else:
        words = "{name}, {deal}"
    return words.format(name=name, deal=deal)


def deal_name(view: View) -> str:
    if not (view.day or view.number):
        return _("a small deal")
    if not view.day:
        return _("deal {n}").format(n=view.number)
    year, month, day = view.day // 10_000, view.day // 100 % 100, view.day % 100
    return _("deal of the day {date}").format(date=f"{year:04}-{month:02}-{day:02}")


def _count(view: View) -> str:
    words = ngettext("{n} undo", "{n} undos", view.undos).format(n=view.undos)
    undos = (words,) if view.undos else ()  # without them, the line fits on a phone
    up = _("{n} of {all} cards up").format(n=view.up, all=ALL_CARDS)
    return " · ".join((up, *against_par(view), *undos, *help_counts(view)))


def against_par(view: View) -> tuple[str, ...]:
    moves = ngettext("{n} move", "{n} moves", view.made).format(n=view.made)
    return (moves, _("par {n}").format(n=view.par)) if view.par else (moves,)


def help_counts(view: View) -> tuple[str, ...]:
    hints = ngettext("{n} hint", "{n} hints", view.hints).format(n=view.hints)
    peeks = ngettext("{n} peek", "{n} peeks", view.peeks).format(n=view.peeks)
    return (*([hints] if view.hints else []), *([peeks] if view.peeks else []))


def _help_text(view: View) -> str:
    match view.told:
        case Advice(None, peeked=True):
            return _("💡 Peek: I see no way to win from here. Try undoing a few moves.")
        case Advice(None):
            return _("💡 Hint: I can't think of a move.")
        case Advice(move, peeked) if move is not None:
            template = _("💡 Peek: {move}.") if peeked else _("💡 Hint: {move}.")
            is_of_card = isinstance(move, Up | Place | Shift)
            return template.format(move=label(view, move) if is_of_card else name(view, move))
        case Rescue(None):
            return _("💡 As far as I can tell, this deal could never be won.")
        case Rescue(moves) if moves == view.made:
            return _("💡 This deal can still be won from here.")
        case Rescue(moves):
            return _("💡 You could still have won this deal up to move {n}.").format(n=moves)
        case _:
            return ""


def _last(view: View) -> str:
    if view.last is None or view.effect is None:
        return ""
    filled = [
        _("{card} from the reserve fills column {n}.").format(card=card, n=column + 1)
        for column, card in view.effect.filled
    ]
    return " ".join((_move_text(view, view.last, view.effect), *filled))


def _move_text(view: View, move: Led, effect: Effect) -> str:
    match move:
        case Turn(1, up=False):
            turned = _("Turned {card}.").format(card=view.top(Pile.WASTE))
            return " ".join((turned, *_covered_text(effect)))
        case Turn(count):
            turned = ngettext("Turned {n} card.", "Turned {n} cards.", count).format(n=count)
            words = _("Every card that could go up has gone up: {cards}.")
            risen = [words.format(cards=_risen(effect))] if effect.rose else []
            top = view.top(Pile.WASTE)
            on_top = [_("{card} is on top of the waste.").format(card=top)] if top else []
            return " ".join((turned, *risen, *on_top, *_covered_text(effect)))
        case Redeal():
            return _("Turned the waste over. That was the only redeal.")
        case AllUp():
            return _("Moved up every card that could go up: {cards}.").format(cards=_risen(effect))
        case Up(source):
            return _("Moved {card} {origin} up.").format(card=effect.cards[0], origin=origin(source))
        case Place(source, column) | Shift(source, column):
            return _("Moved {card} {origin} onto column {n}.").format(
                card=run_text(effect.cards), n=column + 1, origin=origin(source)
            )


def _covered_text(effect: Effect) -> list[str]:
    words = _("{card} could have gone up, but now it's covered.")
    return [words.format(card=effect.covered)] if effect.covered else []


def _risen(effect: Effect) -> str:
    return ", ".join(map(run_text, effect.rose))


CELLS_IN_A_LINE, MOST_CELLS = 12, 23
"""The maximum number of cells per line, and the maximum number of cells before the last cell.

A cell is a symbol for one or more steps of the deal. The last cell shows the result. The cells fill at
most two lines.
"""

_SIGNS = {Step.PEEK: "👀", Step.HINT: "💡", Step.STUCK: "🟥", Step.UNDO: "↩️"}
"""The symbols for cells that contain a special step. The first type in this order takes precedence."""

ALL_UP, SOME_UP, NONE_UP = "🟩", "🟨", "⬜"


def share_lines(view: View) -> tuple[str, ...]:
    """Return the lines of the result text that players can share.

    The first line has the result and the numbers of moves, undos, hints and peeks. The other lines show
    the steps of the deal as symbols.
    """
    moves = ngettext("{n} move", "{n} moves", view.made).format(n=view.made)
    undos = ngettext("{n} undo", "{n} undos", view.undos).format(n=view.undos)
    row = (*_way(view.trail), _end(view))
    lines = (row[at : at + CELLS_IN_A_LINE] for at in range(0, len(row), CELLS_IN_A_LINE))
    return (" · ".join((_result(view), moves, undos, *help_counts(view))), *map("".join, lines))


def _end(view: View) -> str:
    return "🏳️" if not view.won else "🛟" if view.with_help else "🏆"


def _result(view: View) -> str:
    if not view.won:
        return _("{n} of {all} cards up").format(n=view.up, all=ALL_CARDS)
    if not view.par:
        return _("Won")
    over = view.made - view.par
    words = _("{n} over par") if over > 0 else _("{n} under par") if over else _("Par")
    return words.format(n=abs(over))


def _way(trail: Sequence[Step]) -> tuple[str, ...]:
    several = -(-len(trail) // MOST_CELLS) or 1
    return tuple(_sign(trail[at : at + several]) for at in range(0, len(trail), several))


def _sign(steps: Sequence[Step]) -> str:
    for step, sign in _SIGNS.items():
        if step in steps:
            return sign
    up = steps.count(Step.UP)
    if not up:
        return NONE_UP
    return ALL_UP if 2 * up >= len(steps) else SOME_UP

"""A deal of American Toad in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import PACK
from bot.engine.game import Words
from bot.engine.words import _, ngettext
from bot.games.american_toad.state import PACKS, AllUp, Pile, Place, Redeal, Shift, Turn, Up
from bot.games.american_toad.view import View

ALL_CARDS = PACKS * len(PACK)


def words(view: View, names: Sequence[str]) -> Words:
    """Return how the deal stands, and the last move."""
    return Words(_headline(view, names[0]), tuple(filter(None, (_last(view), _count(view)))))


def _headline(view: View, name: str) -> str:
    deal = deal_name(view)
    if view.won:
        return _("🏆 {name} wins {deal}!").format(name=name, deal=deal)
    if view.given_up:
        return _("{name} gave up {deal}.").format(name=name, deal=deal)
    if view.stuck:
        return _("{name}, {deal}: no card can move any more. Undo, or give up.").format(
            name=name, deal=deal
        )
    if view.gaps_only:
        return _("{name}, {deal}: nothing is left but moves into empty columns.").format(
            name=name, deal=deal
        )
    if view.can_finish:
        return _("{name}, {deal}: the rest goes up by itself.").format(name=name, deal=deal)
    return f"{name}, {deal}"


def deal_name(view: View) -> str:
    """Return which deal it is: its number, or its day."""
    if not view.day:
        return _("deal {n}").format(n=view.number)
    year, month, day = view.day // 10_000, view.day // 100 % 100, view.day % 100
    return _("deal of the day {date}").format(date=f"{year:04}-{month:02}-{day:02}")


def _count(view: View) -> str:
    moves = ngettext("{n} move", "{n} moves", view.made).format(n=view.made)
    undos = ngettext("{n} undo", "{n} undos", view.undos).format(n=view.undos)
    up = _("{n} of {all} cards up").format(n=view.up, all=ALL_CARDS)
    par = [_("par {n}").format(n=view.par)] if view.par else []
    return " · ".join((up, moves, *par, undos))


def _last(view: View) -> str:
    """Return the last move, by what can be seen of it now."""
    match view.last:
        case None:
            return ""
        case Turn(1, up=False):
            return _("Turned {card}.").format(card=view.top(Pile.WASTE))
        case Turn(count, up):
            turned = ngettext("Turned {n} card.", "Turned {n} cards.", count).format(n=count)
            risen = _("What could go up went up.")
            return f"{turned} {risen}" if up else turned
        case Redeal():
            return _("Turned the waste over: there is no other redeal.")
        case AllUp():
            return _("Moved up all that could go.")
        case Up(source):
            return _("Moved a card up {origin}.").format(origin=origin(source))
        case Place(source, column):
            return _("Moved {card} onto column {n} {origin}.").format(
                card=view.top(column), n=column + 1, origin=origin(source)
            )
        case Shift(source, column, count):
            return ngettext(
                "Moved {count} card from column {source} to column {n}.",
                "Moved {count} cards from column {source} to column {n}.",
                count,
            ).format(count=count, source=source + 1, n=column + 1)


def origin(source: Pile | int) -> str:
    """Return where a card comes from, such as ``from column 3``."""
    if source is Pile.WASTE:
        return _("from the waste")
    if source is Pile.RESERVE:
        return _("from the reserve")
    return _("from column {n}").format(n=source + 1)

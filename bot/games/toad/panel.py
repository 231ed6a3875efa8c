"""Buttons and menus with which players make their moves in Toad.

A turn needs as few clicks as the rules allow, but the game never claims a toad automatically (T4, T9).
A toad is a hand of exactly 10 red and 10 black spots. Players claim it by saying *ribit*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from bot.engine.cards import Card
from bot.engine.panel import (
    MENU_SIZE,
    MORE,
    ROW_SIZE,
    Buttons,
    Choice,
    ChoiceMenu,
    Panel,
    Tone,
    button_rows,
    menu_page,
)
from bot.engine.translation import N_, _
from bot.games.toad.state import (
    Deal,
    Declare,
    Discard,
    Draw,
    EndTurn,
    Move,
    Phase,
    TakeDiscard,
    TakeNothing,
    TakeStock,
    count_spots,
    is_toad,
)
from bot.games.toad.view import View

MOST_CARD_BUTTONS = 10
WIDE_ROW = 4
"""Number of buttons per row if their labels include spot totals. Phones show such buttons in pairs."""

RIBIT = "ribit"
_COSTS = {
    Phase.TAKE: N_(
        "Everybody will see your hand, and your turn will end: you won't take or discard a card."
    ),
    Phase.DISCARD: N_("Everybody will see your hand, and your turn will end without a discard."),
    Phase.CLAIM: N_("Everybody will see your hand, and your turn will end."),
}
"""The warning before a false claim, for each step of a turn (T9, T10)."""


def panel(view: View, path: tuple[str, ...] = ()) -> Panel:
    """Return the choices of the player to move.

    Args:
        view: The player's view of the game.
        path: The keys chosen so far. Each ``MORE`` leads to the next page of cards. ``RIBIT`` at the end
            leads to the confirmation that precedes a false claim.
    """
    if path and path[-1] == RIBIT:
        choice = panel(view, path[:-1]).choice(RIBIT)
        return _question(view) if choice is not None and choice.move is None else Panel()
    if any(step != MORE for step in path) or (view.viewer is not None and not view.is_mine):
        return Panel()
    match view.phase:
        case Phase.TAKE:
            return Panel() if path else _take_panel(view)
        case Phase.DISCARD:
            return _discard_panel(view, page=len(path))
        case Phase.CLAIM:
            return Panel() if path else _with_last(view, [])
        case Phase.DEAL:
            deal = Choice("deal", _("Deal the next round"), Deal(), Tone.MAIN)
            return Panel() if path else Panel((Buttons((deal,)),))
        case Phase.OVER:
            return Panel()
        case _:
            assert_never(view.phase)


def _with_last(view: View, rows: Sequence[Buttons | ChoiceMenu]) -> Panel:
    """Add the two buttons that end a turn: ``End turn``, and ``Ribit!``, which claims a toad.

    If the table counts spots for its players and the hand is a toad, ``Ribit!`` comes first and is
    emphasized. If the table does not count spots, the buttons never reveal whether the hand is a toad.
    """
    end = Choice("end", _("End turn"), EndTurn())
    if not (view.counts and view.is_mine):
        return Panel((*rows, Buttons((end, _ribit(Declare(), Tone.GOOD)))))
    if not is_toad(view.hand):
        return Panel((*rows, Buttons((end, _ribit(None, Tone.PLAIN)))))
    quiet = (
        replace(row, choices=tuple(replace(one, tone=Tone.PLAIN) for one in row.choices)) for row in rows
    )
    return Panel((Buttons((_ribit(Declare(), Tone.GOOD), end)), *quiet))


def _ribit(move: Move | None, tone: Tone) -> Choice:
    """Return the button that claims a toad. If ``move`` is None, it first asks for confirmation."""
    return Choice(RIBIT, _("Ribit!"), move, tone, "🐸")


def _question(view: View) -> Panel:
    red, black = count_spots(view.hand)
    sentence = _("You hold {red} red, {black} black: that's no toad.").format(red=red, black=black)
    note = " ".join((sentence, _(_COSTS[view.phase]), _("Say ribit anyway?")))
    sure = Choice("yes", _("Say ribit"), Declare(), Tone.DANGER, "🐸")
    cards = view.hand[:MENU_SIZE] if view.phase is Phase.DISCARD else ()
    first = tuple(_discard(place, card, Tone.PLAIN) for place, card in enumerate(cards))
    menu = (ChoiceMenu(_("Discard a card first"), first),) if first else ()
    return Panel((Buttons((sure,)), *menu), note)


def _take_panel(view: View) -> Panel:
    stock = tuple(
        Choice(
            f"s{n}",
            _("Take {card}").format(card=card),
            TakeStock(n - 1),
            Tone.MAIN,
            None,
            str(card),
            *_results(view, str(card), (*view.hand, card)),
        )
        for n, card in enumerate(view.stock, 1)
        if card
    )
    piles = []
    if view.can_draw:
        piles.append(Choice("draw", _("Draw"), Draw(), Tone.MAIN))
    if view.discard:
        label = _("Take {card} (discard)").format(card=view.discard)
        sign, hand = str(view.discard), (*view.hand, view.discard)
        results = _results(view, _("{card} (discard)").format(card=sign), hand)
        piles.append(Choice("pile", label, TakeDiscard(), Tone.MAIN, None, sign, *results))
    piles.append(Choice("none", _("Only discard"), TakeNothing()))
    return _with_last(view, [Buttons(row) for row in (stock, tuple(piles)) if row])


def _discard_panel(view: View, page: int) -> Panel:
    are_buttons = len(view.hand) <= MOST_CARD_BUTTONS
    tone = Tone.MAIN if are_buttons else Tone.PLAIN
    cards = [_last_move(view, place, card, tone) for place, card in enumerate(view.hand)]
    if are_buttons:
        return (
            Panel()
            if page
            else _with_last(view, button_rows(cards, WIDE_ROW if view.counts else ROW_SIZE))
        )
    choices = menu_page(cards, page, _("More cards …"))
    return _with_last(view, [ChoiceMenu(_("Discard a card"), choices)]) if choices else Panel()


def _last_move(view: View, place: int, card: Card, tone: Tone) -> Choice:
    """Return the button that discards a card.

    If the table counts spots and the remaining cards are not a toad, the button also ends the turn.
    """
    rest = tuple(other for other in view.hand if other != card)
    brief, result = _results(view, str(card), rest)
    discard = replace(_discard(place, card, tone), brief=brief, result=result)
    if not view.counts or is_toad(rest):
        return discard
    label = _("Discard {card} and end").format(card=card)
    return replace(discard, key=f"e{place + 1}", label=label, then=EndTurn())


def _results(view: View, card: str, hand: Sequence[Card]) -> tuple[str, str]:
    """Return the number of spots in a hand after a move, as a short label and in words.

    If the table does not count spots, both texts are empty. Two of the labels fit side by side on a
    phone. The black square has a frame, because a plain one is invisible on a grey button.
    """
    if not (view.counts and view.is_mine):
        return "", ""
    red, black = count_spots(hand)
    words = _("{red} red {black} black").format(red=red, black=black)
    return f"{card} › {red}🟥 {black}🔳", words


def _discard(place: int, card: Card, tone: Tone) -> Choice:
    label = _("Discard {card}").format(card=card)
    return Choice(f"h{place + 1}", label, Discard(card), tone, icon=str(card))

"""The puzzle *Toad in two*.

The player must find the turn after which a toad in the next turn is most likely. No other player changes
anything in between. The chances are exact, because each unseen card is equally likely to come next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count

from bot.engine.cards import PACK, Card
from bot.engine.frozen import replace_item
from bot.engine.puzzle import Puzzle, PuzzleLine, Puzzles
from bot.engine.shuffle import SEED_BYTES, shuffle_items
from bot.engine.translation import N_, _
from bot.games.toad.match import begin_turn, deal
from bot.games.toad.search_state import (
    KIND,
    NUMBER,
    WITHOUT,
    WORTH_OF_KIND,
    bits,
    completing,
    is_toad,
    kinds_of,
)
from bot.games.toad.state import (
    HAND_SIZE,
    STOCK_SIZE,
    Discard,
    Draw,
    EndTurn,
    Move,
    State,
    TakeDiscard,
    TakeNothing,
    TakeStock,
    read,
    write,
)
from bot.games.toad.view import sorted_hand
from bot.games.toad.words import turn_words

SEATS = 2
PASS = (write(EndTurn()),)
MOST_HELD = 3
"""The maximum number of cards in the hand, so that all possible turns fit into a Discord select menu."""

GAPS = (
    (Fraction(12, 100), Fraction(1)),
    (Fraction(6, 100), Fraction(12, 100)),
    (Fraction(25, 1000), Fraction(6, 100)),
)
"""For each grade of difficulty, the bounds of the best turn's lead over the second-best turn.

The lead is the difference in chance. It is at least the first number and less than the second. No puzzle
has a turn that makes a toad certain. There would always be a second such turn, because the player can
take the two cards in either order.
"""


def find(grade: int, number: int) -> Puzzle[State]:
    seed, sizes = number.to_bytes(SEED_BYTES, "big"), MOST_HELD - HAND_SIZE + 1
    packs = (shuffle_items(PACK, seed, f"toad in two {grade} {again}") for again in count())
    puzzles = (_puzzle(pack, HAND_SIZE + at % sizes, grade) for at, pack in enumerate(packs, number))
    return next(filter(None, puzzles))


def _puzzle(pack: Sequence[Card], held: int, grade: int) -> Puzzle[State] | None:
    hand, rest = tuple(pack[:held]), pack[held:]
    stock, top, unseen = tuple(rest[:STOCK_SIZE]), rest[STOCK_SIZE], tuple(rest[STOCK_SIZE + 1 :])
    found = list(_ways(hand, stock, top, unseen))
    if any(way is None for way in found):
        return None  # a toad is already possible in this turn
    puzzle = Puzzle(_state(hand, stock, top, unseen), tuple(way for way in found if way is not None))
    best, second = (puzzle.ways[number].chance for number in puzzle.ranking[:2])
    least, most = GAPS[grade - 1]
    return puzzle if least <= best - second < most else None


def _ways(
    hand: tuple[Card, ...], stock: tuple[Card, ...], top: Card, unseen: tuple[Card, ...]
) -> Iterator[PuzzleLine | None]:
    """Yield each possible turn with the chance that the next turn makes a toad.

    Yield None for a turn that makes a toad immediately. A player who takes a stock card or draws sees
    one more card before choosing a discard (T5). A pass has no chance, because the rival also passes and
    the round ends (T13).
    """
    hand_kinds, left = _kinds(hand), Counter(_kinds(unseen))
    open_, on_top = kinds_of(stock), kinds_of([top])
    for place, card in enumerate(stock):
        new, rest = (*hand_kinds, *_kinds([card])), kinds_of(other for other in stock if other != card)
        chance = _seeing(left, new, rest, on_top, is_drawn=False)
        yield None if any(map(is_toad, _ends(new))) else PuzzleLine((write(TakeStock(place)),), chance)
    yield PuzzleLine((write(Draw()),), _seeing(left, hand_kinds, open_, on_top, is_drawn=True))
    for take, new, pile in (
        (TakeNothing(), hand_kinds, on_top),
        (TakeDiscard(), (*hand_kinds, *_kinds([top])), 0),
    ):
        for off, worth in zip((None, *hand), _ends(new), strict=False):
            way = _write_turn(take, off)
            fitting = _fitting(worth, open_ | (pile if off is None else kinds_of([off])), left)
            chance = Fraction(0 if way == PASS else fitting, left.total())
            yield None if is_toad(worth) else PuzzleLine(way, chance)


def _kinds(cards: Iterable[Card]) -> tuple[int, ...]:
    return tuple(KIND[NUMBER[card]] for card in cards)


def _ends(held: Sequence[int]) -> Iterator[int]:
    worth = sum(WORTH_OF_KIND[kind] for kind in held)
    yield worth
    yield from (worth - WORTH_OF_KIND[kind] for kind in held)


def _fitting(worth: int, open_: int, left: Counter[int]) -> int:
    """Return the number of unseen cards with which the next turn makes a toad.

    If the next turn can make a toad without an unseen card, return the number of all unseen cards.
    """
    wanted = completing(worth)
    return left.total() if wanted & (open_ | WITHOUT) else sum(left[kind] for kind in bits(wanted))


def _seeing(
    left: Counter[int], hand: tuple[int, ...], open_: int, on_top: int, *, is_drawn: bool
) -> Fraction:
    """Return the chance of a toad for a player who sees a new card before choosing a discard.

    The player makes the best discard. The result is the average over all possible new cards.

    Args:
        left: The number of unseen cards of each kind.
        hand: The kinds of the cards in the hand, without the new card.
        open_: The kinds of the stock cards, as a bit set.
        on_top: The kind of the top discard, as a bit.
        is_drawn: Whether the new card goes to the hand rather than to the stock.
    """
    total, n = 0, left.total()
    for kind, cards in left.items():
        full_hand, lies = ((*hand, kind), open_) if is_drawn else (hand, open_ | 1 << kind)
        others, piles = left - Counter((kind,)), (on_top, *(1 << off for off in full_hand))
        ends = zip(_ends(full_hand), piles, strict=True)
        total += cards * max(_fitting(worth, lies | pile, others) for worth, pile in ends)
    return Fraction(total, n * (n - 1))


def _write_turn(take: Move, off: Card | None) -> tuple[str, ...]:
    if off is None:
        return (write(EndTurn() if take == TakeNothing() else take),)
    return write(take), write(Discard(off))


def _state(
    hand: tuple[Card, ...], stock: tuple[Card, ...], top: Card, unseen: tuple[Card, ...]
) -> State:
    state = replace(
        deal(SEATS, {"lives": 1}, bytes(SEED_BYTES)),
        dealer=1,
        hands=(hand, unseen[:HAND_SIZE]),
        stock=stock,
        draw=unseen[HAND_SIZE:],
        discards=(top,),
        events=(),
    )
    return begin_turn(state, 0)


def answer_text(state: State, way: PuzzleLine) -> str:
    return turn_words(state, (read(text, state) for text in way.moves)) or _("pass")


def verdict(puzzle: Puzzle[State], picked: int) -> str:
    best, second, *_others = puzzle.ranking
    if picked == best:
        words, other = _("{n} chance of a toad. Next best: {m}."), second
    else:
        words, other = _("{n} chance of a toad. Yours: {m}."), picked
    text = words.format(n=_percent(puzzle.ways[best]), m=_percent(puzzle.ways[other]))
    cards = " ".join(map(str, sorted_hand(tuple(_fitting_cards(puzzle.state, puzzle.ways[best])))))
    return " ".join(
        (text, _("These cards would do it: {cards}.").format(cards=cards) if cards else "")
    ).strip()


def _fitting_cards(state: State, way: PuzzleLine) -> Iterator[Card]:
    """Yield the unseen cards that make a toad certain if one of them is drawn or turned up next."""
    hand, stock, top = state.hands[0], state.stock, state.discards[-1]
    take, *then = (read(text, state) for text in way.moves)
    gone = next((move.card for move in then if isinstance(move, Discard)), None)
    if isinstance(take, TakeStock):
        hand, stock = (*hand, *filter(None, (stock[take.place],))), replace_item(stock, take.place, None)
    elif isinstance(take, TakeDiscard):
        hand = (*hand, top)
    rest = tuple(card for card in hand if card != gone)
    for card in PACK:
        if card in (*state.hands[0], *state.stock, top):
            continue
        if isinstance(take, TakeStock | Draw):
            new, lies = ((*rest, card), stock) if take == Draw() else (rest, (*stock, card))
            ends = zip(_ends(_kinds(new)), (top, *new), strict=True)
            is_sure = any(
                completing(worth) & (kinds_of((*lies, pile)) | WITHOUT) for worth, pile in ends
            )
        else:
            is_sure = bool(completing(next(_ends(_kinds(rest)))) & kinds_of([card]))
        if is_sure:
            yield card


def _percent(way: PuzzleLine) -> str:
    return f"{round(100 * way.chance)}%"


PUZZLES: Puzzles[State] = Puzzles(
    name=N_("Toad in two"),
    question=N_(
        "You have this turn and the next. Which move gives the best chance of a toad? Your rival passes "
        "in between. If you draw or take from the stock, you choose your discard after you see the card."
    ),
    choice=N_("Which turn is best?"),
    find=find,
    version=2,
    answer_text=answer_text,
    verdict=verdict,
)

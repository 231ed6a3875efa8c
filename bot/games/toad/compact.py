"""A round of Toad on integers, changed in place: the rules again, fast enough to search with.

The readable rules are the law; a test plays both side by side. A card is its place in the pack. Who
plays a round on cannot see the next deal, so this form ends with the round and the lives it cost.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.engine.cards import PACK, Card
from bot.games.toad.state import (
    GOAL,
    Declare,
    Discard,
    Draw,
    EndTurn,
    Move,
    TakeDiscard,
    TakeNothing,
    TakeStock,
    spots,
)

NUMBER = {card: number for number, card in enumerate(PACK)}
GAP = -1

BLACK_SHIFT, SUM_BITS, COUNT_BITS = 8, 16, 4
SUM_MASK = (1 << SUM_BITS) - 1
KINDS = 2 * GOAL
"""A card's kind is all that counts of it: its colour and its spots."""


def _kind(card: Card) -> int:
    return spots(card) - 1 + (0 if card.suit.is_red else GOAL)


def _worth(kind: int) -> int:
    """Return what a kind adds to a hand's sum: red spots, black spots, and a count of the kind."""
    sum_ = kind + 1 if kind < GOAL else (kind + 1 - GOAL) << BLACK_SHIFT
    return sum_ + (1 << (SUM_BITS + COUNT_BITS * kind))


KIND = tuple(map(_kind, PACK))
WORTH_OF_KIND = tuple(map(_worth, range(KINDS)))
WORTH = tuple(WORTH_OF_KIND[kind] for kind in KIND)
TOAD_SUM = GOAL | GOAL << BLACK_SHIFT
MAXIMUS = WORTH_OF_KIND[GOAL - 1] + WORTH_OF_KIND[2 * GOAL - 1]

TAKE_STOCK, DRAW, TAKE_DISCARD, TAKE_NOTHING, END_TURN, DECLARE, DISCARD = 0, 4, 5, 6, 7, 8, 9
"""Moves: a stock place from 0, and a card of the pack from ``DISCARD``."""

TAKING, DISCARDING, CLAIMING, ENDED = range(4)
"""What is awaited."""

_PLAIN: dict[int, Move] = {
    **{place: TakeStock(place) for place in range(DRAW)},
    DRAW: Draw(),
    TAKE_DISCARD: TakeDiscard(),
    TAKE_NOTHING: TakeNothing(),
    END_TURN: EndTurn(),
    DECLARE: Declare(),
}

Shuffle = Callable[[list[int]], list[int]]


def readable(move: int) -> Move:
    """Return the move as the readable rules know it."""
    return _PLAIN[move] if move < DISCARD else Discard(PACK[move - DISCARD])


class Round:
    """A round between two moves. ``draw`` is drawn from its end; ``safe`` and ``passed`` are bits.

    ``worth`` is a sum for each hand: its red and black spots, and how many cards of each kind.
    ``shuffle`` puts discards in the order of a new draw pile, the last one to be drawn first.
    """

    __slots__ = (
        "discards",
        "draw",
        "full",
        "hands",
        "lives",
        "loose",
        "lost",
        "passed",
        "phase",
        "safe",
        "shuffle",
        "stock",
        "turn",
        "worth",
    )

    def __init__(
        self,
        *,
        lives: list[int],
        full: int,
        hands: list[list[int]],
        stock: list[int],
        draw: list[int],
        discards: list[int],
        safe: int,
        passed: int,
        turn: int,
        phase: int,
        loose: int,
        shuffle: Shuffle,
    ) -> None:
        """Lay out the round.

        Args:
            lives: The lives of each seat; one without is out.
            full: The lives that each seat started with.
            hands: The cards of each seat.
            stock: Four cards, ``GAP`` where there is none.
            draw: The draw pile, its top last.
            discards: The discard pile, its top last.
            safe: A bit for each seat that is safe.
            passed: A bit for each seat that passed in the row that is going on.
            turn: The seat to move.
            phase: The step that is awaited.
            loose: What keeps this turn from being a pass: 0 nothing yet, 1 something, and a card
                taken from the discard pile as its worth, until it is laid back.
            shuffle: Makes a draw pile of discards.
        """
        self.lives, self.full = lives, full
        self.hands, self.worth = hands, [sum(WORTH[card] for card in hand) for hand in hands]
        self.stock, self.draw, self.discards = stock, draw, discards
        self.safe, self.passed = safe, passed
        self.turn, self.phase, self.loose = turn, phase, loose
        self.lost = 0
        self.shuffle = shuffle

    def copy(self) -> Round:
        """Return a copy that can be played on without changing this one."""
        other = Round.__new__(Round)
        other.lives, other.full = self.lives[:], self.full
        other.hands, other.worth = [hand[:] for hand in self.hands], self.worth[:]
        other.stock, other.draw, other.discards = self.stock[:], self.draw[:], self.discards[:]
        other.safe, other.passed = self.safe, self.passed
        other.turn, other.phase, other.loose = self.turn, self.phase, self.loose
        other.lost = self.lost
        other.shuffle = self.shuffle
        return other

    def legal_moves(self) -> list[int]:
        """Return every move of the seat to move (T4)."""
        if self.phase == TAKING:
            moves = [place for place, card in enumerate(self.stock) if card != GAP]
            if self.draw or len(self.discards) > 1:
                moves.append(DRAW)
            if self.discards:
                moves.append(TAKE_DISCARD)
            return [*moves, TAKE_NOTHING, END_TURN, DECLARE]
        if self.phase == DISCARDING:
            return [*(DISCARD + card for card in self.hands[self.turn]), END_TURN, DECLARE]
        return [END_TURN, DECLARE] if self.phase == CLAIMING else []

    def play(self, move: int) -> None:
        """Make a legal move."""
        if move >= DISCARD:
            self.discard(move - DISCARD)
        elif move == DECLARE:
            self.declare()
        elif move == END_TURN:
            self.end_turn()
        else:
            self.take(move)

    def take(self, move: int) -> None:
        """Take a card, or nothing (T4); a stock card is replaced at once, or a gap stays (T5, T7)."""
        self.phase = DISCARDING
        if move == TAKE_NOTHING:
            return
        if move == TAKE_DISCARD:
            card = self.discards.pop()
            self.loose = card + 2
        elif move == DRAW:
            card = self._top()
            self.loose = 1
        else:
            card = self.stock[move]
            self.stock[move] = self._top()
            self.loose = 1
        self.hands[self.turn].append(card)
        self.worth[self.turn] += WORTH[card]

    def _top(self) -> int:
        """Return the top of the draw pile, after a reshuffle if need be, or a gap (T7)."""
        if not self.draw:
            if len(self.discards) < 2:  # noqa: PLR2004 — the top one stays where it is
                return GAP
            top = self.discards.pop()
            self.draw, self.discards = self.shuffle(self.discards), [top]
        return self.draw.pop()

    def discard(self, card: int) -> None:
        """Lay a card of the hand on the discard pile (T4, T6)."""
        self.hands[self.turn].remove(card)
        self.worth[self.turn] -= WORTH[card]
        self.discards.append(card)
        self.loose = 0 if self.loose == card + 2 else 1
        self.phase = CLAIMING

    def end_turn(self) -> None:
        """End the turn without a claim; a row of passes ends the round (T6, T13)."""
        if self.loose:
            self.passed = 0
        else:
            self.passed |= 1 << self.turn
            unsafe = self.unsafe()
            if all(self.passed >> seat & 1 for seat in unsafe):
                self._end(unsafe)
                return
        self._next_turn()

    def declare(self) -> None:
        """Declare toad, rightly or not (T9 to T12, T14)."""
        seat = self.turn
        self.passed = 0
        if self.worth[seat] & SUM_MASK == TOAD_SUM:
            self.safe |= 1 << seat
            if self.worth[seat] == MAXIMUS and self.lives[seat] < self.full:
                self.lives[seat] += 1
            unsafe = self.unsafe()
            if len(unsafe) == 1:
                self._end(unsafe)
                return
        self._next_turn()

    def unsafe(self) -> list[int]:
        """Return the seats that still play the round (T11)."""
        return [seat for seat, lives in enumerate(self.lives) if lives and not self.safe >> seat & 1]

    def _next_turn(self) -> None:
        seats, lives, safe = len(self.lives), self.lives, self.safe
        seat = (self.turn + 1) % seats
        while not lives[seat] or safe >> seat & 1:
            seat = (seat + 1) % seats
        self.turn, self.phase, self.loose = seat, TAKING, 0

    def _end(self, losers: list[int]) -> None:
        """End the round: each loser loses a life (T12, T13)."""
        for seat in losers:
            self.lives[seat] -= 1
            self.lost |= 1 << seat
        self.phase = ENDED

"""A mutable bitboard implementation of Frogger's rules for the computer player's search.

``rules`` is authoritative. A test plays matches with both and compares the results.

A card is represented by its index in the basic deck. Hands and the market are bit sets of cards. A space
is a single bit, and the bits follow the order of the corridor. The first free symbol ahead of a frog is
therefore the lowest bit of a mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from bot.engine.decktet import ACE, BASIC, CROWN, PAWNS, DecktetCard, DecktetSuit
from bot.engine.frozen import frozen
from bot.games.frogger.state import (
    ACTIONS,
    CORRIDOR_BASICS,
    FROGS,
    MARKET_SIZE,
    Back,
    EndTurn,
    Move,
    Play,
    Space,
    Take,
    spaces_of,
)

SUITS = tuple(DecktetSuit)
SUIT_NUMBER = {suit: number for number, suit in enumerate(SUITS)}

NOWHERE = 0
"""The value for a position that is not on the path.

As a frog's position or the target of a move back, it means the Excuse. As the target of a played card,
it means home.
"""

COURSES_KEPT = 256
"""The number of corridors that ``course_of`` caches. Each new search position looks up its corridor."""

GOOD_SUITS = 3
"""The number of suits over which the cost estimate averages.

The estimate uses only the best suits, because a player can choose between several cards.
"""

ACTION: int = GOOD_SUITS ** (CORRIDOR_BASICS + len(PAWNS))
"""The cost of one action.

Costs are integers, because sums of floats can differ between Python versions. The value is a power of
``GOOD_SUITS``, so it can be divided by that number once per corridor card without a remainder.
"""


def singles(bits: int) -> list[int]:
    masks = []
    while bits:
        low = bits & -bits
        masks.append(low)
        bits ^= low
    return masks


@frozen
class CorridorBits:
    """Lookup tables for the spaces of a corridor.

    Place 0 is the Excuse, and place 1 is the first corridor card. Bit sets contain spaces.

    Attributes:
        spaces: The space that each bit represents.
        suit: For each suit, its spaces as a bit set.
        card: For each place, its spaces as a bit set.
        ahead: For each place, the spaces on later cards as a bit set.
        behind: For each place, the spaces on earlier cards as a bit set.
        place: The place of each space. The index is the ``bit_length`` of the space's bit.
        suit_of: The suit of each space. The index is the ``bit_length`` of the space's bit.
        costs: For each place, the estimated number of cards that a frog needs to get home on an empty
            corridor, times ``ACTION``.
    """

    spaces: tuple[Space, ...]
    suit: tuple[int, ...]
    card: tuple[int, ...]
    ahead: tuple[int, ...]
    behind: tuple[int, ...]
    place: tuple[int, ...]
    suit_of: tuple[int, ...]
    costs: tuple[int, ...]

    @property
    def home(self) -> int:
        """The place after the last corridor card."""
        return len(self.card)

    def bit(self, space: Space | None) -> int:
        return NOWHERE if space is None else 1 << self.spaces.index(space)

    def space(self, bit: int) -> Space | None:
        return self.spaces[bit.bit_length() - 1] if bit else None


@lru_cache(COURSES_KEPT)
def course_of(corridor: tuple[DecktetCard, ...]) -> CorridorBits:
    spaces = tuple(space for place in range(len(corridor)) for space in spaces_of(corridor, place))
    place = (0, *(space.place + 1 for space in spaces))
    places = range(len(corridor) + 1)
    where = [(1 << number, at) for number, at in enumerate(place[1:])]
    suits = tuple(
        sum(1 << number for number, space in enumerate(spaces) if space.suit is suit) for suit in SUITS
    )
    ahead = tuple(sum(bit for bit, at in where if at > here) for here in places)
    return CorridorBits(
        spaces=spaces,
        suit=suits,
        card=tuple(sum(bit for bit, at in where if at == here) for here in places),
        ahead=ahead,
        behind=tuple(sum(bit for bit, at in where if at < here) for here in places),
        place=place,
        suit_of=(0, *(SUIT_NUMBER[space.suit] for space in spaces)),
        costs=_costs(suits, ahead, place),
    )


def _costs(suits: tuple[int, ...], ahead: tuple[int, ...], place: tuple[int, ...]) -> tuple[int, ...]:
    costs = [0] * (len(ahead) + 1)
    for here in reversed(range(len(ahead))):
        frees = (suit & ahead[here] for suit in suits)
        after = sorted(costs[place[(free & -free).bit_length()]] if free else 0 for free in frees)
        costs[here] = ACTION + sum(after[:GOOD_SUITS]) // GOOD_SUITS
    return tuple(costs)


NUMBER = {card: number for number, card in enumerate(BASIC)}
SUITS_OF = tuple(tuple(SUIT_NUMBER[suit] for suit in card.suits) for card in BASIC)
CLEARS = tuple(card.rank in (ACE, CROWN) for card in BASIC)
BEARING = tuple(sum(1 << NUMBER[card] for card in BASIC if suit in card.suits) for suit in DecktetSuit)

PLAY, BACK, TAKE, END = range(4)
NO_CARD = -1

Action = tuple[int, int, int, int]
"""A move as a tuple of its type and three arguments.

The forms are ``(PLAY, card, suit, frog)``, ``(BACK, frog, space, card or NO_CARD)``,
``(TAKE, card, 0, 0)`` and ``(END, 0, 0, 0)``.
"""

Shuffle = Callable[[list[int]], list[int]]


def cards_in(bits: int) -> list[int]:
    return [bit.bit_length() - 1 for bit in singles(bits)]


@dataclass(slots=True, kw_only=True, eq=False)
class SearchState:
    """A position in a Frogger match. The search changes it in place when it plays a move.

    Attributes:
        course: The corridor's lookup tables.
        frogs: The spaces of each seat's frogs on the path, as a bit set.
        start: The number of each seat's frogs on the Excuse.
        home: The number of each seat's frogs at home.
        hands: Each seat's cards, as a bit set.
        market: The cards in the market, as a bit set.
        draw: The draw pile. Its top card comes last.
        turn: The seat to move.
        done: The number of actions taken in the current turn.
        gone: The seats that gave up, as a bit set.
        shuffle: A function that shuffles the discards to form a new draw pile.
        taken: The spaces of all frogs on the path, as a bit set.
        winner: The winning seat, or None if the match is not over.
    """

    course: CorridorBits
    frogs: list[int]
    start: list[int]
    home: list[int]
    hands: list[int]
    market: int
    draw: list[int]
    discards: list[int]
    turn: int
    done: int
    gone: int
    shuffle: Shuffle
    taken: int = field(init=False)
    winner: int | None = None

    def __post_init__(self) -> None:
        self.taken = sum(self.frogs)

    def copy(self) -> SearchState:
        other = SearchState.__new__(SearchState)
        other.course, other.shuffle = self.course, self.shuffle
        other.frogs, other.start, other.home = self.frogs[:], self.start[:], self.home[:]
        other.hands, other.draw, other.discards = self.hands[:], self.draw[:], self.discards[:]
        other.taken, other.market, other.turn = self.taken, self.market, self.turn
        other.done, other.gone, other.winner = self.done, self.gone, self.winner
        return other

    @property
    def is_blocked(self) -> bool:
        """True if the current player has no card and no frog on the path (F11)."""
        return not (self.hands[self.turn] or self.frogs[self.turn])

    def legal_moves(self) -> list[Action]:
        """Return all legal moves of the current player (F4, F5, F7, F8, F11)."""
        if self.winner is not None:
            return []
        if self.is_blocked:
            return [(TAKE, card, 0, 0) for card in cards_in(self.market)]
        seat = self.turn
        path = singles(self.frogs[seat])
        movable = [NOWHERE, *path] if self.start[seat] else path
        moves: list[Action] = [
            (PLAY, card, suit, frog)
            for card in cards_in(self.hands[seat])
            for suit in SUITS_OF[card]
            for frog in movable
        ]
        for frog in path:
            for to in self.behind(frog):
                cards = cards_in(self.may_take(to)) or [NO_CARD]
                moves += [(BACK, frog, to, card) for card in cards]
        if self.done:
            moves.append((END, 0, 0, 0))
        return moves

    def ahead(self, suit: int, frog: int) -> int:
        """Return the space on which a frog lands if it moves forward with a suit (F5).

        Return NOWHERE if the frog moves home.
        """
        course = self.course
        free = course.suit[suit] & course.ahead[course.place[frog.bit_length()]] & ~self.taken
        return free & -free

    def goes_home(self, action: Action) -> bool:
        kind, _card, suit, frog = action
        return kind == PLAY and not self.ahead(suit, frog)

    def behind(self, frog: int) -> list[int]:
        """Return the spaces to which a frog may move back (F7). NOWHERE stands for the start card."""
        course = self.course
        free = course.behind[course.place[frog.bit_length()]] & ~self.taken
        if not free:
            return [NOWHERE]
        return singles(free & course.card[course.place[free.bit_length()]])

    def may_take(self, to: int) -> int:
        """Return the market cards that a player may take after moving a frog back to ``to`` (F8).

        Cards with the suit of ``to`` are excluded. After a move to the Excuse, all cards are allowed.
        """
        return self.market & ~BEARING[self.course.suit_of[to.bit_length()]] if to else self.market

    def play(self, move: Action) -> None:
        kind, first, second, third = move
        seat = self.turn
        if kind == PLAY:
            self.forward(first, second, third)
        elif kind == BACK:
            self._leave(seat, first)
            self._land(seat, second)
            if third != NO_CARD:
                self._buy(third)
        elif kind == TAKE:
            self._buy(first)
        if self.home[seat] == FROGS:
            self.winner = seat
            return
        if kind in (PLAY, BACK):
            self.done += 1
            if self.done < ACTIONS and (self.hands[seat] or self.frogs[seat]):
                return
        self._next_turn()

    def forward(self, card: int, suit: int, frog: int) -> None:
        """Play a card and move a frog forward or home (F5).

        If the frog lands on an Ace or a Crown, all other frogs on that card go back to the start (F6).
        """
        seat, to = self.turn, self.ahead(suit, frog)
        if to and CLEARS[card]:
            self._clear(self.course.card[self.course.place[to.bit_length()]])
        self._leave(seat, frog)
        if to:
            self._land(seat, to)
        else:
            self.home[seat] += 1
        self.hands[seat] ^= 1 << card
        self.discards.append(card)
        if not self.market:
            self._fill()

    def _clear(self, spaces: int) -> None:
        hit_spaces = self.taken & spaces
        if not hit_spaces:
            return
        for seat, path in enumerate(self.frogs):
            if path & hit_spaces:
                self.frogs[seat] = path & ~hit_spaces
                self.start[seat] += (path & hit_spaces).bit_count()
        self.taken &= ~hit_spaces

    def _leave(self, seat: int, frog: int) -> None:
        if frog:
            self.frogs[seat] ^= frog
            self.taken ^= frog
        else:
            self.start[seat] -= 1

    def _land(self, seat: int, to: int) -> None:
        if to:
            self.frogs[seat] |= to
            self.taken |= to
        else:
            self.start[seat] += 1

    def _buy(self, card: int) -> None:
        self.market ^= 1 << card
        self.hands[self.turn] |= 1 << card
        if not self.market:
            self._fill()

    def _fill(self) -> None:
        """Refill the empty market. If the draw pile runs out, reshuffle the discards (F9)."""
        for _ in range(MARKET_SIZE):
            if not self.draw:
                if not self.discards:
                    return
                self.draw, self.discards = self.shuffle(self.discards), []
            self.market |= 1 << self.draw.pop()

    def _next_turn(self) -> None:
        seats = len(self.frogs)
        self.done = 0
        for _ in range(seats):
            self.turn = (self.turn + 1) % seats
            if not self.gone >> self.turn & 1 and (self.market or not self.is_blocked):
                return


def bits_of(cards: Iterable[DecktetCard]) -> int:
    return sum(1 << NUMBER[card] for card in cards)


def readable(course: CorridorBits, move: Action) -> Move:
    kind, first, second, third = move
    if kind == PLAY:
        return Play(BASIC[first], SUITS[second], course.space(third))
    if kind == BACK:
        frog = course.space(first)
        assert frog is not None, "a frog on the Excuse cannot go back"
        return Back(frog, course.space(second), None if third == NO_CARD else BASIC[third])
    return Take(BASIC[first]) if kind == TAKE else EndTurn()

"""Review of a finished Toad match, which finds a player's missed opportunities.

A miss is a turn in which the player could have had a toad, or could have had a much better chance to
survive the round. The review searches only rounds in which the player lost a life. In other rounds, it
reports only false claims.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from bot.engine.cards import Card, card_of
from bot.engine.frozen import frozen
from bot.engine.lots import Lots
from bot.engine.review import MissedMove, Review
from bot.engine.translation import _
from bot.games.toad.opponent import THINKING, Judge, outlives
from bot.games.toad.search_state import (
    DECLARE,
    DISCARD,
    DRAW,
    END_TURN,
    KIND,
    NUMBER,
    WORTH,
    Memory,
    TurnOption,
    completing,
    discards,
    draws,
    is_toad,
    kinds_of,
    readable,
    recall,
    takes,
)
from bot.games.toad.state import TURN, Declare, Draw, Move, Phase, State, read, write
from bot.games.toad.state import is_toad as is_a_toad
from bot.games.toad.view import view
from bot.games.toad.words import turn_words

UNTRUE, UNSAID, IN_SIGHT, LAST_PASS = "untrue", "unsaid", "in sight", "last pass"
LEFT_LYING, ON_THE_PILE, UNLIKELY = "left lying", "on the pile", "unlikely"
COSTS = {UNTRUE: 4.5, UNSAID: 5.0, IN_SIGHT: 4.0, LAST_PASS: 3.0, LEFT_LYING: 2.0, ON_THE_PILE: 0.2}
"""The cost of each type of miss. The review ranks misses by cost.

A miss costs more if the player could have noticed it, and less if it depends on hidden cards. For
``UNLIKELY``, the cost is the difference in the chance to survive the round.
"""

LEAST_LOSS = 0.15
"""The smallest difference in the chance to survive the round that counts as a miss."""


@frozen
class _Turn:
    """One turn of the player whose match is reviewed.

    Attributes:
        n: The number of moves in the match before this turn.
        states: The state before each move of the turn.
        moves: The moves of the turn.
        memories: The seat's memory before each move.
        lots: The random seed that a hint would have used before each move.
    """

    n: int
    states: tuple[State, ...]
    moves: tuple[Move | None, ...]
    memories: tuple[Memory, ...]
    lots: tuple[bytes, ...]

    @property
    def hand(self) -> tuple[Card, ...]:
        return self.states[-1].hands[self.states[0].turn]

    @property
    def worth(self) -> int:
        return sum(WORTH[NUMBER[card]] for card in self.hand)

    @property
    def is_untrue(self) -> bool:
        return self.moves[-1] == Declare() and not is_a_toad(self.hand)

    @property
    def has_drawn(self) -> bool:
        return self.moves[0] == Draw()


def moments(
    states: Sequence[State], moves: Sequence[Move | None], seat: int, lots: Sequence[bytes]
) -> Iterator[MissedMove]:
    numbered = list(enumerate(zip(states, (*moves, None), strict=False)))
    for _round, part in groupby(numbered, key=lambda one: one[1][0].round):
        played = list(part)
        first, last = played[0][1][0], played[-1][1][0]
        turns = list(_turns(played, seat, lots))
        if last.lives[seat] >= first.lives[seat]:
            yield from (_moment(turn, UNTRUE, ()) for turn in turns if turn.is_untrue)
            continue
        for turn, following in zip(turns, (*turns[1:], None), strict=False):
            missed = _find_miss(turn, following)
            if missed is not None and not THINKING.follows_hints(
                zip(turn.memories, turn.lots, turn.moves, strict=True)
            ):
                yield missed


def _turns(
    played: Sequence[tuple[int, tuple[State, Move | None]]], seat: int, lots: Sequence[bytes]
) -> Iterator[_Turn]:
    """Yield the turns of a seat in one round.

    Each turn includes the memory that a computer player in this seat would have had.
    """
    memory: Memory | None = None
    turns = list[list[tuple[int, State, Move | None, Memory, bytes]]]()
    for n, (state, move) in played:
        memory = recall(memory, view(state, seat))
        if state.turn == seat and state.phase in TURN and move is not None:  # not a resignation
            turns += [[]] if state.phase is Phase.TAKE else []
            turns[-1].append((n, state, move, memory, lots[n]))
    for own in turns:
        numbers, *parts = zip(*own, strict=True)
        yield _Turn(numbers[0], *parts)


def _find_miss(turn: _Turn, following: _Turn | None) -> MissedMove | None:
    """Return the opportunity that the player missed in a turn, or None if there was none.

    Misses that the player could have noticed take precedence over a miss that depends on hidden cards.
    """
    if turn.is_untrue:
        return _moment(turn, UNTRUE, ())
    if is_a_toad(turn.hand):
        return None if turn.moves[-1] == Declare() else _moment(turn, UNSAID, [DECLARE])
    options = takes(turn.memories[0])
    in_sight = next((option for option in options if is_toad(option.worth)), None)
    if in_sight is not None:
        return _moment(turn, IN_SIGHT, _moves(in_sight))
    judge = Judge(turn.memories[0], Lots(turn.lots[0]))
    best = max((option for option in options if not option.passes), key=judge.chance, default=None)
    if best is not None and _was_last_pass(turn):
        return _moment(turn, LAST_PASS, _moves(best))
    return (
        _left_lying(turn, options, following)
        or _unlikely(turn, options, best, judge)
        or _on_the_pile(turn)
    )


def _was_last_pass(turn: _Turn) -> bool:
    """Return whether the turn was a pass that ended the round and did not win the match (T13, T15)."""
    memory = turn.memories[0]
    passes = turn.worth == sum(WORTH[NUMBER[card]] for card in turn.states[0].hands[memory.seat])
    return (
        passes
        and len(turn.moves) == 1
        and memory.passed.issuperset(memory.rivals)
        and not outlives(memory)
    )


def _left_lying(
    turn: _Turn, options: Sequence[TurnOption], following: _Turn | None
) -> MissedMove | None:
    if following is None:
        return None
    stayed = [card for card in turn.states[0].stock if card and card in following.states[0].stock]
    for option in options:
        if option.passes or option.worth == turn.worth:
            continue
        taken_card = turn.states[0].stock[option.move] if option.move < DRAW else None
        for card in stayed:
            if card != taken_card and completing(option.worth) & kinds_of([card]):
                return _moment(turn, LEFT_LYING, _moves(option), card.code)
    return None


def _on_the_pile(turn: _Turn) -> MissedMove | None:
    draw = turn.states[0].draw
    if turn.has_drawn or not draw:
        return None
    number = NUMBER[draw[0]]
    ends = draws(turn.memories[0], KIND[number], WORTH[number])
    end = next((option for option in ends if is_toad(option.worth)), None)
    return None if end is None else _moment(turn, ON_THE_PILE, _moves(end), draw[0].code)


def _unlikely(
    turn: _Turn, options: Sequence[TurnOption], best: TurnOption | None, judge: Judge
) -> MissedMove | None:
    own_options = [option for option in options if option.worth == turn.worth]
    if best is None or not (own_options or turn.has_drawn):
        return None
    chance = judge.chance(best)
    own_chance = judge.drawing(turn.memories[0]) if turn.has_drawn else judge.chance(own_options[0])
    if chance - own_chance < LEAST_LOSS:
        return _unlikely_discard(turn) if turn.has_drawn else None
    return _moment(
        turn, UNLIKELY, _moves(best), _percent(chance), _percent(own_chance), cost=chance - own_chance
    )


def _unlikely_discard(turn: _Turn) -> MissedMove | None:
    if len(turn.memories) == 1:
        return None
    memory = turn.memories[1]
    judge = Judge(memory, Lots(turn.lots[1]))
    options = discards(memory)
    best, own_options = (
        max(options, key=judge.chance),
        [one for one in options if one.worth == turn.worth],
    )
    chance, own_chance = judge.chance(best), max(map(judge.chance, own_options), default=1.0)
    if chance - own_chance < LEAST_LOSS:
        return None
    better = [DRAW, *([best.move] if best.move >= DISCARD else []), END_TURN]
    return _moment(
        turn, UNLIKELY, better, _percent(chance), _percent(own_chance), cost=chance - own_chance
    )


def _percent(chance: float) -> str:
    return str(round(100 * chance))


def _moment(turn: _Turn, kind: str, better: Sequence[int], *facts: str, cost: float = 0.0) -> MissedMove:
    moves = tuple(write(readable(move)) for move in better)
    return MissedMove(turn.n, kind, moves, cost or COSTS[kind], facts)


def _moves(option: TurnOption) -> list[int]:
    if option.move == END_TURN:
        return [END_TURN]
    off = [] if option.off is None else [DISCARD + option.off]
    return [option.move, *off, DECLARE if is_toad(option.worth) else END_TURN]


def miss_text(state: State, moment: MissedMove) -> str:
    words = {
        UNTRUE: _("You said **Ribit!** without a toad, so your cards were face up from then on."),
        UNSAID: _("You had a toad, but you didn't say **Ribit!**"),
        IN_SIGHT: _("You could have had a toad: {better}."),
        LAST_PASS: _("You were the last to pass, and it cost you a life. Better: {better}."),
        LEFT_LYING: _(
            "You could have had a toad on your next turn: {better}. {card} was still in the stock then."
        ),
        ON_THE_PILE: _(
            "Nobody could have known it, but the next card in the draw pile was {card}: {better}."
        ),
        UNLIKELY: _("Better: {better}. That saves you about {n} times out of 100. Your turn: {m}."),
    }[moment.kind]
    n, m = (*moment.facts, "", "")[:2]
    better = turn_words(state, (read(text, state) for text in moment.better))
    sentence = words.format(better=better or _("end the turn"), card=card_of(n) or "", n=n, m=m)
    return _("Round {n}: {what}").format(n=state.round, what=sentence)


REVIEW: Review[State, Move] = Review(moments=moments, miss_text=miss_text)

"""The record of a match: all that it can be verified by, and the match computed anew from it alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from hashlib import sha256
from typing import Any

from bot.engine.commitment import commitment_to, contributions, number_by_lot
from bot.engine.errors import IllegalMoveError, UnreadableMoveError
from bot.engine.game import AnyGame
from bot.engine.match import AGAIN, DAY, DEAL, LEAVES, PAR, REPLAY, Entry, Match, Stage
from bot.engine.shuffle import Draw, draws_noted
from bot.engine.thinking import Lots, Strength
from bot.engine.values import frozen

FOUND = (AGAIN, DEAL, PAR, REPLAY)
"""The options that a seed, or what was played before, decides: they cannot go into it themselves."""

_TERMS = json.JSONEncoder(sort_keys=True, separators=(",", ":"))

SHORT = 24
"""So many hexadecimal digits are compared: nobody finds another table that has the same."""


@frozen
class Seat:
    """A seat: the id of the interaction by which a person sat down, or how well a frog plays there."""

    interaction: int = 0
    strength: Strength | None = None


@frozen
class RecordedDraw:
    """A shuffle or lot of a match, with its cards in writing, and after how many moves it was."""

    after: int
    draw: Draw


@frozen
class RecordedMove:
    """A move; ``lot`` is the lot of a computer player's, in hexadecimal digits, else empty."""

    seat: int
    text: str
    lot: str = ""


@frozen
class Record:
    """All that a match can be verified by. It names nobody: a seat is a number.

    Without a ``secret`` its deal was chosen by its number. ``winners`` is None for a match that was
    closed before its end. Without ``opened_by`` it is of form 1, whose secret has only ids bound to it.
    """

    match_id: str
    game: str
    rules_version: int
    thinking_version: int
    options: Mapping[str, int]
    seats: tuple[Seat, ...]
    started_by: int
    secret: bytes | None
    commitment: str
    seed: bytes | None
    draws: tuple[RecordedDraw, ...]
    moves: tuple[RecordedMove, ...]
    winners: tuple[int, ...] | None
    opened_by: int = 0

    @property
    def form(self) -> int:
        """The form of what the seed is made of, and of the file."""
        return 2 if self.opened_by else 1

    @property
    def opening(self) -> dict[str, Any]:
        """What the match begins with, as its file has it."""
        return {
            "match": self.match_id,
            "game": self.game,
            "rules": self.rules_version,
            "thinking": self.thinking_version,
            "options": dict(self.options),
            "opened_by": str(self.opened_by),
            "seats": [
                {"computer": seat.strength.value}
                if seat.strength
                else {"interaction": str(seat.interaction)}
                for seat in self.seats
            ],
            "started_by": str(self.started_by),
        }

    @property
    def terms(self) -> str:
        """All that goes into the seed beside the secret, in one text; nothing of a day's deal does."""
        if not self.opened_by or self.options.get(DAY):
            return " ".join(map(str, self.interactions))
        options = {key: value for key, value in self.options.items() if key not in FOUND}
        return _TERMS.encode(self.opening | {"options": options})

    @property
    def digest(self) -> str:
        """What its table shows of it from its start on: the one thing to compare.

        A day's deal is committed to the day before, by nothing but its secret.
        """
        if not self.opened_by or self.options.get(DAY):
            return self.commitment[:SHORT]
        return sha256((self.commitment + self.terms).encode()).hexdigest()[:SHORT]

    @property
    def interactions(self) -> tuple[int, ...]:
        """The ids that went into the seed: of each seat, and of the start; none of a day's deal."""
        return contributions((seat.interaction for seat in self.seats), self.started_by)


class Fault(Enum):
    """What is not as it should be."""

    UNCOMMITTED = "no commitment"
    OPTIONS = "options"
    COMMITMENT = "commitment"
    SEED = "seed"
    INTERACTIONS = "interactions"
    NO_INTERACTION = "an interaction that is missing"
    ORDER = "the order of the interactions"
    NUMBER = "number"
    DRAW = "draw"
    UNREADABLE = "unreadable move"
    ILLEGAL = "illegal move"
    TURN = "turn"
    LOT = "lot"
    COMPUTER = "computer player's move"
    END = "end"
    WINNERS = "winners"


class FaultError(Exception):
    """Something is not as it should be: at a move, counted from 1, or with a draw of some purpose."""

    def __init__(self, fault: Fault, *, n: int = 0, about: str = "") -> None:
        super().__init__(fault)
        self.fault, self.n, self.about = fault, n, about


class Recomputation:
    """A match computed again, move by move, from a seed; raises what is wrong with a move."""

    def __init__(self, game: AnyGame, record: Record, seed: bytes, *, thinks: bool = False) -> None:
        """``thinks``: the moves of computer players are thought out again, too."""
        self._game, self._record, self._seed = game, record, seed
        self._thinking = game.thinking
        self._thinks = (
            thinks and game.thinking is not None and game.thinking.version == record.thinking_version
        )
        self._memories: dict[int, Any] = {}
        self._lots = _lots(game, seed, (move.seat for move in record.moves))
        self.draws: list[RecordedDraw] = []
        self.chosen = 0
        with self._noted(0):
            self._draw_number()
            defaults = {option.key: option.default for option in game.info.options}
            self.state = game.deal(len(record.seats), {**defaults, **record.options}, seed)
        self._recall()

    def play(self) -> None:
        """Play all moves."""
        for n, move in enumerate(self._record.moves):
            with self._noted(n + 1):
                self._play(n, move)
            self._recall()

    @contextmanager
    def _noted(self, after: int) -> Iterator[None]:
        """Note the draws of one move, also of one that fails."""
        with draws_noted() as noted:
            try:
                yield
            finally:
                self.draws += [RecordedDraw(after, _written(draw)) for draw in noted]

    def _draw_number(self) -> None:
        """Draw the number of the deal once more, where there is one that nobody named."""
        if self._record.secret is not None:
            for option in self._game.info.options:
                if option.by_lot:
                    number_by_lot(option, self._seed)

    def _play(self, n: int, move: RecordedMove) -> None:
        game, lot = self._game, next(self._lots)
        try:
            if move.text == LEAVES:
                self.state = game.withdraw(self.state, move.seat)
                self._check_lot(n, move, lot)
                return
            if move.seat != game.to_move(self.state):
                raise FaultError(Fault.TURN, n=n + 1)
            made = game.read(move.text, self.state)
            after = game.play(self.state, made)
        except UnreadableMoveError:
            raise FaultError(Fault.UNREADABLE, n=n + 1) from None
        except IllegalMoveError:
            raise FaultError(Fault.ILLEGAL, n=n + 1) from None
        self._check_lot(n, move, lot)
        self._check_computer(n, move, lot)
        self.state = after

    def _check_lot(self, n: int, move: RecordedMove, lot: bytes) -> None:
        """Raise unless a computer player's move has the lot that it has to have, and a person's none."""
        if self._record.seats[move.seat].strength is None:
            if move.lot:
                raise FaultError(Fault.OPTIONS)
        elif move.lot != lot.hex():
            raise FaultError(Fault.LOT, n=n + 1)

    def _check_computer(self, n: int, move: RecordedMove, lot: bytes) -> None:
        """Raise unless a computer player's move is the one that its lot and its memory give.

        That is its own, or the rule of thumb: so it moves where nobody else is left, or no thought came
        in time. What the table does by itself, and the clock for a seat, is no choice.
        """
        strength = self._record.seats[move.seat].strength
        if strength is None:
            return
        if not self._thinks or self._game.automatic(self.state) is not None:
            return
        if move.text not in self._choices(strength, self._memories[move.seat], lot):
            raise FaultError(Fault.COMPUTER, n=n + 1)
        self.chosen += 1

    def _choices(self, strength: Strength, memory: Any, lot: bytes) -> Iterator[str]:
        assert self._thinking is not None, "somebody thinks"
        for thinker in dict.fromkeys((strength, Strength.FROGLET)):
            yield self._game.write(self._thinking.choose(memory, thinker, Lots(lot)))
        if (passing := self._game.passing(self.state)) is not None:
            yield self._game.write(passing)

    def _recall(self) -> None:
        if not self._thinks or self._thinking is None:
            return
        for seat, sits in enumerate(self._record.seats):
            if sits.strength is not None:
                view = self._game.view(self.state, seat)
                self._memories[seat] = self._thinking.recall(self._memories.get(seat), view)


def _lots(game: AnyGame, seed: bytes, seats: Iterable[int]) -> Iterator[bytes]:
    """Yield the lot of each move of a match; a person's stands nowhere."""
    moved = Counter[int]()
    for n, seat in enumerate(seats):
        yield game.lot(seed, n, seat, moved[seat])
        moved[seat] += 1


def _written(draw: Draw) -> Draw:
    return Draw(draw.purpose, _codes(draw.items), _codes(draw.order), draw.choices, draw.drawn)


def _codes(items: Iterable[Any]) -> tuple[str, ...]:
    return tuple(str(getattr(item, "code", item)) for item in items)


def opened_record(match: Match) -> Record:
    """Return the record of a match that is being dealt: all but what its seed gives, and moves."""
    seats = tuple(
        Seat(each.interaction)
        if each.interaction or not each.is_computer_player
        else Seat(strength=each.strength)
        for each in match.players
    )
    return Record(
        match_id=match.id,
        game=match.game,
        rules_version=match.rules_version,
        thinking_version=match.thinking_version,
        options=dict(match.options),
        seats=seats,
        started_by=match.started_by,
        secret=match.secret,
        commitment=commitment_to(match.secret) if match.secret is not None else "",
        seed=match.seed if match.secret is not None else None,
        draws=(),
        moves=(),
        winners=None,
        opened_by=match.opened_by,
    )


def record_of(game: AnyGame, match: Match, entries: Sequence[Entry]) -> Record:
    """Return the record of a match that is over, with what its seed gives as far as its moves lead."""
    assert match.seed is not None, "the match was dealt"
    assert not match.stage.is_live, "its secret is nobody's to know before"
    record = opened_record(match)
    lots = _lots(game, match.seed, (entry.seat for entry in entries))
    moves = tuple(
        RecordedMove(each.seat, each.text, lot.hex() if record.seats[each.seat].strength else "")
        for each, lot in zip(entries, lots, strict=True)
    )
    return _completed(game, replace(record, moves=moves), match)


def _completed(game: AnyGame, record: Record, match: Match) -> Record:
    """Return a record with its draws and winners, as its own seed gives them."""
    recomputed = Recomputation(game, record, record.seed or b"")
    try:
        recomputed.play()
    except FaultError:
        return replace(record, draws=tuple(recomputed.draws))
    outcome = game.outcome(recomputed.state)
    is_finished = match.stage is Stage.FINISHED
    winners = (outcome.winners if outcome else ()) if is_finished else None
    return replace(record, draws=tuple(recomputed.draws), winners=winners)

"""Verification of finished matches, for the command ``/verify``.

When a table opens, the bot chooses a secret and publishes the secret's hash, the commitment. After the
match, its record contains the secret and all moves. A check compares the commitment with the secret,
deals the cards again and replays each move. docs/verifying.md explains what a successful check proves.
Worker processes import this module, so code that needs Discord is in ``cog``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from enum import Enum
from itertools import zip_longest
from typing import Any

from bot.engine.errors import IllegalMoveError, UnreadableMoveError
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.lots import Lots
from bot.engine.opponent import Mover, Strength
from bot.engine.shuffle import SeedUse, draws_noted
from bot.engine.translation import N_
from bot.engine.worker_task import Unfinished
from bot.matches.commitment import commitment_to, deal_seed, number_by_lot, opened_record
from bot.matches.duels import board_options, count_of, own_seat
from bot.matches.match import LEAVES, Entry, Match, Stage
from bot.matches.match_type import (
    BANK,
    CHALLENGE,
    DAY,
    DUEL,
    HINTS,
    LATER_OPTIONS,
    PAR,
    MatchType,
    recorded_options,
)
from cogs.verify.record_file import Record, RecordedDraw, RecordedMove


class Fault(Enum):
    """A reason why a match's record is not valid. The value is the sentence shown to the user.

    In the sentences, ``{n}`` is a move's number, and ``{about}`` is the purpose of a shuffle or random
    number.
    """

    OPTIONS = N_("These seats, options or moves aren't possible: the file was changed.")
    COMMITMENT = N_("The commitment doesn't match the secret: one of them was changed.")
    SEED = N_(
        "The seed doesn't come from this secret and these interactions, seats and options: "
        "something was changed, or the cards weren't dealt as committed."
    )
    NO_INTERACTION = N_(
        "An interaction is missing. Except for deals of the day, each seed needs those that "
        "opened the table, seated each player and started the match."
    )
    ORDER = N_(
        "The interactions aren't in the order of the seats, between opening and starting the "
        "table: the file was changed."
    )
    NUMBER = N_("The seed gives another deal number or par.")
    DRAW = N_("The seed gives another result for “{about}”.")
    MOVE = N_("This seat couldn't have made move {n} with these cards: the moves were changed.")
    LOT = N_("The seed gives a frog another random number for move {n}.")
    COMPUTER = N_("Move {n} isn't the one this frog would have made.")
    END = N_("The match doesn't end after its {n} moves: some are missing or were added.")
    WINNERS = N_("The file names the wrong winners.")


class FaultError(Exception):
    """Raised when a match's record turns out to be invalid.

    The arguments are those of ``CheckReport``: the fault, the move's number, counted from 1, and the
    draw's purpose. The last two are left out if they are unknown.
    """


@frozen
class CheckReport:
    """The result of checking a match's record.

    Attributes:
        fault: The first fault that was found, or None if the record is valid.
        n: The number of the invalid move, counted from 1. 0 if the fault is not about a move.
        about: The purpose of the invalid draw, which is a shuffle or a random number. Empty if the fault
            is not about a draw.
        chosen: The number of computer players' moves that were recomputed.
    """

    fault: Fault | None = None
    n: int = 0
    about: str = ""
    chosen: int = 0


def check_record(game: AnyGame, record: Record) -> CheckReport:
    result = start_check(game, record)
    while isinstance(result, Unfinished):
        result = resume_check(game, result.progress, lambda: False)
    return result


def start_check(game: AnyGame, record: Record) -> CheckReport | Unfinished:
    """Check the options, seed and deal number in a match's record, but no moves yet.

    Returns:
        A report if the check found a fault. Otherwise the progress, which callers pass to
        ``resume_check``.
    """
    try:
        _check_options(game, record)
        seed = _checked_seed(record)
        _check_number(game, record, seed)
        return Unfinished(_Played(game, record, seed).progress)
    except FaultError as error:
        return CheckReport(*error.args)


def resume_check(
    game: AnyGame, progress: CheckProgress, is_over: Callable[[], bool]
) -> CheckReport | Unfinished:
    """Check the next moves in a match's record. After the last move, also check draws and the result.

    The check runs in slices, so that it does not block a worker process for long.

    Args:
        game: The game.
        progress: The progress that the previous slice returned.
        is_over: Function that returns True when the current slice should end.

    Returns:
        A report if the check is finished. Otherwise the progress for the next slice.
    """
    try:
        played = _Played(game, progress.record, progress.seed, progress, thinks=True)
        if not played.play(is_over):
            return Unfinished(played.progress)
        played.check_draws()
        _check_end(game, progress.record, played.state)
    except FaultError as error:
        return CheckReport(*error.args)
    return CheckReport(chosen=played.chosen)


def _check_options(game: AnyGame, record: Record) -> None:
    """Raise FaultError if a record has options, seats or moves that no match could have.

    This check runs first, so that no cards are dealt from invalid values.
    """
    info, seats = game.info, record.seats
    if record.type.is_duel:
        _check_board(game, record)
        return
    bounds = {option.key: (option.least, option.most) for option in info.options}
    # A daily deal is the same for all players, so it has no interactions and no other options.
    fixed = [option for option in info.options if option.key not in (*LATER_OPTIONS, DAY)]
    is_chosen = any(
        record.options.get(fixed_option.key, fixed_option.default) != fixed_option.default
        for fixed_option in fixed
    )
    given = {key: value for key, value in record.options.items() if key in bounds}
    kind = MatchType.parse(given)
    is_right = (
        info.fewest <= len(seats) <= info.most
        and bounds.keys() | {BANK, HINTS} >= record.options.keys()
        and all(bounds[key][0] <= value <= bounds[key][1] for key, value in given.items())
        and all(0 <= move.seat < len(seats) for move in record.moves)
        and not (kind.day and (is_chosen or record.interactions))
        and (record.secret is not None or kind.deal)
    )
    if not is_right:
        raise FaultError(Fault.OPTIONS)
    if record.secret is not None and not kind.day:
        _check_contributed(record)


def _check_board(game: AnyGame, record: Record) -> None:
    """Raise FaultError if a duel's options or seats differ from those that its board prescribes.

    A duel is played on several boards, which belong to a day or to a challenge. Each board has one
    player and one computer player of the strength TOAD.
    """
    kind = record.type
    is_right = (
        game.duel is not None
        and record.secret is not None
        and 0 <= kind.board < count_of(game, kind.challenge)
        and dict(record.options)
        == {
            **recorded_options(board_options(game, kind.board)),
            DUEL: kind.duel,
            **({CHALLENGE: kind.challenge} if kind.challenge else {}),
        }
        and not record.interactions
        and all(0 <= move.seat < len(record.seats) for move in record.moves)
    )
    if not is_right or record.secret is None:
        raise FaultError(Fault.OPTIONS)
    own = own_seat(game, record.secret, kind.board)
    if [seat.strength for seat in record.seats] != [
        None if at == own else Strength.TOAD for at in (0, 1)
    ]:
        raise FaultError(Fault.OPTIONS)


def _check_contributed(record: Record) -> None:
    """Raise FaultError if an interaction ID that contributes to the seed is missing or out of order.

    The table's opening must come first, then each player's interaction in the order of the seats, then
    the start.
    """
    is_solo = len(record.seats) == 1
    has_all = all(seat.interaction or seat.strength is not None for seat in record.seats)
    if not (has_all and record.opened_by and (is_solo or record.started_by)):
        raise FaultError(Fault.NO_INTERACTION)
    sat_down = [seat.interaction for seat in record.seats if seat.strength is None]
    whole = [record.opened_by, *sat_down, record.started_by]
    if whole != sorted(whole) or len({*sat_down}) < len(sat_down):
        raise FaultError(Fault.ORDER)


def _checked_seed(record: Record) -> bytes:
    if record.secret is None:
        return b""
    if commitment_to(record.secret) != record.commitment:
        raise FaultError(Fault.COMMITMENT)
    seed = deal_seed(record.secret, record.terms)
    if seed != record.seed:
        raise FaultError(Fault.SEED)
    return seed


def _check_number(game: AnyGame, record: Record, seed: bytes) -> None:
    """Raise FaultError if the deal's number or par is not the one that results from the seed.

    Depending on the game, the number is drawn from the seed, or the seed starts a search for a suitable
    deal.
    """
    by_lot = [option for option in game.info.options if option.by_lot]
    if record.secret is None or not by_lot:
        return
    found: Mapping[str, int] = {
        **{option.key: option.default for option in game.info.options},
        **record.options,
        **{option.key: number_by_lot(option, seed) for option in by_lot},
    }
    if game.find_deal is not None:
        found = game.find_deal({**found, PAR: 0})
    keys = {option.key for option in by_lot} | {PAR}
    if any(found.get(key, 0) != record.options.get(key, 0) for key in keys):
        raise FaultError(Fault.NUMBER)


def _check_end(game: AnyGame, record: Record, state: Any) -> None:
    """Raise FaultError if the record and the replayed moves disagree on the match's end or winners."""
    outcome = game.outcome(state)
    if (outcome is None) != (record.winners is None):
        raise FaultError(Fault.END, len(record.moves))
    if outcome is not None and outcome.winners != record.winners:
        raise FaultError(Fault.WINNERS)


@frozen
class CheckProgress:
    """The progress of an unfinished check. It is plain data that can be pickled between two slices.

    Attributes:
        record: The record that is checked.
        seed: The seed of the deal.
        state: The game's state after the last replayed move.
        n: The number of replayed moves.
        memories: Each computer player's memory, by seat.
        made: The number of replayed moves, by seat.
        draws: The shuffles and random numbers drawn for the deal and the replayed moves.
        chosen: The number of computer players' moves that were recomputed.
    """

    record: Record
    seed: bytes
    state: Any
    n: int
    memories: Mapping[int, Any]
    made: Mapping[int, int]
    draws: tuple[RecordedDraw, ...]
    chosen: int


class _Played:
    """A match that is dealt again from its record's seed and replayed move by move."""

    def __init__(
        self,
        game: AnyGame,
        record: Record,
        seed: bytes,
        progress: CheckProgress | None = None,
        *,
        thinks: bool = False,
    ) -> None:
        """Deal the cards, or resume the replay from ``progress``.

        If ``thinks`` is True, the replay also recomputes the choices of computer players, unless another
        version of the computer player made them.
        """
        self._game, self._record, self._seed = game, record, seed
        is_same_version = thinks and game.thinking and game.thinking.version == record.thinking_version
        self._thinking = game.thinking if is_same_version else None
        self._memories = dict[int, Any](progress.memories if progress else {})
        self._made = Counter[int](progress.made if progress else {})
        self._n = progress.n if progress else 0
        self.draws = list(progress.draws if progress else ())
        self.chosen = progress.chosen if progress else 0
        self.state = progress.state if progress else self._deal()

    def _deal(self) -> Any:
        record, info = self._record, self._game.info
        defaults = {option.key: option.default for option in info.options}
        with self._record_draws(0):
            for option in info.options if record.secret is not None else ():
                if option.by_lot:  # drawn again because the record lists this draw
                    number_by_lot(option, self._seed)
            return self._game.deal(len(record.seats), {**defaults, **record.options}, self._seed)

    @property
    def progress(self) -> CheckProgress:
        memories, move_counts = dict(self._memories), dict(self._made)
        state, draws, chosen = self.state, tuple(self.draws), self.chosen
        return CheckProgress(
            self._record, self._seed, state, self._n, memories, move_counts, draws, chosen
        )

    def play(self, is_over: Callable[[], bool] = lambda: False) -> bool:
        """Replay at least one move, and continue until ``is_over`` returns True.

        Returns:
            True if no moves are left.
        """
        for move in self._record.moves[self._n :]:
            n, seat = self._n, move.seat
            lot = self._game.lot(self._seed, n, seat, self._made[seat])
            self._recall()
            with self._record_draws(n + 1):
                self._play(n + 1, move, lot)
            self._n, self._made[seat] = n + 1, self._made[seat] + 1
            if is_over():
                break
        return self._n == len(self._record.moves)

    def check_draws(self) -> None:
        for recorded_draw, actual_draw in zip_longest(self._record.draws, self.draws):
            if recorded_draw != actual_draw:
                raise FaultError(Fault.DRAW, 0, (actual_draw or recorded_draw).draw.purpose)

    @contextmanager
    def _record_draws(self, after: int) -> Iterator[None]:
        """Return a context manager that records each shuffle and random number drawn in its block.

        They are appended to ``draws`` even if the block raises. ``after`` is the number of moves before
        them.
        """
        with draws_noted() as noted:
            try:
                yield
            finally:
                self.draws += [RecordedDraw(after, _write_draw(draw)) for draw in noted]

    def _recall(self) -> None:
        for seat, sits in enumerate(self._record.seats):
            if sits.strength is not None and self._thinking is not None:
                view, memory = self._game.view(self.state, seat), self._memories.get(seat)
                self._memories[seat] = self._thinking.recall(memory, view)

    def _play(self, n: int, move: RecordedMove, lot: bytes) -> None:
        game, strength = self._game, self._record.seats[move.seat].strength
        try:
            if move.text == LEAVES:
                after = game.withdraw(self.state, move.seat)
            elif move.seat != game.to_move(self.state):
                raise FaultError(Fault.MOVE, n)
            else:
                after = game.play(self.state, game.read(move.text, self.state))
        except (UnreadableMoveError, IllegalMoveError):
            raise FaultError(Fault.MOVE, n) from None
        if strength is None and (move.lot or move.is_simple):
            raise FaultError(Fault.OPTIONS)
        if strength is not None and move.lot != lot.hex():
            raise FaultError(Fault.LOT, n)
        if strength is not None and move.text != LEAVES:
            self._check_choice(n, move, strength, lot)
        self.state = after

    def _check_choice(self, n: int, move: RecordedMove, strength: Strength, lot: bytes) -> None:
        """Raise FaultError if the computer player would have chosen a different move.

        The choice depends on the computer player's memory and on the lot, which is random data derived
        from the seed. Moves marked as simple are chosen with the strength FROGLET. Automatic moves are
        not checked, because no player chooses them.
        """
        if self._thinking is None or self._game.automatic(self.state) is not None:
            return
        strength = Strength.FROGLET if move.is_simple else strength
        chosen = self._thinking.choose(self._memories[move.seat], strength, Lots(lot))
        if move.text != self._game.write(chosen):
            raise FaultError(Fault.COMPUTER, n)
        self.chosen += 1


def _lots(game: AnyGame, seed: bytes, seats: Iterable[int]) -> Iterator[bytes]:
    moved = Counter[int]()
    for n, seat in enumerate(seats):
        yield game.lot(seed, n, seat, moved[seat])
        moved[seat] += 1


def _write_draw(draw: SeedUse) -> SeedUse:
    items, order = (
        tuple(str(getattr(item, "code", item)) for item in items) for items in (draw.items, draw.order)
    )
    return replace(draw, items=items, order=order)


def record_of(game: AnyGame, match: Match, entries: Sequence[Entry]) -> Record:
    """Return the record from which anyone can verify a finished match.

    It includes the shuffles and random numbers drawn from the seed up to the last valid move.
    """
    assert match.seed is not None, "the match was dealt"
    assert not match.stage.is_live, "its secret is nobody's to know before"
    opened = opened_record(match)
    record = Record(**{field.name: getattr(opened, field.name) for field in fields(opened)})
    lots = _lots(game, match.seed, (entry.seat for entry in entries))
    moves = tuple(
        RecordedMove(
            move.seat,
            move.text,
            lot.hex() if record.seats[move.seat].strength else "",
            move.mover is Mover.SIMPLE,
        )
        for move, lot in zip(entries, lots, strict=True)
    )
    record = replace(record, moves=moves)
    played, winners = _Played(game, record, record.seed or b""), None
    with suppress(FaultError):
        played.play()
        if match.stage is Stage.FINISHED:
            outcome = game.outcome(played.state)
            winners = outcome.winners if outcome else ()
    return replace(record, draws=tuple(played.draws), winners=winners)

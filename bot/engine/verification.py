"""Whether a match was dealt as it was committed to, and played by the cards that this gives.

Its record is played again from nothing but its secret, the ids of interactions, options and moves.
docs/verifying.md says what that proves.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

from bot.engine.commitment import commitment_to, deal_seed, number_by_lot
from bot.engine.game import AnyGame
from bot.engine.match import BANK, DAY, DEAL, HINTS, PAR, REPLAY
from bot.engine.match_record import FOUND, Fault, FaultError, Recomputation, Record
from bot.engine.values import frozen


@frozen
class Report:
    """What came of verifying: a fault and where it is, or none, and how much was checked.

    ``about`` is the purpose of a draw, ``n`` the number of a move, counted from 1. ``chosen``: of the
    moves of computer players so many were thought out again.
    """

    fault: Fault | None = None
    about: str = ""
    n: int = 0
    shuffles: int = 0
    lots: int = 0
    moves: int = 0
    chosen: int = 0


def verified(game: AnyGame, record: Record) -> Report:
    """Return what is wrong with the record of a match, or how much of it was found to be right."""
    try:
        _check_options(game, record)
        seed = _checked_seed(game, record)
        _check_number(game, record, seed)
        recomputed = Recomputation(game, record, seed, thinks=True)
        recomputed.play()
        _check_draws(record, recomputed)
        _check_end(game, record, recomputed)
    except FaultError as error:
        return Report(error.fault, error.about, error.n)
    return Report(
        shuffles=sum(bool(each.draw.items) for each in recomputed.draws),
        lots=sum(bool(each.draw.choices) for each in recomputed.draws)
        + sum(bool(move.lot) for move in record.moves),
        moves=len(record.moves),
        chosen=recomputed.chosen,
    )


def _check_options(game: AnyGame, record: Record) -> None:
    """Raise where a table could not have been opened so: nothing is dealt by numbers out of bounds."""
    info, seats = game.info, record.seats
    bounds = {option.key: (option.least, option.most) for option in info.options}
    given = {key: value for key, value in record.options.items() if key in bounds}
    is_right = (
        info.fewest <= len(seats) <= info.most
        and bounds.keys() | {BANK, HINTS} >= record.options.keys()
        and all(bounds[key][0] <= value <= bounds[key][1] for key, value in given.items())
        and all(move.seat < len(seats) for move in record.moves)
        and not (given.get(DAY) and _is_chosen(game, record))
    )
    if not is_right:
        raise FaultError(Fault.OPTIONS)
    if record.secret is None and not given.get(DEAL):
        raise FaultError(Fault.UNCOMMITTED)
    if record.secret is not None and not (given.get(DAY) or (record.form == 1 and given.get(REPLAY))):
        _check_contributed(record)


def _is_chosen(game: AnyGame, record: Record) -> bool:
    """Return whether a day's deal is not the one of all: it has no interactions and no options."""
    fixed = [option for option in game.info.options if option.key not in (*FOUND, DAY)]
    has_options = any(record.options.get(each.key, each.default) != each.default for each in fixed)
    return has_options or bool(record.interactions)


def _check_contributed(record: Record) -> None:
    """Raise where the bot alone has made the seed, or some of those who sat there had no part in it.

    They sat down one after the other, after the table was opened and before the start; of form 1 not
    even the bot knew in which order.
    """
    is_solo = len(record.seats) == 1
    has_all = all(seat.interaction or seat.strength is not None for seat in record.seats)
    if not has_all or not (is_solo or record.started_by):
        raise FaultError(Fault.NO_INTERACTION)
    sat_down = [seat.interaction for seat in record.seats if seat.strength is None]
    whole = [record.opened_by, *sat_down, record.started_by]
    if record.form > 1 and (whole != sorted(whole) or len({*sat_down}) < len(sat_down)):
        raise FaultError(Fault.ORDER)


def _checked_seed(game: AnyGame, record: Record) -> bytes:
    """Return the seed that the record has to have; raises where it has another."""
    if record.secret is None:
        return b""
    if commitment_to(record.secret) != record.commitment:
        raise FaultError(Fault.COMMITMENT)
    seed = deal_seed(record.secret, record.terms)
    if seed != record.seed:
        is_played_by = record.seed is not None and _fits(game, record, record.seed)
        raise FaultError(Fault.INTERACTIONS if is_played_by else Fault.SEED)
    return seed


def _fits(game: AnyGame, record: Record, seed: bytes) -> bool:
    """Return whether the draws and the moves of a record are of a seed."""
    recomputed = Recomputation(game, record, seed)
    try:
        recomputed.play()
        _check_draws(record, recomputed)
    except FaultError:
        return False
    return True


def _check_number(game: AnyGame, record: Record, seed: bytes) -> None:
    """Raise where the number of a deal is not the one that is drawn by the seed, or found from that."""
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


def _check_draws(record: Record, recomputed: Recomputation) -> None:
    for told, drawn in zip_longest(record.draws, recomputed.draws):
        if told != drawn:
            about = drawn or told
            raise FaultError(Fault.DRAW, about=about.draw.purpose if about else "")


def _check_end(game: AnyGame, record: Record, recomputed: Recomputation) -> None:
    """Raise where the moves end before the match did, or somebody else has won it."""
    outcome = game.outcome(recomputed.state)
    if (outcome is None) != (record.winners is None):
        raise FaultError(Fault.END, n=len(record.moves))
    if outcome is not None and outcome.winners != record.winners:
        raise FaultError(Fault.WINNERS)

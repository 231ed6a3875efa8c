"""Who may do what at one table beside playing: whom it has turned away, invited, asked and shut out."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.values import frozen


@frozen
class Roster:
    """Ids of players at one match, each in the order in which it came to be.

    ``removed`` were sent away from the lobby and cannot join again. ``invited`` played the match before:
    seats are kept for them at first. ``closing`` agree to close the match without a result, first who
    asked for it; ``refused`` have asked that in vain and cannot ask again. ``shut_out`` may not see
    the table's channel any more. ``handed_over`` have left their seats to a frog by choice.
    """

    removed: tuple[int, ...] = ()
    invited: tuple[int, ...] = ()
    closing: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    shut_out: tuple[int, ...] = ()
    handed_over: tuple[int, ...] = ()


def with_id(ids: tuple[int, ...], player_id: int) -> tuple[int, ...]:
    """Return the ids with one more, once."""
    return ids if player_id in ids else (*ids, player_id)


def without_ids(ids: tuple[int, ...], gone: Iterable[int]) -> tuple[int, ...]:
    """Return the ids without some."""
    left_out = frozenset(gone)
    return tuple(each for each in ids if each not in left_out)

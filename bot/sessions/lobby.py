"""Tables before their match begins: what is chosen for one, and what may be done at it. All pure."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.engine.game import AnyGame, Info, Retry
from bot.engine.immutable import frozen
from bot.engine.thinking import Strength
from bot.engine.words import _, ngettext
from bot.matches.commitment import deal_seed, interactions_of, opened_record
from bot.matches.match import Match, Player, Stage, without_ids
from bot.matches.match_type import BANK, HINTS
from bot.matches.preferences import LONGEST_BANK, LONGEST_TURN, SHORTEST_TURN
from bot.sessions.errors import TableError, not_seated
from bot.sessions.table import Table
from bot.sessions.turn_clock import waiting

HOST_SECONDS = 10 * 60  # how long a host may do nothing in the lobby until others may start, too
KEPT_SECONDS = 2 * 60  # how long the seats of a rematch are kept for those who played before
_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 8


@frozen
class Opening:
    """What was chosen: a game, how many may sit down, its options, the time of a turn, and frogs."""

    game: str
    limit: int
    options: Mapping[str, int]
    turn_seconds: int = 0
    frogs: tuple[Strength, ...] = ()

    def fits(self, game: AnyGame) -> bool:
        """Return whether a game has such a table: what a button carries may be old, or made up."""
        info, seconds = game.info, self.turn_seconds
        needed = {option.key: (option.least, option.most) for option in info.options}
        bounds = needed | {HINTS: (0, 1), BANK: (0, LONGEST_BANK)}
        return (
            not info.is_solo
            and info.fewest <= self.limit <= info.most
            and len(self.frogs) < self.limit
            and (not self.frogs or game.thinking is not None)
            and needed.keys() <= self.options.keys() <= bounds.keys()
            and all(bounds[key][0] <= value <= bounds[key][1] for key, value in self.options.items())
            and (seconds == 0 or (game.has_clock and SHORTEST_TURN <= seconds <= LONGEST_TURN))
        )


def new_match_id() -> str:
    return "".join(secrets.choice(_ID_ALPHABET) for _letter in range(_ID_LENGTH))


def new_match(
    info: Info,
    guild_id: int | None,
    channel_id: int,
    host: Player,
    limit: int,
    options: Mapping[str, int],
) -> Match:
    """Return a lobby of a game, not stored yet, in which only its host is seated."""
    return Match(
        id=new_match_id(),
        game=info.key,
        rules_version=info.rules_version,
        guild_id=guild_id,
        channel_id=channel_id,
        host_id=host.id,
        players=(host,),
        limit=limit,
        options=options,
        opened_at=0,
    )


def place_of(channel_id: int, player_id: int | None = None) -> str:
    """Return the name of a place that holds one live match: a channel, or a player's own in it."""
    return f"channel {channel_id}" if player_id is None else f"channel {channel_id} player {player_id}"


def place_of_try(game: str, day: int, guild_id: int | None, who: str = "first") -> str:
    """Return the name of a place that holds a try of a day's deal in a server; ``who`` tells them apart.

    The first has the channel in which the server hears of all of them.
    """
    return f"day {day} {game} server {guild_id or 0} {who}"


def strength_of(word: str) -> Strength:
    """Return the strength of this name; raises TableError where there is none."""
    try:
        return Strength(word)
    except ValueError:
        raise no_such_frog() from None


def no_such_frog() -> TableError:
    return TableError(_("There is no such frog. Choose a tadpole, a froglet or a toad."))


def check_frogs(game: AnyGame, limit: int, frogs: int) -> None:
    """Raise TableError unless so many frogs find a seat beside somebody at a table of a game."""
    if frogs and game.thinking is None:
        raise TableError(no_frogs())
    if not 0 <= frogs < limit:
        words = ngettext(
            "The table has {seats} seats: there's room for {n} frog besides you.",
            "The table has {seats} seats: there's room for {n} frogs besides you.",
            limit - 1,
        )
        raise TableError(words.format(seats=limit, n=limit - 1))


def no_frogs() -> str:
    return _("Frogs don't play this game.")


def begun(table: Table, seed: bytes, now: int, interaction: int = 0) -> Table:
    match, bank = seeded(table.match, table.game, seed, interaction), bank_of(table.match)
    match = replace(
        match,
        stage=Stage.PLAYING,
        players=tuple(replace(player, bank=bank) for player in match.players),
        rests_since=None,
        turn_ends_at=now + match.turn_seconds + bank if match.turn_seconds else None,
        active_at=now,
    )
    return waiting(Table.dealt(match, table.game), now)


def seeded(match: Match, game: AnyGame, seed: bytes, interaction: int) -> Match:
    """Return a match with its seed: from its secret and what nobody could choose, or the one given."""
    thinking = game.thinking.version if game.thinking else 0
    match = replace(match, started_by=interaction, thinking_version=thinking)
    if match.opened_by:  # of two who call for a rematch at once, the second may have pressed first
        match = replace(match, opened_by=min((match.opened_by, *interactions_of(match))))
    if match.secret is not None:
        seed = deal_seed(match.secret, opened_record(match).terms)
    return replace(match, seed=seed)


def bank_of(match: Match) -> int:
    """Return how many seconds each player of a match has beside the limit of a turn."""
    return match.type.bank if match.turn_seconds else 0


def check_may_go_back(table: Table, player_id: int) -> Retry[Any, Any]:
    """Return how a match is gone back to; raises TableError unless this player gave it up."""
    if table.match.seat_of(player_id) is None:
        raise TableError(not_seated(table))
    retry, outcome = table.game.retry, table.outcome
    if retry is None or outcome is None or outcome.winners:
        raise TableError(_("You can only go back in a deal that you gave up."))
    return retry


def check_may_rematch(match: Match, player_id: int) -> None:
    """Raise TableError unless the match is over and this player sat at it, or nobody did any more."""
    if match.stage.is_live:
        raise TableError(_("This match is not over yet."))
    if match.people and match.seat_of(player_id) is None:
        raise TableError(_("Only somebody who sat at this table can call for a rematch."))


def host_absent_at(table: Table) -> int:
    """Return from when on anybody seated in a lobby may do what its host may."""
    match = table.match
    return (match.rests_since or match.opened_at or 0) + HOST_SECONDS


def hosts(table: Table, player_id: int, now: int) -> bool:
    """Return whether a player may do what the host may.

    In a lobby whose host is idle all seated may; in a match whose host is out of it, all still in it.
    """
    match, seat = table.match, table.match.seat_of(player_id)
    if seat is None or player_id == match.host_id:
        return seat is not None
    if table.is_lobby:
        return now >= host_absent_at(table)
    return match.seat_of(match.host_id) not in table.people and seat in table.people


def kept_seats(table: Table, now: int) -> tuple[int, ...]:
    """Return for whom seats of a rematch are kept just now: who played before and is not there yet."""
    match = table.match
    if now >= (match.opened_at or 0) + KEPT_SECONDS:
        return ()
    awaited = without_ids(match.roster.invited, match.roster.removed)
    return tuple(each for each in awaited if match.seat_of(each) is None)

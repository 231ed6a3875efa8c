"""Decisions that start a match without a lobby: a new deal, an earlier position, a rematch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.engine.opponent import Strength
from bot.engine.translation import _
from bot.matches.match import (
    LEAVES,
    Entry,
    Match,
    Stage,
    another_computer_player,
)
from bot.matches.match_type import archive_options, repeat_options
from bot.sessions import events
from bot.sessions.decision.decision import Decision
from bot.sessions.errors import TableError
from bot.sessions.lobby import (
    begun,
    check_may_go_back,
)
from bot.sessions.table_state import MOST_SOLO_MOVES, Table
from bot.sessions.turn_clock import PRACTICE_SECONDS


def deal_match(table: Table, what: events.Dealt, now: int) -> Decision:
    """Deal the cards and start a match without a lobby: a solitaire deal or a lesson.

    In a lesson for two players, a computer player (a tadpole) is the opponent.
    """
    match = table.match
    if match.is_lesson and not table.is_solo:
        tadpole = another_computer_player(match.id, match.players, Strength.TADPOLE)
        table = table.having(players=(*match.players, tadpole))
    return Decision(begun(table.having(opened_at=now), what.seed, now, what.interaction))


def go_back(
    before: Table, entries: Iterable[Entry], player_id: int, moves: int, now: int, match_id: str
) -> tuple[Match, list[Entry]]:
    """Return a new solitaire match that continues one that its player gave up, and its first moves.

    The first moves are all moves of the old match, followed by undo moves. In this way, the questions
    that the player asked are still counted. The new match does not count on leaderboards.

    Args:
        before: The table of the match that the player gave up.
        entries: The moves of the old match.
        player_id: The player.
        moves: The number of moves that are not undone.
        now: Unix time.
        match_id: The ID of the new match.

    Raises:
        TableError: The match cannot be continued from there.
    """
    retry = check_may_go_back(before, player_id)
    history = [entry for entry in entries if entry.text != LEAVES]
    for move in retry.back(before.state, moves):
        history.append(Entry(len(history), 0, before.game.write(move), now))
    if len(history) >= MOST_SOLO_MOVES:
        raise TableError(_("This deal has no moves left. Press **Same deal again** to start over."))
    match = rematch(before.match, match_id, now)
    return replace(match, options=archive_options(match.options)), history


def rematch(before: Match, match_id: str, now: int) -> Match:
    """Return a new match with the same deal as a finished solitaire match. It is not stored yet."""
    return Match(
        id=match_id,
        game=before.game,
        rules_version=before.rules_version,
        guild_id=before.guild_id,
        channel_id=before.channel_id,
        host_id=before.host_id,
        players=before.players,
        limit=before.limit,
        options=repeat_options(before.options),
        stage=Stage.PLAYING,
        seed=before.seed,
        opened_by=before.opened_by,
        opened_at=now,
        guest=before.guest,
        active_at=now,
        wakes_at=now + PRACTICE_SECONDS,
    )

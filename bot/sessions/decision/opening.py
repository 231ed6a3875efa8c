"""What comes of opening a match: a lobby, a deal, a lesson, or a deal gone back to. All pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.engine.computer_players import another_computer_player
from bot.engine.forgotten import is_forgotten
from bot.engine.match import AGAIN, DAY, LEAVES, REPLAY, Entry, Match, Roster, Stage
from bot.engine.thinking import Strength
from bot.engine.words import _
from bot.sessions.decision.closing import Decision
from bot.sessions.errors import TableError
from bot.sessions.events import Dealt, Opened
from bot.sessions.lobby import begun, check_frogs, check_may_go_back
from bot.sessions.table import MOST_SOLO_MOVES, Table
from bot.sessions.turn_clock import waiting


def opened(table: Table, what: Opened, now: int) -> Decision:
    """Return the lobby, or the match where frogs take all seats that were left."""
    match = table.match
    check_frogs(table.game, match.limit, len(what.frogs))
    frogs = [each for each in what.company if each.is_computer_player]
    people = [each.id for each in what.company if each not in frogs and not is_forgotten(each.id)]
    players = [*match.players, *(replace(each, missed=0, hints=0, bank=0) for each in frogs)]
    for strength in what.frogs:
        players.append(another_computer_player(match.id, players, strength))
    roster = Roster(invited=tuple(people))
    table = table.having(players=tuple(players), roster=roster, opened_at=now, rests_since=now)
    if 1 < len(players) == match.limit:
        return Decision(begun(table, b"", now, players[0].interaction))
    return Decision(waiting(table, now))


def dealt(table: Table, what: Dealt, now: int) -> Decision:
    """Return the match that begins; a tadpole teaches what is not for one."""
    match = table.match
    if match.is_lesson and not table.is_solo:
        tadpole = another_computer_player(match.id, match.players, Strength.TADPOLE)
        table = table.having(players=(*match.players, tadpole))
    return Decision(begun(table.having(opened_at=now), what.seed, now, what.interaction))


def gone_back(
    before: Table, entries: Iterable[Entry], player_id: int, moves: int, now: int, match_id: str
) -> tuple[Match, list[Entry]]:
    """Return a match for one that its player gave up as it was after so many moves, and its journal.

    It has all moves of the former one, taken back: what was asked stays counted. It counts on no board.
    """
    retry = check_may_go_back(before, player_id)
    kept = [entry for entry in entries if entry.text != LEAVES]
    for move in retry.back(before.state, moves):
        kept.append(Entry(len(kept), 0, before.game.write(move), now))
    if len(kept) >= MOST_SOLO_MOVES:
        raise TableError(_("This deal has had all its moves. **Same deal again** deals it anew."))
    match = dealt_again(before.match, match_id, now)
    return replace(match, options={**match.options, DAY: 0, REPLAY: match.day or match.replay}), kept


def dealt_again(before: Match, match_id: str, now: int) -> Match:
    """Return a match with the deal of one that is over, not stored yet."""
    return Match(
        id=match_id,
        game=before.game,
        rules_version=before.rules_version,
        guild_id=before.guild_id,
        channel_id=before.channel_id,
        host_id=before.host_id,
        players=before.players,
        limit=before.limit,
        options={**before.options, AGAIN: 1},
        stage=Stage.PLAYING,
        seed=before.seed,
        opened_by=before.opened_by,
        opened_at=now,
        guest=before.guest,
        active_at=now,
    )

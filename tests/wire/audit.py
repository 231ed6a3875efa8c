"""Comparison of the database that a process left behind with the clicks and the shown states."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bot.engine.game import AnyGame
from bot.engine.opponent import Mover
from bot.engine.panel import Choice
from bot.matches.match import LEAVES, Entry, Match, Stage, fold
from bot.matches.match_type import AGAIN, PRIVATE
from bot.messages.custom_ids import Choose
from bot.sessions.table_state import Table
from bot.sessions.turn_clock import Due, due, set_clock
from bot.storage.database_address import Location
from tests.wire.database_snapshot import Books, read_database
from tests.wire.ledger import Click, Ledger

ANSWER = re.compile("(hint|peek): |winnable ")
"""A move that answers a question, which has at most one answer each."""

LASTING = ("game", "rules_version", "guild_id", "channel_id", "options", "seed", "turn_seconds", "names")
"""Fields of a match that never change after its start."""


@dataclass(slots=True)
class Record:
    """A match as last read, with its moves and the table folded from them."""

    match: Match
    entries: list[Entry] = field(default_factory=list)
    table: Table | None = None


class Audit:
    """Reads the database after each life of a process and checks that each new row has a cause."""

    def __init__(self, location: Location, ledger: Ledger, games: Mapping[str, AnyGame]) -> None:
        self.records: dict[str, Record] = {}
        self.lost = self.twice = 0
        self.is_sound = True
        self._location = location
        self._ledger = ledger
        self._games = games

    def look(self) -> list[str]:
        """Return the errors in the database, whose process may have been killed."""
        shown, over = Counter(self._ledger.shown), set(self._ledger.over)  # others may show more
        found = read_database(self._location)
        return [] if found is None else list(self._match_errors(found, shown, over))

    def _match_errors(self, found: Books, shown: Counter[str], over: set[str]) -> Iterator[str]:
        self.is_sound = self.is_sound and not any(ruin.startswith("integrity") for ruin in found.ruins)
        yield from found.ruins
        known = {match.id for match in found.matches}
        for missing in self.records.keys() - known:
            yield f"match {missing} is gone"
        # what was gone back to is judged first, wherever the database keeps it
        for match in sorted(found.matches, key=lambda match: match.opened_at or 0):
            yield from self._check_results(match, found.results[match.id], is_over=match.id in over)
            yield from self._check_match(match, found.entries.get(match.id, []), shown[match.id])
        for match_id in shown.keys() - known:
            self.lost += 1
            yield f"match {match_id} was shown and is not stored"

    def _check_results(self, match: Match, results: int, *, is_over: bool) -> Iterator[str]:
        expected = len(match.players) if match.stage is Stage.FINISHED else 0
        if results != expected:
            yield f"match {match.id} ({match.stage.value}) has {results} results, not {expected}"
        if is_over and match.stage.is_live:
            self.lost += 1
            yield f"match {match.id} was shown as over and lives"

    def _check_match(self, match: Match, entries: list[Entry], shown: int) -> Iterator[str]:
        record = self.records.setdefault(match.id, Record(match))
        known, record.entries = record.entries, entries
        if entries[: len(known)] != known:
            self.lost += 1
            yield f"match {match.id}: the moves {known} became {entries}"
            return
        if [entry.n for entry in entries] != list(range(len(entries))):
            self.twice += 1
            yield f"match {match.id}: the moves are not numbered from 0 on"
        if shown > len(entries):
            self.lost += 1
            yield f"match {match.id} was shown after {shown} moves; {len(entries)} are stored"
        before, record.match = record.match, match
        if before.seed is not None and _lasting_fields(before) != _lasting_fields(match):
            fields = _lasting_fields(before), _lasting_fields(match)
            yield f"match {match.id} has changed: {fields[0]}, {fields[1]}"
        if match.seed is None:
            return
        if record.table is None:
            record.table = self._dealt_table(match)
            if match.options.get(AGAIN) or match.options.get(PRIVATE):
                known = self._shared(record) or self._moves_from_rewound(record)
                state = fold(record.table.game, match, known)
                record.table = replace(record.table, state=state, n=len(known))
        yield from self._check_moves(record, record.table, entries[len(known) :])

    def _moves_from_rewound(self, record: Record) -> list[Entry]:
        """Return the moves that a match took over from the one that its player went back to."""
        match, longest, asked = record.match, list[Entry](), None
        for back, clicks in self._ledger.backs.items():
            before_id, player_id, moves = back
            before = self.records.get(before_id)
            if not clicks or before is None or before.table is None or player_id != match.host_id:
                continue
            game, state = before.table.game, before.table.state
            assert game.retry is not None, "it was gone back to"
            kept = [entry.text for entry in before.entries if entry.text != LEAVES]
            texts = [*kept, *map(game.write, game.retry.back(state, moves))]
            taken_over = record.entries[: len(texts)]
            is_this = before.match.seed == match.seed and [entry.text for entry in taken_over] == texts
            # a doubled click stays unused, and its player goes back again from its result
            if is_this and len(taken_over) > len(longest):
                longest, asked = taken_over, back
        if asked is not None:
            self._ledger.backs[asked] -= 1
        return longest

    def _shared(self, record: Record) -> list[Entry]:
        """Return the moves that a match took over from a finished one whose moments its player saw."""
        longest = list[Entry]()
        for before_id, player_id, n in self._ledger.played_from:
            before = self.records.get(before_id)
            if before is None or player_id != record.match.host_id:
                continue
            taken_over = record.entries[:n]
            is_same = [one.text for one in taken_over] == [one.text for one in before.entries[:n]]
            if is_same and before.match.seed == record.match.seed and n > len(longest):
                longest = taken_over
        return longest

    def _dealt_table(self, match: Match) -> Table:
        """Return the table before its first move, with the clock started at the opening."""
        assert match.opened_at is not None
        ends_at = match.opened_at + match.turn_seconds if match.turn_seconds else None
        nobody_missed = tuple(replace(player, missed=0) for player in match.players)
        playing = replace(match, stage=Stage.PLAYING, players=nobody_missed)
        return Table.deal(
            replace(playing, turn_ends_at=ends_at, rests_since=None), self._games[match.game]
        )

    def _check_moves(self, record: Record, table: Table, new: list[Entry]) -> Iterator[str]:
        """Fold the new moves and check that each one comes from a click or the bot.

        A click may also have caused the move before.
        """
        match, along = record.match, ""
        for entry in new:
            mover = Mover.PLAYER if entry.text == along else self._move_author(table, entry)
            along = self._follow_up_move(table, entry)
            if mover is None:
                self.twice += 1
                yield f"match {match.id}: nobody asked for move {entry}"
            assert entry.at is not None
            after = table.after_move(entry)
            if after.outcome is not None:
                after = replace(after, match=replace(after.match, stage=Stage.FINISHED))
            table = set_clock(table, after, mover or Mover.PLAYER, entry.at)
        record.table = table
        is_over = table.outcome is not None
        if is_over != (match.stage is Stage.FINISHED) and match.stage is not Stage.STOPPED:
            yield f"match {match.id} is {match.stage.value}; the game is over: {is_over}"

    def _move_author(self, table: Table, entry: Entry) -> Mover | None:
        """Return the author of a move, or None if no player, computer player, table or clock made it."""
        match, game = table.match, table.game
        player_id = match.players[entry.seat].id
        if entry.text == LEAVES:
            self._ledger.quits[match.id, player_id] -= 1
            return Mover.PLAYER if self._ledger.quits[match.id, player_id] >= 0 else None
        clicks = self._ledger.of_move[match.id, entry.n]
        if any(
            click.player_id == player_id and _is_click_for_move(click, table, entry) for click in clicks
        ):
            return Mover.PLAYER
        if ANSWER.match(entry.text):
            self._ledger.questions[match.id, player_id] -= 1
            return Mover.PLAYER if self._ledger.questions[match.id, player_id] >= 0 else None
        if table.computer is not None or (match.id, entry.seat) in self._ledger.stand_ins:
            return Mover.FROG
        assert entry.at is not None
        for mover, move, is_due in (
            (Mover.TABLE, game.automatic(table.state), True),
            (Mover.CLOCK, game.passing(table.state), due(table, entry.at) is Due.PASS),
        ):
            if move is not None and is_due and game.write(move) == entry.text:
                return mover
        return None

    def _follow_up_move(self, table: Table, entry: Entry) -> str:
        """Return the move that this move's click also plays next, or an empty text."""
        player_id = table.match.players[entry.seat].id
        for click in self._ledger.of_move[table.match.id, entry.n]:
            chosen = _choice_of_click(click, table, entry.seat) if click.player_id == player_id else None
            if (
                chosen is not None
                and chosen.then is not None
                and _is_click_for_move(click, table, entry)
            ):
                return table.game.write(chosen.then)
        return ""

    def last(self) -> list[str]:
        """Return the matches that do not fold from their seeds, for the end of the run."""
        found = []
        for record in self.records.values():
            if record.match.seed is not None:
                state = fold(self._games[record.match.game], record.match, record.entries)
                if record.table is None or state != record.table.state:
                    found.append(f"match {record.match.id} folds to another state")
        return found

    @property
    def moves(self) -> int:
        """The number of stored moves."""
        return sum(len(record.entries) for record in self.records.values())

    def ended(self, stage: Stage) -> int:
        """Return the number of matches that ended in this stage."""
        return sum(record.match.stage is stage for record in self.records.values())


def _choice_of_click(click: Click, table: Table, seat: int) -> Choice | None:
    """Return the choice that a click makes on the current table, if any."""
    found = Choose.pattern.fullmatch(click.custom_id)
    asked = Choose.read(found, click.values) if found else None
    if not isinstance(asked, Choose):
        return None
    choice = asked.click
    viewer = None if choice.in_public else seat
    return table.panel(viewer, choice.path[:-1]).choice(choice.path[-1])


def _is_click_for_move(click: Click, table: Table, entry: Entry) -> bool:
    """Return whether a click on the current table asks for this move."""
    chosen = _choice_of_click(click, table, entry.seat)
    if chosen is None or chosen.move is None:
        return False
    return table.game.write(table.game.recorded(table.state, chosen.move)) == entry.text


def _lasting_fields(match: Match) -> tuple[Any, ...]:
    return tuple(getattr(match, name) for name in LASTING)

"""Tables of every game, and matches of random moves that are the same on each run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.errors import IllegalMoveError
from bot.engine.game import AnyGame, GameOption
from bot.matches.match import LEAVES, Entry, Match, Player, Stage
from tests.examples import few_or_all
from tests.guests import games_with_guests

NAMES = ("Ada", "{name}", "Zoë Ünal", "O'Neill", "a b c", "莉", "{0}", "%s")
"""Names that would break a carelessly formatted sentence."""

FAVOURED = 6
"""Share in tenths of the moves for which a playout follows its habit, so that matches end."""

LEAVING_ODDS = 40

LENGTHS = (25, 35, 50, 80)
"""Maximum number of moves of each shared match, which may end earlier."""

PASSING_ODDS = 30
"""The clock makes one of this many moves."""


@dataclass(frozen=True)
class Table:
    """A game with a number of seats and a value for each option."""

    game: AnyGame
    seats: int
    options: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        options = (f"{key}={value}" for key, value in self.options)
        return "-".join((self.game.info.key, str(self.seats), *options))

    def _repr_pretty_(self, printer: Any, _cycle: object) -> None:
        """Return a short name for failing tests, as Hypothesis would print each field of the game."""
        printer.text(str(self))

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: self.seats]

    @property
    def viewers(self) -> tuple[int | None, ...]:
        return (None, *range(self.seats))

    def deal(self, seed: bytes) -> Any:
        return self.game.deal(self.seats, dict(self.options), seed)

    def match(self, seed: bytes) -> Match:
        players = tuple(Player(100 + seat, name) for seat, name in enumerate(self.names))
        info = self.game.info
        return Match(
            id="m",
            game=info.key,
            rules_version=info.rules_version,
            guild_id=None,
            channel_id=1,
            host_id=100,
            players=players,
            limit=info.most,
            options=dict(self.options),
            stage=Stage.PLAYING,
            seed=seed,
        )


def _table_variants() -> Iterator[Table]:
    """Yield each game with its fewest and most seats, and with every other option value between.

    A game for one number of seats without options has one table.
    """
    for game in games_with_guests().values():
        info = game.info
        usual = tuple((option.key, option.default) for option in info.options)
        for seats in sorted({info.fewest, info.most}):
            yield Table(game, seats, usual)
        between = (info.fewest + info.most) // 2
        if usual or between not in (info.fewest, info.most):
            yield Table(game, between, tuple(_farther_bound(option) for option in info.options))


def _farther_bound(option: GameOption) -> tuple[str, int]:
    """Return the bound of an option that is farther from its default."""
    bounds = (option.least, option.most)
    return option.key, max(bounds, key=lambda value: abs(value - option.default))


@dataclass(frozen=True)
class Playout:
    """A match as far as it was played, with every state and the journal of its moves."""

    table: Table
    seed: bytes = field(repr=False)
    states: tuple[Any, ...] = field(repr=False)
    entries: tuple[Entry, ...]

    @property
    def game(self) -> AnyGame:
        return self.table.game

    def turns(self) -> Iterator[tuple[Any, Entry, Any]]:
        """Yield each entry with the state before and the state after it."""
        for (before, after), entry in zip(pairwise(self.states), self.entries, strict=True):
            yield before, entry, after


@cache
def _preference(verb: str, habit: int) -> bytes:
    return blake2b(f"{habit} {verb}".encode()).digest()


def _choose_move(game: AnyGame, state: Any, habit: int, number: int) -> Any:
    """Return a legal move, either any or one of the verb that the habit prefers."""
    moves = game.legal_moves(state)
    number, odds = divmod(number, 10)
    if odds < FAVOURED:
        verbs = {move: game.write(move).split()[0] for move in moves}
        favourite = min(verbs.values(), key=lambda verb: _preference(verb, habit))
        moves = tuple(move for move in moves if verbs[move] == favourite)
    return moves[number % len(moves)]


def play_match(table: Table, seed: bytes, habit: int, numbers: list[int], *, leaving: bool) -> Playout:
    """Play a match, with one move for each number. With ``leaving``, seats also give up at random."""
    game = table.game
    states, entries = [table.deal(seed)], list[Entry]()
    for number in numbers:
        state = states[-1]
        seat = game.to_move(state)
        if seat is None:
            break
        leaver = (number // LEAVING_ODDS) % table.seats
        if leaving and number % LEAVING_ODDS == 0:
            try:
                states.append(game.withdraw(state, leaver))
            except IllegalMoveError:
                continue
            entries.append(Entry(len(entries), leaver, LEAVES))
        else:
            late = game.passing(state) if number % PASSING_ODDS == 1 else None
            move = _choose_move(game, state, habit, number) if late is None else late
            states.append(game.play(state, move))
            entries.append(Entry(len(entries), seat, game.write(move)))
    return Playout(table, seed, tuple(states), tuple(entries))


def playout_strategy(table: Table, *, leaving: bool = True) -> st.SearchStrategy[Playout]:
    """Return matches at this table, of some dozen moves or until they end."""
    return st.builds(
        play_match,
        st.just(table),
        st.binary(min_size=32, max_size=32),
        st.integers(0, 999),
        st.lists(st.integers(0, 9999), min_size=30, max_size=80),
        leaving=st.just(leaving),
    )


law = settings(max_examples=few_or_all(3, 10))
"""The same few playouts are used on each run and on each machine."""

each_game = pytest.mark.parametrize("game", games_with_guests().values(), ids=games_with_guests().keys())
TABLES = {str(table): table for table in _table_variants()}
each_table = pytest.mark.parametrize("table", TABLES.values(), ids=str)


@cache
def shared_playouts(name: str) -> tuple[Playout, ...]:
    """Return the matches of a table on which each rule is checked, cached for the process."""
    table, chance = TABLES[name], Random(name)
    return tuple(
        play_match(
            table,
            chance.randbytes(32),
            chance.randrange(1000),
            [chance.randrange(10_000) for _move in range(length)],
            leaving=True,
        )
        for length in LENGTHS
    )


def for_each_playout(test: Callable[[Playout], None]) -> Any:
    """Check a rule on the shared matches of each table, and with ``--all`` on further matches."""

    def on_shared(table: Table) -> None:
        for playout in shared_playouts(str(table)):
            test(playout)

    @law
    @given(data=st.data())
    def on_others(table: Table, data: st.DataObject) -> None:
        test(data.draw(playout_strategy(table)))

    def on_both(table: Table) -> None:
        on_shared(table)
        on_others(table)

    holds = few_or_all(on_shared, on_both)
    holds.__name__, holds.__doc__, holds.__module__ = test.__name__, test.__doc__, test.__module__
    return each_table(holds)

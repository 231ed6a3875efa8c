"""A table as one viewer sees it.

Functions that create messages read a match only through this view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame, Outcome, Viewer, Words
from bot.engine.lesson import PUPIL, Progress
from bot.engine.name_sanitizing import Name
from bot.engine.opponent import Strength
from bot.engine.panel import Panel
from bot.engine.scene import Scene
from bot.engine.translation import _
from bot.matches.leaderboard_rules import played_for_itself
from bot.matches.match import Match, Stage
from bot.messages.computer_player_controls import marked_names, with_computer_players
from bot.messages.player_names import drawn_names, written_names
from bot.sessions.table_state import Table
from bot.sessions.turn_clock import closable_at, closes_at

AIM = "🎯"
"""Icon before the aim of a game."""


@frozen
class TableView:
    """The state of a table as one viewer sees it, without cards that the viewer may not see.

    If a field is not listed below, it is copied from the table's field or property with the same name.

    Attributes:
        frogs: The computer players' seats, and other seats whose last move a computer player made.
        names: The players' names for texts, escaped, with an icon before each computer player.
        drawn: The players' names as drawn in pictures.
        alt_names: The drawn names, escaped and with an icon like ``names``, for alt texts.
        is_new: True if no person has moved yet. Until then, messages also show facts that never change.
        closes_at: Unix time at which the table is closed if nothing happens, or None.
        closable_at: Unix time from which a waiting player may close the match, or None.
        substituted: The people's seats in a finished match that computer players have taken over.
        places: The rank of each seat in a finished match. Empty if the game has no ranks.
        tally: The statistics of each seat in a finished match.
        viewer: The seat of the player who reads the message, or None for the public.
        view: The game's view for the viewer, or None in a lobby and for an unreadable match.
        turn_start: The viewer's view at the start of the current turn, if it is another seat's turn.
            Otherwise None.
        needs_aim: True if the viewer has never reached the aim of the game.
        hinted: The remaining moves of a hint if the viewer is to move. Otherwise empty.
        progress: The pupil's progress in a lesson, or None for another viewer.
    """

    match: Match
    game: AnyGame
    n: int
    began: int
    is_lobby: bool
    is_playing: bool
    is_solo: bool
    is_learned: bool
    is_left_to_computer_players: bool
    gives_hints: bool
    to_move: int | None
    computer: Strength | None
    pauses: bool
    rests: bool
    shows_banner: bool
    shows_standing: bool
    remaining: tuple[int, ...]
    people: tuple[int, ...]
    inactive_seats: tuple[int, ...]
    left: frozenset[int]
    frogs: frozenset[int]
    outcome: Outcome | None
    names: Sequence[str]
    drawn: Sequence[str]
    alt_names: Sequence[str]
    is_new: bool
    closes_at: int | None
    closable_at: int | None
    substituted: Sequence[int]
    places: Sequence[int]
    tally: Sequence[Mapping[str, int]]
    viewer: Viewer = None
    view: Any = None
    turn_start: Any = None
    needs_aim: bool = False
    hinted: tuple[Any, ...] = ()
    progress: Progress | None = None

    @property
    def aim_line(self) -> str:
        """A line that states the aim of the game. Empty if the viewer has reached the aim before."""
        if not self.needs_aim:
            return ""
        return f"\n{AIM} {_(self.game.info.aim).format(**self.game.aim_values(self.view))}"

    def scene(self) -> Scene:
        return with_computer_players(self.game.scene(self.view, self.drawn), self.frogs)

    def words(self) -> Words:
        return self.game.words(self.view, self.names)

    def panel(self, path: tuple[str, ...] = ()) -> Panel:
        return self.game.panel(self.view, path) if self.is_playing else Panel()


_COPIED = {field.name for field in fields(TableView) if field.default is MISSING} & set(dir(Table))


def table_view(table: Table, viewer: Viewer = None) -> TableView:
    """Return the table as a viewer sees it. The result is cached in the table."""
    revision = tuple(table.plans.values())  # a hint changes the table in place
    views: dict[Viewer, TableView] = table.shown.setdefault(revision, {})
    if viewer not in views:
        is_waiting = viewer is not None and table.to_move not in (None, viewer)
        views[viewer] = replace(
            next(iter(views.values()), None) or _common_view(table),
            viewer=viewer,
            view=None if table.state is None else table.view(viewer),
            turn_start=table.turn_start.view(viewer) if is_waiting else None,
            needs_aim=_needs_aim(table, viewer),
            hinted=table.hint_moves if viewer == table.to_move else (),
            progress=table.progress if viewer == PUPIL else None,
        )
    return views[viewer]


def _common_view(table: Table) -> TableView:
    """Create a table view with the fields that are the same for all viewers."""
    match, game, players = table.match, table.game, table.match.players
    picture_names = drawn_names(players)
    is_finished = match.stage is Stage.FINISHED and table.state is not None
    computers = frozenset(seat for seat, player in enumerate(players) if player.is_computer_player)
    results = table.results if table.outcome is not None else ()
    seats = [result.seat for result in results if not played_for_itself(players[result.seat], result)]
    return TableView(
        **{name: getattr(table, name) for name in _COPIED},
        frogs=table.substituted_seats | computers,
        names=marked_names(match, written_names(players)),
        drawn=picture_names,
        alt_names=marked_names(match, [Name(name) for name in picture_names]),
        closes_at=closes_at(table),
        closable_at=closable_at(table),
        substituted=[seat for seat in seats if seat not in computers],
        places=game.places(table.state) if is_finished else (),
        tally=game.tally(table.state) if is_finished else (),
    )


def _needs_aim(table: Table, viewer: Viewer) -> bool:
    """Return whether to show the aim of the game to a viewer who has not reached it.

    The public sees the aim if hands are open and at least one person at the table has not reached it.
    """
    info, players = table.game.info, table.match.players
    if not table.is_playing or not table.newcomers or (viewer is None and info.hidden_hands):
        return False
    seats = [seat for seat in table.remaining if viewer in (None, seat)]
    tally = table.game.tally(table.state)
    has_head_start = table.match.type.is_duel  # at Frogger, three frogs are home from the start
    return any(
        players[seat].id in table.newcomers and (has_head_start or not tally[seat].get(info.goal))
        for seat in seats
    )

"""A final check that every live table takes a move from what its players see."""

from __future__ import annotations

import asyncio
import time

from simcord.backend.models import User

from bot.matches.match import NOWHERE, Match, Stage
from tests.wire.audit import Audit
from tests.wire.database_snapshot import Glances
from tests.wire.server import Server
from tests.wire.simulated_players import Control, Crowd

PRESSES_BEFORE_COMMAND = 15
MOST_PAGES = 3
"""Number of pages of ``/games`` on which a match is looked for."""

STEP_SHARE = 0.9
"""Share of presses on controls of a move, if there are any.

A move in Frogger may take four steps, and some of the other buttons return to the first step.
"""

DRY_LAND = "dry-land"
"""A channel without a table, for a player who looks for a table in private."""


class Revival:
    """Tries to make a move at every live table of the journal."""

    def __init__(self, crowd: Crowd, audit: Audit, glances: Glances, server: Server) -> None:
        self._crowd = crowd
        self._audit = audit
        self._glances = glances
        self._server = server

    async def unresponsive_tables(self, seconds: float) -> list[str]:
        """Return the tables at which no move succeeded within a time."""
        until = time.monotonic() + seconds
        live = [record.match for record in self._audit.records.values() if record.match.stage.is_live]
        found = await asyncio.gather(*(self._unresponsive_error(match, until) for match in live))
        return [words for words in found if words]

    async def _unresponsive_error(self, match: Match, until: float) -> str | None:
        before, presses = await self._match_progress(match), 0
        if not before[-1]:
            return None  # it was started, or ended, after the audit had read it
        while time.monotonic() < until:
            await asyncio.sleep(0.05)
            if await self._match_progress(match) != before:
                return None
            presses += 1
            user = self._player(match)
            control = self._random_control(match, user)
            if control is None or presses % PRESSES_BEFORE_COMMAND == 0:
                await self._show_again(match, user)
            else:
                await self._crowd.press(user, control)
        what = f"{match.game}, {match.stage.value}, options {dict(match.options)}"
        return f"match {match.id} ({what}) is dead: {before}"

    async def _match_progress(self, match: Match) -> tuple[int, ...]:
        """Return values that change with any move, and with a join or a start of a lobby."""
        [stands] = await self._glances.ask(
            "SELECT (SELECT count(*) FROM moves AS x WHERE x.match_id = m.id),"
            " (SELECT count(*) FROM seats AS s WHERE s.match_id = m.id),"
            f" stage = '{match.stage.value}' FROM matches AS m WHERE id = '{match.id}'"
        )
        return stands

    def _player(self, match: Match) -> User:
        """Return a random player of the match.

        The table shows whether that player is to move.
        """
        sitting = [player.id for player in match.people]
        if match.stage is Stage.LOBBY:
            members = self._server.backend.guilds[match.guild_id or self._server.guild.id].members
            sitting = [user_id for user_id in members if user_id != self._bot_id]
        return self._server.backend.users[self._crowd.random.choice(sitting)]

    @property
    def _bot_id(self) -> int:
        return self._server.backend.bot_user.id

    def _random_control(self, match: Match, user: User) -> Control | None:
        seen = self._crowd.dm_controls(user)
        for channel_id in self._channels(match, user):
            seen = [*self._crowd.seen(user, channel_id, last=20), *seen]
        moves = [one for one in seen if one.move is not None and one.move[0] == match.id]
        newest = max((one.move[1] for one in moves if one.move), default=0)
        steps = [one for one in moves if one.move and one.move[1] == newest]
        actions = {f"a:{match.id}:{action}" for action in ("join", "start", "wake")}
        actions |= {f"g:{match.id}", f"cb:{match.game}", f"cp:{match.type.challenge}"}
        if match.is_private:
            actions |= {f"games:{page}" for page in range(MOST_PAGES)}
        others = [one for one in seen if one.custom_id in actions]
        useful = steps or others
        if steps and others and self._crowd.random.random() >= STEP_SHARE:
            useful = others
        return self._crowd.random.choice(useful) if useful else None

    async def _show_again(self, match: Match, user: User) -> None:
        """Use the commands that show a table, a hand, a lesson or a puzzle again, for any game."""
        wanted = {"learn"} if match.is_lesson else {"daily"} if match.type.any_day else {"table", "hand"}
        if match.is_private:
            wanted |= {"games", "replay"}  # their buttons open the match
        where = self._channels(match, user)[-1]
        for command in self._crowd.commands():
            if command.split()[-1] in wanted:
                await self._crowd.slash(user, where, command)

    def _channels(self, match: Match, user: User) -> list[int]:
        """Return the channels that may show a match to a player.

        A match without a channel is shown wherever its player asks for it.
        """
        if match.channel_id != NOWHERE:
            return [match.channel_id]
        channels = sorted(self._server.backend.channels.values(), key=lambda one: one.name == DRY_LAND)
        guild_ids = {guild.id for guild in self._server.guilds if user.id in guild.members}
        return [channel.id for channel in channels if channel.guild_id in guild_ids]

"""The private panels that players hold open: kept up to date for as long as Discord allows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import islice

import discord
import structlog

from bot.delivery.answers import SILENT, fitted
from bot.delivery.components import message
from bot.delivery.discord_errors import NOT_SENT
from bot.delivery.interaction_tokens import seconds_left
from bot.delivery.priority import LowPriority, Seen
from bot.engine.values import frozen
from bot.engine.words import speaking
from bot.messages.components import Content
from bot.messages.content import hand_mark
from bot.sessions.table import Table

log = structlog.get_logger(__name__)

_FORGOTTEN_AT_ONCE = 2
"""So many old ones are looked at for each that is opened: so those of no use do not add up."""


@frozen
class _Panel:
    """A private message, the interaction whose token (15 minutes) can edit it, and what it shows."""

    interaction: discord.Interaction
    message_id: int
    is_followup: bool
    shows: object

    async def edit(self, content: Content) -> None:
        """Show a sheet in the message."""
        made = message(content)
        if self.is_followup:
            await self.interaction.followup.edit_message(
                self.message_id, view=made.view, attachments=made.files(), allowed_mentions=SILENT
            )
        else:
            await self.interaction.edit_original_response(
                view=made.view, attachments=made.files(), allowed_mentions=SILENT
            )

    async def delete(self) -> None:
        """Take the message away."""
        if self.is_followup:
            await self.interaction.followup.delete_message(self.message_id)
        else:
            await self.interaction.delete_original_response()


class PrivatePanels:
    """The last private panel of each player at each table. Memory only: a new one is a click away.

    While one is open it is what shows the hand, and not the player's DM.
    """

    def __init__(self, low_priority: LowPriority, clock: Callable[[], int]) -> None:
        """``clock`` returns the seconds since 1970."""
        self._low_priority = low_priority
        self._clock = clock
        self._panels: dict[str, dict[int, _Panel]] = {}
        self._left: dict[str, list[_Panel]] = {}
        self._matches: dict[int, str] = {}
        """Which match each panel's message shows: the last that it was asked for."""
        self._doubtful: set[int] = set()
        """Messages that were edited while they were answered with: nobody knows which came last."""

    async def opened(
        self, table: Table, interaction: discord.Interaction, message_id: int, *, is_followup: bool
    ) -> None:
        """Keep this panel up to date from now on; the player's panel before it is deleted.

        ``is_followup``: the message followed the answer to the interaction, and is not the answer.
        """
        self._forget_expired()
        player_id = interaction.user.id
        panels = self._panels.setdefault(table.match.id, {})
        before, seat = panels.get(player_id), table.match.seat_of(player_id)
        is_known = seat is not None and message_id not in self._doubtful
        self._doubtful.discard(message_id)
        mark = hand_mark(table, seat) if seat is not None and is_known else None
        panels[player_id] = _Panel(interaction, message_id, is_followup, mark)
        shown = self._matches.get(message_id)
        if shown is not None and shown != table.match.id:
            self._drop(shown, player_id)
        self._matches.pop(message_id, None)
        self._matches[message_id] = table.match.id
        if before is not None and before.message_id != message_id:
            self._matches.pop(before.message_id, None)
            await self._take_away(before)

    def answered(self, message_id: int) -> None:
        """Take note that an answer is being sent to a message: what it was edited to came before."""
        self._doubtful.discard(message_id)

    def is_open(self, match_id: str) -> bool:
        """Return whether any panel is open on a match."""
        return match_id in self._panels

    def is_doubtful(self, match_id: str, player_id: int) -> bool:
        """Return whether nobody knows what a player's panel shows."""
        panel = self._panels.get(match_id, {}).get(player_id)
        return panel is not None and panel.shows is None

    def matches(self) -> list[str]:
        """Return the ids of the matches that panels are open on."""
        return list(self._panels)

    def leave(self, match_id: str, player_id: int) -> None:
        """Take note that a player looks elsewhere; the panel goes when the table is shown next."""
        panel = self._drop(match_id, player_id)
        if panel is not None:
            self._left.setdefault(match_id, []).append(panel)

    def seconds_left(self, table: Table, player_id: int) -> float:
        """Return for how long a player's panel can be kept up to date; 0 where none is open."""
        panel = self._panels.get(table.match.id, {}).get(player_id)
        if panel is None or not table.is_playing:
            return 0.0
        return seconds_left(panel.interaction, self._clock())

    async def refresh(
        self,
        match_id: str,
        *,
        look: Callable[[], Awaitable[Table]],
        hand: Callable[[Table, int], Awaitable[Content]],
        is_answered: Callable[[int], bool],
    ) -> None:
        """Show a table as it stands in every panel open on it, but those that are just answered with.

        ``look`` is how it stands, ``hand`` what a seat sees of that, and ``is_answered`` whether the
        answer to a click just shows it.
        """
        for panel in self._left.pop(match_id, ()):
            await self._take_away(panel)
        for player_id in list(self._panels.get(match_id, {})):
            await self._show(match_id, player_id, look, hand, is_answered)

    async def _show(
        self,
        match_id: str,
        player_id: int,
        look: Callable[[], Awaitable[Table]],
        hand: Callable[[Table, int], Awaitable[Content]],
        is_answered: Callable[[int], bool],
    ) -> None:
        """Show a table as it stands in a player's panel."""
        last: tuple[Table, int, _Panel] | None = None

        async def seen() -> Seen | None:
            nonlocal last
            table, panel = await look(), self._panels.get(match_id, {}).get(player_id)
            seat = table.match.seat_of(player_id)
            if panel is None:
                return None
            if seat is None or table.state is None or not self._can_edit(panel):
                self.forget(table, player_id)
                return None
            mark = hand_mark(table, seat)
            if is_answered(seat) or (table.is_playing and panel.shows == mark):
                return None
            last = table, seat, panel

            async def make() -> Content:
                with speaking(str(panel.interaction.locale)):
                    return fitted(await hand(table, seat), panel.interaction)

            return (mark, panel), make

        content = None if await seen() is None else await self._low_priority.latest(seen)
        if content is None or last is None:
            return
        table, seat, panel = last
        if self._panels.get(match_id, {}).get(player_id) is not panel:
            return  # a click has shown it meanwhile, or another
        edited = replace(panel, shows=hand_mark(table, seat))
        self._panels[match_id][player_id] = edited
        is_there = await _edited(edited, content)
        if is_answered(seat):
            self._doubtful.add(edited.message_id)
        now = self._panels.get(match_id, {}).get(player_id)
        if now == edited and not (is_there and table.is_playing):
            self.forget(table, player_id)
        elif now is not None and now != edited and now.message_id == edited.message_id:
            self._panels[match_id][player_id] = replace(now, shows=None)

    def _can_edit(self, panel: _Panel) -> bool:
        return seconds_left(panel.interaction, self._clock()) > 0

    async def _take_away(self, panel: _Panel) -> None:
        """Delete a panel that another has taken the place of, as long as Discord lets us."""
        if not self._can_edit(panel):
            return
        try:
            await panel.delete()
        except NOT_SENT as error:
            log.debug("old panel stays", error=str(error))

    def forget(self, table: Table, player_id: int) -> _Panel | None:
        """Keep a player's panel up to date no more; returns it."""
        return self._drop(table.match.id, player_id)

    def _forget_expired(self) -> None:
        """Forget the oldest panels, where Discord lets us edit them no more.

        Each goes when its table is shown next, too; but nothing may ever happen there.
        """
        for message_id, match_id in tuple(islice(self._matches.items(), _FORGOTTEN_AT_ONCE)):
            for player_id, panel in tuple(self._panels.get(match_id, {}).items()):
                if panel.message_id == message_id and not self._can_edit(panel):
                    self._drop(match_id, player_id)

    def _drop(self, match_id: str, player_id: int) -> _Panel | None:
        panels = self._panels.get(match_id, {})
        dropped = panels.pop(player_id, None)
        if not panels:
            self._panels.pop(match_id, None)
        if dropped is not None:
            self._matches.pop(dropped.message_id, None)
            self._doubtful.discard(dropped.message_id)
        return dropped


async def _edited(panel: _Panel, content: Content) -> bool:
    """Show a sheet in a panel; returns whether the panel is still there."""
    try:
        await panel.edit(content)
    except NOT_SENT as error:
        log.debug("panel is gone", error=str(error))
        return False
    return True

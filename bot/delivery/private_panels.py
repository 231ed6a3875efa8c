"""The private panels that players hold open: kept up to date for as long as Discord allows it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from itertools import islice

import discord
import structlog

from bot.delivery.match_messages import MatchMessages
from bot.delivery.scheduler import Scheduler
from bot.delivery.slot import Panel
from bot.messages.components import Content
from bot.requests.discord_errors import NOT_SENT
from bot.requests.interaction_tokens import seconds_left
from bot.requests.priority import LowPriority
from bot.sessions.table import Table

log = structlog.get_logger(__name__)

_FORGOTTEN_AT_ONCE = 2
"""So many old ones are looked at for each that is opened: so those of no use do not add up."""


class PrivatePanels:
    """The last private panel of each player at each table. Memory only: a new one is a click away.

    While one is open it is what shows the hand, and not the player's DM.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        low_priority: LowPriority,
        plan: Callable[[Table, int, Panel], Awaitable[Content]],
        clock: Callable[[], int],
    ) -> None:
        """``plan`` returns what a seat's panel should show; ``clock`` the seconds since 1970."""
        self._scheduler = scheduler
        self._low_priority = low_priority
        self._plan = plan
        self._clock = clock
        self._owners: OrderedDict[int, tuple[str, int]] = OrderedDict()
        """Which match, and whose hand, the message of each panel shows."""

    def at(self, match_id: str, interaction: discord.Interaction, message_id: int) -> Panel:
        """Return the panel of a message that was clicked; a new one, not yet kept, where it is none."""
        panel = self._scheduler.panels(match_id).get(interaction.user.id)
        if panel is None or panel.message_id != message_id:
            return Panel(interaction=interaction, message_id=message_id, is_followup=False)
        return panel

    async def keep(self, match_id: str, panel: Panel) -> None:
        """Keep a panel up to date from now on; the player's panel before it is deleted."""
        self._forget_expired()
        player_id = panel.interaction.user.id
        owner = self._owners.get(panel.message_id)
        if owner is not None and owner[0] != match_id:
            self.drop(*owner)
        panels = self._scheduler.of(match_id).panels
        before, panels[player_id] = panels.get(player_id), panel
        self._owners[panel.message_id] = match_id, player_id
        self._owners.move_to_end(panel.message_id)
        if before is not None and before.message_id != panel.message_id:
            self._owners.pop(before.message_id, None)
            await self._delete(before)

    def are_open(self, match_id: str) -> bool:
        """Return whether any panel is open on a match."""
        return bool(self._scheduler.panels(match_id))

    def leave(self, match_id: str, player_id: int) -> None:
        """Take note that a player looks elsewhere; the panel goes when the table is shown next."""
        panel = self.drop(match_id, player_id)
        if panel is not None:
            self._scheduler.of(match_id).left.append(panel)

    def seconds_left(self, table: Table, player_id: int) -> float:
        """Return for how long a player's panel can be kept up to date; 0 where none is open."""
        panel = self._scheduler.panels(table.match.id).get(player_id)
        if panel is None or not table.is_playing:
            return 0.0
        return seconds_left(panel.interaction, self._clock())

    async def reconcile(
        self, match_id: str, messages: MatchMessages, look: Callable[[], Awaitable[Table]]
    ) -> None:
        """Show a table, as ``look`` returns it, in every panel that is open on it."""
        while messages.left:
            await self._delete(messages.left.pop())
        for player_id, panel in list(messages.panels.items()):
            await self._reconcile(match_id, player_id, panel, look)

    async def _reconcile(
        self, match_id: str, player_id: int, panel: Panel, look: Callable[[], Awaitable[Table]]
    ) -> None:
        async def wanted() -> tuple[Table, Content | None]:
            table = await look()
            seat = table.match.seat_of(player_id)
            if seat is None or table.state is None or not self._can_edit(panel):
                self.drop(match_id, player_id)
                return table, None
            if panel.answers:
                panel.is_due = True
                return table, None
            content = await self._plan(table, seat, panel)
            return table, None if panel.has(content) else content

        table, content = await self._low_priority.run(wanted)
        is_there = True
        if content is not None and self._is_kept(match_id, player_id, panel):
            is_there = await panel.send(content, _edited(panel, content))
        is_over = not (is_there and table.is_playing)
        if is_over and not panel.answers and self._is_kept(match_id, player_id, panel):
            self.drop(match_id, player_id)

    def _is_kept(self, match_id: str, player_id: int, panel: Panel) -> bool:
        """Return whether no other panel was opened meanwhile, and this one was not left."""
        return self._scheduler.panels(match_id).get(player_id) is panel

    def _can_edit(self, panel: Panel) -> bool:
        return seconds_left(panel.interaction, self._clock()) > 0

    async def _delete(self, panel: Panel) -> None:
        """Delete a panel that another has taken the place of, as long as Discord lets us."""
        if not self._can_edit(panel):
            return
        try:
            await panel.delete()
        except NOT_SENT as error:
            log.debug("old panel stays", error=str(error))

    def drop(self, match_id: str, player_id: int) -> Panel | None:
        """Keep a player's panel up to date no more; returns it."""
        panel = self._scheduler.panels(match_id).pop(player_id, None)
        if panel is not None:
            self._owners.pop(panel.message_id, None)
        return panel

    def _forget_expired(self) -> None:
        """Forget the oldest panels, where Discord lets us edit them no more.

        Each goes when its table is shown next, too; but nothing may ever happen there.
        """
        for match_id, player_id in tuple(islice(self._owners.values(), _FORGOTTEN_AT_ONCE)):
            panel = self._scheduler.panels(match_id).get(player_id)
            if panel is None or not self._can_edit(panel):
                self.drop(match_id, player_id)


async def _edited(panel: Panel, content: Content) -> bool:
    """Show something in a panel; returns whether the panel is still there."""
    try:
        await panel.edit(content)
    except NOT_SENT as error:
        log.debug("panel is gone", error=str(error))
        return False
    return True

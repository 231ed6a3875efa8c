"""Settings of a player."""

from __future__ import annotations

from enum import Enum

from bot.engine.frozen import frozen

NIGHT_HOURS = 8
"""The length of a player's quiet hours in hours."""


class NotifyMode(Enum):
    """The way in which a player is notified that it is the player's turn.

    AWAY mentions the player in the table's channel, unless the player has just clicked. ALWAYS mentions
    the player each time. SOON is like AWAY, and also mentions the player when the previous player's turn
    begins. DM, DM_ALWAYS and DM_SOON do the same with direct messages. NEVER sends no notifications.
    """

    AWAY = "away"
    ALWAYS = "always"
    SOON = "soon"
    DM = "dm"
    DM_ALWAYS = "dm always"
    DM_SOON = "dm soon"
    NEVER = "never"

    @property
    def by_dm(self) -> bool:
        return self in _BY_DM.values()

    @property
    def at_table(self) -> NotifyMode:
        """The mode with the same timing that mentions the player in the channel and sends no DM."""
        return next((mode for mode, by_dm in _BY_DM.items() if by_dm is self), self)

    def with_route(self, *, by_dm: bool) -> NotifyMode:
        """Return the mode with the same timing that uses DMs, or mentions if ``by_dm`` is False."""
        return _BY_DM.get(self.at_table, self) if by_dm else self.at_table


_BY_DM = {
    NotifyMode.AWAY: NotifyMode.DM,
    NotifyMode.ALWAYS: NotifyMode.DM_ALWAYS,
    NotifyMode.SOON: NotifyMode.DM_SOON,
}


@frozen
class OwnSettings:
    """A player's personal settings.

    Attributes:
        four_colours: True if private messages show each of the four French suits in its own colour. None
            means the server's setting.
        told: The way in which the player is notified of a turn.
        night: The hour at which the player's quiet hours begin, or None for no quiet hours.
        zone: The time zone of ``night``, or None for UTC.
        on_day_board: True if servers' daily leaderboards also show the player's wins from elsewhere.
            None if the player has not chosen.
        text_table: True if private messages use text instead of pictures. None means the setting of the
            server or channel.
        shows_totals: True if buttons show the total that each move would give. This applies to games
            that count the cards' spots.
    """

    four_colours: bool | None = None
    told: NotifyMode = NotifyMode.AWAY
    night: int | None = None
    zone: str | None = None
    on_day_board: bool | None = None
    text_table: bool | None = None
    shows_totals: bool = True

    @property
    def told_when(self) -> NotifyMode:
        """The mode for the timing of notifications only, without the choice between channel and DMs."""
        return self.told.at_table

    @property
    def told_by_dm(self) -> bool:
        return self.told.by_dm

"""What each player chooses alone: colours, and when to be told that it is their turn. Pure."""

from __future__ import annotations

from enum import Enum

from bot.engine.values import frozen

NIGHT_HOURS = 8
"""How long a night is in which nobody is called."""


class Told(Enum):
    """How a player is told of the turn.

    AWAY: by a mention at the table, unless they have just clicked; ALWAYS: also then; SOON: as AWAY, and
    when the player before them begins. DM: as AWAY, by DM instead. NEVER: not at all.
    """

    AWAY = "away"
    ALWAYS = "always"
    SOON = "soon"
    DM = "dm"
    NEVER = "never"


@frozen
class OwnSettings:
    """What a player has chosen.

    ``four_colours``: whether each suit has a colour of its own in what only this player sees; None
    for a player who leaves that to the server. ``night`` is the hour at which the night begins in which
    the player is ``told`` of no turn, by the clock of a time zone, ``zone``, or of UTC (None).
    ``on_day_board``: whether a server's boards of the day show what the player wins elsewhere, None
    where that is not asked. ``text_table``: whether what only this player sees is told in words instead
    of shown in pictures; None for as the place has it.
    """

    four_colours: bool | None = None
    told: Told = Told.AWAY
    night: int | None = None
    zone: str | None = None
    on_day_board: bool | None = None
    text_table: bool | None = None

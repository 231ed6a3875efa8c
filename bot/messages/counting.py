"""What the end of a match says of what it counts."""

from __future__ import annotations

from bot.engine.leaderboard import MOST_MEETINGS, Uncounted
from bot.engine.words import _
from bot.sessions.table import Table


def uncounted_lines(table: Table, why: Uncounted | None) -> tuple[str, ...]:
    """Return why a match that is over does not count, or not everywhere; nothing where it does.

    Of a deal for one it is said that it counts once: it can be dealt again by a button below.
    """
    match why:
        case Uncounted.AGAIN if table.match.counts:  # else it has said so from its beginning
            words = _("You had this deal before: it doesn't count on any leaderboard or profile.")
        case None if table.is_solo:
            words = _("A deal counts once. **Same deal again** doesn't count.")
        case Uncounted.UNPLAYED:
            words = _("This match doesn't count on any leaderboard: nobody has lost by playing.")
        case Uncounted.OFTEN:
            words = _(
                "This match counts on this server's leaderboard only: everywhere, it's {n} a day among "
                "the same people."
            ).format(n=MOST_MEETINGS)
        case _:
            return ()
    return (f"-# {words}",)

"""What the end of a match says of what it counts."""

from __future__ import annotations

from bot.engine.leaderboard import MOST_MEETINGS, Uncounted
from bot.engine.words import _
from bot.sessions.table import Table


def from_the_middle() -> str:
    """Return what is said of a match that was dealt again as it stood at a moment of another."""
    return _("Played again from the middle of a match: it doesn't count on any leaderboard or profile.")


def uncounted_lines(table: Table, why: Uncounted | None) -> tuple[str, ...]:
    """Return why a match that is over does not count, or not everywhere; nothing where it does.

    Of a deal for one it is said that it counts once: it can be dealt again by a button below.
    """
    match why:
        case Uncounted.AGAIN if not table.is_solo:
            words = from_the_middle()
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

"""What the end of a match says of what it counts."""

from __future__ import annotations

from bot.engine.leaderboard import MOST_MEETINGS, Uncounted
from bot.engine.words import _


def uncounted_lines(why: Uncounted | None) -> tuple[str, ...]:
    """Return why a match that is over does not count, or not everywhere; nothing where it does."""
    match why:
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

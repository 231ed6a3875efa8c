"""Games for one: their slash commands, such as ``/solitaire``, and what is pressed at a deal.

Workers import this package for its tasks, so what needs Discord is imported once it is set up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.app import Ribit


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    from cogs.solitaire.cog import feature  # noqa: PLC0415 — a worker has three times the memory with it

    await bot.add_feature(feature(bot))

"""``/verify``: whether a match was dealt as it was committed to, and played by the cards of that.

Workers import this package for its tasks, so what needs Discord is imported once it is set up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.app import Ribit


async def setup(bot: Ribit) -> None:
    from cogs.verify.cog import feature  # noqa: PLC0415 — a worker has three times the memory with it

    await bot.add_feature(feature(bot))

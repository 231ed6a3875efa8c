"""Tests of turn pings: an active player gets none, and a distracted player gets a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.delivery.turn_pings import RECENT_SECONDS
from tests.discord.bot_harness import bot_harness
from tests.discord.toad_player import true_state


@pytest.mark.parametrize("quiet", [0, RECENT_SECONDS - 10])
async def test_an_active_player_is_not_pinged(quiet: int, tmp_path: Path) -> None:
    """The player to move is pinged a minute after the last click.

    A click without a move postpones the ping.
    """
    async with bot_harness(tmp_path, recent_seconds=RECENT_SECONDS) as place:
        people = await place.started("Ann", "Ben")
        mover = people[(await true_state(place)).turn]
        await place.wait(quiet)
        await mover.press("My hand")
        await place.wait(RECENT_SECONDS - 10)
        assert place.reminders == []
        await place.wait(11)
        assert place.reminded_player is mover


async def test_a_restart_keeps_delayed_pings(tmp_path: Path) -> None:
    """A player whose call was put off is called by the process that comes after."""
    async with bot_harness(tmp_path, recent_seconds=RECENT_SECONDS) as place:
        people = await place.started("Ann", "Ben")
        mover = people[(await true_state(place)).turn]
        assert place.reminders == []
        await place.restart()
        await place.wait(1)
        assert place.reminded_player is mover

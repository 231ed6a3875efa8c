"""Tests of settings changed during other activity."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from cogs.settings.panels import MINE
from tests.cogs.settings.panels import OWN, open_settings, picked_labels
from tests.discord.bot_harness import MENU, bot_harness
from tests.discord.test_concurrent_users import (
    check_all_current,
    press_concurrently,
    pressable_buttons,
    wait_for_clicks,
)
from tests.examples import few_or_all

STARTS = few_or_all(2, 6)
PICKS = {"four": "a colour for each suit", "two": "red and black"}


async def test_concurrent_reads_leave_no_stale_value_in_the_cache(tmp_path: Path) -> None:
    """After a start, a read during a write never leaves an outdated value in the cache.

    Ann picks her colours and sends the table again, while other requests read both.
    """
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        ann, _ben = people
        match_id, settings = place.table.match_id, await open_settings(ann)
        for turn in range(STARTS):
            since = max(
                seen.id for one in people for seen, _id in pressable_buttons(place, one, match_id)
            )
            await place.restart()
            value, words = list(PICKS.items())[turn % 2]
            await asyncio.gather(
                ann.sends(settings, OWN, component_type=MENU, values=[value]),
                ann.slash("toad table"),
                *(ann.sends(settings, f"s:{MINE}") for _time in range(4)),
                *press_concurrently(place, Random(turn), people, match_id),
            )
            await wait_for_clicks(place, [])
            assert picked_labels(await open_settings(ann), OWN) == [words]
            await check_all_current(place, people, match_id, since)

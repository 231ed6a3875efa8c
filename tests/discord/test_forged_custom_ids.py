"""Tests of clicks with forged custom_ids or values, which are refused without a fault."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis.strategies import from_regex

from bot.delivery.click_dispatch import read
from bot.messages.custom_ids import LARGEST_ID, Action, Control
from tests.discord.bot_harness import BotHarness, bot_harness, response_of
from tests.examples import few_or_all

DAYS = ("1", "99999", "20261399", "20260101", "99991231")
ENDLESS = "9" * 5000
FEW, LONGEST = few_or_all(1, 2), 100
VALUES: tuple[tuple[str, ...], ...] = ((), ("0",), ("9" * 30, "²"), (ENDLESS, f"user {ENDLESS}"))
"""Values of a menu or a form that no menu offers."""


def control_types() -> list[type[Control]]:
    found, left = list[type[Control]](), [Control]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        found += [kind] if "pattern" in vars(kind) else []
    return found


@cache
def example_ids(pattern: re.Pattern[str]) -> list[str]:
    """Return a few texts that a pattern reads, the same each time."""
    found = list[str]()

    @settings(derandomize=True, database=None, max_examples=FEW, phases=[Phase.generate], deadline=None)
    @given(from_regex(pattern, fullmatch=True))
    def collect(text: str) -> None:
        found.append(text)

    collect()
    return found


def replace_groups(pattern: re.Pattern[str], text: str, values: Mapping[str, str]) -> str:
    """Return a text that a pattern reads with other values in its named groups."""
    match = pattern.fullmatch(text)
    assert match is not None
    spans = sorted(
        (match.span(name), value) for name, value in values.items() if match[name] is not None
    )
    made, at = "", 0
    for (begins, ends), value in spans:
        made, at = made + text[at:begins] + value, ends
    return made + text[at:]


def extreme_ids(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    """Yield a text with the least number in its groups of digits, and with the longest."""
    match = pattern.fullmatch(text)
    assert match is not None
    low, high = text, text
    for name, value in match.groupdict().items():
        if value is not None and value.isdecimal():
            longest = (replace_groups(pattern, high, {name: "9" * size}) for size in range(40, 0, -1))
            high = next(filter(pattern.fullmatch, longest), high)
            least = replace_groups(pattern, low, {name: "0"})
            low = least if pattern.fullmatch(least) else low
    yield from (low, high)


def forged_ids(match_id: str) -> Iterator[str]:
    """Yield custom_ids of each kind of control, with the least and the largest numbers in them."""
    for kind in control_types():
        pattern = kind.pattern
        names = pattern.groupindex
        for text in example_ids(pattern):
            for game in ("toad", "american_toad"):
                known = {"match_id": match_id, "game": game, "subject": "8" + "9" * 18}
                own = {name: value for name, value in known.items() if name in names}
                for one in extreme_ids(pattern, text):
                    yield replace_groups(pattern, one, own)
                for day in DAYS if "day" in names else ():
                    yield replace_groups(pattern, text, {**own, "day": day})


async def all_custom_ids(place: BotHarness, match_id: str) -> list[str]:
    actions = [name for name in place.bot.clicks.handlers if isinstance(name, str)]
    found = {*forged_ids(match_id), *(Action(match_id, name).custom_id for name in actions)}
    return sorted(each for each in found if len(each) <= LONGEST)


async def test_every_control_parses_forged_custom_ids(tmp_path: Path) -> None:
    """No custom_id or value is a fault to read, and no number is larger than a database stores.

    Each click with such a custom_id is answered, at a table and in a private message, without a fault.
    """
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.start_pair()
        private, table = response_of(await ann.slash("privacy")), place.table
        made = await all_custom_ids(place, table.match_id)
        for custom_id in (*made, "pc:9223372036854775808", "pc:٣", ""):
            for values in VALUES:
                control: Any = read(custom_id, values)
                parts = [getattr(control, each.name) for each in fields(control)] if control else []
                assert all(part <= LARGEST_ID for part in parts if isinstance(part, int)), custom_id
        for custom_id in made:
            at_table, picked = await asyncio.gather(
                ann.sends(table, custom_id),
                ann.sends(private, custom_id, component_type=3, values=[ENDLESS]),
            )
            assert at_table.acknowledged, custom_id
            assert picked.acknowledged, custom_id
            assert place.faults() == [], custom_id

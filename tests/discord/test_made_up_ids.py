"""Clicks whose custom_id or values were made up: refused in words, and never a fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from bot.delivery.click_dispatch import read
from bot.messages.custom_ids import LARGEST_ID, Action, Control
from tests.discord.pond import Pond, pond, shown

DAYS = ("1", "99999", "20261399", "20260101", "99991231")
ENDLESS = "9" * 5000
VALUES: tuple[tuple[str, ...], ...] = ((), ("0",), ("9" * 30, "²"), (ENDLESS, f"user {ENDLESS}"))
"""Values of a menu or a form that no menu offers."""


def kinds() -> list[type[Control]]:
    found, left = list[type[Control]](), [Control]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        found += [kind] if "pattern" in vars(kind) else []
    return found


def extreme(tree: Any, *, is_high: bool, known: dict[str, str], names: dict[int, str]) -> str:
    """Return the first text of a regular expression, or the last, with these texts in named groups."""
    text = ""
    for op, of in tree:
        if op is ops.LITERAL:
            text += chr(of)
        elif op is ops.IN:
            text += _letter(of[-1 if is_high else 0], is_high=is_high)
        elif op is ops.MAX_REPEAT:
            times = min(of[1], 40) if is_high else of[0]
            text += "".join(
                extreme(of[2], is_high=is_high, known=known, names=names) for _time in range(times)
            )
        elif op is ops.SUBPATTERN:
            name = names.get(of[0], "")
            text += known.get(name) or extreme(of[3], is_high=is_high, known=known, names=names)
        elif op is ops.BRANCH:
            text += extreme(of[1][-1 if is_high else 0], is_high=is_high, known=known, names=names)
    return text


def _letter(of: Any, *, is_high: bool) -> str:
    op, what = of
    if op is ops.RANGE:
        return chr(what[is_high])
    return chr(what) if op is ops.LITERAL else "09"[is_high]


def made_up(match_id: str) -> Iterator[str]:
    """Yield custom_ids of each kind of control, with the least and the largest numbers in them."""
    for kind in kinds():
        names = {number: name for name, number in kind.pattern.groupindex.items()}
        tree = parser.parse(kind.pattern.pattern)
        for is_high in (False, True):
            for game in ("toad", "american_toad"):
                known = {"match_id": match_id, "game": game, "subject": "8" + "9" * 18}
                one = extreme(tree, is_high=is_high, known=known, names=names)
                assert kind.pattern.fullmatch(one), (kind, one)
                yield one
        if "day" in kind.pattern.groupindex:
            for day in DAYS:
                known = {"match_id": match_id, "game": "toad", "day": day}
                yield extreme(tree, is_high=False, known=known, names=names)


async def ids(place: Pond, match_id: str) -> list[str]:
    actions = [name for name in place.bot.clicks.handlers if isinstance(name, str)]
    return sorted({*made_up(match_id), *(Action(match_id, name).custom_id for name in actions)})


async def test_every_control_reads_what_is_made_up(tmp_path: Path) -> None:
    """No custom_id or value is a fault to read, and no number is larger than a database stores."""
    async with pond(tmp_path) as place:
        for custom_id in (*await ids(place, "abcd1234"), "pc:9223372036854775808", "pc:٣", ""):
            for values in VALUES:
                control: Any = read(custom_id, values)
                parts = [getattr(control, each.name) for each in fields(control)] if control else []
                assert all(part <= LARGEST_ID for part in parts if isinstance(part, int)), custom_id


async def test_clicks_that_are_made_up(tmp_path: Path) -> None:
    """Each is answered, at a table and in a private message, and none is a fault."""
    async with pond(tmp_path) as place:
        ann, _ben = await place.two()
        match_id = place.table.match_id
        private = shown(await ann.slash("privacy"))
        for custom_id in await ids(place, match_id):
            at_table = await ann.sends(place.table, custom_id)
            picked = await ann.sends(private, custom_id, component_type=3, values=[ENDLESS])
            assert at_table.acknowledged, custom_id
            assert picked.acknowledged, custom_id
            assert place.faults() == [], custom_id

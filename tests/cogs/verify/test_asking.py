"""Asking how a match was dealt: again and again, and while others wait."""

from __future__ import annotations

from pathlib import Path

from tests.discord.pond import pond, told
from tests.discord.thinkers import Working, busy


async def test_what_is_verified_is_made_once_and_elsewhere(tmp_path: Path) -> None:
    """However often, and by however many, its verification and file are asked for.

    A worker makes it, and it is kept.
    """
    workers = Working()
    async with pond(tmp_path, opponents=workers) as place:
        ann, ben = await place.given_up()
        match_id = place.table.match_id
        seen = {one: told(await one.slash("toad rules")) for one in (ann, ben)}
        ask = f"a:{match_id}:dealt"
        said = await workers.held(*(one.send(seen[one], ask) for one in (ann, ann, ben)))
        assert workers.asked == ["Recorded", "Verified"]
        assert not any(map(busy, said))
        for one, dealt in ((ann, told(said[0])), (ben, told(said[2]))):
            assert "✅" in dealt.text
            await one.press("Download", dealt)
            await one.slash("verify", match=match_id)
        assert len(workers.asked) == 2, "it is kept"

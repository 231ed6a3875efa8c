"""Asking for what is made of a whole match: again and again, and while others wait."""

from __future__ import annotations

from pathlib import Path

from tests.discord.pond import pond, told
from tests.discord.thinkers import Working, busy


async def test_what_is_made_of_a_whole_match_is_made_once_and_elsewhere(tmp_path: Path) -> None:
    """However often, and by however many, its verification, file and pages are asked for.

    A worker makes it, one thing at a time for a person, and it is kept. What is kept of a person is made
    anew for each click that finds no other under way.
    """
    workers = Working()
    async with pond(tmp_path, opponents=workers) as place:
        ann, ben = await place.given_up()
        match_id = place.table.match_id
        seen = {one: told(await one.slash("toad rules")) for one in (ann, ben)}
        ask, watch = f"a:{match_id}:dealt", f"v:{match_id}"
        asking = ((ann, ask), (ann, ask), (ben, ask), (ann, watch))
        said = await workers.held(*(one.send(seen[one], what) for one, what in asking))
        assert workers.asked == [("Recorded", ann.id), ("Verified", ann.id)]
        assert [busy(one) for one in said] == [False, False, False, True]
        for one, dealt in ((ann, told(said[0])), (ben, told(said[2]))):
            assert "✅" in dealt.text
            await one.press("Download", dealt)
            await one.slash("verify", match=match_id)
        assert len(workers.asked) == 2, "it is kept"
        pages = await workers.held(*(ben.send(seen[ben], watch) for _click in range(5)))
        await ben.press("⏭", told(pages[-1]))
        await ann.press("⏭", told(await ann.send(seen[ann], watch)))
        assert workers.asked == [("ReadCourse", ben.id)]
        story = f"a:{match_id}:story"
        await workers.held(*(one.send(seen[one], story) for one in (ann, ben, ann)))
        assert workers.asked == [("Happened", ann.id)]
        mine = told(await ann.slash("privacy"))
        download = mine.custom_id("Download")
        files = await workers.held(*(ann.send(mine, download) for _click in range(3)))
        assert workers.asked == [("OwnData", ann.id)]
        assert [busy(one) for one in files] == [False, True, True], "each would be a file to send"
        await ann.press("Download", mine)
        assert len(workers.asked) == 2, "what is kept of a person changes"

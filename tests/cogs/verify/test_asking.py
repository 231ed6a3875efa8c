"""Tests of the check of a match's deal: asked repeatedly, and while other users wait."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.engine.worker_task import Lane, Task
from bot.opponents.pool import TOO_LONG
from cogs.verify.tasks import VerifyMatch
from tests.discord.bot_harness import bot_harness, ephemeral_reply
from tests.discord.paused_workers import Working, is_busy_refusal


async def test_a_verification_runs_once_in_a_worker(tmp_path: Path) -> None:
    """However often, and by however many, its verification and file are asked for.

    A worker makes it, and it is kept.
    """
    workers = Working()
    async with bot_harness(tmp_path, opponents=workers) as place:
        ann, ben = await place.given_up()
        match_id = place.table.match_id
        seen = {one: ephemeral_reply(await one.slash("toad rules")) for one in (ann, ben)}
        ask = f"a:{match_id}:dealt"
        said = await workers.held(*(one.send(seen[one], ask) for one in (ann, ann, ben)))
        assert workers.asked == ["MakeRecord", "VerifyMatch"]
        assert not any(map(is_busy_refusal, said))
        for one, dealt in ((ann, ephemeral_reply(said[0])), (ben, ephemeral_reply(said[2]))):
            assert "✅" in dealt.text
            await one.press("Download", dealt)
            await one.slash("verify", match=match_id)
        assert len(workers.asked) == 2, "it is kept"


class Overtaxed(Working):
    """Workers for which each verification takes too long."""

    async def _attempt(self, lane: Lane, longest: float, task: Task[Any], *given: Any) -> bytes | None:
        made = await super()._attempt(lane, longest, task, *given)
        return TOO_LONG if isinstance(task, VerifyMatch) else made


async def test_a_verification_that_times_out_is_not_repeated(tmp_path: Path) -> None:
    """A verification that takes too long is tried once, and all users get the file to check it.

    The user who asked first has to wait a minute for another match.
    """
    workers = Overtaxed()
    async with bot_harness(tmp_path, opponents=workers) as place:
        ann, ben = await place.given_up()
        first = place.table.match_id
        for person in (ann, ben, ann):
            said = ephemeral_reply(await person.slash("verify", match=first))
            assert "takes too long here" in said.text
        assert workers.asked == ["MakeRecord", "VerifyMatch"]
        await place.given_up()
        assert "in a minute" in ephemeral_reply(await ann.slash("verify")).text
        assert "takes too long here" in ephemeral_reply(await ben.slash("verify")).text

"""Tests of ``/privacy`` and of the host's privacy policy."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.app import Ribit
from bot.engine.worker_task import Lane, Task
from bot.games import games
from bot.storage.database import open_database
from tests.discord.bot_harness import BotHarness, Thinkers, bot_harness, ephemeral_reply, response_of
from tests.discord.test_guests import KINDS, open_abroad
from tests.test_languages import set_language

POLICY = "https://frogs.example/privacy?of=ribit"


async def restart_with_policy(place: BotHarness, folder: Path, policy: str) -> None:
    """Restart the bot with the address of the host's policy."""
    await place.bot.close()
    database = await open_database(folder / "ribit.sqlite3")
    bot = Ribit(database=database, games=games(), requests_per_second=None, privacy_policy=policy)
    await place.env.restart_bot(bot)
    await place.env.settle()


@pytest.mark.parametrize("is_in_dm", [False, True])
async def test_the_privacy_command_lists_stored_data_in_private(
    tmp_path: Path, *, is_in_dm: bool
) -> None:
    """``/privacy`` lists the stored data in private, and says so if the host has no policy."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        asked = await (ann.actor.user.slash("privacy") if is_in_dm else ann.slash("privacy"))
        answer = response_of(asked)
        assert asked.ephemeral
        for word in (
            "Discord ID",
            "every move",
            "leaderboards",
            "daily puzzles",
            "hasn't added a privacy policy",
        ):
            assert word in answer.text


async def test_the_answer_links_to_the_hosts_privacy_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer leads to it, in the reader's language."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await restart_with_policy(place, tmp_path, POLICY)
        assert f"[privacy policy]({POLICY})" in response_of(await ann.slash("privacy")).text
        set_language(place, monkeypatch, Ann="de")
        assert f"[Datenschutzerklärung]({POLICY})" in response_of(await ann.slash("privacy")).text


class Held(Thinkers):
    """An exporter that pauses until the test releases it, and counts its files."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[str] = []
        self.goes_on = asyncio.Event()

    async def _attempt(self, lane: Lane, longest: float, task: Task[Any], *given: Any) -> bytes | None:
        self.made.append(type(task).__name__)
        await self.goes_on.wait()
        return await super()._attempt(lane, longest, task, *given)


async def test_a_second_download_is_refused_during_the_first(tmp_path: Path) -> None:
    """A click on *Download* is refused while another file is being made."""
    workers = Held()
    async with bot_harness(tmp_path, opponents=workers) as place:
        ann = place.person("Ann")
        mine = ephemeral_reply(await ann.slash("privacy"))
        clicks = []
        for _click in range(3):
            clicks.append(asyncio.create_task(ann.send(mine, mine.custom_id("Download"))))
            await asyncio.sleep(0.2)
        workers.goes_on.set()
        said = [ephemeral_reply(each).text for each in await asyncio.gather(*clicks)]
        assert ["still working on" in each for each in said].count(True) == 2
        assert workers.made == ["OwnData"]
        await ann.press("Download", mine)
        assert workers.made == ["OwnData"] * 2


@pytest.mark.parametrize("kind", KINDS)
async def test_the_privacy_command_works_for_user_installs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Users that added Ribit to their account can ask there too. The answer is ephemeral."""
    async with open_abroad(tmp_path, kind, monkeypatch) as there:
        asked = await there.ann.slash("privacy")
        assert asked.ephemeral
        assert "Discord ID" in response_of(asked).text


async def test_the_privacy_command_is_registered_for_all_contexts(tmp_path: Path) -> None:
    """`/privacy` is available by server and user installs, in servers, DMs and group DMs."""
    async with bot_harness(tmp_path) as place:
        synced = {one["name"]: one for one in place.env.backend.commands[None].values()}
        assert synced["privacy"]["integration_types"] == [0, 1]
        assert synced["privacy"]["contexts"] == [0, 1, 2]

"""Test that deals are committed to at the table, and revealed and verified at the end."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.engine.worker_task import Lane, Task
from bot.matches.commitment import deal_seed, interactions_of, opened_record
from bot.matches.match import Match
from bot.sessions.turn_clock import PAUSE_SECONDS
from bot.sessions.worker_tasks import ChooseMove
from tests.discord.bot_harness import (
    BotHarness,
    Person,
    Seen,
    Thinkers,
    bot_harness,
    ephemeral_reply,
    response_of,
)

CHECK = Path(__file__).parents[3] / "docs" / "check.py"
DAY = 24 * 60 * 60
SHOWN = re.compile(r"🔏 `([0-9a-f]{64})`")
WHOLE = re.compile(r"```\n([0-9a-f]{64})\n```")


async def shown_commitment(place: BotHarness, person: Person) -> str:
    """Return the whole commitment as shown in private, without a secret.

    A lobby shows the beginning of the commitment. The table shows the digest of the deal's input until a
    person has moved. The whole commitment is available in private while the match is active.
    """
    asked = response_of(await person.press("How to play"))
    turned = response_of(await person.press(asked.labels[0], asked))
    answer = response_of(await person.press("How was this dealt?", turned))
    short, whole = SHOWN.findall(place.table.text), WHOLE.findall(answer.text)
    assert len(short) == 1
    match = (await place.stored(place.table.match_id)).match
    is_dealt = match.seed is not None
    assert whole[0].startswith(short[0]) != (is_dealt and not match.day)
    assert SHOWN.findall(answer.text) == short * is_dealt
    if match.secret is not None:
        for secret in filter(None, (match.secret, match.seed)):
            assert secret.hex() not in place.table.text + answer.text
    return str(whole[0])


async def verify_download(
    place: BotHarness, person: Person, seen: Seen, path: Path, code: int = 0
) -> None:
    """Download a match's file and check it with both verifiers.

    Both print the commitment that the table shows at its end.
    """
    result = await person.press("Download", seen)
    assert result.response is not None
    [file] = result.response.attachments
    path.write_bytes(await file.read())
    assert main(["verify", str(path)]) == code
    command = [sys.executable, "-I", str(CHECK), str(path)]
    checked = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
    assert checked.returncode == code
    for digits in SHOWN.findall(place.table.text):
        assert digits in seen.text
        assert f"showed {digits} before the match ended" in checked.stdout
    assert place.faults() == []


async def give_up(person: Person) -> None:
    """Give up the deal at the table as a user."""
    await person.press("Give up", response_of(await person.press("Give up")))


async def started_match(place: BotHarness) -> Match:
    match = await place.live_match_here()
    assert match is not None
    assert match.secret is not None
    return match


@pytest.mark.parametrize("game", ["toad", "frogger"])
async def test_a_table_keeps_its_commitment_to_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str
) -> None:
    """A table keeps its commitment from the lobby to the end. A rematch has another secret."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        assert "No match has ended" in ephemeral_reply(await ann.slash("verify")).text
        await ann.slash(f"{game} start", seats=3, frogs=1)
        before = await shown_commitment(place, ann)
        match_id = place.table.match_id
        await place.restart()
        assert "isn't over yet" in ephemeral_reply(await ben.slash("verify", match=match_id)).text
        await ben.press("Join")
        await ann.press("Start")
        match = await started_match(place)
        assert await shown_commitment(place, ben) == before == sha256(match.secret or b"").hexdigest()
        assert len(set(interactions_of(match))) == 3
        assert match.seed == deal_seed(match.secret or b"", opened_record(match).terms)
        assert "isn't over yet" in ephemeral_reply(await ben.slash("verify", match=match_id)).text
        for leaver in (ann, ben):
            await leaver.press("Give up", response_of(await leaver.slash(f"{game} leave")))
        await place.restart()
        answer = ephemeral_reply(await ben.slash("verify"))
        assert "✅ Fair: nobody could change the cards once **Start** was pressed" in answer.text
        assert "The cards come from it and from the interactions below." in answer.text
        [committed_to, secret] = WHOLE.findall(answer.text)
        assert committed_to == before == sha256(bytes.fromhex(secret)).hexdigest()
        await verify_download(place, ben, answer, tmp_path / "match.json")
        assert f"Match {match_id}: ✅" in capsys.readouterr().out
        await ben.press("Rematch")
        assert await shown_commitment(place, ben) != before
        await ann.press("Join")
        await ben.press("Start")
        for leaver in (ann, ben):
            await leaver.press("Give up", response_of(await leaver.slash(f"{game} leave")))
        await verify_download(
            place, ben, ephemeral_reply(await ben.slash("verify")), tmp_path / "rematch.json"
        )
        with closing(sqlite3.connect(tmp_path / "ribit.sqlite3")) as database, database:
            database.execute("UPDATE matches SET secret = NULL WHERE id = ?", (match_id,))
        earlier = await ben.slash("verify", match=match_id)
        assert "before I started posting commitments" in ephemeral_reply(earlier).text


@pytest.mark.real("deals")
async def test_the_report_distinguishes_drawn_and_numbered_deals(tmp_path: Path) -> None:
    """A drawn deal has a commitment at its table, and the report names a deal chosen by number."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start")
        before = await shown_commitment(place, ann)
        digest = SHOWN.findall(place.table.text)
        await ann.press("Turn the stock")
        assert not SHOWN.search(place.table.text), "it was said at the start"
        rules = response_of(await ann.press("How to play"))
        dealt = response_of(await ann.press("How was this dealt?", rules))
        assert SHOWN.findall(dealt.text) == digest, "and stays within reach"
        await give_up(ann)
        answer = ephemeral_reply(await ann.slash("verify"))
        assert (
            "✅ Fair: nobody could change these cards once they were dealt.\nThe secret matches"
            in answer.text
        )
        assert "The seed gives deal" in answer.text
        assert WHOLE.findall(answer.text)[0] == before
        await verify_download(place, ann, answer, tmp_path / "drawn.json")
        drawn = place.table.match_id
        lost = ephemeral_reply(await ann.press("Where was it lost?"))
        await ann.press("Play on", lost)
        assert place.table.match_id != drawn
        assert not SHOWN.search(place.table.text), "what was dealt before is committed to no more"
        await give_up(ann)
        picked_up = ephemeral_reply(await ann.slash("verify")).text
        assert "➖ This match picks up from the middle of another one" in picked_up
        await ann.press("Same deal again (practice)")
        assert not SHOWN.search(place.table.text)
        await give_up(ann)
        answer = ephemeral_reply(await ann.slash("verify"))
        assert "➖ This deal was chosen by its number" in answer.text
        await verify_download(place, ann, answer, tmp_path / "chosen.json", code=1)


@pytest.mark.real("deals")
async def test_the_daily_deal_is_committed_to_on_the_day_before(tmp_path: Path) -> None:
    """A day's deal is committed to on the day before. Its secret stays hidden while a win counts."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        board = response_of(await ann.slash("leaderboard", board="daily"))
        [short] = re.findall(r"tomorrow's deal: `([0-9a-f]{24})`", board.text)
        await place.wait(DAY)
        await ann.slash("solitaire daily")
        tried = place.table.match_id
        whole = await shown_commitment(place, ann)
        assert whole.startswith(short)
        await give_up(ann)
        for _day in range(2):
            assert "can still win" in ephemeral_reply(await ann.slash("verify", match=tried)).text
            await place.wait(DAY)
        answer = ephemeral_reply(await ann.slash("verify", match=tried))
        assert "\nThe secret matches the day's commitment" in answer.text
        assert WHOLE.findall(answer.text)[0] == whole
        await verify_download(place, ann, answer, tmp_path / "day.json")


class Slow(Thinkers):
    """Workers that choose no move in time."""

    async def _attempt(self, lane: Lane, longest: float, task: Task[Any], *given: Any) -> bytes | None:
        return (
            None if isinstance(task, ChooseMove) else await super()._attempt(lane, longest, task, *given)
        )


@pytest.mark.real("toads")
@pytest.mark.parametrize("is_slow", [False, True])
async def test_moves_by_the_froglet_rule_are_marked_in_the_file(
    tmp_path: Path, *, is_slow: bool
) -> None:
    """Moves by the froglets' rule are marked in the file, because a toad moves better.

    They are made if no worker has chosen in time, or if the last person has left.
    """
    path = tmp_path / "match.json"
    async with bot_harness(tmp_path, opponents=Slow() if is_slow else None) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", seats=4, frogs=3, strength=2, lives=1)
        if is_slow:
            await place.wait(PAUSE_SECONDS)
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        await place.wait(PAUSE_SECONDS)
        answer = ephemeral_reply(await ann.slash("verify"))
        assert re.search("frog moves? (was a quick one|were quick ones)", answer.text)
        await verify_download(place, ann, answer, path)
    document = json.loads(path.read_bytes())
    simple = [move for move in document["moves"] if move.pop("simple", False)]
    assert simple
    path.write_text(json.dumps(document), "utf-8")
    assert main(["verify", str(path)]) == 1

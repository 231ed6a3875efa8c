"""Tests of restarts at every moment: same cards, same turn, and working old buttons."""

from __future__ import annotations

import asyncio
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from tests.discord.admins import close_table
from tests.discord.bot_harness import (
    HERE,
    BotHarness,
    Person,
    bot_harness,
    ephemeral_reply,
    other_person,
    response_of,
)
from tests.discord.toad_player import (
    SHORT_MATCH,
    WAYS,
    is_between_rounds,
    is_over,
    make_next_move,
    true_state,
)

MOST_MOVES = 60


async def check_restart(place: BotHarness, people: list[Person]) -> None:
    """Restart and compare the cards and controls of all messages with those before."""
    before = await true_state(place)
    screens = [place.table, *(person.dm for person in people)]
    await place.restart()
    assert await true_state(place) == before
    after = [place.table, *(person.dm for person in people)]
    assert [seen.id for seen in after] == [seen.id for seen in screens]
    assert [seen.alt for seen in after] == [seen.alt for seen in screens]
    assert [seen.custom_ids for seen in after] == [seen.custom_ids for seen in screens]


async def test_buttons_work_after_a_restart_between_any_two_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every button still works if the bot restarts between its display and the click."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: SHORT_MATCH)
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", lives=1)
        for way in [way for way, _move in zip(cycle(WAYS), range(MOST_MOVES), strict=False)]:
            if is_over(place):
                break
            before = await true_state(place)
            await make_next_move(place, people, way, lambda: check_restart(place, people))
            assert await true_state(place) != before
        else:
            pytest.fail("the match should have ended")
        await place.restart()
        await people[0].press("Rematch")
        assert "— host" in place.table.text


async def test_the_next_round_starts_after_a_restart_between_rounds(tmp_path: Path) -> None:
    """The next round starts automatically, even after a restart between the rounds."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben", lives=3)
        for _turn in range(2):
            await place.reminded_player.press("End turn")
        assert "Round 1 is over" in place.table.text
        assert "Everybody passed" in place.table.alt
        await place.restart()
        assert "Round 1 is over" in place.table.text
        await place.pause()
        assert "Round 2" in place.table.text


async def test_a_lobby_keeps_its_seats_across_a_restart(tmp_path: Path) -> None:
    """A lobby keeps its seats across a restart, and its buttons work."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad start", lives=5)
        await place.restart()
        await ben.press("Join")
        await place.restart()
        await ann.press("Start")
        assert "5 of 5 lives" in place.table.alt


async def test_an_unseen_move_is_shown_after_a_restart(tmp_path: Path) -> None:
    """A move that was stored but not shown is shown by the next start."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_expired_pair()
        place.env.inject_error("*", "/channels/*", status=500, times=None)
        await mover.press_dm("End turn")
        assert "passed" not in place.table.text
        assert waiting.dm.choices == []
        place.env.backend.faults.clear()
        await place.restart()
        assert "passed" in place.table.text
        assert place.reminded_player is waiting
        assert "End turn" in waiting.dm.labels


async def test_a_restart_resumes_all_live_tables(tmp_path: Path) -> None:
    """A restart resumes every live table, in play, in the lobby or between rounds."""
    async with bot_harness(tmp_path) as place:
        first, second, third = (
            place.channel,
            *(place.guild.create_text_channel(name) for name in ("reeds", "mud")),
        )
        await place.started("Ann", "Ben")
        place.channel = second
        await place.person("Cleo").slash("toad start")
        place.channel = third
        await place.started("Dot", "Eve")
        for _turn in range(2):
            await place.reminded_player.press("End turn")
        assert await is_between_rounds(place)
        await place.restart()
        await place.pause()
        assert "Round 2" in place.table.alt
        place.channel = second
        await place.person("Ann").press("Join")
        assert f"2. <@{place.person('Ann').id}>" in place.table.text
        place.channel = first
        await place.reminded_player.press("End turn")
        assert "passed" in place.table.text


async def test_confirmations_work_after_a_restart(tmp_path: Path) -> None:
    """The confirmation of ``/toad leave`` and the button of My hand work when asked before it."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben")
        question = response_of(await ben.slash("toad leave"))
        await place.restart()
        assert "Red spots" in response_of(await ann.press("My hand")).alt
        await ben.press("Give up", question)
        assert "Ann wins the match" in place.table.text


async def test_a_closed_table_stays_closed_after_a_restart(tmp_path: Path) -> None:
    """A restart does not wake a table that was ended, and its old buttons say so."""
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.started("Ann", "Ben")
        old, stale = place.table, await place.old_button_id("end")
        await close_table(place)
        await place.restart()
        assert place.table.labels == []
        assert "This table was closed." in ephemeral_reply(await ann.send(old, stale)).text


async def restart_requests(place: BotHarness) -> list[str]:
    """Restart and return the messages that the bot asked Discord to send, edit or delete."""
    before = len(place.env.http_requests)
    await place.restart()
    asked = place.env.http_requests[before:]
    return [f"{one.method} {one.path}" for one in asked if "/messages" in one.path]


def never_finish(*_of: object) -> asyncio.Task[None]:
    """A message updater that never finishes, in a process that gets no further."""
    return asyncio.create_task(asyncio.sleep(0))


async def test_a_restart_edits_only_outdated_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restart makes no request for current messages, and edits outdated ones."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover = place.reminded_player
        await mover.press("Draw")
        assert await restart_requests(place) == []
        with monkeypatch.context() as patched:
            patched.setattr("bot.delivery.match_messages.MatchMessages.update", never_finish)
            await mover.press_dm("End turn")
        asked = await restart_requests(place)
        assert f"PATCH /channels/{place.channel.id}/messages/{place.table.id}" in asked
        assert place.reminded_player is other_person(people, mover)
        assert await restart_requests(place) == []


async def test_a_click_after_a_restart_edits_only_changed_messages(tmp_path: Path) -> None:
    """After a restart, a click edits only the messages that it changes."""
    async with bot_harness(tmp_path) as place:

        def edited() -> list[str]:
            patched = [one for one in place.env.http_requests[asked:] if one.method == "PATCH"]
            return [one.path for one in patched if "This was a reminder" not in str(one.json)]

        await place.started("Ann", "Ben", "Cleo")
        mover = place.reminded_player
        await place.restart()
        asked = len(place.env.http_requests)
        await mover.press_dm("Draw")
        assert len(edited()) == 1, "the table"
        await place.restart()
        asked = len(place.env.http_requests)
        await mover.press("My hand")
        assert len(edited()) == 1, "the DM, which says that the hand is open at the table"
        await place.restart()
        await mover.press_dm(HERE, mover.dm)
        await mover.press_dm(mover.dm.label("End turn"))
        assert "End turn" in place.reminded_player.dm.labels, "whose turn it is now has the choices"
        assert "End turn" not in mover.dm.labels


async def test_a_restart_shows_an_unseen_match_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a match that was stored but not shown is shown by the next start."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben")
        question = response_of(await ben.slash("toad leave"))
        with monkeypatch.context() as patched:
            patched.setattr("bot.delivery.match_messages.MatchMessages.update", never_finish)
            await ben.press("Give up", question)
        assert "wins" not in place.table.text
        asked = await restart_requests(place)
        assert f"PATCH /channels/{place.channel.id}/messages/{place.table.id}" in asked
        assert "Ann wins the match" in place.table.text
        assert "Rematch" in place.table.labels
        assert "wins the match" in ann.dm.text
        assert await restart_requests(place) == []


async def test_resuming_tables_does_not_cancel_an_update(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Resuming all tables again does not cancel an update in progress."""
    async with bot_harness(tmp_path) as place:
        mover, _waiting = await place.start_pair()
        recovery, display = place.bot._recovery, place.bot.display
        begun, again, plan = asyncio.Event(), asyncio.Event(), display.plans.table

        async def slowly(*asked: Any) -> Any:
            begun.set()
            await again.wait()
            return await plan(*asked)

        with monkeypatch.context() as patched:
            patched.setattr(display.channels.permissions, "may_differ", lambda _match: True)
            patched.setattr(display.plans, "table", slowly)
            recovery.begin()
            await begun.wait()
            recovery.begin()
            await asyncio.sleep(0)
            again.set()
        await place.env.settle()
        await mover.press_dm("Draw")
        assert "drew a card" in place.table.text

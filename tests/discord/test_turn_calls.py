"""Each player's choice of when to be called to a turn, and of quiet hours at night."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.delivery.turn_pings import RECENT_SECONDS
from bot.matches.preferences import NotifyMode
from tests.discord.bot_harness import BotHarness, Person, bot_harness, other_person
from tests.discord.toad_player import true_state

HOUR = 60 * 60


def dm_lines(person: Person) -> list[str]:
    """The plain lines in a user's DMs."""
    return [message.content for message in person.dms if message.content]


async def play_to_new_turn(place: BotHarness, people: list[Person], **choice: Any) -> Person:
    """Let both choose their call, play on until another turn, and return its player."""
    for each in people:
        await place.bot.database.players.choose(each.id, **choice)
    await people[(await true_state(place)).turn].press("End turn")
    return people[(await true_state(place)).turn]


async def test_a_player_can_choose_immediate_pings(tmp_path: Path) -> None:
    """A player who has just clicked is mentioned at once. By default, that waits for a minute."""
    async with bot_harness(tmp_path, recent_seconds=RECENT_SECONDS) as place:
        people = await place.started("Ann", "Ben")
        assert place.reminders == []
        await play_to_new_turn(place, people, told=NotifyMode.ALWAYS)
        assert place.reminded_player is people[(await true_state(place)).turn]


@pytest.mark.parametrize(
    ("way", "is_restarted"),
    [(NotifyMode.DM, False), (NotifyMode.DM, True), (NotifyMode.DM_ALWAYS, False)],
)
async def test_a_dm_ping_links_the_table_until_the_move(
    tmp_path: Path, way: NotifyMode, is_restarted: bool
) -> None:
    """The call comes once, with a link to the table. It is deleted with the move."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover = await play_to_new_turn(place, people, told=way)
        if is_restarted:
            await place.restart()
            await place.wait(1)
        assert place.reminders == []
        [line] = dm_lines(mover)
        assert "your turn at [the table](https://" in line
        await mover.press("End turn")
        await place.env.settle()
        assert dm_lines(mover) == []


async def test_a_player_with_closed_dms_is_pinged_at_the_table(tmp_path: Path) -> None:
    """A player who wants a DM but accepts none is mentioned at the table."""
    async with bot_harness(tmp_path) as place:
        people = [place.person(name) for name in ("Ann", "Ben")]
        for each in people:
            each.close_dms()
        await place.started("Ann", "Ben")
        mover = await play_to_new_turn(place, people, told=NotifyMode.DM)
        assert any(f"<@{mover.id}>, it's your turn" in line for line in place.reminders)


async def test_the_next_player_is_notified_one_turn_early(tmp_path: Path) -> None:
    """A player with that setting is notified once when the player before begins a turn."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cy")
        first = (await true_state(place)).turn
        third = people[(first + 2) % 3]
        await place.bot.database.players.choose(third.id, told=NotifyMode.SOON)
        told = f"<@{third.id}>, you're next"
        assert not any(told in line for line in place.reminders)
        await people[first].press("End turn")
        assert sum(told in line for line in place.reminders) == 1
        await place.restart()
        await people[(first + 1) % 3].press("Draw")
        assert sum(told in line for line in place.reminders) == 1
        await people[(first + 1) % 3].press_dm("End turn")
        assert not any(told in line for line in place.reminders)
        assert any(f"<@{third.id}>, it's your turn" in line for line in place.reminders)


async def test_the_next_player_is_notified_by_dm(tmp_path: Path) -> None:
    """A player that wants the ping by DM gets it there, and no player is mentioned at the table."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cy")
        first = (await true_state(place)).turn
        third = people[(first + 2) % 3]
        await place.bot.database.players.choose(third.id, told=NotifyMode.DM_SOON)
        await people[first].press("End turn")
        assert [line for line in dm_lines(third) if "you're next" in line]
        assert not any("you're next" in line for line in place.reminders)


async def test_a_player_with_pings_off_is_never_pinged(tmp_path: Path) -> None:
    """A player with pings off is not pinged at a turn's beginning nor near its end."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=HOUR)
        mover = await play_to_new_turn(place, people, told=NotifyMode.NEVER)
        await place.wait(HOUR - 60)
        assert place.reminders == []
        assert dm_lines(mover) == []
        await place.wait(120)
        assert (await place.stored(place.table.match_id)).n > 1


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_players_are_not_pinged_during_quiet_hours(tmp_path: Path, is_restarted: bool) -> None:
    """A player is not pinged in the eight quiet hours, but right after them, even after a restart."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        hour = datetime.fromtimestamp(place.now, UTC).hour
        mover = await play_to_new_turn(place, people, night=hour)
        assert place.reminders == []
        await place.wait(6 * HOUR)
        if is_restarted:
            await place.restart()
        await place.wait(HOUR)
        assert place.reminders == []
        await place.wait(HOUR)
        assert place.reminded_player is mover


async def test_quiet_hours_follow_the_players_time_zone(tmp_path: Path) -> None:
    """Quiet hours begin at the player's local time, last eight hours, and remain after a restart."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        there = datetime.fromtimestamp(place.now, ZoneInfo("America/New_York"))
        await play_to_new_turn(place, people, night=there.hour, zone="America/New_York")
        await place.restart()
        await place.wait(7 * HOUR)
        assert place.reminders == []
        await place.wait(HOUR)
        assert place.reminded_player is people[(await true_state(place)).turn]


def channel_lines(place: BotHarness) -> list[str]:
    """The plain lines in the channel."""
    return [seen.message.content for seen in place.messages if seen.message.content]


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_an_outdated_ping_is_edited_if_it_is_the_last_message(
    tmp_path: Path, is_restarted: bool
) -> None:
    """An outdated ping that is the last message is edited, and replaced by the next ping."""
    async with bot_harness(tmp_path, recent_seconds=RECENT_SECONDS) as place:
        people = await place.started("Ann", "Ben")
        await place.wait(RECENT_SECONDS / 2)
        mover = people[(await true_state(place)).turn]
        await other_person(people, mover).press("My hand")  # so that this one is not called at once
        await place.wait(RECENT_SECONDS / 2 + 1)
        assert place.reminded_player is mover
        called = place.messages[-1].id
        await mover.press("End turn")
        if is_restarted:
            await place.restart()
        else:
            assert "This was a reminder about [the table](https://" in channel_lines(place)[0]
            assert place.messages[-1].id == called
        await place.wait(RECENT_SECONDS + 1)
        assert len(channel_lines(place)) == 1
        assert place.reminded_player is other_person(people, mover)
        assert place.messages[-1].id > called


async def test_an_outdated_ping_before_later_messages_is_deleted(tmp_path: Path) -> None:
    """An outdated ping with later messages after it is deleted."""
    async with bot_harness(tmp_path, recent_seconds=RECENT_SECONDS) as place:
        people = await place.started("Ann", "Ben")
        await place.wait(RECENT_SECONDS + 1)
        await place.person("Zoe").actor.send(place.channel, "hello")
        await other_person(people, place.reminded_player).press("My hand")
        await place.reminded_player.press("End turn")
        await place.env.settle()
        assert channel_lines(place) == []

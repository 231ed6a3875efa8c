"""Tests of Discord's quarantine for spam (20026): no DM counts as closed, and the host is notified."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.doctor.database import database_findings
from bot.requests.dm_quarantine import RETRY_SECONDS
from tests.discord.bot_harness import BotHarness, Person, bot_harness, response_of
from tests.discord.toad_player import true_state

FLAGGED = 20026
MANY = 6
OPENING = ("POST", "/users/@me/channels")


def quarantine_bot(place: BotHarness, *people: Person) -> None:
    """Put the bot in quarantine. Discord then refuses to open a DM or to send one."""
    paths = [f"/channels/{one.actor.user.dm_channel.id}/messages" for one in people]
    for path in paths or [OPENING[1]]:
        place.env.inject_error(
            "POST",
            path,
            status=403,
            code=FLAGGED,
            message="Your bot has been flagged by our anti-spam system",
            times=None,
        )


def dm_attempt_count(place: BotHarness) -> int:
    """Return the number of DMs that the bot has opened or tried to open."""
    return sum((one.method, one.path) == OPENING for one in place.env.http_requests)


def doctor_findings(folder: Path) -> list[str]:
    """Return the finding of the command-line doctor about the quarantine."""
    found = database_findings(folder / "ribit.sqlite3", 0)
    return [one.sentence for one in found if not one.is_well and "flagged" in one.sentence]


async def pass_turn(place: BotHarness, people: list[Person]) -> None:
    """Pass as the player to move by an old button of the table, so no hand is opened instead of a DM."""
    mover = people[(await true_state(place)).turn]
    await mover.send(place.table, await place.old_button_id("end"))


async def play_at_tables(place: BotHarness, number: int) -> None:
    """Start matches of users that never had a DM from the bot, at a table in a channel each."""
    for table in range(number):
        place.channel = place.guild.create_text_channel(f"pond-{table}")
        await place.started(f"Ann {table}", f"Ben {table}")


async def test_a_quarantine_does_not_mark_dms_as_closed(tmp_path: Path) -> None:
    """In quarantine, new players are pointed to *My hand*, and are not recorded as having closed DMs.

    One line is logged, and hardly any request is refused.
    """
    async with bot_harness(tmp_path) as place:
        quarantine_bot(place)
        await play_at_tables(place, MANY // 2)
        lines = [line for line in place.reminders if "My hand" in line]
        assert len(lines) == 2, "one for each player of the last table"
        assert not any("DMs are closed" in line for line in lines)
        assert dm_attempt_count(place) <= 2, "those that were under way at once"
        [fault] = place.faults()
        assert "flagged" in fault["event"]
        for name in ("Ann 2", "Ben 2"):
            person = place.person(name)
            assert not (await place.bot.display.players.get(person.id)).dms_closed
            assert "Red spots" in response_of(await person.press("My hand")).alt
        [complaint] = doctor_findings(tmp_path)
        assert "My hand" in complaint


async def test_the_first_delivered_hand_ends_a_quarantine(tmp_path: Path) -> None:
    """After some hours one hand is tried. The first success ends the quarantine."""
    async with bot_harness(tmp_path) as place:
        quarantine_bot(place)
        people = await place.started("Ann", "Ben", turn=0)
        assert len(place.faults()) == 1
        before = dm_attempt_count(place)
        for _turn in range(2):
            await pass_turn(place, people)
            await place.pause()
        assert dm_attempt_count(place) == before
        await place.wait(RETRY_SECONDS)
        await place.restart()
        await pass_turn(place, people)
        assert dm_attempt_count(place) == before + 1
        assert doctor_findings(tmp_path)
        place.env.backend.faults.clear()
        await place.wait(RETRY_SECONDS)
        await pass_turn(place, people)
        await place.pause()
        assert all("Red spots" in person.dm.alt for person in people)
        assert not doctor_findings(tmp_path)


async def test_players_with_open_dms_get_hands_in_quarantine(tmp_path: Path) -> None:
    """Players to whom the bot has already sent a DM still get their hands, and no fault is logged."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        quarantine_bot(place)
        await place.person("Ann").slash("toad stop")
        place.channel = place.guild.create_text_channel("reeds")
        await place.started("Ann", "Ben")
        assert all(len(person.dms) == 2 for person in people)
        assert place.faults() == []


@pytest.mark.parametrize("is_new", [False, True])
async def test_a_quarantine_is_detected_when_a_hand_is_refused(tmp_path: Path, *, is_new: bool) -> None:
    """If Discord opens the DMs and then refuses the hand, the result is the same."""
    async with bot_harness(tmp_path) as place:
        people = [place.person(name) for name in ("Ann", "Ben")]
        if not is_new:
            await place.started("Ann", "Ben")
            place.channel = place.guild.create_text_channel("reeds")
        quarantine_bot(place, *people)
        await place.started("Ann", "Ben")
        assert len(place.faults()) == 1
        assert len([line for line in place.reminders if "My hand" in line]) == 2
        for person in people:
            assert not (await place.bot.display.players.get(person.id)).dms_closed

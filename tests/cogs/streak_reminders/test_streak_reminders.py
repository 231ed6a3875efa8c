"""One DM in the last hour of a day, to players who want it and whose streak would end."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.engine.name_sanitizing import new_placeholder
from bot.messages.deal_calendar import day_of, ends_at
from bot.storage.database import Database
from bot.storage.database_address import Location
from cogs.streak_reminders.cog import LAST_SECONDS
from tests.discord.bot_harness import BotHarness, Person, bot_harness, shown, told
from tests.storage.kinds import traces


async def reminded(place: BotHarness, name: str, days: int, *, today: bool = False) -> Person:
    """Turn on reminders for a user with solved puzzles on the last days."""
    person, now = place.person(name), place.env.now()

    async def work(sql: Any) -> None:
        for back in range(0 if today else 1, days + 1):
            day = day_of(now - timedelta(days=back))
            await sql.answer_puzzle(player_id=person.id, game="toad", day=day, is_right=1)

    await place.bot.database.writer.write(work)
    panel = shown(await person.press("Streak reminder", told(await person.slash("settings"))))
    assert "**Off.**" in panel.text
    assert "**On.**" in shown(await person.press("Remind me", panel)).text
    return person


async def last_hour(place: BotHarness) -> None:
    """Let the last hour of the day begin."""
    begins = ends_at(day_of(place.env.now())) - LAST_SECONDS
    await place.wait(max(0, begins - place.now) + 5)


def reminders(person: Person) -> list[str]:
    return [one.content for one in person.dms if one.content.startswith("⏰")]


async def test_a_streak_at_stake(tmp_path: Path) -> None:
    """One reminder a day, even after a restart, with the end as a timestamp."""
    async with bot_harness(tmp_path) as place:
        ann = await reminded(place, "Ann", 3)
        ends = ends_at(day_of(place.env.now()))
        assert reminders(ann) == []
        await last_hour(place)
        [line] = reminders(ann)
        assert f"<t:{ends}:R>" in line
        assert "Toad in two: 3 in a row" in line
        await place.restart(after=60)
        assert reminders(ann) == [line]


async def test_due_while_the_bot_was_off(tmp_path: Path) -> None:
    """It is sent at the start if the day has not ended."""
    async with bot_harness(tmp_path) as place:
        ann = await reminded(place, "Ann", 3)
        await place.restart(after=ends_at(day_of(place.env.now())) - place.now - LAST_SECONDS // 2)
        assert len(reminders(ann)) == 1
        await place.restart(after=LAST_SECONDS)
        assert len(reminders(ann)) == 1


async def test_who_is_left_alone(tmp_path: Path) -> None:
    """A short streak, a try that was made, quiet hours, stopped reminders, and closed DMs."""
    async with bot_harness(tmp_path) as place:
        short = await reminded(place, "Short", 2)
        tried = await reminded(place, "Tried", 5, today=True)
        asleep = await reminded(place, "Asleep", 5)
        await place.bot.database.players.choose(asleep.id, night=20)
        stopped = await reminded(place, "Stopped", 5)
        panel = shown(await stopped.press("Streak reminder", told(await stopped.slash("settings"))))
        assert "**Off.**" in shown(await stopped.press("Stop reminders", panel)).text
        closed = await reminded(place, "Closed", 5)
        closed.close_dms()
        zoe = await reminded(place, "Zoe", 5)
        await last_hour(place)
        assert len(reminders(zoe)) == 1
        assert [reminders(each) for each in (short, tried, asleep, stopped, closed)] == [[]] * 5
        assert (await place.bot.database.players.get(closed.id)).dms_closed
        panel = shown(await closed.press("Streak reminder", told(await closed.slash("settings"))))
        assert "closed to me" in panel.text


async def test_forgetting(database: Database, location: Location) -> None:
    player_id = 1234567890123456789

    async def work(sql: Any) -> list[int]:
        await sql.start_reminders(player_id=player_id)
        found = sql.players_to_remind(day=20261128, after=-1, limit=5)
        players = [row["player_id"] async for row in found]
        claims = [await sql.claim_reminder(player_id=player_id, day=20261128) for _try in range(2)]
        return [*players, *claims]

    assert await database.writer.write(work) == [player_id, 1, 0]
    await database.players.forget(player_id, new_placeholder())
    assert await traces(location, player_id) == []

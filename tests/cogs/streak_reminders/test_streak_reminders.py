"""One DM in the last hour of a day, to players who want it and whose streak would end."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.engine.name_sanitizing import new_placeholder
from bot.messages.deal_calendar import day_of, ends_at
from bot.storage.database import Database
from bot.storage.database_address import Location, Server
from cogs.streak_reminders.cog import LAST_SECONDS
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.fleet import fleet_harness
from tests.discord.regular_posts import DAY, daily_posts, enable_daily_post
from tests.storage.database_types import rows_containing


async def enable_reminders(place: BotHarness, name: str, days: int, *, today: bool = False) -> Person:
    """Turn on reminders for a user with solved puzzles on the last days."""
    person, now = place.person(name), place.env.now()

    async def work(sql: Any) -> None:
        for back in range(0 if today else 1, days + 1):
            day = day_of(now - timedelta(days=back))
            await sql.answer_puzzle(player_id=person.id, game="toad", day=day, is_right=1)

    await place.bot.database.writer.write(work)
    settings = ephemeral_reply(await person.slash("settings"))
    panel = ephemeral_reply(await person.press("Streak reminder", settings))
    assert panel.message.id != settings.message.id, "the settings stay open"
    assert "**Off.**" in panel.text
    assert "**On.**" in response_of(await person.press("Remind me", panel)).text
    return person


async def wait_until_last_hour(place: BotHarness) -> None:
    """Let the last hour of the day begin."""
    begins = ends_at(day_of(place.env.now())) - LAST_SECONDS
    await place.wait(max(0, begins - place.now) + 5)


def reminder_texts(person: Person) -> list[str]:
    return [one.content for one in person.dms if one.content.startswith("⏰")]


async def test_the_post_has_a_button_to_set_reminders(tmp_path: Path) -> None:
    """**Remind me** at the post opens the user's own panel, and the post stays as it is."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        await place.wait(DAY)
        [post] = daily_posts(place)
        assert post.labels[-1] == "Remind me"
        ann = place.person("Ann")
        panel = ephemeral_reply(await ann.press("Remind me", post))
        assert panel.message.flags.ephemeral
        assert "**Off.**" in panel.text
        await place.restart()
        assert "**On.**" in response_of(await ann.press("Remind me", panel)).text
        assert daily_posts(place)[0].text == post.text


async def test_a_streak_gets_one_reminder_a_day(tmp_path: Path) -> None:
    """The reminder comes in the day's last hour, shows its end as a timestamp, and is not repeated."""
    async with bot_harness(tmp_path) as place:
        ann = await enable_reminders(place, "Ann", 3)
        ends = ends_at(day_of(place.env.now()))
        assert reminder_texts(ann) == []
        await wait_until_last_hour(place)
        [line] = reminder_texts(ann)
        assert f"<t:{ends}:R>" in line
        assert "Toad in two: 3 in a row" in line
        await place.restart(after=60)
        assert reminder_texts(ann) == [line]


async def test_an_overdue_reminder_is_sent_at_startup(tmp_path: Path) -> None:
    """A reminder that was due while the bot was offline is sent only if the day has not ended."""
    async with bot_harness(tmp_path) as place:
        ann = await enable_reminders(place, "Ann", 3)
        await place.restart(after=ends_at(day_of(place.env.now())) - place.now - LAST_SECONDS // 2)
        assert len(reminder_texts(ann)) == 1
        await place.restart(after=LAST_SECONDS)
        assert len(reminder_texts(ann)) == 1


async def test_unnecessary_reminders_are_not_sent(tmp_path: Path) -> None:
    """A short streak, a try that was made, quiet hours, stopped reminders, and closed DMs."""
    async with bot_harness(tmp_path) as place:
        short = await enable_reminders(place, "Short", 2)
        tried = await enable_reminders(place, "Tried", 5, today=True)
        asleep = await enable_reminders(place, "Asleep", 5)
        await place.bot.database.players.choose(asleep.id, night=20)
        stopped = await enable_reminders(place, "Stopped", 5)
        panel = ephemeral_reply(
            await stopped.press("Streak reminder", ephemeral_reply(await stopped.slash("settings")))
        )
        assert "**Off.**" in response_of(await stopped.press("Stop reminders", panel)).text
        closed = await enable_reminders(place, "Closed", 5)
        closed.close_dms()
        zoe = await enable_reminders(place, "Zoe", 5)
        await wait_until_last_hour(place)
        assert len(reminder_texts(zoe)) == 1
        assert [reminder_texts(each) for each in (short, tried, asleep, stopped, closed)] == [[]] * 5
        assert (await place.bot.database.players.get(closed.id)).dms_closed
        panel = ephemeral_reply(
            await closed.press("Streak reminder", ephemeral_reply(await closed.slash("settings")))
        )
        assert "closed to me, and this server has no daily post" in panel.text


def reminder_messages(place: BotHarness) -> list[Seen]:
    return [seen for seen in place.messages if seen.text.startswith("⏰")]


async def test_players_with_closed_dms_are_mentioned_at_the_post(tmp_path: Path) -> None:
    """The players are mentioned in one line at the post, also over a restart."""
    pytest.importorskip("cogs.daily_post")
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place, 3)
        people = [await enable_reminders(place, name, 3) for name in ("Ann", "Ben", "**Cy** @everyone")]
        for person in people:
            person.close_dms()
        await place.bot.database.players.dms_closed(people[0].id)
        await wait_until_last_hour(place)
        [line] = reminder_messages(place)
        assert line.text.startswith("⏰ " + " ".join(f"<@{person.id}>" for person in people))
        assert {user.id for user in line.message.mentions} == {person.id for person in people}
        panel = ephemeral_reply(
            await people[0].press("Streak reminder", ephemeral_reply(await people[0].slash("settings")))
        )
        assert f"so I'll mention you in <#{place.channel.id}>" in panel.text
        await place.restart(after=60)
        assert len(reminder_messages(place)) == 1


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_the_mention_is_deleted_when_the_day_ends(tmp_path: Path, *, is_restarted: bool) -> None:
    """With closed DMs the reminder is a mention in the channel, which is deleted at the day's end."""
    pytest.importorskip("cogs.daily_post")
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place, 3)
        ann = await enable_reminders(place, "Ann", 3)
        ann.close_dms()
        await wait_until_last_hour(place)
        if is_restarted:
            await place.restart(after=60)
        assert len(reminder_messages(place)) == 1
        await place.wait(LAST_SECONDS)
        assert reminder_messages(place) == []


async def test_two_processes_send_one_reminder(server: Server) -> None:
    """Players of any server get one reminder, also if it was asked for at the other process."""
    async with fleet_harness(server) as place:
        people = [await enable_reminders(place, name, 3) for name in ("Ann", "Ben")]
        await place.quiet()
        await wait_until_last_hour(place)
        await place.until(lambda: all(reminder_texts(person) for person in people))
        await place.wait(LAST_SECONDS // 2)
        assert [len(reminder_texts(person)) for person in people] == [1, 1]


async def test_forgetting_a_player_or_server_deletes_reminders(
    database: Database, location: Location
) -> None:
    """After deletion no stored row contains the server's or the player's ID."""
    player_id, guild_id = 1234567890123456789, 1134567890123456788

    async def work(sql: Any) -> list[int]:
        await sql.start_reminders(player_id=player_id, guild_id=guild_id)
        found = sql.players_to_remind(day=20261128, after=-1, limit=5)
        players = [row["player_id"] async for row in found]
        await sql.forget_server_streak_reminders(guild_id=guild_id, is_gone=1)
        claims = [await sql.claim_reminder(player_id=player_id, day=20261128) for _try in range(2)]
        return [*players, *claims]

    assert await database.writer.write(work) == [player_id, 1, 0]
    assert await rows_containing(location, guild_id) == []
    await database.players.forget(player_id, new_placeholder())
    assert await rows_containing(location, player_id) == []

"""Tests of a server's daily post and of its settings, under failures too."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.delivery.regular_posts import (
    AT_ONCE,
    PostSchedule,
    PostType,
    due_at,
    is_resting,
    next_edit_at,
    next_post,
)
from bot.matches.shards import ALL_SHARDS
from bot.messages.components import Content, notice_content
from bot.messages.deal_calendar import as_date
from bot.requests.budget import Budget
from bot.storage.database import Database
from bot.storage.regular_posts import PostChange, PostSettings, RegularPost
from cogs.daily_post.cog import suggested_hour
from tests.cogs.daily_post.benchmark import Discord
from tests.discord.admins import add_admin, change_settings
from tests.discord.bot_harness import BotHarness, bot_harness, ephemeral_reply, response_of
from tests.discord.regular_posts import (
    DAY,
    HOUR,
    ZONE,
    daily_posts,
    enable_daily_post,
    open_daily_post_settings,
    open_own_settings,
    pick_channel,
    store_deal_win,
    store_toad_win,
    weekly_reports,
)
from tests.discord.strict_discord import strict_discord
from tests.discord.test_leaving import add_bot, remove_bot, send_guild_create
from tests.discord.test_week_of_posts import kill_after_sending

DAILY = PostType("daily", lambda *_about: None)  # type: ignore[arg-type]


def unix_time(*when: int) -> int:
    return int(datetime(*when, tzinfo=UTC).timestamp())  # type: ignore[misc, arg-type]


@pytest.mark.parametrize("month", [3, 10])
def test_the_post_hour_occurs_once_a_day_despite_dst(month: int) -> None:
    """A skipped hour is the next one, and a repeated one is the first."""
    for hour in range(24):
        settings, now, last = PostSettings(1, 5, hour, ZONE), unix_time(2026, month, 20), 0
        found = dict[int, int]()
        for _day in range(12):
            post = next_post(DAILY, "daily", settings, last, now)
            assert post.wakes_at is not None
            last = post.day
            found[last] = now = post.wakes_at
        first = as_date(min(found))
        assert [as_date(day) for day in found] == [first + timedelta(days=n) for n in range(12)], hour
        lengths = {after - before for before, after in pairwise(found.values())}
        assert lengths <= {DAY - HOUR, DAY, DAY + HOUR}, hour


def test_changing_the_hour_does_not_repeat_a_day() -> None:
    """If today's post was sent, the next one is tomorrow's, even if the new hour is still to come."""
    settings = PostSettings(1, 5, 20, ZONE)
    assert next_post(DAILY, "daily", settings, 20260105, unix_time(2026, 1, 5, 12)).day == 20260106
    assert next_post(DAILY, "daily", settings, 20260104, unix_time(2026, 1, 5, 12)).day == 20260105
    assert due_at(20260105, settings) == unix_time(2026, 1, 5, 19)


def test_an_older_post_is_edited_less_often() -> None:
    """In its first hour a post is edited once a minute at most, then once in half an hour."""
    post = RegularPost(1, "daily", 20260101, 5, 9, asked_at=1000, edited_at=2000)
    assert next_edit_at(post, 2010) == 2060
    assert next_edit_at(post, 2100) == 2100
    assert next_edit_at(post, 1000 + HOUR) == 1000 + HOUR
    assert next_edit_at(post, 3000 + HOUR) == 3000 + HOUR
    assert next_edit_at(replace(post, wakes_at=2030), 2010) == 2030


async def test_a_try_during_an_edit_is_shown_by_the_next_edit(tmp_path: Path) -> None:
    """The edit has read the numbers before the try, and does not cancel the edit after it."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        await place.wait(2 * HOUR)
        ann, ben, schedule = place.person("Ann"), place.person("Ben"), place.bot.post_schedule

        async def try_by_ben() -> None:
            await store_deal_win(place, ben)
            await schedule.record_play(place.guild.id)

        run_after_planning(place, try_by_ben)
        await ann.slash("solitaire daily")
        await place.wait(HOUR)
        assert "👥 2 played" in daily_posts(place)[0].text


@pytest.mark.parametrize("month", [1, 7])
def test_the_suggested_hour_follows_utc_midnight_all_year(month: int) -> None:
    """A day has just begun in UTC, also after the clocks change."""
    now = unix_time(2026, month, 10)
    assert suggested_hour("Europe/Berlin", now) == 2
    assert suggested_hour("America/New_York", now) == 20
    assert suggested_hour("Asia/Kolkata", now) == 6
    assert suggested_hour("UTC", now) == 0


async def test_admins_configure_posts_before_enabling_them(tmp_path: Path) -> None:
    """Admins set channel, hour, clock and contents. Until it is switched on, nothing is posted."""
    pytest.importorskip("cogs.weekly_report")
    pytest.importorskip("cogs.puzzles")
    async with bot_harness(tmp_path) as place:
        ada, ann = add_admin(place), place.person("Ann")
        assert "Daily post" not in (await open_own_settings(ann)).labels
        await ada.slash("settings", zone="America/New_York")
        seen = await open_daily_post_settings(ada)
        assert "I'm not posting anything" in seen.text
        assert "19:00 now (America/New_York)" in seen.text, "the clock"
        assert "Pick a channel first" in ephemeral_reply(await ada.press("Switch on", seen)).text
        seen = response_of(await ada.pick("18", await pick_channel(place, ada, seen), "dp:hour"))
        assert "The day ends 1 hour after that" in seen.text
        seen = response_of(await ada.pick("19", seen, "dp:hour"))
        assert "are left" not in seen.text
        seen = response_of(await ada.press("Toad: puzzle", seen))
        preview = await ada.press("Preview", seen)
        assert preview.ephemeral
        assert "📅 New on 2026-01-01" in response_of(preview).text
        assert "there's nothing to post yet" in ephemeral_reply(preview).text
        await place.wait(DAY)
        assert daily_posts(place) == []
        await ada.press("Switch on", seen)
        await place.wait(DAY)
        [post] = daily_posts(place)
        assert "Toad: puzzle" not in post.labels
        assert "Frogger: puzzle" in post.labels
        assert "📅 Daily post · <#" in ephemeral_reply(await ada.slash("doctor")).text
        await ada.press("Pause everything", await open_daily_post_settings(ada))
        await place.wait(DAY)
        assert [post.labels for post in daily_posts(place)] == [[]]
        await ann.send(seen, "dp:on")
        await place.wait(2 * DAY)
        assert len(daily_posts(place)) == 1


async def test_each_item_of_the_post_can_be_disabled(tmp_path: Path) -> None:
    """A post without the deal of the day lists the rest. A post without anything is refused."""
    pytest.importorskip("cogs.daily")
    pytest.importorskip("cogs.puzzles")
    async with bot_harness(tmp_path) as place:
        ada = add_admin(place)
        seen = await pick_channel(place, ada, await open_daily_post_settings(ada))
        items = [label for label in seen.labels if label not in ("Switch on", "Preview", "Use my clock")]
        seen = response_of(await ada.press("Deal of the day", seen))
        assert "Toad: puzzle" in response_of(await ada.press("Preview", seen)).text
        seen = response_of(await ada.press("Switch on", seen))
        await place.wait(DAY)
        [post] = daily_posts(place)
        assert "Toad: puzzle" in post.labels
        assert "Play the deal" not in post.labels
        seen = response_of(await ada.press("Pause everything", seen))
        for label in set(items) - {"Deal of the day"}:
            seen = response_of(await ada.press(label, seen))
        assert "nothing to post" in ephemeral_reply(await ada.press("Preview", seen)).text
        assert "Choose something to post" in ephemeral_reply(await ada.press("Switch on", seen)).text


async def test_the_post_has_buttons_for_deal_puzzles_and_results(tmp_path: Path) -> None:
    """The post's buttons start the deal and puzzles, and show results only after the user's own try."""
    pytest.importorskip("cogs.puzzles")
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        await place.wait(HOUR)
        [post] = daily_posts(place)
        of_others = (": duels", "Remind me")
        labels = [each for each in post.labels if not each.endswith(of_others)]
        assert labels == ["Play the deal", "Results", "Frogger: puzzle", "Toad: puzzle"]
        ann = place.person("Ann")
        assert "👥 nobody yet" in post.text
        assert "once you've tried it yourself" in ephemeral_reply(await ann.press("Results", post)).text
        assert "Toad in two" in ephemeral_reply(await ann.press("Toad: puzzle", post)).text
        await ann.press("Play the deal", post)
        await place.wait(60)
        assert "👥 1 played, 0 the day before" in daily_posts(place)[0].text
        assert daily_posts(place)[0].id == post.id


async def test_posts_pause_after_a_week_without_players(tmp_path: Path) -> None:
    """The last post reports the pause and keeps its buttons. The next try resumes the posts."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        await place.wait(10 * DAY)
        assert len(daily_posts(place)) == 7
        last = daily_posts(place)[-1]
        assert "I'll post again after the next try" in last.text
        await place.person("Ann").press("Play the deal", last)
        await place.wait(DAY)
        assert len(daily_posts(place)) == 8


def paused_settings(settings: PostSettings | None) -> PostSettings:
    assert settings is not None
    return replace(settings, is_on=False)


def run_after_planning(place: BotHarness, action: Callable[[], Awaitable[object]]) -> None:
    """Do something once after the next content of a daily post was planned."""
    schedule = place.bot.post_schedule
    kind = schedule.types["daily"]

    async def content(post: RegularPost, settings: PostSettings) -> Content | None:
        planned = await kind.content(post, settings)
        schedule.types["daily"] = kind
        await action()
        return planned

    schedule.types["daily"] = replace(kind, content=content)


async def test_a_pause_while_a_post_is_planned_prevents_it(tmp_path: Path) -> None:
    """A pause that an admin sets during planning prevents the current post and those of later days."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        schedule = place.bot.post_schedule
        run_after_planning(place, partial(schedule.configure, place.guild.id, paused_settings))
        await place.wait(3 * DAY)
        assert daily_posts(place) == []
        assert await schedule.store.of_server(place.guild.id) == []


async def test_a_pause_while_a_post_is_sent_removes_its_buttons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The post loses its buttons, and none follows."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        schedule, send = place.bot.post_schedule, PostSchedule._send

        async def send_and_pause(*asked: Any) -> int:
            message_id = await send(*asked)
            monkeypatch.setattr(PostSchedule, "_send", send)
            await schedule.configure(place.guild.id, paused_settings)
            return message_id

        monkeypatch.setattr(PostSchedule, "_send", send_and_pause)
        await place.wait(3 * DAY)
        assert [post.labels for post in daily_posts(place)] == [[]]


async def test_forgetting_a_player_during_a_send_edits_the_post(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The post is edited at once, without the name."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        ann, send = place.person("Ann"), PostSchedule._send
        for _day in range(2):
            await store_deal_win(place, ann)
            await place.wait(DAY)

        async def send_and_forget(*asked: Any) -> int:
            message_id = await send(*asked)
            monkeypatch.setattr(PostSchedule, "_send", send)
            await place.bot.database.players.forget(ann.id, -(2**62))
            return message_id

        monkeypatch.setattr(PostSchedule, "_send", send_and_forget)
        await place.wait(HOUR + 60)
        assert len(daily_posts(place)) == 3
        assert "Ann" not in daily_posts(place)[-1].text


async def test_a_try_at_the_end_of_an_idle_week_prevents_the_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A try in the moment in which a week without players ends keeps the posts from pausing."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        schedule = place.bot.post_schedule
        await place.wait(7 * DAY - HOUR)
        read = schedule.store.settings

        async def read_before_try(guild_id: int) -> PostSettings | None:
            settings = await read(guild_id)
            if place.now % DAY == HOUR and is_resting(settings or PostSettings(0), place.now):
                monkeypatch.undo()
                await schedule.record_play(guild_id)
            return settings

        monkeypatch.setattr(schedule.store, "settings", read_before_try)
        await place.wait(2 * DAY)
        assert len(daily_posts(place)) == 9


async def test_a_failure_in_a_former_channel_does_not_stop_posts(tmp_path: Path) -> None:
    """The posts go on in the channel that an admin has picked since."""
    async with bot_harness(tmp_path) as place:
        ada = await enable_daily_post(place)
        path = f"/channels/{place.channel.id}/messages"
        place.env.inject_error("POST", path, status=500, code=0, message="later", times=3)
        await place.wait(HOUR)
        place.env.inject_error("POST", path, status=404, code=10003, message="gone", times=None)
        settings = await place.bot.database.regular_posts.settings(place.guild.id)
        assert settings is not None
        moved = PostChange(replace(settings, channel_id=1))
        await place.bot.database.regular_posts.change(place.guild.id, lambda *_before: moved)
        await place.wait(HOUR)
        assert ada.dms == []
        assert await place.bot.database.regular_posts.settings(place.guild.id) == moved.settings


async def test_a_post_less_than_six_hours_late_is_still_sent(tmp_path: Path) -> None:
    """A post that was due while the bot was offline is skipped if it is six hours late or more."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        await place.restart(after=6 * HOUR)
        assert len(daily_posts(place)) == 1
        await place.restart(after=DAY + 3 * HOUR)
        assert len(daily_posts(place)) == 1
        await place.wait(DAY)
        assert len(daily_posts(place)) == 2


async def test_no_post_is_repeated_without_read_message_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a kill without *Read Message History*, none is sent rather than two."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        kill_after_sending(place, monkeypatch)
        await place.wait(HOUR)
        assert len(daily_posts(place)) == 1
        path = f"/channels/{place.channel.id}/messages"
        place.env.inject_error("GET", path, status=403, code=50001, message="no", times=None)
        await place.restart(after=HOUR)
        assert len(daily_posts(place)) == 1
        await place.wait(DAY)
        assert len(daily_posts(place)) == 2


@pytest.mark.parametrize("code", [10003, 50013, 200000])
async def test_a_failing_channel_stops_posts_and_notifies_the_admin(tmp_path: Path, code: int) -> None:
    """The admin who has set it gets one message, and nothing more is posted."""
    async with bot_harness(tmp_path) as place:
        ada = await enable_daily_post(place)
        path, status = f"/channels/{place.channel.id}/messages", 404 if code == 10003 else 403
        place.env.inject_error("POST", path, status=status, code=code, message="refused", times=None)
        await place.wait(5 * DAY)
        assert daily_posts(place) == []
        [message] = ada.dms
        assert "I've stopped the daily post" in message.content
        assert "❌" in (await open_daily_post_settings(ada)).text


async def test_a_stalled_post_times_out_and_is_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The request is given up after a while and made again, so that one channel delays no others."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)

        async def endless(_channel: discord.PartialMessageable, **_shown: object) -> None:
            await asyncio.sleep(DAY)

        with monkeypatch.context() as patched:
            patched.setattr(discord.PartialMessageable, "send", endless)
            await place.wait(HOUR)
        await place.wait(HOUR)
        assert len(daily_posts(place)) == 1


async def test_slow_channels_do_not_delay_other_posts(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The posts of other channels do not wait for them, even if they are due later."""
    monkeypatch.setattr("bot.delivery.regular_posts.SLOW_SECONDS", 0.01)
    sent: asyncio.Queue[int] = asyncio.Queue()

    class SlowDiscord(Discord):
        def channel(self, channel_id: int) -> Any:
            async def send(**_shown: Any) -> Any:
                await (sent.put(channel_id) if channel_id > AT_ONCE else asyncio.Event().wait())
                return SimpleNamespace(id=channel_id)

            return SimpleNamespace(send=send)

    async def content(_post: RegularPost, _settings: PostSettings) -> Content:
        return notice_content("news")

    client: Any = SlowDiscord(Budget(None), database)
    posts, pubsub = database.regular_posts, database.pubsub
    schedule = PostSchedule(client, posts, client, client, pubsub, ALL_SHARDS)
    schedule.types["probe"] = PostType("probe", content)
    for server in range(1, AT_ONCE + 2):
        await posts.store_posts(RegularPost(server, "probe", 20270116, server, wakes_at=server))
    try:
        async with asyncio.timeout(10):
            schedule.check_due()
            assert await sent.get() == AT_ONCE + 1
            later = AT_ONCE + 2
            await posts.store_posts(RegularPost(later, "probe", 20270116, later, wakes_at=later))
            schedule.check_due()
            assert await sent.get() == later
    finally:
        await schedule.close()


async def test_a_deleted_post_returns_the_next_day(tmp_path: Path) -> None:
    """A post that was deleted is not sent again on the same day, and its edit is tried only once."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        await place.wait(HOUR)
        deleted, before = daily_posts(place)[0].id, len(place.env.http_requests)
        place.env.backend.delete_message(place.channel.id, deleted)
        await place.person("Ann").slash("solitaire daily")
        await place.wait(HOUR)
        assert daily_posts(place) == []
        since = place.env.http_requests[before:]
        assert len([one for one in since if str(deleted) in one.path]) == 1, "it is not tried again"
        await place.wait(DAY)
        assert len(daily_posts(place)) == 1


async def test_a_forgotten_player_is_removed_from_posts_and_reports(tmp_path: Path) -> None:
    """The open post and the reports are edited, also long after."""
    pytest.importorskip("cogs.weekly_report")
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        ann, ben = place.person("Ann"), place.person("Ben")
        for number in range(10):
            await store_deal_win(place, ann)
            await store_toad_win(place, number, ann, ben)
            await ben.press("Play the deal", daily_posts(place)[-1]) if daily_posts(
                place
            ) and number % 5 == 4 else None
            await place.wait(DAY)
        assert "Ann" in daily_posts(place)[-1].text
        assert "Ann" in weekly_reports(place)[0].alt
        question = response_of(await ann.press("Forget me", ephemeral_reply(await ann.slash("privacy"))))
        await ann.send(question, question.custom_id("Forget me"))
        await place.wait(60)
        assert "Ann" not in daily_posts(place)[-1].text
        assert "Ann" not in weekly_reports(place)[0].alt
        assert "Ben" in weekly_reports(place)[0].alt


async def test_the_post_escapes_names_and_uses_the_servers_settings(tmp_path: Path) -> None:
    """Names are inert. The post uses the server's settings, here German and no pictures."""
    pytest.importorskip("cogs.weekly_report")
    async with bot_harness(tmp_path, locale="de") as place:
        await change_settings(place, text_tables=True)
        ada = place.people.get("Ada") or add_admin(place)
        seen = await pick_channel(place, ada, await open_daily_post_settings(ada))
        await ada.press("Switch on", seen)
        star = place.person("**Star** @everyone")
        for number in range(4):
            await store_deal_win(place, star)
            await store_toad_win(place, number, star, place.person("Ben"))
            await place.wait(DAY)
        text = "\n".join(seen.text for seen in place.messages)
        assert "Neu am 2026-01-05" in text
        assert r"\*\*Star\*\* \@everyone" in text
        assert "**Star**" not in text
        assert "Die Sieger der Woche" in text
        assert "Ungeschlagen" in text
        assert not any(seen.alt for seen in place.messages)


async def test_no_post_is_sent_until_the_bot_rejoins_the_server(tmp_path: Path) -> None:
    """The bot sends nothing while it is not in the server, and posts within a day of its return."""
    async with bot_harness(tmp_path) as place:
        await enable_daily_post(place)
        await place.wait(HOUR)
        with strict_discord() as refused:
            await remove_bot(place)
            await place.wait(3 * DAY)
            assert len(daily_posts(place)) == 1
            add_bot(place)
            await send_guild_create(place)
            await place.wait(DAY)
        assert refused == []
        assert len(daily_posts(place)) == 2

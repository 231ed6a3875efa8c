"""Leaderboards that admins keep in a channel."""

from __future__ import annotations

from pathlib import Path

from bot.matches.shards import ALL_SHARDS
from tests.discord.admins import add_admin
from tests.discord.bot_harness import BotHarness, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.regular_posts import (
    DAY,
    HOUR,
    enable_daily_post,
    open_daily_post_settings,
    store_toad_win,
)

KEEP, END = "Keep it here", "Stop keeping it here"


def leaderboards(place: BotHarness) -> list[Seen]:
    return [seen for seen in place.messages if "## 🏆" in seen.text]


async def test_a_kept_board_is_updated_and_reposted_daily(tmp_path: Path) -> None:
    """A kept board follows the matches, and moves to a new message each day until an admin ends it."""
    async with bot_harness(tmp_path) as place:
        ada, ann, ben = add_admin(place), place.person("Ann"), place.person("Ben")
        assert KEEP not in response_of(await ann.slash("leaderboard")).labels
        first = response_of(await ada.slash("leaderboard"))
        assert "You need the permission" in ephemeral_reply(await ann.send(first, "kb:toad")).text
        assert "I'll keep this leaderboard" in ephemeral_reply(await ada.press(KEEP, first)).text
        await place.wait(60)
        await store_toad_win(place, 1, ann, ben)
        await place.given_up()
        await place.wait(HOUR)
        kept = leaderboards(place)[-1]
        assert kept.id == first.id
        assert "1 Ann: 1, 1" in kept.alt
        assert END in kept.labels
        await place.wait(DAY)
        shown_now = [seen for seen in leaderboards(place) if END in seen.labels]
        assert len(shown_now) == 1
        assert shown_now[0].id > first.id
        assert first.id not in [seen.id for seen in leaderboards(place)]
        await place.restart()
        assert "stopped updating" in ephemeral_reply(await ada.press(END, shown_now[0])).text
        await place.wait(2 * DAY)
        assert [seen.id for seen in leaderboards(place) if END in seen.labels] == [shown_now[0].id]


async def test_a_deleted_board_returns_the_next_day(tmp_path: Path) -> None:
    """A moderator who deletes the message has not ended it. In a lost channel it ends."""
    async with bot_harness(tmp_path) as place:
        ada = add_admin(place)
        board = response_of(await ada.slash("leaderboard"))
        await ada.press(KEEP, board)
        await place.wait(60)
        place.env.backend.delete_message(place.channel.id, board.id)
        await store_toad_win(place, 1, place.person("Cy"), ada)
        await place.given_up()
        await place.wait(HOUR)
        assert leaderboards(place) == []
        await place.wait(DAY)
        assert len(leaderboards(place)) == 1
        path = f"/channels/{place.channel.id}/messages"
        place.env.inject_error("POST", path, status=404, code=10003, message="gone", times=None)
        await place.wait(2 * DAY)
        assert await place.bot.database.regular_posts.next_wakes_at(ALL_SHARDS, 0) is None


async def test_pausing_all_posts_ends_kept_boards(tmp_path: Path) -> None:
    """After *Pause everything*, a kept board gets no new message on the following days."""
    async with bot_harness(tmp_path) as place:
        ada = await enable_daily_post(place)
        await ada.press(KEEP, response_of(await ada.slash("leaderboard")))
        await ada.press("Pause everything", await open_daily_post_settings(ada))
        await place.wait(2 * DAY)
        assert len(place.messages) == 1

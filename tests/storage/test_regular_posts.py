"""Regular posts and their settings in both databases."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from bot.delivery.regular_posts import PostType, Step, next_step
from bot.engine.name_sanitizing import new_placeholder
from bot.matches.shards import ALL_SHARDS, Shards
from bot.storage.database import Database, open_database
from bot.storage.migrate import migrate, migrations
from bot.storage.regular_posts import PostChange, PostSettings, RegularPost
from bot.storage.sqlite_connections import connect
from tests.storage.matches import ADA, BO, FROGS, TOADS, store_finished_match

POST = RegularPost(FROGS, "daily", 20260101, 5, wakes_at=100)


async def test_posts_are_due_by_time_and_shard(database: Database) -> None:
    """The longest due come first. A process sees those of its shards only."""
    posts = database.regular_posts
    other = 1 << 22  # on shard 1 of 2
    await posts.store_posts(POST)
    await posts.store_posts(replace(POST, guild_id=other, wakes_at=90))
    await posts.store_posts(replace(POST, guild_id=TOADS, wakes_at=None))
    assert [post.guild_id for post in await posts.due(ALL_SHARDS, 100, 9)] == [other, FROGS]
    assert [post.guild_id for post in await posts.due(ALL_SHARDS, 99, 9)] == [other]
    assert [post.guild_id for post in await posts.due(ALL_SHARDS, 100, 1)] == [other]
    assert await posts.next_wakes_at(ALL_SHARDS, 0) == 90
    assert await posts.next_wakes_at(ALL_SHARDS, 90) == 100
    assert await posts.due(Shards(0, 0, 2), 100, 9) == [POST]
    assert await posts.next_wakes_at(Shards(0, 0, 2), 0) == 100
    assert await posts.next_wakes_at(Shards(2, 2, 4), 0) is None


async def test_the_update_plans_missing_daily_posts(path: Path) -> None:
    """A server without the deal of the day gets its next daily post."""
    connection = await connect(path)
    await migrate(connection, [step for step in migrations() if step[0] < 67])
    await connection.close()
    settings = "INSERT INTO post_settings VALUES (?, 5, 9, 'UTC', ?, 0, ?, 7, '')"
    with closing(sqlite3.connect(path)) as old, old:
        for guild_id, left_out, is_on in ((1, "daily", 1), (2, "daily", 0), (3, "toad_puzzle", 1)):
            old.execute(settings, (guild_id, f'["{left_out}"]', is_on))
    database = await open_database(path)
    posts = database.regular_posts
    [post] = await posts.due(ALL_SHARDS, 0, 9)
    assert (post.guild_id, post.slot, post.channel_id) == (1, "daily", 5)
    # no content is requested
    kind, now = PostType("daily", lambda *_about: None, is_main=True), 1_800_000_000  # type: ignore[arg-type]
    assert next_step(post, kind, PostSettings(1, played_at=now), None, now) is Step.SKIP
    await database.close()


async def test_a_change_of_settings_and_posts_is_one_transaction(database: Database) -> None:
    """One change deletes posts, stores posts and replaces the settings, for one server only."""
    posts = database.regular_posts
    settings = PostSettings(FROGS, 5, 9, "Europe/Berlin", frozenset({"weekly"}), ADA.id, True, 7, "why")
    await posts.store_posts(POST)
    sent = replace(POST, message_id=8, asked_at=1, edited_at=2, is_open=False, digest=3)
    following = replace(POST, day=20260102)
    await posts.change(FROGS, lambda *_before: PostChange(settings, [sent, following], [POST]))
    assert await posts.settings(FROGS) == settings
    assert await posts.of_server(FROGS) == [sent, following]
    assert await posts.settings(TOADS) is None


async def test_deleting_a_player_removes_the_name_from_all_posts(database: Database) -> None:
    """The posts of the player's servers are edited again. The settings no longer name the player."""
    posts = database.regular_posts
    await store_finished_match(database, "m1", ADA, BO)
    sent = replace(POST, message_id=8, asked_at=1, wakes_at=None)
    await posts.change(FROGS, lambda *_before: PostChange(PostSettings(FROGS, admin_id=ADA.id), [sent]))
    await posts.store_posts(replace(sent, guild_id=TOADS))
    await posts.store_posts(replace(POST, day=20260102, wakes_at=500))
    await database.players.forget(ADA.id, new_placeholder())
    assert [post.wakes_at for post in await posts.of_server(FROGS)] == [0, 500]
    assert [post.wakes_at for post in await posts.of_server(TOADS)] == [None]
    settings = await posts.settings(FROGS)
    assert settings is not None
    assert settings.admin_id == 0

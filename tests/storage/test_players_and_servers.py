"""Stored messages of matches, players' DMs, settings and notes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.engine.opponent import Strength
from bot.matches.match import Entry, Player, Result, Stage
from bot.matches.match_type import LESSON
from bot.matches.preferences import OwnSettings
from bot.matches.server_settings import ServerSettings, Stoppers
from bot.storage.database import Database
from bot.storage.database_address import Location
from bot.storage.match_posts import NewPost, Post
from bot.storage.named_queries import Sql
from bot.storage.players import PlayerRecord
from bot.storage.writer import UnreachableDatabaseError
from tests.storage.boards import leaderboard_reader
from tests.storage.database_types import query_rows
from tests.storage.matches import ADA, BO, move_change, new_lobby, store_finished_match, store_live_match

BIG = 2**63 - 1


@pytest.fixture
async def match_id(database: Database) -> str:
    """A stored match."""
    await database.journal.create(new_lobby("m1"), "here")
    return "m1"


async def _age_message(location: Location, slot: str, seconds: int) -> None:
    """Change the time since which a message has existed."""
    await query_rows(
        location, f"UPDATE posts SET posted_at = posted_at - {seconds} WHERE spot = '{slot}'"
    )


async def test_a_new_database_returns_defaults(database: Database) -> None:
    """A new database returns empty values or defaults."""
    assert await database.emojis.all(1) == {}
    assert await database.posts.all("m1") == {}
    assert (await database.players.get(1)).dm_channel_id is None
    assert await leaderboard_reader(database).profile(1, None) == {}
    assert await database.notes.get("commands") is None
    assert await database.servers.get(None) == ServerSettings()


async def test_each_location_of_a_match_has_one_message(database: Database, match_id: str) -> None:
    """Each location of a match has one message, with IDs as large as Discord's."""
    await database.posts.store_message(match_id, "table", BIG, BIG - 1)
    await database.posts.store_message(match_id, "hand 0", 7, 8)
    table = await database.posts.get(match_id, "table")
    assert table is not None
    assert (table.slot, table.channel_id, table.message_id) == ("table", BIG, BIG - 1)
    assert table.posted_at > 0
    posts = await database.posts.all(match_id)
    assert list(posts) == ["hand 0", "table"]
    assert posts["table"] == table


@pytest.fixture
async def old_post(location: Location, database: Database, other: Database, match_id: str) -> Post:
    """A table's message, two hours old."""
    await database.posts.store_message(match_id, "table", 5, 6)
    await _age_message(location, "table", 7200)
    post = await other.posts.get(match_id, "table")
    assert post is not None
    return post


async def test_a_new_message_replaces_the_previous_one(
    database: Database, match_id: str, old_post: Post
) -> None:
    """A new message in a location replaces the old one and has its own age."""
    await database.posts.store_message(match_id, "table", 5, 9)
    new = await database.posts.get(match_id, "table")
    assert new is not None
    assert new.message_id == 9
    assert new.posted_at >= old_post.posted_at + 7200


async def test_updating_a_message_keeps_its_age(
    database: Database, match_id: str, old_post: Post
) -> None:
    """A message's age counts from its creation and not from its last update."""
    await database.posts.store_message(match_id, "table", 5, 6)
    assert await database.posts.get(match_id, "table") == old_post


async def test_messages_of_an_outage_are_stored_later(
    database: Database, other: Database, match_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages that cannot be stored are read from memory, and stored with the next access."""

    async def refuse(_new: NewPost, _sql: Sql) -> None:
        raise UnreachableDatabaseError

    posts = database.posts
    await posts.store_message(match_id, "table", 5, 6)
    with monkeypatch.context() as during_outage:
        during_outage.setattr(NewPost, "store", refuse)
        for message_id in (7, 8):
            await posts.store_message(match_id, "table", 5, message_id, former="pointer")
        in_memory = await posts.all(match_id)
        assert {slot: post.message_id for slot, post in in_memory.items()} == {"pointer": 7, "table": 8}
        with pytest.raises(UnreachableDatabaseError):
            await posts.remove(match_id, "table")
        assert (await other.posts.all(match_id))["table"].message_id == 6
    assert await posts.all(match_id) == in_memory
    other.posts.forget(match_id)
    assert await other.posts.all(match_id) == in_memory


async def test_removing_a_message_affects_only_its_location(database: Database, match_id: str) -> None:
    """Removing a message affects its location only, and a second removal has no effect."""
    await database.posts.store_message(match_id, "table", 5, 6)
    await database.posts.store_message(match_id, "hand 0", 7, 8)
    for _time in range(2):
        await database.posts.remove(match_id, "table")
        assert await database.posts.get(match_id, "table") is None
    assert list(await database.posts.all(match_id)) == ["hand 0"]
    assert await database.posts.all("another") == {}


async def test_a_removed_message_is_deleted_from_the_database(
    database: Database, other: Database, match_id: str
) -> None:
    """A removed message is deleted from the database too."""
    await database.posts.store_message(match_id, "turn 3", 5, 6)
    await database.posts.remove(match_id, "turn 3")
    assert await other.posts.all(match_id) == {}


async def test_a_replaced_message_moves_to_another_location(database: Database, match_id: str) -> None:
    """A former message moves to another location when a new one replaces it."""
    await database.posts.store_message(match_id, "table", 5, 6, former="pointer")
    await database.posts.store_message(match_id, "table", 5, 6, former="pointer")
    assert list(await database.posts.all(match_id)) == ["table"]
    for message_id in (7, 8):
        await database.posts.store_message(match_id, "table", 5, message_id, former="pointer")
    posts = await database.posts.all(match_id)
    assert {slot: post.message_id for slot, post in posts.items()} == {"pointer": 7, "table": 8}


async def test_an_unknown_player_has_no_dm_channel_and_no_closed_dms(database: Database) -> None:
    """An unknown player has no DM channel and no closed DMs."""
    assert await database.players.get(BIG) == PlayerRecord(BIG, None, dms_closed=False, locale=None)


async def test_closed_dms_are_reported_once(database: Database, other: Database) -> None:
    """The player is notified once of closed DMs, by any process, until DMs have been open again."""
    news = await asyncio.gather(
        database.players.dms_closed(1), other.players.dms_closed(1), database.players.dms_closed(1)
    )
    assert sorted(news) == [False, False, True]
    assert (await database.players.get(1)).dms_closed
    await database.players.dms(1, 77)
    assert await database.players.get(1) == PlayerRecord(1, 77)
    assert await database.players.dms_closed(1)
    assert await database.players.get(1) == PlayerRecord(1, 77, dms_closed=True)


async def test_the_last_used_locale_is_stored(database: Database) -> None:
    """The locale is stored beside the DM channel, without changing it."""
    await database.players.record_locale(1, "de")
    await database.players.dms(1, 77)
    await database.players.record_locale(1, "en-GB")
    assert await database.players.get(1) == PlayerRecord(1, 77, locale="en-GB")


async def test_all_processes_read_the_last_value_of_a_note(database: Database, other: Database) -> None:
    """The last value of a note is current in every process."""
    assert await database.notes.get("commands") is None
    await database.notes.store_note("commands", "abc")
    await database.notes.store_note("commands", "def")
    assert await other.notes.get("commands") == "def"


async def test_server_settings_default_until_changed(database: Database, other: Database) -> None:
    """A setting applies to one server in every process, and DMs have no server."""
    chosen = ServerSettings(60, Stoppers.SEATED, frozenset({BIG, 7}), mentions=False, language="de")
    assert await database.servers.get(BIG) == ServerSettings()
    await database.servers.change(BIG, lambda _before: ServerSettings())
    await database.servers.change(BIG, lambda _before: chosen)
    assert await other.servers.get(BIG) == chosen
    assert await database.servers.get(None) == ServerSettings()


async def test_concurrent_changes_of_server_settings_are_all_kept(
    database: Database, other: Database
) -> None:
    """Each concurrent change is applied to the result of the other, in any process and order."""

    def chosen(**values: Any) -> Callable[[ServerSettings], ServerSettings]:
        return lambda settings: replace(settings, **values)

    await asyncio.gather(
        database.servers.change(5, chosen(turn_seconds=60)),
        other.servers.change(5, chosen(mentions=False)),
        database.servers.change(5, chosen(language="de")),
        other.servers.change(5, chosen(channels=frozenset({BIG}))),
    )
    settings = await database.servers.change(5, chosen(stoppers=Stoppers.MANAGERS))
    assert settings == ServerSettings(60, Stoppers.MANAGERS, frozenset({BIG}), False, "de")
    assert await other.servers.get(5) == settings


async def test_a_refused_change_stores_nothing(database: Database) -> None:
    """An error in a change reaches its caller and leaves the settings unchanged."""

    def refuse(_settings: ServerSettings) -> ServerSettings:
        raise LookupError

    await database.servers.change(5, lambda settings: replace(settings, turn_seconds=60))
    with pytest.raises(LookupError):
        await database.servers.change(5, refuse)
    assert await database.servers.get(5) == ServerSettings(60)


async def test_emojis_are_stored_per_application(database: Database) -> None:
    """The last stored emoji of an icon is current, for each application separately."""
    await database.emojis.store_emojis(BIG, {"moons": ("moons_1", BIG - 1), "suns": ("suns_1", 7)})
    await database.emojis.store_emojis(BIG, {"moons": ("moons_2", 8)})
    assert await database.emojis.all(BIG) == {"moons": ("moons_2", 8), "suns": ("suns_1", 7)}
    assert await database.emojis.all(1) == {}


async def test_a_player_can_override_the_four_colours_default(database: Database) -> None:
    """Four colours can be on, off or the server's default, beside the player's other fields."""
    await database.players.record_locale(1, "de")
    for liked in (True, False, None):
        await database.players.choose(1, four_colours=liked)
        assert await database.players.get(1) == PlayerRecord(
            1, locale="de", own=OwnSettings(four_colours=liked)
        )
    await database.servers.change(5, lambda _before: ServerSettings(four_colours=True))
    assert (await database.servers.get(5)).four_colours


async def test_a_completed_lesson_is_recorded_once(database: Database) -> None:
    """The move that completes a lesson records its host and game once, and no board counts it."""
    tadpole = Player(-1, "Tilly", strength=Strength.TADPOLE)
    match = replace(new_lobby("m1"), options={LESSON: 1}, limit=2)
    match = replace(match, players=(*match.players[:1], tadpole))
    match = replace(match, stage=Stage.PLAYING, seed=bytes(32))
    await database.journal.create(match, "lesson")
    pupil, game = match.host_id, match.game
    commit, drawn = database.journal.commit, move_change(match, Entry(0, 0, "draw"))
    assert await commit(drawn)
    assert not await database.players.has_learned(pupil, game)
    assert not await commit(replace(move_change(match, Entry(0, 0, "end")), is_learned=True))
    assert not await database.players.has_learned(pupil, game)
    learned = replace(move_change(drawn.after, Entry(1, 0, "end")), is_learned=True)
    assert await commit(learned)
    results = (Result(0, True, {"pot": 1}), Result(1, False, {}))
    assert await commit(
        replace(move_change(learned.after, Entry(2, 1, "end"), results), is_learned=True)
    )
    assert await database.players.has_learned(pupil, game)
    assert not await database.players.has_learned(pupil, "chess")
    assert not await database.players.has_learned(tadpole.id, game)
    assert await leaderboard_reader(database).profile(pupil, None) == {}


async def test_a_message_can_move_to_another_location(database: Database, match_id: str) -> None:
    """A message can move to another location and replaces the one before."""
    posts = database.posts
    for spot, message_id in (("turn 1", 5), ("over", 4)):
        await posts.store_message(match_id, spot, 1, message_id)
    await posts.remove(match_id, "over")
    await posts.move(match_id, "turn 1", "over")
    posts.forget(match_id)
    assert {slot: post.message_id for slot, post in (await posts.all(match_id)).items()} == {"over": 5}


async def test_a_finished_match_ends_a_players_newcomer_status(database: Database) -> None:
    """A finished match or lesson ends a player's time as a newcomer of that game, on any server."""
    ids, newcomers = [ADA.id, BO.id], database.journal.newcomers
    assert await newcomers("toad", "toads", ids) == set(ids)
    await store_finished_match(database, "m1", winner=BO, figures={"toads": 0})
    assert await newcomers("toad", "toads", ids) == set(ids)
    assert await newcomers("toad", "", ids) == {ADA.id}
    await store_finished_match(database, "m2", BO, winner=BO, figures={"toads": 2}, guild_id=None)
    assert await newcomers("toad", "toads", ids) == {ADA.id}
    assert await newcomers("frogger", "toads", ids) == set(ids)
    lesson = await store_live_match(database, "m3", ADA, options={LESSON: 1})
    await database.journal.commit(replace(move_change(lesson, Entry(0, 0, "end")), is_learned=True))
    assert await newcomers("toad", "toads", ids) == set()

"""Tests of ``/privacy``: a user's stored data as a file, and its deletion."""

from __future__ import annotations

import errno
import json
import re
from pathlib import Path

import pytest

from bot.engine.game import UNTOLD
from bot.engine.lesson import SEATS
from bot.engine.name_sanitizing import is_forgotten
from bot.engine.shuffle import new_seed
from bot.games import games
from bot.logs import OF_PEOPLE
from bot.matches.match import NOWHERE, Match, Player
from bot.matches.match_type import LESSON
from bot.matches.preferences import NotifyMode
from bot.sessions.events import Dealt
from bot.sessions.match_creation import new_match
from bot.storage.database_address import Location, Server
from bot.storage.database_lock import BEAT_SECONDS
from bot.storage.forgetting import forget_by_id
from tests.cogs.stored_moves import store_until_nearly_won
from tests.discord.admins import add_admin
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.solitaire_player import deal_number_and_par
from tests.discord.stored_results import store_finished_match
from tests.discord.test_leaving import add_bot, remove_bot, send_guild_create
from tests.examples import further_example
from tests.storage.boards import leaderboard_reader
from tests.storage.database_types import BOTH, query_rows, rows_containing

NAME = "Zebedee"


@pytest.fixture(params=BOTH)
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | Server:
    """The harness's stores of personal data."""
    if request.param == "sqlite":
        return tmp_path
    found: Server = request.getfixturevalue("server")
    return found


def database_location(where: Path | Server) -> Location:
    return where / "ribit.sqlite3" if isinstance(where, Path) else where


async def remaining_traces(where: Location, person: Person, *words: object) -> list[str]:
    """Return a user's traces, except the removal from a server's board, which remains."""
    off = f"removals (77, 'player', '{person.id}', "
    found = await rows_containing(where, person.id, NAME, *words)
    assert sum(row.startswith(off) and str(person.id) not in row.removeprefix(off) for row in found) == 1
    return [row for row in found if not row.startswith(off)]


def log_lines_with(place: BotHarness, *words: object) -> list[str]:
    """Return each log line at INFO that contains one of some words."""
    lines = [
        str({key: value for key, value in line.items() if key not in OF_PEOPLE})
        for line in place.logs
        if line["log_level"] != "debug"
    ]
    return [line for line in lines if any(str(word).casefold() in line.casefold() for word in words)]


def message_of(place: BotHarness, match_id: str) -> Seen:
    """Return the message that shows a match."""
    return next(one for one in place.messages if f":{match_id}:" in "".join(one.custom_ids))


async def open_privacy(person: Person) -> Seen:
    asked = await person.slash("privacy")
    assert asked.ephemeral
    return response_of(asked)


async def delete_data(person: Person) -> Seen:
    """Delete a user's data and return the confirmation, whose button remains."""
    question = response_of(await person.press("Forget me", await open_privacy(person)))
    assert "You can't undo this" in question.text
    return question


def new_lesson(pupil: Player) -> Match:
    """Return a lesson, as one is opened."""
    info = games()["toad"].info
    options = {option.key: option.default for option in info.options}
    return new_match(info, None, NOWHERE, pupil, SEATS, {**options, LESSON: 1})


async def store_all_traces(place: BotHarness, database: Location) -> tuple[Person, Person, Person]:
    """Store a user's traces in every table that can have one, and seat the user at three live tables."""
    zeb, ben, cy = place.person(NAME), place.person("Ben"), place.person("Cy")
    await place.bot.database.players.choose(zeb.id, told=NotifyMode.DM)
    await store_finished_match(
        place, "counted", Player(zeb.id, NAME), Player(ben.id, "Ben"), place.guild.id
    )
    await place.started(NAME, "Ben", lives=1)
    await ben.press("Give up", response_of(await ben.slash("toad leave")))
    await ben.press("Rematch")  # a seat is kept for Zebedee
    lobby = place.channel
    place.channel = place.guild.create_text_channel("reeds")
    await place.started(NAME, "Ben", "Cy")
    await place.env.settle()
    await zeb.actor.user.slash("solitaire start", deal=3)
    await zeb.slash("solitaire start", deal=25)
    await store_until_nearly_won(place, zeb)
    await zeb.press("Peek")
    await place.bot.tables.open(new_lesson(Player(zeb.id, NAME)), "lesson", Dealt(new_seed()))
    await place.env.settle()
    who, day_win = (
        zeb.id,
        f"'american_toad', 20261120, 'counted', {place.guild.id}, '{NAME}', 60, 0, 90, 5, 0, 0",
    )
    for sql in (  # what a test would take long to play
        f"INSERT INTO learned (player_id, game, at) VALUES ({who}, 'toad', 1)",
        f"INSERT INTO day_boards (player_id, guild_id) VALUES ({who}, {place.guild.id})",
        f"INSERT INTO day_wins VALUES ({who}, {day_win})",
        f"INSERT INTO removals VALUES (77, 'player', '{who}', 9, {who}, NULL, {who})",
        f"INSERT INTO par_totals VALUES (0, 'toad', {who}, 3, 1)",
        f"INSERT INTO frog_totals VALUES (0, 'toad', {who}, 'toad', 1, 1)",
    ):
        await query_rows(database, sql)
    assert {match.channel_id for match in await place.live()} >= {lobby.id, place.channel.id}
    return zeb, ben, cy


def raise_disk_full(_descriptor: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("is_full", [False, True])
async def test_a_user_can_retry_if_the_forgotten_list_is_not_writable(
    tmp_path: Path, is_full: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the list of forgotten users cannot be written, the user can retry, and the host sees why."""
    listed = tmp_path / "ribit.sqlite3.forgotten"
    async with bot_harness(tmp_path) as place:
        zeb = place.person(NAME)
        await store_finished_match(
            place, "counted", Player(zeb.id, NAME), Player(7, "Ben"), place.guild.id
        )
        if is_full:
            monkeypatch.setattr("os.fsync", raise_disk_full)
        else:
            listed.mkdir()
        question = await delete_data(zeb)
        refused = ephemeral_reply(await zeb.send(question, question.custom_id("Forget me")))
        assert "I can't save my list of forgotten players" in refused.text
        assert log_lines_with(place, "deletion of player data failed")
        assert log_lines_with(place, "fault") == []
        assert await rows_containing(tmp_path / "ribit.sqlite3", zeb.id) != []
        monkeypatch.undo()
        if listed.is_dir():
            listed.rmdir()
        else:
            listed.unlink()
        again = await zeb.send(question, question.custom_id("Forget me"))
        assert "Done: I've forgotten you" in response_of(again).text


async def test_a_forgotten_users_id_and_name_are_deleted_everywhere(where: Path | Server) -> None:
    """A forgotten user's ID and name are in no table, log line or later message.

    Other players' matches go on, and a second press of the button changes nothing.
    """
    database = database_location(where)
    async with bot_harness(where) as place:
        zeb, ben, cy = await store_all_traces(place, database)
        dm = zeb.actor.user.dm_channel.id
        assert len({row.split()[0] for row in await rows_containing(database, zeb.id, NAME)}) > 10
        before = response_of(await ben.slash("leaderboard")).alt
        assert NAME in before
        question = await delete_data(zeb)
        surely = question.custom_id("Forget me")
        for _press in range(2):
            again = await zeb.send(question, surely)
            assert "Done: I've forgotten you" in response_of(again).text
            await place.env.settle()
            assert await remaining_traces(database, zeb, dm) == []
        after = response_of(await ben.slash("leaderboard")).alt
        assert NAME not in after
        assert f"2 Ben: {before.split('2 Ben: ')[1]}" in after, "the others' places stay"
        [table] = [match for match in await place.live() if len(match.players) == 3]
        stored = await place.stored(table.id)
        assert is_forgotten(table.players[0].id)
        assert len(stored.game.remaining(stored.state)) == 2
        seen = message_of(place, table.id)
        assert str(zeb.id) not in seen.text
        assert NAME not in seen.text + seen.alt
        assert not [match for match in await place.live() if is_forgotten(match.host_id)]
        for person in (ben, cy):
            assert response_of(await person.press("My hand", seen)).alt
        await cy.press("Give up", response_of(await cy.slash("toad leave")))
        await ben.press("Rematch", message_of(place, table.id))
        assert "— host" in place.table.text
        assert str(table.players[0].id) not in "".join(
            one.text + one.message.content for one in place.messages
        )
        await place.restart()
        assert await remaining_traces(database, zeb, dm) == []
        assert log_lines_with(place, zeb.id, NAME) == []
        profile = response_of(await zeb.slash("profile"))
        assert "1, 1" not in profile.text + profile.alt
        place.channel = place.guild.create_text_channel("bank")
        await place.started(NAME, "Ben")
        assert NAME in place.table.text + place.table.alt, "who plays again is new"
        assert zeb.id in {match.host_id for match in await place.live()}


DAY = 24 * 60 * 60


async def exported_data(person: Person, place: BotHarness) -> str:
    """Ask for a user's stored data and return the file."""
    answer, backend = (
        ephemeral_reply(await person.press("Download", await open_privacy(person))),
        place.env.backend,
    )
    [file] = backend.get_message(place.channel.id, answer.id).attachments
    assert file["filename"] == "ribit-data.json"
    found = backend.cdn.get(file["url"])
    assert found is not None
    return found.decode()


async def test_the_data_export_is_complete_and_private(tmp_path: Path) -> None:
    """The export has all data about the user in the format of docs/privacy.md, in private.

    While a match is live it has the asker's own moves, and nothing of others, no cards and no seed.
    """
    async with bot_harness(tmp_path) as place:
        zeb, ben, _cy = await store_all_traces(place, database_location(tmp_path))
        handed = await exported_data(zeb, place)
        data = json.loads(handed)
        spoilt = json.loads(handed, parse_int=lambda digits: int(float(digits)))
        assert spoilt == data, "a number this large becomes another in JavaScript"
        page = (Path(__file__).parents[3] / "docs" / "privacy.md").read_text("utf-8")
        assert [key for key in data if f"`{key}`" not in page] == []
        assert (data["form"], data["id"], data["player"]["told"]) == (3, str(zeb.id), "dm")
        own = re.findall(r"`players\.(\w+)`", page)
        assert [column for column in own if column not in {"id", "player_id", *data["player"]}] == []
        assert str(ben.id) not in handed
        assert "Ben" not in handed
        assert "seed" not in handed
        assert {match["id"] for match in data["matches"]} >= {"counted"}
        counted = next(match for match in data["matches"] if match["id"] == "counted")
        moves, figures = (
            [row for row in data[table] if row["match_id"] == "counted"]
            for table in ("moves", "figures")
        )
        assert [(one["n"], one["text"], one["mover"]) for one in moves] == [(0, "ribit", None)]
        assert counted["won"] == 1
        assert {"match_id": "counted", "key": "pot", "value": 2} in figures
        assert data["at_tables"][0]["list"] == "invited"
        places = [each["guild_id"] for each in data["totals"]]
        assert places
        assert all(isinstance(each, str) for each in places), "an id is text, whichever it is"
        live = [match for match in data["matches"] if match["stage"] == "playing"]
        assert len(live) == 4
        assert not [match for match in live if "deal" in match["options"]]
        peeks = [move["text"] for move in data["moves"] if "peek" in move["text"]]
        assert len(peeks) == 1
        assert UNTOLD not in peeks[0], "how the deal is won is not handed out"


@pytest.mark.parametrize("where", ["sqlite", further_example("postgres")], indirect=True)
async def test_startup_gives_up_the_seats_of_forgotten_users(where: Path | Server) -> None:
    """The next start gives up the seats, and then nothing has the ids of the DMs any more either."""
    database = database_location(where)
    async with bot_harness(where) as place:
        zeb, _ben, _cy = await store_all_traces(place, database)
        dm = zeb.actor.user.dm_channel.id
        await place.bot.close()
        await forget_by_id(database, zeb.id, is_applied=True)
        assert await remaining_traces(database, zeb) == []
        await place.restart()
        assert await remaining_traces(database, zeb, dm) == []
        assert not [match for match in await place.live() if is_forgotten(match.host_id)]
        assert log_lines_with(place, zeb.id, NAME) == []


async def test_the_export_omits_a_deal_number_until_the_day_ends(tmp_path: Path) -> None:
    """A player's data contain the number of a day's deal only after the day."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        number, _par = await deal_number_and_par(place)
        for _time in range(2):
            await ann.press("Give up", response_of(await ann.press("Give up")))
            assert str(number) not in await exported_data(ann, place)
            await ann.press("Same deal again (practice)")
        await place.wait(DAY)
        assert str(number) in await exported_data(ann, place)


async def test_an_admin_can_delete_a_servers_matches(tmp_path: Path) -> None:
    """An admin can have a server's matches forgotten. Players keep their own results."""
    database = database_location(tmp_path)
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        ada = add_admin(place)
        await store_finished_match(
            place, "counted", Player(ann.id, "Ann"), Player(ben.id, "Ben"), place.guild.id
        )
        await place.started("Ann", "Ben", lives=1)
        await ben.press("Give up", response_of(await ben.slash("toad leave")))
        await place.started("Ann", "Ben")
        everywhere = await leaderboard_reader(place.bot.database).profile(ann.id, None)
        offered = await open_privacy(ada)
        assert "Forget this server's matches" not in (await open_privacy(ann)).labels
        question = response_of(await ada.press("Forget this server's matches", offered))
        surely = question.custom_id("Forget this server's matches")
        refused = ephemeral_reply(await ann.send(question, surely))
        assert "Manage Server" in refused.text
        done = response_of(await ada.send(question, surely))
        assert "Done" in done.text
        await place.env.settle()
        assert await rows_containing(database, place.guild.id, place.channel.id) == []
        assert await place.live() == []
        assert "This table was closed" in place.table.text
        assert "/toad start" in response_of(await ann.slash("leaderboard")).text
        assert await leaderboard_reader(place.bot.database).profile(ann.id, None) == everywhere


async def test_data_of_a_left_server_is_deleted_after_90_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server's data are deleted 90 days after the bot's removal, but not after an outage."""
    monkeypatch.setattr("cogs.privacy.forgetting.DAY_SECONDS", BEAT_SECONDS)  # time between checks
    database = database_location(tmp_path)
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        cy = place.person("Cyrano")
        await store_finished_match(
            place, "counted", Player(ann.id, "Ann"), Player(ben.id, "Ben"), place.guild.id
        )
        await cy.slash("leaderboard")
        backend = place.env.backend
        backend.emit("GUILD_DELETE", {"id": str(place.guild.id), "unavailable": True})
        await place.env.advance_time(2 * BEAT_SECONDS)
        assert await query_rows(database, "SELECT * FROM departures") == []
        await send_guild_create(place, unavailable=False)
        await remove_bot(place)
        await place.env.advance_time(2 * BEAT_SECONDS)
        assert len(await query_rows(database, "SELECT * FROM departures")) == 1
        add_bot(place)
        await send_guild_create(place)
        await place.env.advance_time(2 * BEAT_SECONDS)
        assert await query_rows(database, "SELECT * FROM departures") == []
        await remove_bot(place)
        await place.env.advance_time(2 * BEAT_SECONDS)
        server = backend.guilds.pop(place.guild.id)
        await place.restart(89 * DAY)
        assert await rows_containing(database, place.guild.id) != []
        await place.restart(2 * DAY)
        assert await rows_containing(database, place.guild.id) == []
        assert await rows_containing(database, "Cyrano") != []
        await place.restart(90 * DAY)
        assert await rows_containing(database, "Cyrano") == []
        assert await rows_containing(database, "Ann") != [], "a board shows it"
        backend.guilds[place.guild.id] = server


async def test_the_90_days_start_at_startup_after_an_offline_removal(tmp_path: Path) -> None:
    """If the bot was removed while it was off, the 90 days begin at the next start."""
    database = database_location(tmp_path)
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await store_finished_match(
            place, "counted", Player(ann.id, "Ann"), Player(ben.id, "Ben"), place.guild.id
        )
        await place.started("Ann", "Ben")
        await place.restart()
        assert await query_rows(database, "SELECT * FROM departures") == []
        await place.bot.close()
        server = place.env.backend.guilds.pop(place.guild.id)
        await place.restart()
        assert [row[0] for row in await query_rows(database, "SELECT * FROM departures")] == [
            place.guild.id
        ]
        await place.restart(91 * DAY)
        assert await rows_containing(database, place.guild.id) == []
        place.env.backend.guilds[place.guild.id] = server


@pytest.mark.parametrize(
    "stored",
    [
        "post_settings VALUES ({0}, 0, 1, 'UTC', '[]', 0, 0, 0, '')",
        "alert_roles VALUES ({0}, 5)",
        "duel_tries VALUES ('toad', 20260101, 5, {0}, 'Ann', '', 1, 0)",
        "challenges VALUES (7, 'toad', {0}, 5, 5, '00', 3, 1, 1, 1, 2, 'over', 0)",
    ],
)
async def test_data_of_a_left_server_without_matches_is_deleted(tmp_path: Path, stored: str) -> None:
    """A server in which no match was ever played is forgotten, too, also if the bot was off."""
    database = database_location(tmp_path)
    async with bot_harness(tmp_path) as place:
        await place.bot.close()
        await query_rows(database, f"INSERT INTO {stored.format(place.guild.id)}")
        server = place.env.backend.guilds.pop(place.guild.id)
        await place.restart()
        assert len(await query_rows(database, "SELECT * FROM departures")) == 1
        await place.restart(91 * DAY)
        assert await rows_containing(database, place.guild.id) == []
        place.env.backend.guilds[place.guild.id] = server


async def test_a_forgotten_user_gets_todays_deal_as_practice(tmp_path: Path) -> None:
    """A forgotten user who starts the day's deal again gets it as practice."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        question = await delete_data(ann)
        await ann.send(question, question.custom_id("Forget me"))
        await ann.slash("solitaire daily")
        [match] = await place.live()
        assert (match.host_id, match.counts) == (ann.id, False)
        assert "This try doesn't count" in place.table.text

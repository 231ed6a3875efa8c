"""Clicks in a DM at one process for a table of another process."""

from __future__ import annotations

from itertools import cycle

import pytest

from bot.delivery.turn_pings import RECENT_SECONDS
from bot.storage.cluster.pubsub import MATCH
from bot.storage.database_address import Server
from tests.discord.admins import close_table
from tests.discord.bot_harness import HERE, Person, ephemeral_reply, other_person
from tests.discord.fleet import DMS, FleetHarness, fleet_harness
from tests.discord.toad_player import SHORT_MATCH, WAYS, is_over, make_next_move, true_state
from tests.postgres import Postgres
from tests.storage.database_types import query_rows
from tests.storage.matches import end_match
from tests.storage.test_pubsub import LISTENING

MOST_MOVES = 60
COMPUTER_PLAYER_SECONDS = 8
"""Seconds further ahead than SimCord waits for timers."""


async def start_pair(place: FleetHarness) -> tuple[Person, Person]:
    """Let Ann and Ben start a match, and return the player to move and the other."""
    people = await place.start_pair()
    await place.quiet()
    return people


async def test_a_move_in_a_dm_is_shown_by_the_other_process(server: Server) -> None:
    """A click in a DM is answered by one process and shown by the other, also if an answer fails."""
    async with fleet_harness(server) as place:
        mover, waiting = await start_pair(place)
        await check_foreign_matches_not_loaded(place)
        await check_dm_move_at_table(place, mover)
        await end_turn(place, mover, waiting)
        await check_single_hand(place, waiting)
        await end_turn(place, waiting, mover)
        await check_failed_answer(place, mover)
        await end_turn(place, mover, waiting)
        await check_refused_answer(place, waiting)
        await check_closed_table(place, waiting)


async def end_turn(place: FleetHarness, mover: Person, waiting: Person) -> None:
    """End the turn in a DM, and wait until all messages show the next turn."""
    await mover.press_dm("End turn")
    await place.until(lambda: f"<@{waiting.id}>" in " ".join(place.reminders))
    await place.shows(lambda: waiting.dm)
    await place.shows(lambda: place.table)


async def check_dm_move_at_table(place: FleetHarness, mover: Person) -> None:
    """The one process answers in the DM, the other shows the move at the table."""
    before, asked = place.table.text, len(place.env.http_requests)
    await mover.press_dm("Draw")
    await place.until(lambda: place.table.text != before)
    assert f"{mover.name} drew a card" in place.table.text
    assert "End turn" in mover.dm.labels
    kinds = ["answer", "edit", "edit", "edit", "look", "look", "look"]
    assert place.request_types(asked) == kinds, (
        "the DM, twice, the table, the call, which is the last line"
    )


async def check_failed_answer(place: FleetHarness, mover: Person) -> None:
    """The process of the DMs makes no request to another's match other than its answers."""
    draw = mover.dm.custom_id("Draw")
    place.env.inject_error("POST", "/interactions/*/callback", status=500, times=1)
    asked, dm = len(place.env.http_requests), mover.actor.user.dm_channel.id
    await mover.send(mover.dm, draw)
    await place.until(lambda: "End turn" in mover.dm.labels)
    await place.quiet()
    edits = [one for one in place.env.http_requests[asked:] if one.method == "PATCH"]
    assert len([one for one in edits if f"/channels/{dm}/" in one.path]) == 1


async def check_foreign_matches_not_loaded(place: FleetHarness) -> None:
    """A notification about a match of another process takes no memory if no panel is open here."""
    [apart] = [process for process in place.processes if process is not place.server_process]
    apart.database.pubsub.dispatch(MATCH, {"match": "m1", "guild": place.guild.id})
    await place.quiet()
    assert apart.tables.matches.find("m1") is None


async def check_single_hand(place: FleetHarness, mover: Person) -> None:
    """Only one hand is shown, even if one process has the panel and the other answers the DM."""
    opened = await mover.press("My hand")
    await place.until(lambda: HERE in mover.dm.labels)
    await mover.press_dm(HERE, mover.dm)
    await place.until(lambda: "Draw" in mover.dm.labels)
    await place.until(lambda: opened.response is None)
    await mover.press_dm("Draw")
    await place.shows(lambda: place.table)
    assert "End turn" in mover.dm.labels


async def check_refused_answer(place: FleetHarness, mover: Person) -> None:
    """If Discord refuses the answer, the process that has the table shows the hand."""
    place.env.inject_error("POST", "/interactions/", status=500, code=0, message="Oops", times=5)
    await mover.actor.user.click(mover.dm.message, label="Draw")
    await place.until(lambda: "End turn" in mover.dm.labels)
    await place.shows(lambda: place.table)


async def check_closed_table(place: FleetHarness, mover: Person) -> None:
    """A click in a DM on a table that another process has closed says so, and the DM is updated."""
    place.env.backend.faults.clear()
    old = mover.dm

    await close_table(place)
    result = await mover.send(old, old.custom_id("End turn"))
    assert "closed" in ephemeral_reply(result).text
    await place.until(lambda: not mover.dm.choices)


async def turn_requests(place: FleetHarness) -> list[str]:
    """Return the requests to Discord for a turn played in a DM, up to the next player's ping."""
    people = await place.started("Ann", "Ben")
    mover, waiting = place.reminded_player, other_person(people, place.reminded_player)
    await place.quiet()
    asked = len(place.env.http_requests)
    await mover.press_dm("Draw")
    await place.quiet()
    await mover.press_dm("End turn")
    await place.until(lambda: f"<@{waiting.id}>" in " ".join(place.reminders))
    await place.shows(lambda: waiting.dm)
    await place.shows(lambda: place.table)
    return sorted(one.method for one in place.env.http_requests[asked:] if one.method != "GET")


async def test_a_move_in_a_dm_costs_one_extra_edit(server: Server, new_server: Server) -> None:
    """After each click in a DM, the owner of the match updates the hand again.

    Checking a player's access takes more requests if another process has the server.
    """
    async with fleet_harness(server) as place:
        of_two = await turn_requests(place)
    async with fleet_harness(new_server, shard=DMS) as place:
        of_one = await turn_requests(place)
    assert of_two == sorted([*of_one, "PATCH", "PATCH"])


async def test_every_move_is_shown_in_all_messages(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each move at the table, in a DM or in a panel soon appears in all other messages of the match."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: SHORT_MATCH)
    async with fleet_harness(server) as place:
        people = await place.started("Ann", "Ben", lives=1)
        await place.quiet()
        for _n, way in zip(range(MOST_MOVES), cycle(WAYS), strict=False):
            await make_next_move(place, people, way)
            await place.quiet()
            if is_over(place):
                break
            await place.shows(lambda: place.table)
            mover = people[(await true_state(place)).turn]
            if HERE not in mover.dm.labels:
                await place.shows(lambda: mover.dm)  # noqa: B023 — it is asked at once
        else:
            pytest.fail("the match should have ended")
        [(moves, last)] = await query_rows(server, "SELECT count(*), max(n) FROM moves")
        assert moves == last + 1
        [(shown_at, version)] = await query_rows(server, "SELECT shown, version FROM matches")
        assert shown_at <= version


async def test_a_click_in_a_dm_counts_as_activity(server: Server) -> None:
    """A click in a DM, answered by another process, counts as activity, so the player is not pinged."""
    async with fleet_harness(server, recent_seconds=RECENT_SECONDS) as place:
        people = await place.started("Ann", "Ben")
        mover = people[(await true_state(place)).turn]
        await place.wait(RECENT_SECONDS - 10)
        for person in (mover, other_person(people, mover)):
            await place.shows(lambda: place.table)
            await place.until(lambda: "End turn" in person.dm.labels)  # noqa: B023 — asked at once
            await person.press_dm("End turn")
        await place.wait(RECENT_SECONDS - 10)
        await place.shows(lambda: place.table)
        assert place.reminders == []
        await place.wait(11)
        assert place.reminded_player is people[(await true_state(place)).turn]


async def test_a_deadline_fires_once(server: Server) -> None:
    """A deadline set by a move in a DM fires once, in the process that has the table."""
    async with fleet_harness(server) as place:
        people = await place.started("Ann", "Ben", turn=3600)
        await place.quiet()
        mover = place.reminded_player
        await mover.press_dm("Draw")
        await place.shows(lambda: place.table)
        await mover.press_dm("End turn")
        waiting = other_person(people, mover)
        await place.until(lambda: f"<@{waiting.id}>" in " ".join(place.reminders))
        await place.wait(3601)
        await place.until(lambda: place.reminded_player is mover)
        assert await query_rows(server, "SELECT count(*) FROM moves") == [(3,)]


async def cut_off_notifications(place: FleetHarness, server: Server, postgres: Postgres) -> None:
    """End the session through which each process receives notifications of the others."""
    pids = [pid for (pid,) in await query_rows(server, LISTENING)]

    def terminate() -> None:
        for pid in pids:
            postgres.sql(f"SELECT pg_terminate_backend({pid})")

    await place.cut_off_listeners(terminate, *(one.database.pubsub for one in place.processes))


async def test_missed_changes_are_shown_after_an_outage(server: Server, postgres: Postgres) -> None:
    """What happened while a process was cut off is shown once it hears of the others again."""
    async with fleet_harness(server) as place:
        mover, waiting = await start_pair(place)
        await check_missed_answer(place, postgres, mover)
        await check_missed_move(place, server, postgres, mover, waiting)
        await check_missed_end(place, server, postgres)


async def check_missed_answer(place: FleetHarness, postgres: Postgres, mover: Person) -> None:
    """The hand is shown in the DM even if the owner misses the notification of the click."""
    await mover.press("My hand")
    await place.until(lambda: HERE in mover.dm.labels)
    keeper = place.server_process.database.pubsub
    pid = keeper._session.get_server_pid()
    await place.cut_off_listeners(lambda: postgres.sql(f"SELECT pg_terminate_backend({pid})"), keeper)
    await mover.press_dm(HERE, mover.dm)
    await place.until(lambda: keeper.is_listening)
    await place.until(lambda: HERE in mover.dm.labels)


async def check_missed_move(
    place: FleetHarness, server: Server, postgres: Postgres, mover: Person, waiting: Person
) -> None:
    """A move of which the other process could not hear is at the table once it hears again."""
    await mover.move_hand_to_dm()
    await place.until(lambda: "Draw" in mover.dm.labels)
    await cut_off_notifications(place, server, postgres)
    await mover.press_dm("Draw")
    await mover.press_dm("End turn")
    await place.until(lambda: all(one.database.pubsub.is_listening for one in place.processes))
    await place.shows(lambda: place.table)
    await place.until(lambda: place.reminded_player is waiting)
    await place.shows(lambda: waiting.dm)


async def check_missed_end(place: FleetHarness, server: Server, postgres: Postgres) -> None:
    """A table that ended while its process was cut off is shown as closed after the reconnection."""
    match_id = place.table.match_id
    await cut_off_notifications(place, server, postgres)
    assert await end_match(place.bot.database, match_id)
    await place.until(lambda: "closed" in place.messages[0].text)

"""Turn time limits: deadlines, reminders, passed turns, absent players and paused tables."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import simcord

from bot.games.toad import GAME
from bot.games.toad.state import Move, State
from bot.matches.match import Match
from bot.matches.server_settings import ServerSettings
from bot.sessions.turn_clock import LONGEST_LOOK_SECONDS, LOOK_SECONDS
from bot.storage.match_posts import Posts
from tests.discord.admins import close_table
from tests.discord.bot_harness import (
    BUTTON,
    BotHarness,
    Person,
    Seen,
    bot_harness,
    ephemeral_reply,
    message_ids_not_stored,
    other_person,
    response_of,
)
from tests.discord.strict_discord import deny_permissions, strict_discord
from tests.discord.test_leaving import send_guild_create
from tests.discord.toad_player import computer_menu_id, is_between_rounds, is_over, true_state
from tests.storage.matches import new_change

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
WEEK = 7 * DAY
PATIENCE = 5
"""Seconds within which the table does what is due."""


def deadline(seen: Seen) -> int | None:
    """The deadline of the turn, as a message shows it."""
    found = re.search(r"turn ends <t:(\d+):[Rf]>", seen.text)
    return int(found[1]) if found else None


def shown_time_after(place: BotHarness, seconds: int) -> Any:
    """The time this many seconds from now. A slow machine moves SimCord's clock, hence the tolerance."""
    return pytest.approx(place.now + seconds, abs=2)


def time_warnings(place: BotHarness) -> list[str]:
    """The lines that warn of little time."""
    return [line for line in place.reminders if "⏳" in line]


def mention_requests(place: BotHarness, person: Person) -> list[dict[str, Any]]:
    """Every sent line at the table that mentioned this user."""
    path = f"/channels/{place.channel.id}/messages"
    sent = [one.json for one in place.env.http_requests if (one.method, one.path) == ("POST", path)]
    return [body for body in sent if body and f"<@{person.id}>" in (body.get("content") or "")]


async def stored_match(place: BotHarness) -> Match:
    """Return the stored match of the table."""
    match = await place.bot.database.journal.find(place.table.match_id)
    assert match is not None
    return match


async def stored_moves(place: BotHarness) -> list[str]:
    """Return the moves of the table as they are stored."""
    return [entry.text for entry in await place.bot.database.journal.entries(place.table.match_id)]


async def player_to_move(place: BotHarness) -> Person:
    """Return whose turn it is."""
    state = await true_state(place)
    match = await stored_match(place)
    return next(one for one in place.people.values() if one.id == match.players[state.turn].id)


async def store_missed_turns(place: BotHarness, *people: Person) -> None:
    """Store that users have missed two turns, as the clock would."""
    match, ids = await stored_match(place), {person.id for person in people}
    players = [replace(each, missed=2) if each.id in ids else each for each in match.players]
    assert await place.bot.database.journal.commit(new_change(match, players=tuple(players)))
    place.bot.tables.live_match(match.id).table = None


async def wait_until_inactive(place: BotHarness, lazy: Person, *, has_missed_some: bool = True) -> None:
    """Play for all other players (take a card, keep it) until this player has missed three turns."""
    if has_missed_some:
        await store_missed_turns(place, lazy)
    while lazy.name not in inactive_line(place):
        mover = await player_to_move(place)
        if mover is lazy:
            await place.wait(MINUTE)
        else:
            await mover.press("Draw")
            await mover.press_dm("End turn")


def inactive_line(place: BotHarness) -> str:
    """The line that names the absent player."""
    return "".join(line for line in place.table.text.splitlines() if "💤 Away:" in line)


async def start_paused_match(place: BotHarness, *names: str, **options: Any) -> list[Person]:
    """Start a match with turns of a minute, and do nothing until the table is paused."""
    people = await place.started(*names, turn=MINUTE, **options)
    await store_missed_turns(place, *people)
    for _turn in names:
        await place.wait(MINUTE)
        if await is_between_rounds(place):
            await place.pause()
    assert "the table is paused" in place.table.text
    return people


# ---- the limit -----------------------------------------------------------------------------------


async def test_a_turn_is_passed_at_its_deadline(tmp_path: Path) -> None:
    """The table and both hands show the deadline. The turn is passed then, and not a second before.

    The limit is for the whole turn: taking a card does not extend the deadline, and unfinished choices
    are discarded.
    """
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=5 * MINUTE)
        mover, waiting = place.reminded_player, other_person(people, place.reminded_player)
        assert deadline(place.table) == deadline(mover.dm) == deadline(waiting.dm)
        assert deadline(place.table) == shown_time_after(place, 5 * MINUTE)
        await place.wait(5 * MINUTE - 2)
        assert await stored_moves(place) == []
        assert place.reminded_player is mover
        await place.wait(PATIENCE)
        assert await stored_moves(place) == ["pass"]
        assert f"{mover.name} ran out of time ⏰, passed." in place.table.text
        assert place.reminded_player is waiting
        assert deadline(place.table) == deadline(mover.dm) == deadline(waiting.dm)
        assert deadline(place.table) == shown_time_after(place, 5 * MINUTE - PATIENCE + 2)

        ends_at = deadline(place.table)
        await place.wait(5 * MINUTE - 10 - PATIENCE)
        await waiting.press("Draw")
        assert deadline(place.table) == ends_at
        await place.wait(10 + PATIENCE)
        assert await stored_moves(place) == ["pass", "draw", "pass"]
        assert "drew a card" in place.table.text
        assert await player_to_move(place) is not waiting


async def test_a_match_without_a_limit_has_no_deadline(tmp_path: Path) -> None:
    """A match without a limit has no deadline, no reminders and no passed turns.

    After a day the table shows once that the player is inactive. Weeks after its lobby was opened, the
    match is still being played.
    """
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben", turn=0)
        mover, sent = place.reminded_player, len(place.env.http_requests)
        assert deadline(place.table) is None
        await place.wait(DAY - MINUTE)
        assert len(place.env.http_requests) == sent
        await place.wait(2 * MINUTE)
        assert f"Away: {mover.name}" in place.table.text
        sent = len(place.env.http_requests)
        await place.wait(5 * WEEK)
        assert await stored_moves(place) == []
        assert len(place.env.http_requests) == sent
        assert await player_to_move(place) is mover
        await mover.press("End turn")
        assert "passed" in place.table.text


async def test_no_clock_runs_between_rounds(tmp_path: Path) -> None:
    """No clock runs between two rounds. The first turn of the next round has its full time."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben", turn=MINUTE)
        for _turn in range(2):
            await place.reminded_player.press("End turn")
        assert await is_between_rounds(place)
        assert deadline(place.table) is None
        await place.pause()
        assert "Round 2" in place.table.text
        ends_at = deadline(place.table)
        assert ends_at is not None
        assert 0 <= place.now + MINUTE - ends_at <= 2


async def test_a_round_ends_if_the_clock_passes_for_every_player(tmp_path: Path) -> None:
    """If the clock passes for every player, the round ends and all lose a life, by the rules."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben", "Cleo", turn=MINUTE)
        await place.wait(3 * MINUTE)
        assert "Everybody still in the round has passed." in place.table.text
        assert (await true_state(place)).lives == (2, 2, 2)


# ---- who chooses it --------------------------------------------------------------------------------


async def test_a_match_and_its_rematch_use_the_hosts_time_limit(tmp_path: Path) -> None:
    """The lobby shows the host's limit. The match and its rematch use it.

    Discord itself offers a minute to three days, and nothing else.
    """
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        for seconds, words in (0, "no time limit"), (15 * MINUTE, "15 minutes per turn"):
            await ann.slash("toad start", turn=seconds)
            assert words in place.table.text
            await ben.press("Join")
            await ann.press("Start")
            assert deadline(place.table) == (shown_time_after(place, seconds) if seconds else None)
            await ann.press("Give up", response_of(await ann.slash("toad leave")))
            await ben.press("Rematch")
            assert words in place.table.text
            await ben.press("Leave")
        for seconds in (1, 59, 4 * DAY):
            with pytest.raises(simcord.SetupError):
                await place.person("Ann").slash("toad start", turn=seconds)


async def test_the_servers_time_limit_is_the_default(tmp_path: Path) -> None:
    """If the host chooses no limit, the server's applies, which is a day or the admins' setting."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start")
        assert "1 day per turn" in place.table.text
        await ann.press("Leave")
        await place.bot.database.servers.change(
            place.guild.id, lambda _before: ServerSettings(turn_seconds=2 * HOUR)
        )
        await ann.slash("toad start")
        assert "2 hours per turn" in place.table.text
        await ann.press("Leave")
        await ann.slash("toad start", turn=0)
        assert "no time limit" in place.table.text


# ---- the nudge -------------------------------------------------------------------------------------


async def test_a_nudge_replaces_the_reminder_before_the_deadline(tmp_path: Path) -> None:
    """The nudge pings the mover once, in the turn's last quarter, and is deleted at the first move."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair(turn=HOUR)
        ends_at = place.now + HOUR
        await place.wait(45 * MINUTE - 1)
        assert time_warnings(place) == []
        assert len(place.reminders) == 1
        await place.wait(2)
        [nudge] = place.reminders
        assert f"<@{mover.id}>" in nudge
        assert f"<t:{ends_at}:R>" in nudge
        assert f"/{place.table.id})" in nudge
        [_reminder, sent] = mention_requests(place, mover)
        assert [int(user) for user in sent["allowed_mentions"]["users"]] == [mover.id]
        await waiting.slash("toad hand")
        await place.wait(5 * MINUTE)
        assert len(mention_requests(place, mover)) == 2, "once a turn"
        await mover.press("Draw")
        assert place.reminders == []
        await place.wait(9 * MINUTE)
        assert place.reminders == [], "who has moved since is not nudged again"
        await place.wait(MINUTE)
        assert place.reminded_player is waiting
        assert time_warnings(place) == []

        await waiting.press("Draw")
        assert place.reminders == []
        await place.wait(46 * MINUTE)
        assert len(time_warnings(place)) == 1, "who stops in mid-turn is reminded as well"
        assert place.reminded_player is waiting
        await place.wait(15 * MINUTE)
        assert time_warnings(place) == []
        assert place.reminded_player is mover


async def test_a_nudge_is_sent_with_a_quarter_of_the_time_left(tmp_path: Path) -> None:
    """A nudge is sent at most three hours before the end, even if a quarter of the time is more."""
    async with bot_harness(tmp_path) as place:
        for limit, before in (
            (MINUTE, 15),
            (HOUR, 15 * MINUTE),
            (6 * HOUR, 90 * MINUTE),
            (3 * DAY, 3 * HOUR),
        ):
            place.channel = place.guild.create_text_channel("reeds")
            await place.started("Ann", "Ben", turn=limit)
            await place.wait(limit - before - 1)
            assert time_warnings(place) == []
            await place.wait(2)
            assert len(time_warnings(place)) == 1
            await close_table(place)


async def test_a_restart_neither_repeats_nor_loses_a_nudge(tmp_path: Path) -> None:
    """A nudge sent before a restart is not sent again, and one due while offline is sent once."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben", turn=HOUR)
        mover = place.reminded_player
        await place.wait(45 * MINUTE - 3)
        await place.restart(after=PATIENCE)
        assert len(time_warnings(place)) == 1
        line = place.messages[-1].id
        await place.restart()
        assert len(mention_requests(place, mover)) == 2
        assert place.messages[-1].id == line


async def test_a_nudge_is_not_repeated_after_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process ends right after a nudge is sent. Time for a nudge comes again, in the same turn."""

    async def forget(*_post: object) -> None:
        """The process ends before it stores the message."""

    async with bot_harness(tmp_path) as place:
        with strict_discord():
            mover, _waiting = await place.start_pair(turn=HOUR)
            with monkeypatch.context() as patched:
                patched.setattr(Posts, "store_message", forget)
                await place.wait(46 * MINUTE)
            assert len(time_warnings(place)) == 1
            table = await place.stored(place.table.match_id)
            await place.bot.database.journal.stop_clocks(place.now - 20 * MINUTE, None)
            await place.restart()
            await mover.press_dm("Draw")
            assert (await place.stored(table.match.id)).n > table.n
            await place.wait(20 * MINUTE)
            assert len(time_warnings(place)) == 1


async def test_a_reminder_is_sent_once_during_a_database_outage(tmp_path: Path) -> None:
    """A reminder that could not be stored is not sent again, and is deleted with the next move.

    The outage is longer than Discord remembers a nonce.
    """
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair()
        with message_ids_not_stored(place):
            await mover.press_dm("End turn")
            await place.wait(10 * MINUTE)
            assert place.reminded_player is waiting
            assert len(place.reminders) == 1
        await place.wait(10 * MINUTE)
        assert len(place.reminders) == 1
        await waiting.press_dm("Draw")
        assert place.reminders == []


async def test_reminders_notify_no_users_with_mentions_off(tmp_path: Path) -> None:
    """If the admins want no mentions, reminders and nudges are sent but notify no users."""
    async with bot_harness(tmp_path) as place:
        await place.bot.database.servers.change(
            place.guild.id, lambda _before: ServerSettings(mentions=False)
        )
        await place.started("Ann", "Ben", turn=HOUR)
        mover = place.reminded_player
        await place.wait(50 * MINUTE)
        assert len(time_warnings(place)) == 1
        sent = mention_requests(place, mover)
        assert len(sent) == 2
        for body in sent:
            allowed = body["allowed_mentions"]
            assert not allowed.get("users")
            assert "users" not in allowed["parse"]


async def test_giving_up_does_not_ping_the_player_to_move_again(tmp_path: Path) -> None:
    """The player to move is pinged once, even if other players give up during the turn."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo", "Dot", turn=HOUR)
        mover, ends_at = place.reminded_player, deadline(place.table)
        first, second = [person for person in people if person is not mover][:2]
        await place.wait(MINUTE)
        await first.press("Give up", response_of(await first.slash("toad leave")))
        assert place.reminded_player is mover
        assert len(mention_requests(place, mover)) == 1
        await mover.press("Draw")
        await second.press("Give up", response_of(await second.slash("toad leave")))
        assert place.reminders == []
        assert len(mention_requests(place, mover)) == 1
        assert deadline(place.table) == ends_at


# ---- away, and back --------------------------------------------------------------------------------


async def test_three_missed_turns_make_a_seat_inactive(tmp_path: Path) -> None:
    """After three missed turns a seat is inactive. Its turns pass at once and without pings."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", turn=MINUTE)
        await wait_until_inactive(place, ben, has_missed_some=False)
        assert (await stored_match(place)).players[1].missed == 3
        assert "Ben" in inactive_line(place)
        assert "Ann" not in inactive_line(place)
        assert place.table.labels[0] == "My hand"
        styles = {part["label"]: part["style"] for part in place.table._parts(BUTTON)}
        assert styles["Join"] == styles["My hand"], "no louder than what the others may press"
        called = len(mention_requests(place, ben))
        assert called == 3 + 3, "three turns, each with its nudge"
        for _turn in range(3):
            assert place.reminded_player is ann, "Ben's turn has passed already"
            await ann.press("Draw")
            await ann.press_dm("End turn")
        assert (await stored_moves(place))[-3:] == ["draw", "end", "pass"]
        assert len(mention_requests(place, ben)) == called
        assert deadline(place.table) == shown_time_after(place, MINUTE)


async def test_only_consecutive_missed_turns_count(tmp_path: Path) -> None:
    """A turn that is played resets the count of missed turns. Half a turn does not."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", turn=MINUTE)
        for missed in (1, 2, 0, 1, 2):
            while await player_to_move(place) is not ben:
                await ann.press("Draw")
                await ann.press_dm("End turn")
            if missed:
                await place.wait(MINUTE)
            else:
                await ben.press("Only discard")
                assert (await stored_match(place)).players[1].missed == 2, "half a turn"
                await ben.press_dm("End turn")
            assert (await stored_match(place)).players[1].missed == missed
        assert inactive_line(place) == ""
        assert "Join" not in place.table.labels


async def test_join_returns_a_seat_only_to_its_owner(tmp_path: Path) -> None:
    """Join returns the seat to its owner only. The owner's next turn has its full time."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", turn=MINUTE)
        await wait_until_inactive(place, ben)
        assert "welcome to watch" in ephemeral_reply(await place.person("Zoe").press("Join")).text
        assert "not away" in ephemeral_reply(await ann.press("Join")).text
        assert "Ben" in inactive_line(place)
        old, ends_at = place.table, deadline(place.table)
        join = old.custom_id("Join")
        await place.wait(10)
        result = await ben.press("Join")
        assert response_of(result).id == place.table.id
        assert deadline(place.table) == ends_at, "Ann has no more time than before"
        assert inactive_line(place) == ""
        assert "Join" not in place.table.labels
        assert (await stored_match(place)).players[1].missed == 0
        assert "not away" in ephemeral_reply(await ben.send(old, join)).text, (
            "a doubled click changes nothing"
        )
        await ann.press("Draw")
        await ann.press_dm("End turn")
        assert place.reminded_player is ben
        assert deadline(place.table) == shown_time_after(place, MINUTE)
        await ben.press("End turn")
        assert place.reminded_player is ann


async def test_an_inactive_player_can_rejoin_from_the_dm(tmp_path: Path) -> None:
    """An absent player finds Join in the DM too, and continues playing from there."""
    async with bot_harness(tmp_path) as place:
        _ann, ben = await place.started("Ann", "Ben", turn=MINUTE)
        await wait_until_inactive(place, ben)
        assert "You're away" in ben.dm.text
        panel = await ben.press("My hand")
        assert "You're away" in response_of(panel).text
        sent = len(place.env.http_requests)
        await ben.press_dm("Join")
        answers = [one.json for one in place.env.http_requests[sent:] if "callback" in one.path]
        assert "Red spots" in str(answers), "the hand answers, and not word of where the table is"
        assert panel.response is None, "the hand is in the DM now"
        assert "You're away" not in ben.dm.text
        assert "Red spots" in ben.dm.alt
        assert inactive_line(place) == ""


async def test_an_inactive_player_can_give_up(tmp_path: Path) -> None:
    """An absent player can leave for good. A player who has left the match cannot come back."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo", turn=MINUTE)
        await wait_until_inactive(place, people[2])
        old = place.table
        join = old.custom_id("Join")
        question = response_of(await people[2].slash("toad leave"))
        await people[2].press("Give up", question)
        assert inactive_line(place) == ""
        assert "out of this match" in ephemeral_reply(await people[2].send(old, join)).text
        assert "Cleo: 0 of 3 lives, out" in place.table.alt


# ---- at rest ---------------------------------------------------------------------------------------


async def test_a_table_with_only_inactive_players_is_paused(tmp_path: Path) -> None:
    """With all players inactive, nothing moves and no one is pinged until a player resumes it."""
    async with bot_harness(tmp_path) as place:
        people = await start_paused_match(place, "Ann", "Ben")
        assert "Wake" in place.table.labels
        assert "End turn" not in place.table.labels
        assert place.reminders == []
        assert deadline(place.table) is None
        made, sent = await stored_moves(place), len(place.env.http_requests)
        assert not is_over(place), "what nobody is there to see does not happen"
        assert [player.missed for player in (await stored_match(place)).players] == [3, 3]
        await place.wait(6 * DAY)
        assert await stored_moves(place) == made
        assert len(place.env.http_requests) == sent
        assert place.reminders == []
        assert all("the table is paused" in person.dm.text for person in people)


async def test_the_table_pauses_if_the_last_active_player_gives_up(tmp_path: Path) -> None:
    """If the last present player leaves for good, the table pauses at once."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo", turn=MINUTE)
        ann = people[0]
        await store_missed_turns(place, *people[1:])
        while not all(person.name in inactive_line(place) for person in people[1:]):
            if await player_to_move(place) is ann:
                await ann.press("Draw")
                await ann.press_dm("End turn")
            else:
                await place.wait(MINUTE)
        assert place.reminded_player is ann
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        assert "the table is paused" in place.table.text
        assert place.reminders == []
        made = await stored_moves(place)
        assert made[-1] == "leaves"
        assert "out of this match" in ephemeral_reply(await ann.press("Wake")).text
        await place.wait(DAY)
        assert await stored_moves(place) == made


@pytest.mark.parametrize("is_awaited", [True, False])
async def test_resuming_a_table_activates_only_that_player(tmp_path: Path, is_awaited: bool) -> None:
    """The player who wakes a table is active again. The turns of inactive players pass at once."""
    async with bot_harness(tmp_path) as place:
        people = await start_paused_match(place, "Ann", "Ben", "Cleo", lives=5)
        asked = await player_to_move(place)
        waker = asked if is_awaited else other_person(people, asked)
        made = await stored_moves(place)
        assert "welcome to watch" in ephemeral_reply(await place.person("Zoe").press("Wake")).text
        await place.wait(DAY)
        old = place.table
        wake = old.custom_id("Wake")
        await waker.press("Wake")
        if await is_between_rounds(place):  # the others' turns were the last of their round
            await place.pause()
        assert "the table is paused" not in place.table.text
        assert waker.name not in inactive_line(place)
        assert all(person.name in inactive_line(place) for person in people if person is not waker)
        assert place.reminded_player is waker
        ends_at = deadline(place.table)
        assert ends_at is not None
        assert 0 <= place.now + MINUTE - ends_at <= PATIENCE
        assert (await stored_moves(place) == made) == is_awaited
        assert "not away" in ephemeral_reply(await waker.send(place.table, wake)).text
        assert place.reminded_player is waker


async def test_a_move_from_the_hand_resumes_a_paused_table(tmp_path: Path) -> None:
    """The awaited player can wake a table by a move in the hand, without a button."""
    async with bot_harness(tmp_path) as place:
        people = await start_paused_match(place, "Ann", "Ben", lives=5)
        mover = await player_to_move(place)
        passing = f"m:{place.table.match_id}:{len(await stored_moves(place))}:t:end"
        refused = ephemeral_reply(await other_person(people, mover).send(place.table, passing))
        assert "the table is paused" in refused.text
        await mover.press_dm("Draw")
        assert "the table is paused" not in place.table.text
        assert mover.name not in inactive_line(place)
        assert other_person(people, mover).name in inactive_line(place)


async def test_a_table_is_closed_unfinished_after_a_paused_week(tmp_path: Path) -> None:
    """After a paused week the table is closed, counts for no player, and its channel is free."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await start_paused_match(place, "Ann", "Ben")
        old, wake = place.table, place.table.custom_id("Wake")
        found = re.search(r"it closes <t:(\d+):f>", place.table.text)
        assert found is not None
        left = int(found[1]) - place.now
        assert WEEK - 2 * MINUTE < left <= WEEK
        await place.wait(left - 2)
        assert "Wake" in place.table.labels
        await place.wait(PATIENCE)
        assert "left unfinished" in place.table.text
        assert place.table.labels == []
        match = (await place.stored(old.match_id)).match
        assert match.unfinished
        assert not match.stage.is_live
        assert "left unfinished" in ann.dm.text
        assert "left unfinished" in ephemeral_reply(await ben.send(old, wake)).text
        assert "No match between people yet" in response_of(await ann.slash("leaderboard")).text
        assert "No finished matches" in response_of(await ann.slash("profile")).text
        await ben.send(place.table, f"a:{match.id}:rematch")
        assert "1 minute per turn" in place.table.text


async def test_giving_up_does_not_extend_a_paused_tables_week(tmp_path: Path) -> None:
    """A player who leaves a paused table for good does not restart its week."""
    async with bot_harness(tmp_path) as place:
        _ann, _ben, cleo = await start_paused_match(place, "Ann", "Ben", "Cleo", lives=5)
        await place.wait(6 * DAY)
        await cleo.press("Give up", response_of(await cleo.slash("toad leave")))
        assert "the table is paused" in place.table.text
        await place.wait(DAY)
        assert "left unfinished" in place.table.text


async def test_a_lobby_is_closed_after_an_idle_week(tmp_path: Path) -> None:
    """A lobby is closed a week after its host's last action, even if other players join meanwhile."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad start", turn=0)
        for frog in ("tadpole", "away"):
            await place.wait(6 * DAY)
            pick = frog if frog != "away" else str(-(await stored_match(place)).players[-1].id)
            await ann.pick(pick, place.table, computer_menu_id(place.table))
        await place.wait(6 * DAY)
        await ben.press("Join")
        match_id = place.table.match_id
        await place.wait(DAY - 2)
        assert "Start" in place.table.labels
        await place.wait(PATIENCE)
        assert "nobody came back for a week" in place.table.text
        assert (await place.stored(match_id)).match.unfinished
        await ann.slash("toad start")
        assert "— host" in place.table.text


async def test_timers_of_an_ended_table_do_nothing(tmp_path: Path) -> None:
    """Old timers do not change a table that was ended or a match that is finished."""
    async with bot_harness(tmp_path) as place:
        _ann, ben = await place.started("Ann", "Ben", turn=MINUTE)
        await close_table(place)
        sent = len(place.env.http_requests)
        await place.wait(WEEK)
        assert len(place.env.http_requests) == sent
        await place.started("Ann", "Ben", turn=MINUTE)
        await ben.press("Give up", response_of(await ben.slash("toad leave")))
        sent = len(place.env.http_requests)
        await place.wait(2 * WEEK)
        assert len(place.env.http_requests) == sent
        assert not (await stored_match(place)).unfinished


# ---- over a restart --------------------------------------------------------------------------------


async def test_a_turns_deadline_survives_a_restart(tmp_path: Path) -> None:
    """A restart does not change the deadline of a turn."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=5 * MINUTE)
        mover, ends_at = place.reminded_player, deadline(place.table)
        await place.wait(2 * MINUTE)
        await place.restart()
        assert deadline(place.table) == ends_at
        await place.wait(3 * MINUTE - 2)
        assert await stored_moves(place) == []
        await place.wait(PATIENCE)
        assert await stored_moves(place) == ["pass"]
        assert place.reminded_player is other_person(people, mover)


async def test_a_turn_that_expired_while_offline_passes_at_startup(tmp_path: Path) -> None:
    """A short restart does not change the time of a turn. The next player has a full turn."""
    async with bot_harness(tmp_path) as place:
        mover, waiting = await place.start_pair(turn=MINUTE)
        await place.wait(MINUTE - 3)
        await place.restart(after=PATIENCE)
        assert await stored_moves(place) == ["pass"]
        assert place.reminded_player is waiting
        assert deadline(place.table) == shown_time_after(place, MINUTE)
        assert len(mention_requests(place, mover)) == 2


async def test_messages_at_startup_use_the_servers_language(tmp_path: Path) -> None:
    """The first words after a start wait for Discord to say which server is German."""
    async with bot_harness(tmp_path, "de") as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad start", turn=MINUTE)
        await ben.press("Mitspielen")
        await ann.press("Starten")
        await place.wait(MINUTE - 3)
        await place.restart(after=PATIENCE)
        assert await stored_moves(place) == ["pass"]
        assert "du bist dran" in " ".join(place.reminders)
        assert "Der Zug endet <t:" in place.table.text


async def test_an_inactive_player_stays_inactive_after_a_restart(tmp_path: Path) -> None:
    """The seats, the count and Join are as they were."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", turn=MINUTE)
        await wait_until_inactive(place, ben)
        await place.restart()
        assert "Ben" in inactive_line(place)
        await ann.press("Draw")
        await ann.press_dm("End turn")
        assert place.reminded_player is ann
        await place.restart()
        await ben.press("Join")
        assert inactive_line(place) == ""


async def test_a_paused_table_stays_paused_after_a_restart(tmp_path: Path) -> None:
    """After a restart the table can be resumed, and its week still counts from the pause's start."""
    async with bot_harness(tmp_path) as place:
        people = await start_paused_match(place, "Ann", "Ben", lives=5)
        made = await stored_moves(place)
        await place.wait(3 * DAY)
        await place.restart()
        assert "the table is paused" in place.table.text
        assert await stored_moves(place) == made
        await people[0].press_dm("Wake")
        assert "the table is paused" not in place.table.text
        assert "the table is paused" not in people[0].dm.text
        await close_table(place)

        await start_paused_match(place, "Ann", "Ben")
        await place.wait(4 * DAY)
        await place.restart()
        await place.wait(3 * DAY)
        assert "left unfinished" in place.table.text


async def test_overdue_tables_are_closed_at_startup(tmp_path: Path) -> None:
    """Tables and lobbies whose week ended while the bot was off are closed at the next start."""
    async with bot_harness(tmp_path) as place:
        await start_paused_match(place, "Ann", "Ben")
        first, place.channel = place.channel, place.guild.create_text_channel("reeds")
        await place.person("Cleo").slash("toad start")
        await place.restart(after=WEEK)
        assert "nobody came back for a week" in place.table.text
        place.channel = first
        assert "left unfinished" in place.table.text


async def test_a_failed_pass_is_logged_and_retried(tmp_path: Path) -> None:
    """If the table fails to pass a turn, the failure is logged and retried in a minute."""
    is_broken = True

    def passing(state: State) -> Move | None:
        if is_broken:
            raise RuntimeError("the pond has dried up")
        return GAME.passing(state)

    async with bot_harness(tmp_path, known={"toad": replace(GAME, passing=passing)}) as place:
        await place.started("Ann", "Ben", turn=MINUTE)
        await place.wait(MINUTE + PATIENCE)
        is_broken = False
        assert await stored_moves(place) == []
        assert [fault["event"] for fault in place.faults()] == ["automatic action at a table failed"]
        await place.wait(MINUTE)
        assert await stored_moves(place) == ["pass"]


# ---- when nobody could play ----------------------------------------------------------------------


async def block_players(place: BotHarness, how: str, seconds: int) -> None:
    """Prevent all players from playing for this time."""
    backend, guild_id = place.env.backend, str(place.guild.id)
    match how:
        case "the bot is off":
            await place.restart(seconds)
        case "the server is away":
            backend.emit("GUILD_DELETE", {"id": guild_id, "unavailable": True})
            await place.env.settle()
            await place.wait(seconds)
            await send_guild_create(place, unavailable=False)
        case "the server is away, and the bot for a while":
            backend.emit("GUILD_DELETE", {"id": guild_id, "unavailable": True})
            await place.env.settle()
            await place.wait(seconds - 30)
            await place.restart(30)
        case "the channel is shut":
            await deny_permissions(place, "view_channel")
            await place.wait(seconds)
            await deny_permissions(place)
        case "the gateway is down":
            shard = place.bot.shards[0]
            await shard.disconnect()
            await place.env.advance_time(seconds)
            await shard.connect()
        case "Discord is down":
            place.env.inject_error("*", "/channels/*/messages*", status=503, times=None)
            await place.wait(seconds)
            place.env.backend.faults.clear()
    for _look in range(LOOK_SECONDS // PATIENCE):  # it may be that nothing tells that it is over
        if (await stored_match(place)).stands_since is not None:
            await place.env.advance_time(PATIENCE)


CUTS = (
    "the bot is off",
    "the server is away",
    "the server is away, and the bot for a while",
    "the channel is shut",
    "the gateway is down",
    "Discord is down",
)


@pytest.mark.parametrize("how", CUTS)
async def test_downtime_does_not_count_against_a_turn(tmp_path: Path, how: str) -> None:
    """The turn is not passed, the time bank is full, and the table shows the turn's new end."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben", turn=MINUTE, lives=1)
        mover, began = place.reminded_player, place.now
        await block_players(place, how, 2 * MINUTE)
        match = await stored_match(place)
        assert await stored_moves(place) == []
        ends_at = match.turn_ends_at
        assert ends_at is not None
        assert began + 2 * MINUTE < ends_at <= place.now + MINUTE
        assert match.stands_since is None
        assert deadline(place.table) == ends_at
        await mover.press("End turn")
        assert [player.missed for player in (await stored_match(place)).players] == [0, 0]
        await place.wait(MINUTE + PATIENCE)
        assert await stored_moves(place) == ["end", "pass"], "after that the clock runs on"


async def test_losing_channel_access_stops_the_clock_at_once(tmp_path: Path) -> None:
    """If the bot's role is deleted and with it access to the channel, no turn's time runs on."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben", turn=5 * MINUTE)
        backend = place.env.backend
        server = backend.guilds[place.guild.id]
        role = next(role for role in server.roles.values() if role.managed)
        backend.edit_role(server.id, server.everyone_role.id, {"permissions": 0})
        await place.env.settle()
        assert (await stored_match(place)).stands_since is None
        backend.delete_role(server.id, role.id)
        await place.env.settle()
        assert (await stored_match(place)).stands_since == place.now


async def test_a_table_that_cannot_be_shown_ends_after_an_idle_week(tmp_path: Path) -> None:
    """While a table cannot be shown, its clock is stopped. After an idle week, the match ends."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", turn=MINUTE)
        mover, match_id = place.reminded_player, place.table.match_id
        await deny_permissions(place, "view_channel")
        await place.wait(HOUR)
        assert "The clock is stopped" in mover.dm.text
        await mover.press_dm("End turn")
        await place.wait(6 * DAY)
        assert (await place.stored(match_id)).n == 1
        await deny_permissions(place)
        await place.env.settle()
        assert deadline(other_person(people, mover).dm) == shown_time_after(place, MINUTE)
        await deny_permissions(place, "view_channel")
        await place.wait(WEEK + LONGEST_LOOK_SECONDS)
        assert (await place.stored(match_id)).match.unfinished

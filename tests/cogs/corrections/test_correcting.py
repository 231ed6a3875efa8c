"""Tests of ``/correct``: admins remove results from the server's leaderboards and restore them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import simcord

from bot.matches.match import Player
from tests.discord.admins import add_admin, add_moderator
from tests.discord.bot_harness import (
    MENU,
    BotHarness,
    Person,
    Seen,
    bot_harness,
    ephemeral_reply,
    response_of,
)
from tests.discord.stored_results import store_finished_match


async def play_won_matches(place: BotHarness) -> tuple[Person, Person]:
    """Play two matches that Ann wins against Ben."""
    ann, ben = place.person("Ann"), place.person("Ben")
    for match_id in ("first", "second"):
        await store_finished_match(
            place, match_id, Player(ann.id, "Ann"), Player(ben.id, "Ben"), place.guild.id
        )
    return ann, ben


async def leaderboard_text(person: Person) -> str:
    """Return the text of the server's leaderboard."""
    seen = response_of(await person.slash("leaderboard"))
    return seen.alt or seen.text


async def correction_question(by: Person, what: str, person: Person) -> Seen:
    """Return the question about something of a person's, which only the asker sees."""
    result = await by.slash("correct", what=what, player=person.actor.user)
    assert result.ephemeral
    return response_of(result)


async def test_removing_a_player_asks_once_and_can_be_undone(tmp_path: Path) -> None:
    """Removing a player asks once, in private. The same command then offers to undo it."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await play_won_matches(place)
        ada = add_admin(place)
        before = await leaderboard_text(ben)
        question = await correction_question(ada, "player", ann)
        assert f"Take <@{ann.id}> off this server's leaderboards" in question.text
        assert await leaderboard_text(ben) == before, "it was only asked"
        done = response_of(await ada.press("Take it off", question))
        assert "Done" in done.text
        assert "Ann" not in await leaderboard_text(ben)
        assert "1 Ben: 0, 2," in await leaderboard_text(ben)
        await place.restart()
        question = await correction_question(ada, "player", ann)
        assert "Put them back" in question.text
        await ada.press("Put it back", question)
        assert await leaderboard_text(ben) == before


async def test_an_admin_can_remove_a_recent_match(tmp_path: Path) -> None:
    """One of a player's latest matches can be picked, and then counts for no player on the boards."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await play_won_matches(place)
        ada = add_admin(place)
        menu = await correction_question(ada, "match", ben)
        assert (
            "This player hasn't finished a match here yet"
            in (await correction_question(ada, "match", ada)).text
        )
        question = response_of(await ada.pick("first", menu, "o:pick"))
        assert "Take **Toad** (Ann, Ben) off" in question.text
        await ada.press("Take it off", question)
        assert "1 Ann: 1, 1," in await leaderboard_text(ann)
        assert "2 Ben: 0, 1," in await leaderboard_text(ann)


async def test_every_match_is_listed_and_found_by_id(tmp_path: Path) -> None:
    """The pages of a player's matches have all of them, 25 at a time, and an id leads to each."""
    async with bot_harness(tmp_path) as place:
        ann, ben, ada = place.person("Ann"), place.person("Ben"), add_admin(place)
        ids = {f"m{number:02}" for number in range(27)}
        for match_id in sorted(ids):
            await store_finished_match(
                place, match_id, Player(ann.id, "Ann"), Player(ben.id, "Ben"), place.guild.id
            )
        page = await correction_question(ada, "match", ben)
        assert page.labels == ["▶"]
        offered = [part["options"] for part in page._parts(MENU)]
        second = response_of(await ada.press("▶", page))
        assert second.labels == ["◀"]
        offered += [part["options"] for part in second._parts(MENU)]
        assert [len(options) for options in offered] == [25, 2]
        assert {option["value"] for options in offered for option in options} == ids
        refused = await ben.send(second, second.custom_id("◀"))
        assert "Manage Server" in ephemeral_reply(refused).text
        assert response_of(await ada.press("◀", second)).labels == ["▶"]
        second = response_of(await ada.press("▶", second))
        question = response_of(await ada.pick(offered[1][0]["value"], second, "o:pick"))
        assert "Take **Toad** (Ann, Ben) off" in question.text

        question = ephemeral_reply(await ada.slash("correct", what="match", match=" M26"))
        await ada.press("Take it off", question)
        assert "1 Ann: 26, 26," in await leaderboard_text(ann)


async def test_invalid_matches_and_players_are_refused(tmp_path: Path) -> None:
    """An unknown, foreign or live match is refused, and so is a player or name without a user."""
    async with bot_harness(tmp_path) as place:
        ann, ada = place.person("Ann"), add_admin(place)
        await store_finished_match(
            place, "elsewhere", Player(ann.id, "Ann"), Player(2, "Zed"), guild_id=77
        )
        await place.started("Ann", "Ben")
        for options, words in (
            ({"match": "elsewhere"}, "no such match in this server"),
            ({"match": "zzzz"}, "no such match in this server"),
            ({"match": place.table.match_id}, "isn't over yet"),
            ({}, "Pick a player first"),
            ({"what": "name", "match": "elsewhere"}, "Pick a player first"),
        ):
            refused = await ada.slash("correct", **{"what": "match", **options})
            assert words in ephemeral_reply(refused).text, options


async def test_removing_a_name_keeps_the_players_rank(tmp_path: Path) -> None:
    """A player whose name is removed keeps the rank, without a name."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await play_won_matches(place)
        ada = add_admin(place)
        await ada.press("Take it off", await correction_question(ada, "name", ann))
        assert "Ann" not in await leaderboard_text(ben)
        assert re.search(r"1 #\d{5}: 2, 2,", await leaderboard_text(ben)), "a sign, and no name"


async def test_only_admins_can_correct_boards(tmp_path: Path) -> None:
    """Neither a moderator's forged click nor an admin's click for another server changes the board."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await play_won_matches(place)
        ada, mo = add_admin(place), add_moderator(place)
        before = await leaderboard_text(ben)
        question = await correction_question(ada, "player", ann)
        with pytest.raises(simcord.SetupError, match="default-member-permissions"):
            await correction_question(mo, "player", ann)
        refused = ephemeral_reply(await mo.send(question, question.custom_id("Take it off")))
        assert "Manage Server" in refused.text
        await store_finished_match(
            place, "elsewhere", Player(ann.id, "Ann"), Player(2, "Zed"), guild_id=77
        )
        made_up = ephemeral_reply(await ada.send(question, "o:off:match:elsewhere"))
        assert "no such match" in made_up.text
        assert await leaderboard_text(ben) == before

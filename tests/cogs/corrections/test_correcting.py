"""Tests of ``/correct``: admins remove results from the server's leaderboards and restore them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import simcord

from bot.matches.match import Player
from tests.discord.admins import admin, moderator
from tests.discord.bot_harness import MENU, BotHarness, Person, Seen, bot_harness, shown, told
from tests.discord.stored_results import finished


async def won(place: BotHarness) -> tuple[Person, Person]:
    """Play two matches that Ann wins against Ben."""
    ann, ben = place.person("Ann"), place.person("Ben")
    for match_id in ("first", "second"):
        await finished(place, match_id, Player(ann.id, "Ann"), Player(ben.id, "Ben"), place.guild.id)
    return ann, ben


async def board(person: Person) -> str:
    """Return the text of the server's leaderboard."""
    seen = shown(await person.slash("leaderboard"))
    return seen.alt or seen.text


async def asked(by: Person, what: str, person: Person) -> Seen:
    """Return the question about something of a person's, which only the asker sees."""
    result = await by.slash("correct", what=what, player=person.actor.user)
    assert result.ephemeral
    return shown(result)


async def test_removing_a_player_asks_once_and_can_be_undone(tmp_path: Path) -> None:
    """Removing a player asks once, in private. The same command then offers to undo it."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await won(place)
        ada = admin(place)
        before = await board(ben)
        question = await asked(ada, "player", ann)
        assert f"Take <@{ann.id}> off this server's leaderboards" in question.text
        assert await board(ben) == before, "it was only asked"
        done = shown(await ada.press("Take it off", question))
        assert "Done" in done.text
        assert "Ann" not in await board(ben)
        assert "1 Ben: 0, 2," in await board(ben)
        await place.restart()
        question = await asked(ada, "player", ann)
        assert "Put them back" in question.text
        await ada.press("Put it back", question)
        assert await board(ben) == before


async def test_an_admin_can_remove_a_recent_match(tmp_path: Path) -> None:
    """One of a player's latest matches can be picked, and then counts for no player on the boards."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await won(place)
        ada = admin(place)
        menu = await asked(ada, "match", ben)
        assert "This player hasn't finished a match here yet" in (await asked(ada, "match", ada)).text
        question = shown(await ada.pick("first", menu, "o:pick"))
        assert "Take **Toad** (Ann, Ben) off" in question.text
        await ada.press("Take it off", question)
        assert "1 Ann: 1, 1," in await board(ann)
        assert "2 Ben: 0, 1," in await board(ann)


async def test_every_match_is_listed_and_found_by_id(tmp_path: Path) -> None:
    """The pages of a player's matches have all of them, 25 at a time, and an id leads to each."""
    async with bot_harness(tmp_path) as place:
        ann, ben, ada = place.person("Ann"), place.person("Ben"), admin(place)
        ids = {f"m{number:02}" for number in range(27)}
        for match_id in sorted(ids):
            await finished(place, match_id, Player(ann.id, "Ann"), Player(ben.id, "Ben"), place.guild.id)
        page = await asked(ada, "match", ben)
        assert page.labels == ["▶"]
        offered = [part["options"] for part in page._parts(MENU)]
        second = shown(await ada.press("▶", page))
        assert second.labels == ["◀"]
        offered += [part["options"] for part in second._parts(MENU)]
        assert [len(options) for options in offered] == [25, 2]
        assert {option["value"] for options in offered for option in options} == ids
        refused = await ben.send(second, second.custom_id("◀"))
        assert "Manage Server" in told(refused).text
        assert shown(await ada.press("◀", second)).labels == ["▶"]
        second = shown(await ada.press("▶", second))
        question = shown(await ada.pick(offered[1][0]["value"], second, "o:pick"))
        assert "Take **Toad** (Ann, Ben) off" in question.text

        question = told(await ada.slash("correct", what="match", match=" M26"))
        await ada.press("Take it off", question)
        assert "1 Ann: 26, 26," in await board(ann)


async def test_invalid_matches_and_players_are_refused(tmp_path: Path) -> None:
    """An unknown, foreign or live match is refused, and so is a player or name without a user."""
    async with bot_harness(tmp_path) as place:
        ann, ada = place.person("Ann"), admin(place)
        await finished(place, "elsewhere", Player(ann.id, "Ann"), Player(2, "Zed"), guild_id=77)
        await place.started("Ann", "Ben")
        for options, words in (
            ({"match": "elsewhere"}, "no such match in this server"),
            ({"match": "zzzz"}, "no such match in this server"),
            ({"match": place.table.match_id}, "isn't over yet"),
            ({}, "Pick a player first"),
            ({"what": "name", "match": "elsewhere"}, "Pick a player first"),
        ):
            refused = await ada.slash("correct", **{"what": "match", **options})
            assert words in told(refused).text, options


async def test_removing_a_name_keeps_the_players_rank(tmp_path: Path) -> None:
    """A player whose name is removed keeps the rank, without a name."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await won(place)
        ada = admin(place)
        await ada.press("Take it off", await asked(ada, "name", ann))
        assert "Ann" not in await board(ben)
        assert re.search(r"1 #\d{5}: 2, 2,", await board(ben)), "a sign, and no name"


async def test_only_admins_can_correct_boards(tmp_path: Path) -> None:
    """Neither a moderator's forged click nor an admin's click for another server changes the board."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await won(place)
        ada, mo = admin(place), moderator(place)
        before = await board(ben)
        question = await asked(ada, "player", ann)
        with pytest.raises(simcord.SetupError, match="default-member-permissions"):
            await asked(mo, "player", ann)
        refused = told(await mo.send(question, question.custom_id("Take it off")))
        assert "Manage Server" in refused.text
        await finished(place, "elsewhere", Player(ann.id, "Ann"), Player(2, "Zed"), guild_id=77)
        made_up = told(await ada.send(question, "o:off:match:elsewhere"))
        assert "no such match" in made_up.text
        assert await board(ben) == before

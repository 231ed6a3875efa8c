"""``/leaderboard`` and ``/profile``, over many finished matches."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.engine.opponent import Strength
from bot.matches.leaderboard_rules import LeaderboardRow
from bot.matches.match import Player
from bot.messages.deal_calendar import day_of
from cogs.leaderboards.standings import Standings
from tests.discord.bot_harness import MENU, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.stored_results import store_finished_match, store_many_matches
from tests.discord.toad_player import SHORT_MATCH, is_between_rounds, is_over, make_next_move
from tests.storage.database_types import query_rows


async def test_an_empty_leaderboard_explains_how_to_get_on_it(tmp_path: Path) -> None:
    """Before the first finished match, the leaderboard explains how to get on it."""
    async with bot_harness(tmp_path) as place:
        board = response_of(await place.person("Ann").slash("leaderboard"))
        assert "/toad start" in board.text
        assert board.alt == ""


async def test_every_page_includes_the_users_own_row(tmp_path: Path) -> None:
    """Ten rows a page, best first, and my own row on every page that does not have it."""
    async with bot_harness(tmp_path) as place:
        await store_many_matches(place)
        zoe = place.person("Zoe")
        board = response_of(await zoe.press("Top", response_of(await zoe.slash("leaderboard"))))
        assert "1 Player0: 12, 12, 24, 12, 0, 12." in board.alt
        assert "13 Zoe: 0, 78, 0, 0, 0, 0." in board.alt
        assert "Player11" not in board.alt
        assert board.labels == ["▶", "My place"]
        turned = response_of(await zoe.press("▶", board))
        assert turned.id == board.id
        assert "12 Player11: 1, 1, 2, 1, 0, 1." in turned.alt
        assert turned.alt.count("Zoe") == 1
        assert turned.labels == ["◀", "My place"]


async def test_a_board_opens_at_the_readers_rank(tmp_path: Path) -> None:
    """A page shows two ranks above and two below the reader. One press shows the top."""
    async with bot_harness(tmp_path) as place:
        await store_many_matches(place)
        zoe, mia = place.person("Zoe"), place.person("Mia")
        for n in range(7):
            winner, loser = Player(mia.id, "Mia"), Player(zoe.id, "Zoe")
            await store_finished_match(place, f"p{n}", winner, loser, place.guild.id)
        mine = response_of(await mia.slash("leaderboard"))
        assert board_ranks(mine) == [5, 6, 6, 8, 9]
        assert "page" not in mine.text
        assert mine.labels == ["Top"]
        theirs = await zoe.send(mine, "b:toad:99999999:mine")
        assert theirs.ephemeral
        assert board_ranks(response_of(theirs)) == [12, 13, 14]
        assert board_ranks(response_of(await mia.press("Top", mine)))[0] == 1
        stranger = response_of(await place.person("New").slash("leaderboard"))
        assert (board_ranks(stranger)[0], stranger.labels) == (1, ["▶"])


def board_ranks(board: Seen) -> list[int]:
    return [int(each) for each in re.findall(r"(?:^|\. )(\d+) \w+:", board.alt)]


async def test_the_board_menu_opens_and_marks_each_board(tmp_path: Path) -> None:
    """Each option of the menu opens a different board and is then selected. Other values are refused."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        board, seen = response_of(await ann.slash("leaderboard")), set[str]()
        for page in [option["value"] for option in board_menu_options(board)]:
            board = response_of(await ann.pick(page, board, "bm"))
            assert [
                option["value"] for option in board_menu_options(board) if option.get("default")
            ] == [page]
            seen.add(board.text)
        labels = [option["label"] for option in board_menu_options(board)]
        assert len(seen) == len(labels)
        assert "Against frogs" in labels
        made_up = await ann.send(board, "bm", component_type=3, values=[f"pc:{ann.id}"])
        assert "out of date" in ephemeral_reply(made_up).text


def board_menu_options(board: Seen) -> list[dict[str, Any]]:
    [found] = [part for part in board._parts(MENU) if part["custom_id"] == "bm"]
    return list(found["options"])


async def test_turning_another_users_page_sends_a_private_copy(tmp_path: Path) -> None:
    """A click on another user's board answers with a private copy, and does not change the board."""
    async with bot_harness(tmp_path) as place:
        await store_many_matches(place)
        zoe = place.person("Zoe")
        board = response_of(await zoe.press("Top", response_of(await zoe.slash("leaderboard"))))
        result = await place.person("Ann").press("▶", board)
        assert result.ephemeral
        assert "Player11" in response_of(result).alt
        assert "Zoe" in response_of(result).alt
        assert "Player11" not in place.table.alt


async def test_a_forged_page_click_does_not_replace_a_table(tmp_path: Path) -> None:
    """A made-up page does not replace a table, not even for the host, whose command has sent it."""
    async with bot_harness(tmp_path) as place:
        [ann, _ben] = await place.started("Ann", "Ben")
        before = place.table
        assert ephemeral_reply(await ann.send(before, "b:toad:0:next")).message.flags.ephemeral
        assert place.table.labels == before.labels


async def test_a_users_pages_are_rendered_one_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user that turns pages without pause delays no other user. At 25 pages a second one did."""
    read, reading, most = Standings.leaderboard, 0, 0

    async def slowly(self: Standings, *where: Any) -> list[LeaderboardRow]:
        nonlocal reading, most
        reading += 1
        most = max(most, reading)
        for _turn in range(20):
            await asyncio.sleep(0)
        found = await read(self, *where)
        reading -= 1
        return found

    monkeypatch.setattr(Standings, "leaderboard", slowly)
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await store_many_matches(place)
        board = response_of(await ann.slash("leaderboard"))
        turned = await asyncio.gather(*(ann.sends(board, f"b:toad:{n % 2}") for n in range(5)))
        assert all(each.acknowledged for each in turned)
        assert most == 1


async def test_each_server_has_separate_results(tmp_path: Path) -> None:
    """Matches of another server are not on this one's leaderboard, nor in profiles here."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await store_finished_match(
            place, "elsewhere", Player(ann.id, "Ann"), Player(2, "Ben"), guild_id=77
        )
        assert "Ann" not in response_of(await ann.slash("leaderboard")).alt
        assert "No finished matches" in response_of(await ann.slash("profile")).text


async def test_beating_a_stronger_computer_player_ranks_higher(tmp_path: Path) -> None:
    """One win against a strong computer player ranks above any number against weaker ones."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cy = (place.person(name) for name in ("Ann", "Ben", "Cy"))
        assert "frogs:2" in response_of(await ann.slash("leaderboard", board="frogs")).text
        here, computer_players = (
            place.guild.id,
            {each: Player(-1, "Pip", strength=each) for each in Strength},
        )
        for n, (person, strength, guild_id) in enumerate(
            (
                *[(ben, Strength.TADPOLE, here)] * 2,
                (ann, Strength.TOAD, here),
                (ann, Strength.FROGLET, here),
                (cy, Strength.TOAD, 77),
            )
        ):
            winner = Player(person.id, person.name)
            await store_finished_match(place, f"match{n}", winner, computer_players[strength], guild_id)
        await place.restart()
        board = response_of(await cy.slash("leaderboard", board="frogs"))
        assert "1 Ann: 1, 1, 0, 2. 2 Ben: 0, 0, 2, 2." in board.alt
        assert "Cy" not in board.alt
        assert "2 players" in board.text


async def test_a_profile_shows_a_players_statistics(tmp_path: Path) -> None:
    """My own profile, or another's by the option, with wins, place and the game's figures."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await store_finished_match(
            place, "first", Player(ann.id, "Ann"), Player(ben.id, "Ben"), place.guild.id
        )
        profile = response_of(await ann.slash("profile"))
        assert "Ann" in profile.text
        assert "**1 win**" in profile.text
        assert profile.alt.startswith("Ann. Wins 1, Toads 1, ")
        assert "2\N{NO-BREAK SPACE}players. Toad: 1/1. Wins against. Ben: 1/1." in profile.alt
        compared = await ben.press("Compare with me", profile)
        assert compared.ephemeral
        assert response_of(compared).alt.startswith("Ben, Ann. Wins: 0, • 1. Toads: 0, • 1. ")
        assert "Head to head, out of 1: 0, 1." in response_of(compared).alt
        assert "That's you" in ephemeral_reply(await ann.press("Compare with me", profile)).text
        app = await ben.actor.context_menu(place.channel, "Profile", ann.actor)
        assert app.ephemeral
        assert response_of(app).alt == profile.alt
        theirs = response_of(await ann.slash("profile", player=ben.actor)).text
        assert "Ben" in theirs
        assert "**0 wins**" in theirs
        assert "place 2" in theirs


async def test_a_profile_hides_days_from_strangers(tmp_path: Path) -> None:
    """Days and streaks are for the player, and for servers with the player on a board."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        for day in (20251101, 20251102):
            await query_rows(
                tmp_path / "ribit.sqlite3",
                f"INSERT INTO puzzle_answers VALUES ({ann.id}, 'toad', {day}, 1)",
            )
        await store_finished_match(
            place, "ben's", Player(ben.id, "Ben"), Player(2, "Cem"), place.guild.id
        )

        async def seen() -> list[bool]:
            asked = await ben.slash("profile", player=ann.actor)
            picked = await ben.actor.context_menu(place.channel, "Profile", ann.actor)
            compared = await ben.send(response_of(await ben.slash("profile")), f"pc:{ann.id}")
            return ["Puzzles" in response_of(each).alt for each in (asked, picked, compared)]

        assert "Puzzles 2" in response_of(await ann.slash("profile")).alt
        assert await seen() == [False] * 3
        await store_finished_match(
            place, "ann's", Player(ann.id, "Ann"), Player(ben.id, "Ben"), place.guild.id
        )
        assert await seen() == [True] * 3


async def test_a_finished_table_shows_the_winners_rank(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A finished table shows the winner's place on the board, even after a restart."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: SHORT_MATCH)
    async with bot_harness(tmp_path) as place:
        everybody = [place.person(name) for name in ("Ann", "Ben")]
        for number, (one, other) in enumerate([everybody, everybody[::-1]] * 9):
            winner, loser = Player(one.id, one.name), Player(other.id, other.name)
            await store_finished_match(place, f"before{number}", winner, loser, place.guild.id)
        people = await place.started("Ann", "Ben", lives=1)
        while not is_over(place):
            await (place.pause() if await is_between_rounds(place) else make_next_move(place, people))
        said = place.table.text
        assert "📈 On this server's leaderboard: " in said
        assert said.count("place 1 with 10 wins") == 1
        assert said.count("🏅") == 1
        assert "🥉 Wins 10" in said
        await place.restart()
        assert place.table.text == said
        board = response_of(await people[0].slash("leaderboard"))
        assert all(person.name in board.alt for person in people)
        profiles = [response_of(await person.slash("profile")).text for person in people]
        assert sorted("**10 wins**" in profile for profile in profiles) == [False, True]
        assert sorted("**9 wins**" in profile for profile in profiles) == [False, True]


async def test_a_profile_shows_the_days_a_streak_survived(tmp_path: Path) -> None:
    """A missed day that did not break the streak is counted and marked with ❄️ on the profile."""
    pytest.importorskip("cogs.puzzles")
    async with bot_harness(tmp_path) as place:
        zoe, now = place.person("Zoe"), place.env.now()

        async def work(sql: Any) -> None:
            for back in (*range(2, 9), 0):
                day = day_of(now - timedelta(days=back))
                await sql.answer_puzzle(player_id=zoe.id, game="toad", day=day, is_right=1)

        await place.bot.database.writer.write(work)
        profile = response_of(await zoe.slash("profile")).alt
        assert "Toad puzzle: 8 in a row, best 8." in profile
        assert "1 missed day didn't break a streak (❄️)." in profile
        assert "done, saved (❄️), done." in profile

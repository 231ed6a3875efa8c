"""Tests of matches that count on leaderboards and profiles, and of the reason for those that do not."""

from __future__ import annotations

from pathlib import Path

from tests.discord.bot_harness import BotHarness, Person, bot_harness, response_of
from tests.discord.solitaire_player import win_deal
from tests.storage.boards import leaderboard_reader

UNPLAYED = "doesn't count on any leaderboard, because no loser played to the end"
HAD = "doesn't count on any leaderboard or profile"
EASY_DEAL = 25
OFTEN = "only counts on this server's leaderboard"


async def give_up(person: Person) -> None:
    """Give the seat up for good as a user."""
    await person.press("Give up", response_of(await person.slash("toad leave")))


async def leaderboard_text(person: Person) -> str:
    """Return the text of the server's leaderboard of Toad."""
    return response_of(await person.slash("leaderboard", board="toad")).alt


async def pass_all_turns(place: BotHarness) -> None:
    """End the turns of both players, which costs each a life, and begin the next round."""
    for _turn in range(2):
        await place.reminded_player.press("End turn")
    await place.pause()


async def test_a_match_given_up_before_a_lost_round_does_not_count(tmp_path: Path) -> None:
    """A match counts for no player if one gives up before any round was lost by play."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", lives=1)
        await give_up(ben)
        assert "Ann wins" in place.table.text
        assert UNPLAYED in place.table.text
        await place.started("Ann", "Ben", lives=1)
        await place.reminded_player.press("End turn")
        await give_up(ben)
        assert UNPLAYED in place.table.text
        assert await leaderboard_text(ann) == ""
        assert "No finished matches" in response_of(await ann.slash("profile")).text
        await place.restart()
        assert UNPLAYED in place.table.text


async def test_giving_up_after_a_lost_round_loses_the_match(tmp_path: Path) -> None:
    """After a round was lost by play the match counts, and a player who gives up loses it."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", lives=2)
        await pass_all_turns(place)
        await give_up(ben)
        assert "doesn't count" not in place.table.text
        assert "1 Ann: 1, 1," in await leaderboard_text(ann)
        assert "2 Ben: 0, 1," in await leaderboard_text(ann)


async def test_only_three_wins_a_day_over_a_player_count_everywhere(tmp_path: Path) -> None:
    """The fourth is on the server's board only, which the lobby has said, and not of the other's win."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        limit = f"A win for <@{ann.id}> {OFTEN}"
        for number in range(4):
            await place.seat_players(*(("Ann", "Ben") if number % 2 else ("Ben", "Ann")), lives=2)
            assert (limit in place.table.text) == (number == 3)
            await (ann if number % 2 else ben).press("Start")
            await pass_all_turns(place)
            await give_up(ben)
            assert (f"This match {OFTEN}" in place.table.text) == (number == 3)
        assert "1 Ann: 4, 4," in await leaderboard_text(ann)
        everywhere = await leaderboard_reader(place.bot.database).profile(ann.id, None)
        assert (everywhere["toad"].wins, everywhere["toad"].matches) == (3, 3)
        await place.seat_players("Ann", "Ben", lives=2)
        assert limit in place.table.text
        cem = place.person("Cem")
        await cem.press("Join")
        assert OFTEN not in place.table.text, "whom she has not beaten yet"


async def win_new_deal(place: BotHarness, person: Person) -> None:
    """Win the newly dealt deal as a user."""
    await win_deal(place, person)
    assert f"wins deal {EASY_DEAL}" in place.table.text


async def test_only_the_first_try_of_a_deal_counts(tmp_path: Path) -> None:
    """Only the first try of a deal counts. Later ones say from the start that they do not."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=EASY_DEAL)
        assert HAD not in place.table.text
        await win_new_deal(place, ann)
        assert "Same deal again (practice)" in place.table.labels
        once = response_of(await ann.slash("leaderboard", board="american_toad")).alt
        assert "1 Ann: 1, 1, 104," in once
        await ann.press("Same deal again (practice)", place.messages[0])
        assert HAD in place.table.text
        await win_new_deal(place, ann)
        assert HAD in place.table.text
        await ann.slash("solitaire start", deal=EASY_DEAL)
        assert HAD in place.table.text
        assert response_of(await ann.slash("leaderboard", board="american_toad")).alt == once
        await ben.slash("solitaire start", deal=EASY_DEAL)
        assert HAD not in place.table.text, "it is his first"


async def test_a_deal_that_was_given_up_stays_lost(tmp_path: Path) -> None:
    """A deal that was given up counts as lost, even if the same deal is won later."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=EASY_DEAL)
        await ann.press("Give up", response_of(await ann.press("Give up")))
        await ann.press("Same deal again (practice)")
        await win_new_deal(place, ann)
        assert HAD in place.table.text
        board = response_of(await ann.slash("leaderboard", board="american_toad")).alt
        assert "1 Ann: 0, 1," in board

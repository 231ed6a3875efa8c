"""Tests of a day's only try: its texts, its counts, and the access to its replay."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bot.matches.match import Entry, Player, Result, Stage
from bot.messages.deal_calendar import duration, ends_at
from tests.cogs.stored_moves import store_moves, store_until_nearly_won, win_deal
from tests.discord.bot_harness import BotHarness, Person, bot_harness, ephemeral_reply, response_of
from tests.discord.solitaire_player import (
    deal_number_and_par,
    give_up,
    give_up_with_review,
    open_results_of_today,
    play_move,
    solitaire_lines,
    winning_moves,
)
from tests.discord.test_match_access import refusal_texts
from tests.storage.database_types import query_rows
from tests.storage.matches import move_change, new_lobby

DAY = 24 * 60 * 60


async def test_all_players_get_the_same_deal_and_one_counted_try(tmp_path: Path) -> None:
    """The day's deal is winnable and the same for all. One try per player counts for rank and streak."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        number, par = await deal_number_and_par(place)
        assert f"0 moves · par {par}" in place.table.text
        assert "Deal of the day 2026-01-01" in place.table.alt
        assert f"par {par}" in place.table.alt
        again = await ann.slash("solitaire daily")
        assert again.ephemeral
        assert "Only you can see this." in response_of(again).text
        practice = await ben.slash("solitaire start", deal=number)
        assert "deal of the day" in ephemeral_reply(practice).text
        await place.env.advance_time(754)
        line = winning_moves(number)
        await store_moves(place, line[:20])
        await place.restart()
        await play_move(place, ann, line[20])
        await store_moves(place, line[21:-1])
        await play_move(place, ann, line[-1])
        assert f"{par} moves" in place.table.text
        seconds = (await place.stored(place.table.match_id)).match.seconds
        assert seconds is not None
        assert seconds >= 754
        table = place.table
        await ann.press("Share")
        post = place.messages[-1]
        assert "Ann wins deal of the day 2026-01-01!" in post.text
        assert f"Par · {par} moves · 0 undos · ⏱️ {duration(seconds)}\n📅 Place 1 of 1" in post.text
        assert "The next deal" not in post.text, "which would be stale tomorrow"
        assert post.text.strip().endswith("🏆")
        assert not post.alt, "while the day lasts no card is shown"
        assert str(number) not in post.text
        assert "once you've tried it yourself" in ephemeral_reply(await ben.press("Watch", post)).text
        await ben.press("Play this deal", post)
        assert "Deal of the day 2026-01-01" in place.table.alt
        assert "📅 Place 1 of 1 in this server so far · 1 in a row" in table.text
        assert f"The next deal comes <t:{ends_at(20260101)}:f>." in table.text
        assert f"{par} moves" in response_of(await ann.slash("solitaire daily")).text
        board = await open_results_of_today(ann)
        assert "Deal of 2026-01-01" in board.text
        assert "1 Ann: " in board.alt
        profile = response_of(await ann.slash("profile"))
        assert "1 deal of the day won, **1 in a row**, best streak 1" in profile.text
        assert "Against par: best **±0**, average **±0**, over 1 deal won" in profile.text
        assert "Deal of the day: 1 in a row, best 1. 70 days: 1 done, 0 missed. " in profile.alt
        assert "par: 1; +1 … +9: 0" in profile.alt
        await place.wait(DAY)
        await ann.slash("solitaire daily")
        assert "Turn the stock" in place.table.labels


async def store_won_days(
    place: BotHarness, person: Person, days: Iterable[int], guild_id: int | None = None
) -> None:
    """Store that a player has won the deals of some days, each in 7 moves more than par.

    Args:
        place: The bot's server.
        person: The player.
        days: The days, such as 20261121.
        guild_id: The server in which the deals were played, or None for direct messages.
    """
    player, journal = Player(person.id, person.name), place.bot.database.journal
    for day in days:
        options = {"deal": day % 10_000, "daily": day, "par": 80}
        facts = {"game": "american_toad", "guild_id": guild_id, "options": options}
        begun = {"stage": Stage.PLAYING, "seed": bytes(32), "opened_at": ends_at(day) - DAY}
        match = new_lobby(f"{person.name}{day}", player, limit=1, **facts, **begun)
        assert await journal.create(match, match.id) is None
        result = Result(0, True, {"up": 104, "moves": 87, "undos": 0})
        change = move_change(match, Entry(0, 0, "turn"), (result,), ended_at=ends_at(day) - 1)
        assert await journal.commit(change)


async def test_a_result_shown_again_keeps_its_original_values(tmp_path: Path) -> None:
    """The rank, streak and badges of a result stay as they were, after a restart and in a share too."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        await win_deal(place, ann)
        said = [line for line in place.table.text.splitlines() if line.startswith(("📈", "🏅", "📅"))]
        assert [line[0] for line in said] == ["📈", "🏅", "📅"]
        assert "🥉 Deals won 1" in said[1]
        assert "Place 1 of 1 in this server so far · 1 in a row" in said[2]
        await store_won_days(place, ann, range(20251220, 20251232), place.guild.id)
        await store_won_days(place, ben, [20251231], place.guild.id)
        await store_won_days(place, ben, [20260101], place.guild.id)
        await place.restart()
        again = response_of(await ann.slash("solitaire daily"))
        assert [line for line in again.text.splitlines() if line.startswith(("📈", "🏅", "📅"))] == said
        await ann.press("Share")
        assert said[2] in place.messages[-1].text
        kept = "SELECT key FROM end_facts WHERE match_id NOT LIKE 'Ben%'"
        assert await query_rows(tmp_path / "ribit.sqlite3", kept)
        question = response_of(await ann.press("Forget me", ephemeral_reply(await ann.slash("privacy"))))
        await ann.send(question, question.custom_id("Forget me"))
        assert await query_rows(tmp_path / "ribit.sqlite3", kept) == []


async def test_a_finished_try_shows_the_current_streak(tmp_path: Path) -> None:
    """The end of a try shows the current streak, and the profile also the longest."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await store_won_days(place, ann, [20251231, 20251230, *range(20251201, 20251206)])
        await ann.slash("solitaire daily")
        await win_deal(place, ann)
        assert " · 3 in a row" in place.table.text
        profile = response_of(await ann.slash("profile"))
        assert "8 deals of the day won, **3 in a row**, best streak 5" in profile.text
        await place.restart()
        await place.expire_interactions()
        assert " · 3 in a row" in response_of(await ann.slash("solitaire daily")).text


async def test_a_try_that_was_given_up_can_be_shared(tmp_path: Path) -> None:
    """A try that was given up is shared as symbols, with undos and hints, but without cards."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        number, _par = await deal_number_and_par(place)
        await store_moves(place, winning_moves(number)[:25])
        await ann.press("Undo")
        await ann.press("Hint")
        state = (await place.stored(place.table.match_id)).state
        await ann.press("Give up", response_of(await ann.press("Give up")))
        assert "The next deal comes <t:" in place.table.text
        await ann.press("Share")
        _head, result, *way = place.messages[-1].text.strip().splitlines()
        up = sum(state.position.heights)
        assert result.startswith(f"{up} of 104 cards up · 24 moves · 1 undo · 1 hint · ⏱️ ")
        assert set("".join(way)) <= set("🟩🟨⬜↩️💡🏳️")
        assert "".join(way).endswith("↩️💡🏳️")


async def test_a_second_try_of_the_day_does_not_count(tmp_path: Path) -> None:
    """Going back to a deal of the day that was given up, and winning it, is no win of the day."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        number, par = await deal_number_and_par(place)
        line = winning_moves(number)
        for move in line[:3]:
            await play_move(place, ann, move)
        lost = await give_up_with_review(place, ann)
        await ann.press("Play on", lost)
        assert "This try doesn't count" in place.table.text
        assert await deal_number_and_par(place) == (number, par)
        await play_move(place, ann, line[3])
        await store_moves(place, line[4:-1])
        await play_move(place, ann, line[-1])
        assert "wins deal of the day 2026-01-01" in place.table.text
        assert "Share" not in place.table.labels
        assert "Nobody has won today's deal" in (await open_results_of_today(ann)).text
        assert await solitaire_lines(ann) == ["1 match, **0 wins**, place 1"]
        assert "Ann gave up" in response_of(await ann.slash("solitaire daily")).text
        await ann.press("Same deal again (practice)")
        assert "This try doesn't count" in place.table.text


IN_PLAY = "Finish that try first"


async def test_a_player_with_an_open_try_sees_nothing_of_its_deal(tmp_path: Path) -> None:
    """After the day, a player with a try in play still sees nothing of the deal, while others do."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ben.slash("solitaire daily")
        number, won = await win_deal(place, ben), place.table
        assert "tried it yourself" in ephemeral_reply(await ann.slash("verify", match=won.match_id)).text
        other, first = place.guild.create_text_channel("other"), place.channel
        place.channel = other
        await ann.slash("solitaire daily")
        await place.wait(DAY)
        place.channel = first
        (answer,) = await refusal_texts(
            ann, won.match_id, response_of(await ann.slash("solitaire rules"))
        )
        assert IN_PLAY in answer
        for days, person, is_told in ((0, ann, False), (0, ben, False), (1, ann, False), (0, ben, True)):
            await place.wait(days * DAY)
            today = response_of(await person.slash("leaderboard", board="daily"))
            board = response_of(await person.press("◀ 2026-01-01", today))
            assert (f"deal {number}" in board.text) is is_told
        place.channel = other
        await ann.press("Turn the stock")
        assert str(number) not in place.table.text
        assert "The day is over" in place.table.text
        await give_up(ann)
        assert f"deal {number}" in place.table.text
        assert await refusal_texts(ann, won.match_id) == {""}


async def test_a_late_win_ranks_below_the_days_wins(tmp_path: Path) -> None:
    """A win after its day ranks below the day's wins, and the board marks it as late."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        late = place.channel
        place.channel = place.guild.create_text_channel("in-time")
        await ben.slash("solitaire daily")
        line = await store_until_nearly_won(place, ben)
        await ben.press("Peek")
        await store_moves(place, line[:-1])
        await play_move(place, ben, line[-1])
        await place.wait(DAY)
        place.channel = late
        await win_deal(place, ann)
        assert "Place 2 of 2" in place.table.text
        board = response_of(await ann.slash("leaderboard", board="daily"))
        board = ephemeral_reply(
            await ann.press("Results", response_of(await ann.press("◀ 2026-01-01", board)))
        )
        first, second = board.alt.split("1 Ben: ")[1].split("2 Ann: ")
        assert "late" not in first
        assert "late" in second

"""``/solitaire`` as its players see it."""

from __future__ import annotations

from pathlib import Path

from bot.games.american_toad.rules import open_deal
from bot.games.american_toad.solver import Verdict, solve
from tests.cogs.stored_moves import store_until_nearly_won
from tests.discord.bot_harness import bot_harness, response_of
from tests.discord.solitaire_player import (
    deal_number_and_par,
    play_hint,
    play_move,
    shown_answer,
    table_layout,
    winning_moves,
)

EASY_DEAL = 25
DAY = 24 * 60 * 60


async def test_a_deal_can_be_won_with_buttons_and_menus(tmp_path: Path) -> None:
    """A deal is played to its last card by buttons and menus, with a restart in between."""
    moves = winning_moves(EASY_DEAL)
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=EASY_DEAL)
        for number, text in enumerate(moves):
            if number == len(moves) // 2:
                await place.restart()
            await play_move(place, ann, text)
        assert f"wins deal {EASY_DEAL}!" in place.table.text
        assert "Ann wins deal" in place.table.alt
        assert "104 of 104 cards up" in place.table.text
        assert place.table.text.count(f"{len(moves)} moves") == 1
        assert place.table.labels[:2] == ["New deal", "Same deal again (practice)"]
        assert (
            "1 Ann: 1, 1, 104," in response_of(await ann.slash("leaderboard", board="american_toad")).alt
        )
        await ann.press(
            "Same deal again (practice)", next(seen for seen in place.messages if seen.labels)
        )
        assert f"deal {EASY_DEAL}" in place.table.text
        assert place.reminders == [], "nobody has to be told that it is their turn"


async def test_undo_and_redo_are_unlimited_for_the_player(tmp_path: Path) -> None:
    """Undo and redo have no limit and work after a restart, but only for the player."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=7)
        before = table_layout(place)
        for _turn in range(3):
            await ann.press("Turn the stock")
        after = table_layout(place)
        assert after != before
        await place.restart()
        for _undo in range(3):
            await ann.press("Undo")
        assert table_layout(place) == before
        refused = await ben.press("Redo")
        assert refused.ephemeral
        assert table_layout(place) == before
        for _redo in range(3):
            await ann.press("Redo")
        assert table_layout(place) == after
        assert "3 undos" in place.table.text


async def test_a_player_has_one_deal_per_channel(tmp_path: Path) -> None:
    """Each player has one deal per channel. A second start links to it, and ``table`` sends it again."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=1)
        await ben.slash("solitaire start", deal=2)
        again = await ann.slash("solitaire start")
        assert again.ephemeral
        assert "already" in response_of(again).text
        assert "deal 2" in place.table.text
        await ann.slash("solitaire table")
        assert "deal 1" in place.table.text
        assert sum("deal 1" in seen.text for seen in place.messages) == 1
        nothing = await place.person("Cleo").slash("solitaire table")
        assert "/solitaire start" in response_of(nothing).text


async def test_solitaire_can_be_played_in_dms(tmp_path: Path) -> None:
    """Solitaire can be dealt in the DMs with the bot too."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        result = await ann.actor.user.slash("solitaire start", deal=3)
        assert "deal 3" in response_of(result).text
        await ann.press_dm("Turn the stock")
        assert "1 move" in ann.dm.text


async def test_start_deals_a_winnable_deal_by_default(tmp_path: Path) -> None:
    """``start`` deals a deal that can be won and shows par. With ``any`` it deals any."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start")
        number, par = await deal_number_and_par(place)
        assert solve(open_deal(number).position).verdict is Verdict.WON
        assert f"deal {number}" in place.table.text
        assert f"par {par}" in place.table.text
        await ann.press("Give up", response_of(await ann.press("Give up")))
        await ann.press("Same deal again (practice)")
        assert await deal_number_and_par(place) == (number, par)
        await ben.slash("solitaire start", any=1)
        assert "par" not in place.table.text
        await ben.press("Give up", response_of(await ben.press("Give up")))
        await ben.press("New deal")
        assert "par" not in place.table.text


async def test_a_hint_counts_once_and_survives_a_restart(tmp_path: Path) -> None:
    """A hint is shown in text and picture, counts once and is kept after a restart."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=EASY_DEAL)
        made = len(winning_moves(EASY_DEAL)) - len(
            await store_until_nearly_won(place, ann)
        )  # a short search
        assert "not at this table" in response_of(await ben.press("Hint")).text
        before = table_layout(place)
        await ann.press("Hint")
        told = shown_answer(place)
        assert told.startswith("Hint: ")
        assert table_layout(place) == before, "to be told a move is no move"
        assert "hint: take this" in place.table.alt
        assert "hint: put it here" in place.table.alt
        await place.restart()
        await ann.press("Hint")
        assert shown_answer(place) == told
        assert f"{made} moves · 1 hint" in place.table.text
        await play_hint(place, ann)
        assert "💡" not in place.table.text, "it was told of the position before"
        assert "hint:" not in place.table.alt
        await ann.press("Peek")
        await play_hint(place, ann)
        await ann.press("Give up", response_of(await ann.press("Give up")))
        assert f"{made + 2} moves · 1 hint · 1 peek" in place.table.text
        assert place.table.labels[:3] == ["New deal", "Same deal again (practice)", "Where was it lost?"]
        await place.restart()
        looked = await ann.press("Where was it lost?")
        assert looked.ephemeral
        assert "This deal can still be won from here." in response_of(looked).text
        assert "not at this table" in response_of(await ben.press("Where was it lost?")).text

"""Tests of long questions about a deal: asked repeatedly, and how it could have been won."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.games import games
from bot.opponents import Opponents
from bot.sessions.match_creation import place_of
from cogs.solitaire.answers import WinningLine
from tests.cogs.stored_moves import store_until_nearly_won
from tests.discord.bot_harness import BotHarness, bot_harness, ephemeral_reply, response_of
from tests.discord.paused_workers import Pondering, wait_for_tasks
from tests.discord.solitaire_player import play_move, shown_answer

SEED = bytes(range(32))
DEAL = 25


async def test_a_repeated_question_counts_once(tmp_path: Path) -> None:
    """A repeated question gets the same answer and counts once. Another question is refused."""
    thinkers = Pondering()
    async with bot_harness(tmp_path, opponents=thinkers) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=DEAL)
        await store_until_nearly_won(place, ann)
        table = place.table
        peek, hint = table.custom_id("Peek"), table.custom_id("Hint")
        peeks = [asyncio.create_task(ann.send(table, peek)) for _click in range(5)]
        await wait_for_tasks()
        other = asyncio.create_task(ann.send(table, hint))
        await wait_for_tasks()
        thinkers.done.set()
        await asyncio.gather(*peeks, other)
        assert "still working on your last request" in ephemeral_reply(other.result()).text
        assert thinkers.thoughts == ["peek"]
        assert shown_answer(place).startswith("Peek: ")
        await ann.press("Give up", response_of(await ann.press("Give up")))
        assert "1 peek" in place.table.text


async def test_a_position_is_analysed_once(tmp_path: Path) -> None:
    """A position is analysed once. A different position is analysed separately."""
    thinkers = Pondering()
    thinkers.done.set()
    async with bot_harness(tmp_path, opponents=thinkers) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=DEAL)
        left = await store_until_nearly_won(place, ann)
        made = await stored_move_count(place, ann.id)
        for label in ("Peek", "Peek", "Hint", "Hint", "Peek", "Hint"):
            await ann.press(label)
            assert shown_answer(place).startswith(f"{label}: ")
        assert thinkers.thoughts == ["peek", "hint"]
        assert await stored_move_count(place, ann.id) == made + 4, (
            "what was told already is not told again"
        )
        await play_move(place, ann, left[0])
        await ann.press("Peek")
        assert thinkers.thoughts == ["peek", "hint", "peek"]
        lost = response_of(await ann.press("Give up"))
        await ann.press("Give up", lost)
        for _time in range(3):
            said = ephemeral_reply(await ann.press("Where was it lost?")).text
            assert "can still be won" in said
        assert thinkers.thoughts == ["peek", "hint", "peek", "rescue"]


async def stored_move_count(place: BotHarness, player_id: int) -> int:
    """Return the number of stored moves of a player's deal."""
    journal = place.bot.database.journal
    match = await journal.live_at(place_of(place.channel.id, player_id))
    assert match is not None
    return len(await journal.entries(match.id))


async def test_a_worker_finds_a_winning_line() -> None:
    """A worker finds a winning line for a deal that was given up, and the rules accept it."""
    game = games()["american_toad"]
    state = game.withdraw(game.deal(1, {"deal": 8, "daily": 0}, SEED), 0)
    async with Opponents() as opponents:
        line = await opponents.ask(WinningLine("american_toad", state, 0), who=1)
    assert line
    assert game.retry is not None
    assert game.outcome(game.retry.shown(state, 0, line, len(line) - 1)) is None
    won = game.outcome(game.retry.shown(state, 0, line, len(line)))
    assert won is not None
    assert won.winners == (0,)

"""What a player missed in a match that is over, and playing on from there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.engine.thinking import Lots, Mover, Strength
from bot.games import games
from bot.matches.match import Entry, Match, Player, Stage, opening
from bot.sessions.table import Table
from cogs.reviews import Review
from tests.discord.admins import set_here
from tests.discord.pond import other, pond, shown, told
from tests.frogs import thinking_of, thought
from tests.storage.matches import SEED

ASKS = "What did I miss?"


async def test_what_was_missed_and_played_from_there(tmp_path: Path) -> None:
    """Whoever sat there is told in private what was missed, also after a restart, and plays it again."""
    async with pond(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", lives=1)
        match_id = place.table.match_id
        early = told(await ann.send(place.table, f"a:{match_id}:missed"))
        assert "when the match is over" in early.text, "nothing of it while the match lives"
        last = place.awaited
        for _turn in range(2):
            last = place.awaited
            await last.press("End turn")
        first = ben if last is ann else ann
        await place.restart()
        assert place.table.labels[-1] == ASKS
        missed = shown(await last.press(ASKS))
        assert "Round 1: " in missed.text
        assert "Play it from here" in missed.labels
        assert missed.alt, "the position is seen as its player saw it"
        assert "not at this table" in told(await place.person("Cleo").press(ASKS)).text
        await last.press("Play it from here", missed)
        assert place.table.match_id != match_id
        again = await place.stored(place.table.match_id)
        assert again.match.people == tuple(one for one in again.match.players if one.id == last.id)
        assert not again.match.counts
        assert place.awaited is last
        twice = told(await last.press("Play it from here", missed))
        assert "Finish that first" in twice.text
        assert "doesn't count" in place.table.text
        rules = told(await last.press("How to play"))
        dealt = told(await last.press("How was this dealt?", rules))
        assert "from a moment of another one" in dealt.text
        await last.press("End turn")
        assert "doesn't count" in place.table.text
        missed = shown(await last.press_dm(ASKS))
        there = told(await last.press_dm("Play it from here", missed))
        assert "The new table stands in" in there.text
        assert place.awaited is last
        await last.press("Give up", shown(await last.slash("toad leave")))
        assert "from a moment of another one" in told(await last.slash("verify")).text
        assert "No finished matches" not in shown(await first.slash("profile")).text


async def test_who_is_barred_plays_nothing_again(tmp_path: Path) -> None:
    """It is a table in the channel like any other: who may sit down nowhere opens none so either."""
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben", lives=1)
        last = place.awaited
        await last.press("End turn")
        last = other(people, last)
        await last.press("End turn")
        await set_here(place, barred=frozenset({last.id}))
        missed = shown(await last.press(ASKS))
        refused = told(await last.press("Play it from here", missed))
        assert "can't sit down at tables in this server" in refused.text
        assert await place.live() == []


@pytest.mark.parametrize("key", ["toad", "frogger"])
def test_nobody_is_blamed_for_what_the_hint_had_said(key: str) -> None:
    """Whoever did what hints said, in every turn of a match, has missed nothing in it."""
    game, hints = games()[key], thinking_of(key)
    frog = Player(-1, "Basil", strength=Strength.TOAD)
    players = Player(1, "Ann"), frog
    options = {option.key: option.default for option in game.info.options}
    rules = game.info.rules_version
    match = Match("m1", key, rules, 1, 2, 1, players, 2, options, seed=SEED, stage=Stage.PLAYING)
    table = Table.dealt(match, game)
    memory, entries, plan = None, list[Entry](), tuple[Any, ...]()
    while (seat := game.to_move(table.state)) is not None:
        memory = hints.recall(memory, game.view(table.state, 0))
        if seat == 1:
            text = thought(key, Strength.TOAD, table.memories[seat], table.lot)
        else:
            plan = plan[1:] or hints.advice(memory, Lots(table.lot))
            text = game.write(plan[0])
        entries.append(Entry(len(entries), seat, text))
        table = table.after(entries[-1])
    assert Review(key, "m1", 0).made(table.match, entries) == ()


def test_a_frog_in_somebodys_place_is_no_miss_of_theirs() -> None:
    """What was missed is looked for in the turns that the player has played."""
    toad, players = games()["toad"], (Player(1, "Ann"), Player(2, "Ben"))
    match = Match("m1", "toad", toad.info.rules_version, 1, 2, 1, players, 2, {"lives": 1}, seed=SEED)
    first = toad.to_move(opening(toad, match))
    assert first is not None
    entries = [Entry(0, first, "end"), Entry(1, 1 - first, "end")]
    review = Review("toad", match.id, 1 - first)
    assert [moment.n for moment, _state in review.made(match, entries)] == [1]
    for mover in (Mover.STAND_IN, Mover.HANDED_OVER):
        assert review.made(match, [entries[0], replace(entries[1], mover=mover)]) == ()

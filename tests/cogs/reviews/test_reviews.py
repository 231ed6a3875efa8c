"""Tests of reviews of finished matches, and of playing on from a missed move."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.engine.lots import Lots
from bot.engine.opponent import Mover, Strength
from bot.games import games
from bot.matches.match import Entry, Match, Player, Stage, opening
from bot.sessions.table_state import Table
from cogs.reviews.tasks import ReviewSeat
from tests.computer_matches import choose_move, opponent_class
from tests.discord.bot_harness import BotHarness, Person, bot_harness, ephemeral_reply, response_of
from tests.storage.matches import SEED

ASKS = "What did I miss?"


async def test_a_player_can_replay_from_a_missed_move(tmp_path: Path) -> None:
    """A player sees in private what was missed, and can play from that position, as practice."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", lives=1)
        match_id = place.table.match_id
        early = ephemeral_reply(await ann.send(place.table, f"a:{match_id}:missed"))
        assert "once the match is over" in early.text, "nothing of it while the match lives"
        last = place.reminded_player
        for _turn in range(2):
            last = place.reminded_player
            await last.press("End turn")
        first = ben if last is ann else ann
        await place.restart()
        assert ASKS in place.table.labels
        missed = response_of(await last.press(ASKS))
        assert "Round 1: " in missed.text
        assert "Play from here" in missed.labels
        assert missed.alt, "the position is seen as its player saw it"
        assert "not at this table" in ephemeral_reply(await place.person("Cleo").press(ASKS)).text
        stands = await open_other_table(place, first)
        page = ephemeral_reply(await last.press("Play from here", missed))
        assert place.table.match_id == stands, "nobody else sees it, and it is in nobody's way"
        [again] = [one for one in await place.live() if one.id != stands]
        assert [one.id for one in again.people] == [last.id]
        assert not again.counts
        assert "Only you can see this" in page.text
        assert "End turn" in page.labels
        assert page.alt, "with the hand of its player"
        await place.restart()
        page = ephemeral_reply(await last.press("Play from here", missed))
        assert [one.id for one in await place.live() if one.id != stands] == [again.id]
        here, place.channel = place.channel, place.guild.create_text_channel("elsewhere")
        assert "no table" in ephemeral_reply(await first.slash("toad hand")).text
        for command in ("toad table", "toad hand"):
            page = response_of(await last.slash(command))
            assert "Only you can see this" in page.text
        place.channel = here
        rules = ephemeral_reply(await last.send(page, f"a:{again.id}:rules"))
        assert "How was this dealt?" in rules.labels
        assert "out of date" in ephemeral_reply(await first.send(place.table, f"a:{again.id}:quit")).text
        n = (await place.stored(again.id)).n
        page = response_of(await last.press("End turn", page))
        assert (await place.stored(again.id)).n > n
        assert (await place.stored(again.id)).match.stage is Stage.FINISHED
        assert not {"Rematch", "Share"} & set(page.labels), "it was in no channel"
        assert (
            "from the middle of another one"
            in ephemeral_reply(await last.slash("verify", match=again.id)).text
        )
        page = ephemeral_reply(await last.press("Play from here", missed))
        assert len(await place.live()) == 2, "and once more"
        assert "No finished matches" not in response_of(await first.slash("profile")).text


async def test_leave_and_stop_apply_to_a_private_review_match(tmp_path: Path) -> None:
    """In a channel without a table, a game's commands apply to the user's own private match."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben", lives=1)
        await place.reminded_player.press("End turn")
        await (last := place.reminded_player).press("End turn")
        missed = response_of(await last.press(ASKS))
        for command in ("toad leave", "toad stop"):
            await last.press("Play from here", missed)
            await place.restart()
            [again] = await place.live()
            assert "no table" in ephemeral_reply(await place.person("Cleo").slash(command)).text
            asked = ephemeral_reply(await last.slash(command))
            assert asked.labels[-1] == "No, play on"
            assert [one.id for one in await place.live()] == [again.id]
            await last.press(asked.labels[0], asked)
            assert await place.live() == [], command


async def open_other_table(place: BotHarness, host: Person) -> str:
    """Open another table in the channel."""
    await host.slash("toad start")
    return place.table.match_id


@pytest.mark.parametrize("key", ["toad", "frogger"])
def test_following_every_hint_leaves_nothing_to_review(key: str) -> None:
    """A player who followed the hints in every turn of a match has missed nothing in it."""
    game, hints = games()[key], opponent_class(key)
    computer_player = Player(-1, "Basil", strength=Strength.FROGLET)
    players = Player(1, "Ann"), computer_player
    options = {option.key: option.default for option in game.info.options}
    rules = game.info.rules_version
    match = Match("m1", key, rules, 1, 2, 1, players, 2, options, seed=SEED, stage=Stage.PLAYING)
    table = Table.deal(match, game)
    memory, entries, plan = None, list[Entry](), tuple[Any, ...]()
    while (seat := game.to_move(table.state)) is not None:
        memory = hints.recall(memory, game.view(table.state, 0))
        if seat == 1:
            text = choose_move(key, Strength.FROGLET, table.memories[seat], table.lot)
        else:
            plan = plan[1:] or hints.advice(memory, Lots(table.lot))
            text = game.write(plan[0])
        entries.append(Entry(len(entries), seat, text))
        table = table.after_move(entries[-1])
    assert ReviewSeat(key, "m1", 0).compute(table.match, entries) == ()


def test_a_review_skips_turns_of_a_substitute() -> None:
    """A review leaves out the turns that a computer player took over."""
    toad, players = games()["toad"], (Player(1, "Ann"), Player(2, "Ben"))
    match = Match("m1", "toad", toad.info.rules_version, 1, 2, 1, players, 2, {"lives": 1}, seed=SEED)
    first = toad.to_move(opening(toad, match))
    assert first is not None
    entries = [Entry(0, first, "end"), Entry(1, 1 - first, "end")]
    review = ReviewSeat("toad", match.id, 1 - first)
    assert [moment.n for moment, _state in review.compute(match, entries)] == [1]
    for mover in (Mover.STAND_IN, Mover.HANDED_OVER):
        assert review.compute(match, [entries[0], replace(entries[1], mover=mover)]) == ()

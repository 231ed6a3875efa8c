"""Tests of the ends of a solitaire deal: given up, undone, solution shown, and won."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.matches.match import Entry, Player, Stage
from bot.sessions.match_creation import place_of
from bot.sessions.table_state import MOST_SOLO_MOVES
from tests.cogs.stored_moves import store_moves, win_deal
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.solitaire_player import (
    STUCK_DEAL,
    give_up_with_review,
    layout_text,
    play_move,
    play_until_stuck,
    shown_answer,
    solitaire_lines,
    table_layout,
    winning_moves,
)
from tests.storage.matches import SEED, new_lobby, store_move

FINISHED_AT_ONCE = 25
FEW_MOVES = 40
PASSING = 60
"""Seconds between the pictures of a finish. SimCord does not wait that long for timers."""


async def test_stop_asks_for_confirmation_and_counts_as_lost(tmp_path: Path) -> None:
    """``stop`` asks first, counts as lost, and offers the next deal."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=9)
        question = response_of(await ann.slash("solitaire stop"))
        await ann.press("No, play on", question)
        assert "Turn the stock" in place.table.labels
        stranger = await place.person("Ben").press("Give up")
        assert "not at this table" in response_of(stranger).text
        await ann.press("Give up", response_of(await ann.press("Give up")))
        assert "gave up deal 9" in place.table.text
        await ann.press("New deal")
        assert "Turn the stock" in place.table.labels
        assert "deal 9." not in place.table.text


async def test_a_stuck_player_can_return_to_the_last_winnable_move(tmp_path: Path) -> None:
    """A stuck player sees until which move the deal could be won, and can return to it."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=STUCK_DEAL)
        question, moments = "Where was it lost?", await play_until_stuck(place, ann)
        await ann.press(question)
        await place.restart()
        back = place.table.label("Go back to move")
        moves = int(back.removeprefix("Go back to move "))
        assert f"could still have won this deal up to move {moves}." in place.table.text
        assert "1 peek" in place.table.text
        await ann.press(back)
        assert table_layout(place) == moments[moves]
        assert question not in place.table.labels
        await ann.press("Peek")
        assert shown_answer(place).startswith("Peek: ")
        assert "no way to win" not in shown_answer(place)


async def test_a_player_can_return_to_a_winnable_position(tmp_path: Path) -> None:
    """After giving up, a player can return to a position that can be won, as practice.

    Undos and peeks are still counted.
    """
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=STUCK_DEAL)
        moments = await play_until_stuck(place, ann)
        lost = await give_up_with_review(place, ann)
        before, counted = place.table, await solitaire_lines(ann)
        await place.restart()
        label = lost.label("Go back to move")
        moves = int(label.removeprefix("Go back to move "))
        assert f"could still have won this deal up to move {moves}." in lost.text
        assert "not at this table" in ephemeral_reply(await ben.send(lost, lost.custom_id(label))).text
        await ann.press(label, lost)
        assert place.table.id > before.id
        assert table_layout(place) == moments[moves]
        undos = len(moments) - 1 - moves
        assert re.search(rf"{moves} moves · ({undos} undos? · )?1 peek", place.table.text)
        assert "This try doesn't count" in place.table.text
        doubled = ephemeral_reply(await ann.press(label, lost))
        assert "already have a deal in this channel" in doubled.text
        await place.restart()
        await ann.press("Undo")
        assert table_layout(place) == moments[moves - 1]
        again = await give_up_with_review(place, ann)
        assert "Play on" in again.labels
        assert await solitaire_lines(ann) == counted, "one deal, one result"


async def test_a_winnable_deal_that_was_given_up_can_be_continued(tmp_path: Path) -> None:
    """*Play on* restores the same cards without an undo.

    Going back to an earlier move is not offered.
    """
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=FINISHED_AT_ONCE)
        await play_move(place, ann, winning_moves(FINISHED_AT_ONCE)[0])
        cards = table_layout(place)
        lost = await give_up_with_review(place, ann)
        assert "can still be won from here" in lost.text
        assert lost.labels == ["Play on", "Show how"]
        steps = response_of(await ann.press("Show how", lost)).labels
        assert steps[-1] == "Play on"
        await ann.press("Play on", lost)
        assert table_layout(place) == cards
        assert "undo" not in place.table.text


async def test_a_forged_return_click_in_dms_deals_nothing(tmp_path: Path) -> None:
    """A forged click in DMs on the button to return deals nothing."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=STUCK_DEAL)
        await play_until_stuck(place, ann)
        lost, before = await give_up_with_review(place, ann), place.table
        label = lost.label("Go back to move")
        answer = await ann.send(ann.send_plain_dm(), lost.custom_id(label))
        assert "out of date" in ephemeral_reply(answer).text
        assert place.table.id == before.id
        await ann.press(label, lost)
        assert place.table.id > before.id


async def test_show_how_steps_through_the_solution_in_private(tmp_path: Path) -> None:
    """The solver's line is stepped through in private, in the table's own picture, to its end."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=STUCK_DEAL)
        moments = await play_until_stuck(place, ann)
        assert "Show how" not in place.table.labels
        match_id = place.table.match_id
        early = ephemeral_reply(
            await ann.send(response_of(await ann.press("Give up")), f"l:{match_id}:0:0:show")
        )
        assert "only go back in a deal you've given up" in early.text, "a live deal keeps its secrets"
        lost = await give_up_with_review(place, ann)
        public = place.table
        moves = int(lost.label("Go back to move").removeprefix("Go back to move "))
        how = response_of(await ann.press("Show how", lost))
        assert how.message.ephemeral
        assert layout_text(how.alt) == moments[moves]
        assert "hint: take this" in how.alt
        assert "step 0 of " in how.text
        last = int(how.text.partition("step 0 of ")[2].split()[0])
        await place.restart()
        how = response_of(await ann.press("▶", how))
        assert "step 1 of " in how.text
        back = response_of(await ann.press("◀", how))
        assert "step 0 of " in back.text
        assert "◀" not in back.labels
        for _leap in range(last // 10 + 1):
            how = response_of(await ann.press("+10", how))
        assert f"step {last} of {last}" in how.text
        assert "The solver wins deal" in how.alt
        assert "▶" not in how.labels
        assert public.alt == place.table.alt
        refused = ephemeral_reply(await ben.send(how, f"l:{match_id}:{moves}:0:show"))
        assert "not at this table" in refused.text
        never = ephemeral_reply(await ann.send(how, f"l:{match_id}:9999:0:show"))
        assert "didn't get that far" in never.text
        forged = ephemeral_reply(await ann.send(place.table, f"l:{match_id}:{moves}:0:show"))
        assert "out of date" in forged.text, "nothing of it is shown to all"


async def play_to_last_move(place: BotHarness, person: Person) -> Seen:
    """Play a deal to its last move, which plays all remaining cards, and return the table."""
    await person.slash("solitaire start", deal=FINISHED_AT_ONCE)
    *ahead, last, _finish = winning_moves(FINISHED_AT_ONCE)
    await store_moves(place, ahead)
    await play_move(place, person, last)
    return place.table


async def test_a_win_with_more_than_three_hints_gets_no_trophy(tmp_path: Path) -> None:
    """A win with more than three hints and peeks gets no trophy, badge or place."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=FINISHED_AT_ONCE)
        *moves, last = winning_moves(FINISHED_AT_ONCE)
        await store_moves(place, moves[:-2])
        for move in moves[-2:]:  # where the search is short
            await ann.press("Peek")
            await ann.press("Hint")
            await play_move(place, ann, move)
        await play_move(place, ann, last)
        assert f"🛟 Ann solves deal {FINISHED_AT_ONCE} with help." in place.table.text
        assert "use at most 3 hints and peeks" in place.table.text
        assert f"Ann solves deal {FINISHED_AT_ONCE} with help" in place.table.alt
        assert not [sign for sign in ("🏆", "🏅", "📈", "🥉") if sign in place.table.text]
        await ann.press("Share")
        assert "🛟" in place.messages[-1].text
        assert not [sign for sign in ("🏆", "🏅", "📈") if sign in place.messages[-1].text]
        assert (await solitaire_lines(ann))[0].startswith("1 match, **0 wins**")
        await ann.slash("solitaire start", deal=266050616)
        await win_deal(place, ann)
        assert "🏆 Ann wins deal 266050616!" in place.table.text
        assert "🥉 Deals won 1" in place.table.text


def foundation_counts_since(place: BotHarness, before: int) -> list[int]:
    """Return the number of foundation cards in each picture of the table since then."""
    shown_texts = [
        str(request.json) for request in place.env.http_requests[before:] if request.json is not None
    ]
    found = (re.search(r"(\d+) of 104 cards up", each) for each in shown_texts)
    return [int(one[1]) for one in found if one]


async def test_finish_the_game_is_one_move_shown_in_frames(tmp_path: Path) -> None:
    """*Finish the game* is one stored move, seen in a few pictures with nothing to press in between."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        table = await play_to_last_move(place, ann)
        moves = len(await place.bot.database.journal.entries(table.match_id))
        asked = len(place.env.http_requests)
        await ann.press("All up")
        counts = foundation_counts_since(place, asked)
        assert len(counts) == 4
        assert counts == sorted(set(counts))
        assert counts[-1] == 104
        assert len(await place.bot.database.journal.entries(table.match_id)) == moves + 1
        assert "wins deal" in place.table.text
        assert place.table.labels[:2] == ["New deal", "Same deal again (practice)"]
        by_the_bot = [one for one in place.env.http_requests[asked:] if one.path.startswith("/channels")]
        assert by_the_bot == [], "what a click's answer shows is asked of nobody's budget"


async def test_a_click_during_the_final_frames_is_refused_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During the final frames, a click is refused, and the same click again shows the end at once."""
    monkeypatch.setattr("bot.delivery.message_writer.FRAME_SECONDS", PASSING)
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        table = await play_to_last_move(place, ann)
        await ann.press("All up")
        assert place.table.labels == ["How to play"]
        assert "wins" not in place.table.text
        assert "over" in ephemeral_reply(await ann.send(table, table.custom_id("Undo"))).text
        await place.wait(PASSING)
        assert "wins" not in place.table.text
        await ann.send(table, table.custom_id("All up"))
        assert "wins deal" in place.table.text
        asked = len(place.env.http_requests)
        await place.wait(5 * PASSING)
        assert foundation_counts_since(place, asked) == []
        assert "wins deal" in place.table.text


async def test_a_restart_during_the_final_frames_shows_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a restart during the final frames, the end is shown."""
    monkeypatch.setattr("bot.delivery.message_writer.FRAME_SECONDS", PASSING)
    for patience in ("bot.app.ANSWERS_SECONDS", "bot.delivery.display.CLOSE_SECONDS"):
        monkeypatch.setattr(patience, 0.1)  # the frames last longer in any case
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await play_to_last_move(place, ann)
        await ann.press("All up")
        assert "wins" not in place.table.text
        await place.restart()
        assert "wins deal" in place.table.text
        assert place.table.labels[:2] == ["New deal", "Same deal again (practice)"]


CIRCLES_DEAL = 242
TO_CIRCLES = (
    "turn x11; turn x15; 1 to 3 x1; turn x15; 2 up; turn x2; turn x6; turn; 1 to 6 x1; turn; 6 to 2 x1; "
    "3 to 8 x1; turn x4; turn; turn x4; turn; turn x3; turn; turn x2; turn x8; redeal; 2 to 6 x1; "
    "7 to 2 x1; turn; turn x5; turn x4; turn; turn; turn x14; turn x15; turn x2; waste to 8; turn; "
    "8 to 3 x2; turn x2; waste to 3; turn; turn; 3 to 8 x3; turn; turn; turn x5; turn; turn x4; turn; "
    "turn; turn; 8 to 3 x3; turn; turn; turn x2; 3 to 8 x3"
)
"""Moves of that deal after which the stock has eight cards, and none of those helps any more."""


async def test_the_table_reports_that_only_circular_moves_are_left(tmp_path: Path) -> None:
    """The table reports when only circular moves are left, and the player can ask for the lost move."""
    async with bot_harness(tmp_path) as place:
        ann, circle = place.person("Ann"), "just going in circles now"
        await ann.slash("solitaire start", deal=CIRCLES_DEAL)
        for n, text in enumerate(TO_CIRCLES.split("; ")):
            assert await store_move(place.bot.database, place.table.match_id, Entry(n, 0, text))
        await place.restart()
        await ann.slash("solitaire table")
        assert circle not in place.table.text
        assert "Where was it lost?" not in place.table.labels
        for _time in range(8):
            assert circle not in place.table.text
            await ann.press("Turn the stock")
        for _time in range(2):
            assert circle in place.table.text
            assert circle in place.table.alt
            shuttle = next(label for label in place.table.labels if " to column " in label)
            await ann.press(shuttle)
        await ann.press("Where was it lost?")
        assert "deal" in shown_answer(place)
        await ann.press("Undo")
        await ann.press("Undo")
        await ann.press("Undo")
        assert circle not in place.table.text


async def test_a_deal_is_given_up_at_the_move_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deal ends after its last move, even across a restart, and its player can deal again.

    The limit is 2,000 moves, and 40 in this test.
    """
    assert MOST_SOLO_MOVES == 2_000
    for module in ("sessions.decision.moves", "sessions.decision.dealing", "messages.match_end"):
        monkeypatch.setattr(f"bot.{module}.MOST_SOLO_MOVES", FEW_MOVES)
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        facts = {"game": "american_toad", "options": {"deal": 8, "daily": 0}, "limit": 1}
        here = {"guild_id": place.guild.id, "channel_id": place.channel.id, "started_by": ann.id}
        dealt = {"stage": Stage.PLAYING, "seed": SEED}
        match = new_lobby("deal1", Player(ann.id, "Ann"), **facts, **here, **dealt)
        entries = [Entry(n, 0, ("turn", "undo")[n % 2], n) for n in range(FEW_MOVES - 1)]
        at = place_of(place.channel.id, ann.id)
        assert await place.bot.database.journal.create(match, at, entries) is None
        await ann.slash("solitaire table")
        await ann.press("Undo")
        await place.restart()
        assert "Ann gave up deal 8" in place.table.text
        assert "A deal has at most 40 moves" in place.table.text
        lost = ephemeral_reply(await ann.press("Where was it lost?"))
        assert "can still be won" in lost.text
        assert "no moves left" in ephemeral_reply(await ann.press(lost.labels[0], lost)).text
        assert (
            "I checked every shuffle and every move again. All match."
            in ephemeral_reply(await ann.slash("verify")).text
        )
        await ann.press("Same deal again (practice)")
        assert "Turn the stock" in place.table.labels

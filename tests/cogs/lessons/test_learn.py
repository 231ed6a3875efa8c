"""Tests of ``/toad learn`` and ``/frogger learn`` for a new player."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from simcord.results import InteractionResult

from bot.delivery.message_keys import panel_key
from bot.delivery.message_writer import ContentRequest
from bot.matches.match import Match, Stage
from bot.matches.match_type import LESSON
from bot.storage.database_address import Server
from tests.discord.bot_harness import (
    BUTTON,
    BotHarness,
    Person,
    Seen,
    bot_harness,
    ephemeral_reply,
    response_of,
)
from tests.discord.fleet import fleet_harness
from tests.discord.strict_discord import deny_permissions, strict_discord
from tests.guests import games_with_guests
from tests.storage.database_types import query_rows
from tests.test_languages import set_language

PAUSE = 8
"""Seconds before a computer player's turn. SimCord does not wait that long for timers."""

MARK, COACH = "💡", "🎓"
MOST_CLICKS = 80
QUIET_SECONDS = 20 * 60
"""Longer than Discord lets a message be edited by the token of a click."""


@pytest.fixture(autouse=True)
def _computer_players_wait_for_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sessions.turn_clock.COMPUTER_PLAYER_SECONDS", PAUSE)


def suggested_button(seen: Seen) -> str | None:
    """Return the button that the coach suggests, or None if there is no choice."""
    for part in seen._parts(BUTTON):
        if (part.get("emoji") or {}).get("name") == MARK:
            return str(part["label"])
    return None


async def follow_coach(person: Person, seen: Seen) -> InteractionResult:
    """Press the suggested buttons, step by step, until a move is made."""
    label = suggested_button(seen)
    assert label is not None
    result = await person.press(label, seen)
    if "Back" in response_of(result).labels:
        return await follow_coach(person, response_of(result))
    return result


async def play_lesson_until(
    place: BotHarness, person: Person, result: InteractionResult, until: str
) -> Seen:
    """Follow the coach until a sentence is shown. The tadpole gets its time meanwhile."""
    for _click in range(MOST_CLICKS):
        if until in response_of(result).text:
            return response_of(result)
        if suggested_button(response_of(result)) is None:
            await place.wait(PAUSE)
        else:
            result = await follow_coach(person, response_of(result))
    raise AssertionError("the lesson does not end")


async def stored_lesson(place: BotHarness, seen: Seen) -> Match:
    """Return the stored match of a lesson."""
    match = await place.bot.database.journal.find(seen.match_id)
    assert match is not None
    return match


async def stored_move_count(place: BotHarness, seen: Seen) -> int:
    """Return the number of stored moves of a lesson."""
    return len(await place.bot.database.journal.entries(seen.match_id))


def dm_requests(place: BotHarness) -> list[str]:
    """Return the requests to Discord that write to a user's DMs."""
    return [one.path for one in place.env.http_requests if one.path == "/users/@me/channels"]


async def test_the_toad_lesson_works_with_closed_dms(tmp_path: Path) -> None:
    """A lesson of Toad is played to its end in private, even with closed DMs.

    The coach comments on each step. The match ends with the round, and does not count.
    """
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        ann.close_dms()
        before = len(dm_requests(place))
        result = await ann.slash("toad learn")
        assert result.ephemeral
        first = response_of(result)
        lesson = await stored_lesson(place, first)
        assert "exactly 10 red and 10 black" in first.text
        standing_out = [part for part in first._parts(BUTTON) if part["style"] in (1, 3)]
        assert [part["label"] for part in standing_out] == [suggested_button(first)]
        why = response_of(await ann.press("Why?", first))
        assert "You can leave the lesson any time" in why.text
        assert "exactly 10 red and 10 black spots" in why.text
        assert "Your hand" in first.alt
        assert first.alt.count("frog ") == 1
        assert "Hint" not in first.labels
        last = await play_lesson_until(place, ann, result, "That's it! Now you know how to play Toad.")
        assert "wins the match and collects the pot" in last.text
        assert "A toad! You're" in last.text
        assert last.labels == ["Play two frogs", "Once more", "How to play"]
        ended = await place.bot.database.journal.find(lesson.id)
        assert ended is not None
        assert ended.stage is Stage.FINISHED
        assert place.messages == []
        assert len(dm_requests(place)) == before
        assert "No match between people yet" in response_of(await ann.slash("leaderboard")).text
        assert "No finished matches" in response_of(await ann.slash("profile")).text
        await ann.press("Play two frogs", last)
        assert len(re.findall(r"frog \w+: ", place.table.alt)) == 2, "the match is dealt at once"
        assert "already a table" in ephemeral_reply(await ann.press("Play two frogs", last)).text


async def test_the_solitaire_lesson_is_a_small_private_deal(tmp_path: Path) -> None:
    """A lesson of solitaire is a small deal in private, which does not count. A whole deal follows."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        result = await ann.slash("solitaire learn")
        first = response_of(result)
        assert "The **base** of this deal is the 10" in response_of(await ann.press("Why?", first)).text
        assert "Learn it by playing" in response_of(await ann.slash("solitaire rules")).labels
        stuck = await play_lesson_until(place, ann, result, "**Stuck:**")
        await place.restart()
        again = await ann.slash("solitaire learn")
        assert (response_of(again).match_id, response_of(again).text) == (stuck.match_id, stuck.text)
        last = await play_lesson_until(place, ann, again, "That's it! Now you know how to play")
        assert "wins a small deal!" in last.text
        assert place.messages == []
        assert (await stored_lesson(place, first)).stage is Stage.FINISHED
        assert "No match between people yet" in response_of(await ann.slash("leaderboard")).text
        assert "Learn it by playing" not in response_of(await ann.slash("solitaire rules")).labels
        await ann.press("Play a whole game", last)
        assert "1 of 104 cards up" in place.table.text


async def test_the_frogger_lesson_teaches_every_rule(tmp_path: Path) -> None:
    """After every rule of Frogger has been shown, the lesson can be ended or continued."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        seen = await play_lesson_until(
            place, ann, await ann.slash("frogger learn"), "You've seen everything there is"
        )
        played_on = response_of(await follow_coach(ann, seen))
        assert "You've seen everything there is" not in played_on.text
        ended = response_of(await ann.press("End the lesson", played_on))
        assert "you know how to play Frogger" in ended.text
        assert "</frogger start:" in ended.text
        assert "Learn it by playing" not in response_of(await ann.slash("frogger rules")).labels
        assert "Learn it by playing" in response_of(await ann.slash("toad rules")).labels


async def test_the_coach_explains_moves_it_did_not_suggest(tmp_path: Path) -> None:
    """After a move that the coach did not suggest, the coach explains its result."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        seen = response_of(await ann.slash("toad learn"))
        assert suggested_button(seen) != "Draw"
        drawn = await ann.press("Draw", seen)
        assert "Only you have seen the card you drew" in response_of(drawn).text
        asked = await ann.press("Ribit!", response_of(drawn))
        assert "Say ribit anyway?" in response_of(asked).text
        claimed = await ann.press("Say ribit", response_of(asked))
        assert "That wasn't a toad." in response_of(claimed).text
        await place.wait(PAUSE)
        assert "That wasn't a toad." in response_of(claimed).text
        assert suggested_button(response_of(claimed)) is not None


async def test_the_learn_command_continues_an_open_lesson(tmp_path: Path) -> None:
    """The command continues the user's only lesson, in any channel, even an hour later."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        before = await follow_coach(ann, response_of(await ann.slash("toad learn")))
        old = response_of(before)
        await place.wait(3 * QUIET_SECONDS)
        place.channel = place.guild.create_text_channel("reeds")
        again = response_of(await ann.slash("toad learn"))
        assert again.match_id == old.match_id
        assert again.labels == old.labels
        await follow_coach(ann, again)
        moved_on = await ann.press("End turn", old)
        assert await stored_move_count(place, again) == 3, "the discard ended the turn"
        assert "moved on" in ephemeral_reply(moved_on).text


async def test_a_lesson_survives_a_restart(tmp_path: Path) -> None:
    """A restart loses nothing, even in the tadpole's turn, and old buttons work."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        result = await follow_coach(ann, response_of(await ann.slash("toad learn")))
        await place.restart()
        while suggested_button(response_of(result)) is not None:
            result = await follow_coach(ann, response_of(result))
        made = await stored_move_count(place, response_of(result))
        assert "Go on" in response_of(result).labels
        await place.restart()
        await place.wait(PAUSE)
        assert await stored_move_count(place, response_of(result)) > made
        result = await ann.press("Go on", response_of(result))
        await play_lesson_until(place, ann, result, "That's it! Now you know how to play Toad.")


async def test_a_closed_panel_is_planned_as_the_players_hand(tmp_path: Path) -> None:
    """A closed panel becomes its player's hand, because a private match has no other message."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad learn")
        [match] = await place.live()
        table = await place.bot.tables.read(match.id)
        planned = await place.bot.display.plans.plan(table, panel_key(ann.id), ContentRequest())
        assert planned is not None
        assert COACH in str(planned.parts)


async def test_a_lesson_without_attach_files_uses_text(tmp_path: Path) -> None:
    """Without *Attach Files*, a lesson shows the hand as text, also after the computer player's turn."""
    async with bot_harness(tmp_path) as place:
        await deny_permissions(place, "attach_files")
        ann = place.person("Ann")
        with strict_discord() as refused:
            result = await ann.slash("toad learn")
            assert "Red spots" in response_of(result).text
            result = await ann.press("End turn", response_of(result))
            await place.wait(PAUSE)
            assert suggested_button(response_of(result)) is not None
            assert "Red spots" in response_of(result).text
            assert "Attach Files" in response_of(result).text
        assert refused == []


async def test_a_click_updates_the_lesson_after_its_token_expires(tmp_path: Path) -> None:
    """After the message's token has expired, the next click updates the lesson."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        result = await ann.slash("frogger learn")
        await place.wait(QUIET_SECONDS)
        after = await follow_coach(ann, response_of(result))
        assert "That was one action" in response_of(await ann.press("Why?", response_of(after))).text


async def test_a_lesson_started_in_dms_by_a_forged_click_is_private(tmp_path: Path) -> None:
    """A lesson begun in DMs by a forged click is private to its user, as in a channel.

    The tadpole's move is shown even after the token of the first message has expired.
    """
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.started("Ann", "Ben")
        result = await ann.send(ann.dm, "l:toad")
        await place.wait(QUIET_SECONDS)
        while (label := suggested_button(response_of(result))) is not None:
            result = await ann.press_dm(label, response_of(result))
        await place.wait(PAUSE)
        assert suggested_button(response_of(result)) is not None
        assert await place.bot.database.posts.all(response_of(result).match_id) == {}


async def test_how_to_play_offers_the_lesson_until_it_is_finished(tmp_path: Path) -> None:
    """*How to play* offers the lesson until the user has finished it once."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ben.slash("toad start")
        offer = ephemeral_reply(await ann.press("How to play"))
        assert "Learn it by playing" in offer.labels
        turned = response_of(await ann.press("Lives", offer))
        result = await ann.press("Learn it by playing", turned)
        assert ephemeral_reply(result).match_id != place.table.match_id
        await play_lesson_until(place, ann, result, "That's it!")
        assert "Learn it by playing" not in ephemeral_reply(await ann.press("How to play")).labels
        assert "Learn it by playing" in ephemeral_reply(await ben.press("How to play")).labels
        first = response_of(result)
        again = ephemeral_reply(await ann.press("Once more", first))
        assert again.match_id != first.match_id
        assert "exactly 10 red and 10 black" in again.text
        await place.restart()
        assert "Learn it by playing" not in response_of(await ann.slash("toad rules")).labels


async def test_a_lesson_that_was_ended_early_starts_over(tmp_path: Path) -> None:
    """A player who ends a lesson early has not learned the game. The next lesson starts over."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        result = await follow_coach(ann, response_of(await ann.slash("toad learn")))
        ended = response_of(await ann.press("End the lesson", response_of(result)))
        assert re.search(r"</toad learn:\d+> to start it again", ended.text)
        assert "Learn it by playing" in response_of(await ann.slash("toad rules")).labels
        anew = response_of(await ann.slash("toad learn"))
        assert await stored_move_count(place, anew) == 0
        late = await ann.send(
            response_of(result), f"a:{(await stored_lesson(place, anew)).id}:endlesson"
        )
        assert "out of date" in ephemeral_reply(late).text


async def test_a_click_on_another_users_lesson_is_refused(tmp_path: Path) -> None:
    """A forged click on another user's lesson is refused, from any place.

    The channel's own table and its commands know nothing of the lesson.
    """
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        lesson = response_of(await ann.slash("toad learn"))
        assert "no table in this channel" in response_of(await ann.slash("toad leave")).text
        mine = response_of(await ben.slash("toad learn"))
        assert mine.match_id != lesson.match_id
        for forged in (
            lesson.custom_id("Draw"),
            f"a:{lesson.match_id}:endlesson",
            f"a:{lesson.match_id}:look",
        ):
            assert "out of date" in ephemeral_reply(await ben.send(mine, forged)).text
        assert "out of date" in ephemeral_reply(await ann.send(mine, lesson.custom_id("Draw"))).text
        assert await stored_move_count(place, lesson) == 0
        await ben.slash("frogger start")
        for forged in (lesson.custom_id("Draw"), f"a:{lesson.match_id}:endlesson"):
            assert "out of date" in ephemeral_reply(await ann.send(place.table, forged)).text
        ended = await ann.send(lesson, f"a:{place.table.match_id}:endlesson")
        assert "not at this table" in ephemeral_reply(ended).text
        assert "out of date" in ephemeral_reply(await ann.send(lesson, "l:chess")).text
        assert "out of date" in ephemeral_reply(await ann.send(lesson, "l:chess:play")).text


async def test_a_game_without_a_lesson_has_no_learn_command(tmp_path: Path) -> None:
    """A game without a lesson has no command for one, and its rules offer none."""
    async with bot_harness(tmp_path, known=games_with_guests()) as place:
        commands = {command.qualified_name for command in place.bot.tree.walk_commands()}
        untaught = [game.info for game in games_with_guests().values() if game.lesson is None]
        taught = [game.info for game in games_with_guests().values() if game.lesson is not None]
        assert {f"{info.command} learn" for info in taught} <= commands
        assert not {f"{info.command} learn" for info in untaught} & commands
        for info in untaught:
            rules = response_of(await place.person("Ann").slash(f"{info.command} rules"))
            assert "Learn it by playing" not in rules.labels
        assert untaught


async def test_the_coach_speaks_the_users_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The coach speaks the user's language, even about the tadpole's moves."""
    async with bot_harness(tmp_path) as place:
        set_language(place, monkeypatch, Ann="de")
        ann = place.person("Ann")
        begun = response_of(await ann.slash("toad learn"))
        assert "genau 10 roten und 10 schwarzen Augen" in begun.text
        result = await ann.press("Zug beenden", begun)
        await place.wait(PAUSE)
        assert "Du hast nichts geändert" in response_of(result).text
        assert "Die Kaulquappe hat" in response_of(await ann.press("Warum?", response_of(result))).text
        again = await ann.slash("toad learn")
        assert "Übung beenden" in response_of(again).labels
        assert "Spielend lernen" in response_of(await place.person("Ann").slash("toad rules")).labels


async def test_an_open_lesson_is_evicted_without_an_editable_panel(tmp_path: Path) -> None:
    """The bot does not wait for a panel that can no longer be edited."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad learn")
        await place.expire_interactions()
        hand = response_of(await ben.slash("frogger learn"))
        display = place.bot.display
        for messages in display.loaded_messages:
            await display.refresh_now(messages.match_id)
        [left] = display.possibly_outdated({messages.match_id for messages in display.loaded_messages})
        assert left == hand.match_id
        assert (await place.bot.tables.read(left)).match.options[LESSON]


async def test_another_process_shows_the_moves_of_a_lesson(server: Server) -> None:
    """The process of the DMs runs the tadpole, and another process shows each move in a server."""
    async with fleet_harness(server) as place:
        ann = place.person("Ann")
        result, seats = await ann.slash("toad learn"), set[int]()
        while len(seats) < 2 or suggested_button(response_of(result)) is None:
            if suggested_button(response_of(result)) is None:
                await place.wait(PAUSE)
                await place.quiet()
            else:
                result = await follow_coach(ann, response_of(result))
                await place.quiet()
            seats |= {seat for (seat,) in await query_rows(server, "SELECT seat FROM moves")}


async def test_an_active_lesson_reports_that_lessons_were_removed(tmp_path: Path) -> None:
    """If the feature is removed, a lesson in progress says so, and no fault is logged."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        lesson = response_of(await ann.slash("toad learn"))
        place.bot.display.plans.hand_contents.clear()
        assert "no longer know this table" in response_of(await ann.press("End turn", lesson)).text
        await place.wait(PAUSE)
        assert place.faults() == []

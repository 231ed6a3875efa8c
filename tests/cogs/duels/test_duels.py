"""Tests of daily duels from the first click to the results."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.engine.opponent import Mover, Strength
from bot.engine.worker_task import NoAnswerError, Read, Task
from bot.games import games
from bot.matches.duels import LOST, WON, BoardScores
from bot.matches.leaderboard_rules import EVERYWHERE
from bot.matches.match import Entry, Match
from bot.matches.match_type import DUEL
from bot.sessions import worker_tasks
from bot.storage.daily_deals import day_at
from bot.storage.database_address import Server
from cogs.duels.store import DuelDay, DuelTries
from tests.discord.admins import add_admin, allow_only_channels
from tests.discord.bot_harness import (
    BotHarness,
    Person,
    Seen,
    Thinkers,
    bot_harness,
    ephemeral_reply,
    response_of,
)
from tests.discord.duel_boards import PAUSE, play_moves, wait_for_turn
from tests.discord.fleet import fleet_harness
from tests.discord.regular_posts import HOUR, daily_posts, enable_daily_post, weekly_reports
from tests.test_languages import set_language

CHECK = Path(__file__).parents[3] / "docs" / "check.py"
DAY = 24 * 60 * 60
BOARDS = {"toad": 8, "frogger": 5}


@pytest.fixture(autouse=True)
def _long_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the toad pause for so long that a test decides when it moves."""
    monkeypatch.setattr("bot.sessions.turn_clock.COMPUTER_PLAYER_SECONDS", PAUSE)


async def stored_moves(place: BotHarness, match_id: str) -> list[tuple[int, str]]:
    entries: list[Entry] = await place.bot.database.journal.entries(match_id)
    return [(entry.seat, entry.text) for entry in entries]


async def stored_board(place: BotHarness, seen: Seen) -> Match:
    match = await place.bot.database.journal.find(seen.match_id)
    assert match is not None
    return match


async def field_of(place: BotHarness, game: str, day: int) -> list[str]:
    """Return the scores of a day's computer players."""
    reading, of_day = place.bot.database.reading, {"game": game, "day": day}
    row = await reading.run(lambda sql: sql.duel_day(**of_day))
    return [] if row is None else str(row["field"]).split()


async def store_scores_until_last(
    place: BotHarness, person: Person, game: str = "toad", score: str = LOST, day: int | None = None
) -> None:
    """Store the same score for all boards of a day but the last, from the current one on.

    The day is today unless another one is given.
    """
    day, known = day or day_at(place.now), place.bot.games[game]
    tries = {"game": game, "day": day, "player_id": person.id}
    assert known.thinking is not None
    versions = {"rules": known.info.rules_version, "thinking": known.thinking.version}

    async def work(sql: Any) -> None:
        await sql.begin_duel_day(game=game, day=day, **versions)
        await sql.begin_duel_try(**tries, guild_id=place.guild.id, name=person.name, at=place.now)
        for board in range(BOARDS[game] - 1):  # a board that has a score keeps it
            await sql.score_duel(**tries, board=board, score=score, ended_at=0)

    await place.bot.database.writer.write(work)


async def lose_board(person: Person, seen: Seen, label: str = "Give up") -> None:
    await person.press(label, ephemeral_reply(await person.press(label, seen)))


async def play_day(person: Person, count: int) -> Seen:
    """Give up all boards that a player has left in a day of ``count`` boards. Return the results."""
    seen = response_of(await person.slash("toad daily"))
    while "Give up" in seen.labels:
        await lose_board(person, seen)
        assert f" of {count}: lost" in seen.text
        seen = response_of(await person.press(seen.labels[0], seen))
    return seen


async def finish_day(
    place: BotHarness, person: Person, score: str = LOST, label: str = "Give up"
) -> Seen:
    """Store a score for all boards that are left today, and lose the last. Return the results."""
    await store_scores_until_last(place, person, score=score)
    await lose_board(person, response_of(await person.slash("toad daily")), label)
    return response_of(await person.slash("toad daily"))


@pytest.mark.parametrize("game", BOARDS)
async def test_a_player_plays_all_boards_and_then_sees_the_results(tmp_path: Path, game: str) -> None:
    """A player has one board after the other in private, and sees the results after the last one."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        seen = response_of(await ann.slash(f"{game} daily"))
        assert seen.message.flags.ephemeral
        assert "🎯" in seen.text
        assert "One try counts. Your score is the percentage of other tries that did worse." in seen.text
        for board in (0, 1, BOARDS[game] - 1):
            match = await stored_board(place, seen)
            assert (match.type.is_duel, match.type.board) == (True, board)
            if board == 1:
                await lose_board(ann, seen)
                await store_scores_until_last(place, ann, game)
            else:
                await play_moves(place, ann, seen)
            seen = response_of(await ann.slash(f"{game} daily"))
        assert "\n### 🐸" in seen.text, "a smaller heading, which fits one line on a phone"
        assert "duels of 2026-01-01" in seen.text
        assert "place 1 of 1" in seen.text
        assert re.search(r"\*\*\d+%\*\*", seen.text)
        assert "Board" in seen.alt or "Ann" in seen.alt
        again = response_of(await ann.slash(f"{game} daily"))
        assert again.text == seen.text
        assert await place.live() == []


async def test_the_next_board_replaces_a_finished_one(tmp_path: Path) -> None:
    """The message of a finished board becomes the next board, with one press."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        seen = response_of(await ann.slash("toad daily"))
        asked = ephemeral_reply(await ann.press("Give up", seen))
        assert "counts as lost" in asked.text
        assert len(await place.live()) == 1
        await ann.press("Give up", asked)
        over = response_of(await ann.slash("toad daily"))
        assert (await stored_board(place, over)).type.board == 1
        await play_moves(place, ann, over)
        assert "Board 2 of 8" in over.text
        following = response_of(await ann.press("Next board", over))
        assert following.message.id == over.message.id
        assert (await stored_board(place, following)).type.board == 2


async def test_a_try_can_be_resumed_in_another_process(tmp_path: Path) -> None:
    """A try can be left and resumed, in another process, with all moves made before."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        seen = response_of(await ann.slash("toad daily"))
        match_id = seen.match_id
        await play_moves(place, ann, seen, 2)
        before = await stored_moves(place, match_id)
        await place.restart()
        again = response_of(await ann.slash("toad daily"))
        assert again.match_id == match_id
        assert (await stored_moves(place, match_id))[: len(before)] == before
        assert not (await play_moves(place, ann, again)).is_playing


async def test_the_toad_answers_equal_moves_with_equal_moves(tmp_path: Path) -> None:
    """Two players who make the same moves meet the same moves of the toad, after a restart as well."""
    async with bot_harness(tmp_path) as place:
        moves = []
        for name in ("Ann", "Ben"):
            person = place.person(name)
            seen = response_of(await person.slash("frogger daily"))
            match = await stored_board(place, seen)
            await play_moves(place, person, seen)
            moves.append((await stored_moves(place, match.id), match.seed))
            await place.restart()
        assert moves[0] == moves[1]


async def test_a_board_is_dealt_to_a_player_only_once(tmp_path: Path) -> None:
    """After forged clicks and a table closed by an error, the player continues with the next board."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        seen = response_of(await ann.slash("toad daily"))
        for made_up in (
            f"a:{seen.match_id}:stop",
            f"a:{seen.match_id}:agree",
            f"f:{seen.match_id}:0",
            f"f:{seen.match_id}:1",
        ):
            await ann.send(seen, made_up)
        [match] = await place.live()
        assert match.players[match.seat_of(ann.id) or 0].strength is None
        await place.bot.tables.stop(seen.match_id)  # as if its moves could not be read
        after = response_of(await ann.slash("toad daily"))
        assert (await stored_board(place, after)).type.board == 1


async def test_forgetting_a_player_gives_no_second_try(tmp_path: Path) -> None:
    """A player who is forgotten halfway cannot begin the day's boards again."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad daily")
        asked = response_of(await ann.slash("privacy"))
        await ann.press(asked.label("Forget me"), asked)
        await place.forget(ann)
        refused = ephemeral_reply(await ann.slash("toad daily"))
        assert "played these duels before" in refused.text


async def test_a_try_continues_after_midnight_and_counts_for_its_day(tmp_path: Path) -> None:
    """Boards begun before midnight are finished first, and a day later they no longer count."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad daily")
        await ben.slash("toad daily")
        await place.wait(DAY)
        seen = response_of(await ann.slash("toad daily"))
        for board in (0, BOARDS["toad"] - 1):
            assert (await stored_board(place, seen)).type.board == board
            await play_moves(place, ann, seen)
            await store_scores_until_last(place, ann, day=20260101)
            seen = response_of(await ann.press(seen.labels[0], seen))
        assert "duels of 2026-01-01" in seen.text
        assert (await stored_board(place, response_of(await ann.slash("toad daily")))).options[
            DUEL
        ] == 20260102
        await place.wait(DAY)
        seen = response_of(await ben.slash("toad daily"))
        assert (await stored_board(place, seen)).options[DUEL] == 20260103


@pytest.mark.real("toads")
async def test_boards_cannot_be_reviewed_before_the_try_ends(tmp_path: Path) -> None:
    """Verification, replays and reviews of one's own boards wait for the end of the try."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        seen = response_of(await ann.slash("toad daily"))
        match_id = seen.match_id
        await play_moves(place, ann, seen)
        assert "all of them yourself" in ephemeral_reply(await ann.slash("verify", match=match_id)).text
        results = await finish_day(place, ann)
        assert "can still play" in ephemeral_reply(await ann.slash("verify", match=match_id)).text
        watched = response_of(await ann.slash("replay", match=match_id))
        refused = ephemeral_reply(await ann.pick("all", watched, f"x:{match_id}:0"))
        assert "can still play" in refused.text
        assert "private" in ephemeral_reply(await ben.slash("verify", match=match_id)).text
        missed = ephemeral_reply(await ann.press("1", results)).text
        assert "issed" in missed
        await place.wait(2 * DAY)
        verified = ephemeral_reply(await ann.slash("verify", match=match_id))
        assert "The secret matches the day's commitment" in verified.text
        answer = (await ann.press("Download", verified)).response
        assert answer is not None
        file = tmp_path / "board.json"
        file.write_bytes(await answer.attachments[0].read())
        program = [sys.executable, "-I", str(CHECK), str(file)]
        checked = await asyncio.to_thread(subprocess.run, program, capture_output=True, check=True)
        assert checked.stdout.startswith(b"Right")


async def test_results_compare_players_by_board(tmp_path: Path) -> None:
    """Two players with the same results share the first place with half of the points."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await finish_day(place, ann)
        seen = await finish_day(place, ben)
        assert "place 1 of 2 in this server" in seen.text
        assert "50%" in seen.text
        await ben.press("Share", seen)
        post = place.messages[-1]
        assert "Ben" in post.text
        assert not {"♠", "♥"} & set(post.text)


async def test_results_are_shared_once_and_only_with_send_permission(tmp_path: Path) -> None:
    """*Share* is refused in channels without games or write permission, and for a second post."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        board = response_of(await ann.slash("toad daily"))
        while "Give up" in board.labels:
            await ann.press("Give up", ephemeral_reply(await ann.press("Give up", board)))
            board = response_of(await ann.slash("toad daily"))
        here, rule = place.channel, discord.PermissionOverwrite(send_messages=False)
        await allow_only_channels(place, place.guild.create_text_channel("games"))
        assert "aren't played in this channel" in ephemeral_reply(await ann.press("Share", board)).text
        place.channel = place.guild.create_text_channel("news", overwrites={ann.actor.user: rule})
        await allow_only_channels(place, here, place.channel)
        private = response_of(await ann.slash("toad daily"))
        assert "may not write in this channel" in ephemeral_reply(await ann.press("Share", private)).text
        assert not (await ann.press("Share", board)).ephemeral
        assert "just shared" in ephemeral_reply(await ann.press("Share", board)).text


class Failing(Thinkers):
    """Workers of which the first search for a move fails."""

    failures = 1

    async def ask(self, task: Task[Any], *, who: int, read: Read | None = None) -> Any:
        if isinstance(task, worker_tasks.ChooseMove) and self.failures:
            self.failures -= 1
            raise NoAnswerError
        return await super().ask(task, who=who, read=read)


async def test_a_failed_search_is_retried(tmp_path: Path) -> None:
    """The toad makes the move that it makes for all players, a minute later if a worker was killed."""
    moves = []
    for opponents in (Thinkers(), Failing()):
        folder = tmp_path / type(opponents).__name__
        folder.mkdir()
        async with bot_harness(folder, opponents=opponents) as place:
            await place.bot.database.notes.store_note("secret of the days", "ab" * 32)
            ann = place.person("Ann")
            seen = response_of(await ann.slash("frogger daily"))
            await play_moves(place, ann, seen, 4)
            match_id = next(match.id for match in await place.live())
            entries = await place.bot.database.journal.entries(match_id)
            assert Mover.SIMPLE not in {entry.mover for entry in entries}
            moves.append((await stored_moves(place, match_id))[:6])
    assert moves[0] == moves[1]


async def test_past_boards_can_be_watched_and_practised(tmp_path: Path) -> None:
    """The best match of each board and practice wait until the day no longer counts."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        seen = response_of(await ann.slash("toad daily"))
        first = seen.match_id
        await play_moves(place, ann, seen)
        results = await finish_day(place, ann)
        assert "Practise" not in results.text
        refused = ephemeral_reply(await ann.send(results, "dq:toad:20260101:0"))
        assert "still count" in refused.text
        await finish_day(place, ben)
        await place.wait(2 * DAY)
        dora = place.person("Dora")
        assert "all of them yourself" in ephemeral_reply(await dora.slash("replay", match=first)).text
        today = await finish_day(place, ben)
        past = response_of(await ben.press("Results of 2026-01-01", today))
        assert "Watch the best" in past.text
        assert "🎬" not in str(past.message.components), "three buttons fit side by side on a phone"
        watched = ephemeral_reply(await ben.send(past, f"v:{first}"))
        assert "Ann" in watched.text + watched.alt
        board = ephemeral_reply(await ben.send(past, "dq:toad:20260101:1"))
        assert "Toad, just for practice. Only you can see this." in board.text
        match = await stored_board(place, board)
        assert not match.type.is_duel
        assert not match.type.counts
        await play_moves(place, ben, board)
        assert "20260101" not in str((await stored_board(place, board)).options)


async def test_boards_of_different_days_are_practised_separately(tmp_path: Path) -> None:
    """An unfinished board of one day is not shown in place of another day's."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await finish_day(place, ann)
        await place.wait(DAY)
        board = await finish_day(place, ann)
        await place.wait(2 * DAY)
        first = [ephemeral_reply(await ann.send(board, f"dq:toad:2026010{day}:0")) for day in (1, 2)]
        again = ephemeral_reply(await ann.send(board, "dq:toad:20260101:0"))
        assert first[0].match_id != first[1].match_id
        assert again.match_id == first[0].match_id


async def test_computer_players_fill_the_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A single player has a field, in a worker, and the results show a toad's boards.

    The next day begins before its first try, in the games whose duels were played on the day before.
    """
    monkeypatch.setattr("cogs.duels.cog.computers", lambda: (Strength.TADPOLE, Strength.TADPOLE))
    monkeypatch.setattr("bot.matches.duels.Strength", SimpleNamespace(TOAD=Strength.TADPOLE))

    async with bot_harness(tmp_path) as place:
        seen = await finish_day(place, place.person("Ann"))
        assert "2 frogs" in seen.text
        assert "toad" in seen.alt
        assert await field_of(place, "toad", 20260102) == []
        await place.wait(DAY)
        assert [len(each) for each in await field_of(place, "toad", 20260102)] == [BOARDS["toad"]] * 2
        assert await field_of(place, "frogger", 20260102) == []


@pytest.mark.real("toads")
async def test_a_day_of_six_boards_survives_an_update_to_eight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A day that began with six boards is finished, ranked, shown, verified and practised with six.

    The next day has eight, even for a player who finishes the former day first.
    """
    for feature in ("daily_post", "verify", "reviews", "replays"):
        pytest.importorskip(f"cogs.{feature}")
    monkeypatch.setattr("cogs.duels.cog.computers", lambda: (Strength.TADPOLE,))
    six = games()["toad"].by_rules(3)
    assert six is not None
    known = {**games(), "toad": six}
    async with bot_harness(tmp_path, known=known) as place:
        ann, ben, cy = place.person("Ann"), place.person("Ben"), place.person("Cy")
        await enable_daily_post(place)
        board = response_of(await ann.slash("toad daily"))
        assert "6 boards" in board.text
        first = board.match_id
        await lose_board(ann, board)
        await place.wait(12 * HOUR)
        known["toad"] = games()["toad"]
        await place.restart()

        results = await play_day(ann, 6)
        assert results.labels[-6:] == ["1", "2", "3", "4", "5", "6"]
        assert "Player, 1, 2, 3, 4, 5, 6, Day" in results.alt
        assert "6 boards" in response_of(await ben.slash("toad daily")).text
        of_ben = await play_day(ben, 6)
        assert "place 1 of 2 in this server" in of_ben.text
        assert "1 frog fills in" in of_ben.text
        assert [len(each) for each in await field_of(place, "toad", 20260101)] == [6]
        await cy.slash("toad daily")

        await place.wait(DAY)
        assert "8 boards" in response_of(await ann.slash("toad daily")).text
        late = response_of(await cy.slash("toad daily"))
        assert (await stored_board(place, late)).options[DUEL] == 20260101
        assert "place 1 of 3" in (await play_day(cy, 6)).text
        assert "8 boards" in response_of(await cy.slash("toad daily")).text

        await place.wait(DAY)
        assert "🏆 2026-01-01: 1. Ann" in daily_posts(place)[-1].text
        verified = ephemeral_reply(await ann.slash("verify", match=first))
        assert "The secret matches the day's commitment" in verified.text
        past = ephemeral_reply(await ann.send(results, "du:toad:20260101"))
        assert "Practise" in past.text
        assert past.labels.count("6") == 3
        practised = ephemeral_reply(await ann.send(past, "dq:toad:20260101:5"))
        assert "just for practice" in practised.text
        await play_moves(place, ann, practised)
        assert "out of date" in ephemeral_reply(await ann.send(past, "dq:toad:20260101:6")).text
        past = await play_day(ann, 8)
        assert past.labels[-8:] == ["1", "2", "3", "4", "5", "6", "7", "8"]
        await place.wait(2 * DAY)
        past = ephemeral_reply(await ann.send(past, "du:toad:20260102"))
        assert past.labels.count("8") == 3, "the harness accepts at most 40 components"


async def test_the_daily_post_and_the_weekly_report_include_duels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The post has a button, the number of players, and later the best and the streaks."""
    pytest.importorskip("cogs.daily_post")
    pytest.importorskip("cogs.weekly_report")
    monkeypatch.setattr("cogs.duels.store.own_score", lambda *_about: WON)
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await enable_daily_post(place)
        await place.wait(2 * HOUR)
        [post] = daily_posts(place)
        seen = ephemeral_reply(await ann.press("Toad: duels", post))
        await lose_board(ann, seen)
        await place.wait(HOUR)
        assert "👥 nobody yet" in duels_in(daily_posts(place)[0]), "a try that has begun does not count"
        results = await finish_day(place, ann, WON)
        score = re.findall(r"\*\*(\d+%)\*\*", results.text)[0]
        await place.wait(HOUR)
        assert "👥 1 played, 0 the day before" in duels_in(daily_posts(place)[0])
        for _day in range(2):
            await place.wait(DAY)
            await finish_day(place, ann, WON)
        await place.wait(HOUR)
        text = daily_posts(place)[-1].text
        assert f"🏆 2026-01-01: 1. Ann ({score})" in text
        assert "in a row: Ann 3" in text
        assert "👥 1 played, 1 the day before" in text
        await place.wait(2 * DAY)
        assert "half of a day's duels" in weekly_reports(place)[0].text
        assert "Ann" in weekly_reports(place)[0].alt


def duels_in(post: Seen) -> str:
    """Return a daily post's section about the duels at Toad."""
    return post.text.partition("**Toad: duels**")[2].partition("**")[0]


async def test_rules_are_one_press_away_during_a_board(tmp_path: Path) -> None:
    """A newcomer reads the aim of the game above the own cards, and opens the rules on the own turn."""
    pytest.importorskip("cogs.rules")
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        for game, aim in (("toad", "Exactly 10 red and 10 black"), ("frogger", "🎯")):
            board = response_of(await ann.slash(f"{game} daily"))
            assert aim in board.text
            table = await wait_for_turn(place, ann, board.match_id)
            assert table.to_move == table.match.seat_of(ann.id)
            assert board.labels.count("How to play") == 1
            rules = ephemeral_reply(await ann.press("How to play", board))
            assert "A turn" in rules.labels


async def test_a_profile_lists_duels(tmp_path: Path) -> None:
    """A player of duels only has a profile, and a player without any result has none."""
    pytest.importorskip("cogs.leaderboards")
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ben.slash("toad daily")
        for _day in range(2):
            await finish_day(place, ann)
            await place.wait(DAY)
        profile = response_of(await ann.slash("profile"))
        assert "Toad: duels of 2 days, **2 in a row**" in profile.text
        assert "No finished matches" not in profile.text
        assert "No finished matches yet" in response_of(await ben.slash("profile")).text


async def test_a_streak_of_duels_has_a_reminder(tmp_path: Path) -> None:
    """It comes if today's duels have not begun, or if yesterday's are unfinished.

    Duels that have begun can be finished on the next day, so their player gets none.
    """
    pytest.importorskip("cogs.streak_reminders")
    async with bot_harness(tmp_path) as place:
        ann, ben, cy = place.person("Ann"), place.person("Ben"), place.person("Cy")
        for person in (ann, ben, cy):
            await person.send(ephemeral_reply(await person.slash("privacy")), "sr:1")
        for _day in range(3):
            for person in (ann, ben, cy):
                await finish_day(place, person)
            await place.wait(DAY)
        await ben.slash("toad daily")
        await cy.slash("toad daily")
        await place.wait(DAY - HOUR)
        assert "Toad: duels: 3 in a row" in ann.dm.message.content
        assert ben.dms == []
        await place.wait(HOUR)
        await finish_day(place, cy)
        await place.wait(DAY - HOUR)
        assert "Toad: duels: 3 in a row" in ben.dm.message.content


async def test_duels_support_text_mode_and_german(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text mode shows no picture, and what is shared says won, drawn or lost."""
    async with bot_harness(tmp_path, locale="de") as place:
        ann = place.person("Ann")
        set_language(place, monkeypatch, Ann="de")
        await place.bot.database.players.choose(ann.id, text_table=True)
        seen = await finish_day(place, ann, label="Aufgeben")
        assert "Duelle vom 2026-01-01" in seen.text
        assert seen.alt == ""
        await ann.press("Teilen", seen)
        post = place.messages[-1].text
        assert "verloren" in post or "gewonnen" in post or "unentschieden" in post


async def test_simultaneous_clicks_in_two_processes_start_one_try(server: Server) -> None:
    """Two presses at the same time, in a channel and in another, begin one match of the first board."""
    async with fleet_harness(server) as place:
        ann = place.person("Ann")
        await ann.slash("toad daily")
        await place.quiet()
        await ann.slash("toad daily")
        await place.quiet()
        assert [match.type.board for match in await place.live()] == [0]


# ---- attacks and accidents ----------------------------------------------------------------------


async def test_a_board_that_ends_too_late_does_not_count(tmp_path: Path) -> None:
    """A board that ends too late counts nowhere, and the old buttons lead to the current day.

    The daily post of the day is closed by then. A press on its button that was still on its way begins
    today's boards.
    """
    pytest.importorskip("cogs.daily_post")
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await enable_daily_post(place)
        await place.wait(2 * HOUR)
        [post] = daily_posts(place)
        button = post.custom_id("Toad: duels")
        board = ephemeral_reply(await ann.send(post, button))
        await lose_board(ann, board)
        board = response_of(await ann.press("Next board", board))
        await place.wait(2 * DAY - 3 * HOUR)
        board = ephemeral_reply(await ann.send(post, button))
        assert (await stored_board(place, board)).type.board == 1
        await place.wait(2 * HOUR)
        assert "Toad: duels" not in daily_posts(place)[0].labels
        asked = ephemeral_reply(await ann.press("Give up", board))
        over = response_of(await ann.press("Give up", asked))
        refused = ephemeral_reply(await ann.press("Next board", over))
        assert "no longer counts. Today's boards are waiting" in refused.text
        assert "no longer counts" in ephemeral_reply(await ann.send(daily_posts(place)[0], button)).text
        for today in (await ann.slash("toad daily"), await ben.send(daily_posts(place)[0], button)):
            assert (await stored_board(place, ephemeral_reply(today))).options[DUEL] == 20260103
        before = await place.bot.database.reading.run(
            lambda sql: sql.duel_try(game="toad", day=20260101, player_id=ann.id)
        )
        assert (before["scores"], before["ended_at"]) == (LOST, 0)


async def test_giving_up_after_a_break_shows_the_result(tmp_path: Path) -> None:
    """Fifteen minutes later, Discord refuses edits of the board, so the question becomes the result."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        board = response_of(await ann.slash("toad daily"))
        await place.expire_interactions()
        asked = ephemeral_reply(await ann.press("Give up", board))
        over = response_of(await ann.press("Give up", asked))
        assert "Board 1 of 8: lost" in over.text
        assert "board 2." in response_of(await ann.press("Next board", over)).text


async def test_a_deleted_player_can_only_start_the_next_day(tmp_path: Path) -> None:
    """Forgetting halfway ends the try for good. On the next day the account has that day's boards."""
    pytest.importorskip("cogs.privacy")
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        board = response_of(await ann.slash("toad daily"))
        await lose_board(ann, board)
        board = response_of(await ann.press("Next board", board))
        asked = response_of(await ann.slash("privacy"))
        await ann.press(asked.label("Forget me"), asked)
        await place.forget(ann)
        await ann.press("Give up", board)
        for made_up in ("du:toad:20260101", "du:toad:20251231"):
            refused = ephemeral_reply(await ann.send(board, made_up))
            assert "played these duels before" in refused.text
        await place.restart()
        await place.wait(DAY)
        today = response_of(await ann.slash("toad daily"))
        assert (await stored_board(place, today)).options[DUEL] == 20260102


async def test_results_elsewhere_do_not_list_a_servers_players(tmp_path: Path) -> None:
    """Elsewhere, the results neither list a server's players nor let the user watch them."""
    pytest.importorskip("cogs.replays")
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        seen = response_of(await ann.slash("toad daily"))
        first = seen.match_id
        await lose_board(ann, seen)
        await finish_day(place, ann)
        await finish_day(place, ben)
        await place.wait(2 * DAY)
        here = ephemeral_reply(
            await ben.send(response_of(await ben.slash("privacy")), "du:toad:20260101")
        )
        assert f"v:{first}" in here.custom_ids
        place.guild = place.env.create_guild("The Ditch")
        place.channel = place.guild.create_text_channel("ditch")
        elsewhere = Person(place, place.guild.add_member(ben.actor.user))
        seen = response_of(await elsewhere.slash("privacy"))
        there = ephemeral_reply(await elsewhere.send(seen, "du:toad:20260101"))
        assert "duels of 2026-01-01" in there.text
        assert "Ann" not in there.text + there.alt
        assert f"v:{first}" not in there.custom_ids


async def test_results_are_shown_while_another_player_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player who is the first to win some boards finishes while the results of another are read."""
    async with bot_harness(tmp_path) as place:
        ann, read = place.person("Ann"), DuelTries.field

        async def read_and_finish(tries: DuelTries, duels: DuelDay) -> BoardScores:
            field = await read(tries, duels)
            ended = {"game": "toad", "day": duels.day, "scores": WON * BOARDS["toad"]}

            async def work(sql: Any) -> None:
                for guild_id in (EVERYWHERE, place.guild.id):
                    await sql.count_duel(**ended, guild_id=guild_id)

            await place.bot.database.writer.write(work)
            return field

        monkeypatch.setattr(DuelTries, "field", read_and_finish)
        assert "place 1 of 1 in this server" in (await finish_day(place, ann)).text
        assert "place 2 of 2 in this server" in response_of(await ann.slash("toad daily")).text


async def test_a_removed_player_has_no_place_in_the_server(tmp_path: Path) -> None:
    """The results of a player whom the server's boards leave out show no place among the others."""
    pytest.importorskip("cogs.corrections")
    async with bot_harness(tmp_path) as place:
        ann, ben, ada = place.person("Ann"), place.person("Ben"), add_admin(place)
        await finish_day(place, ann)
        await finish_day(place, ben, WON)
        question = ephemeral_reply(await ada.slash("correct", what="player", player=ann.actor.user))
        await ada.press("Take it off", question)
        results = response_of(await ann.slash("toad daily"))
        assert "in this server" not in results.text
        assert "place 2 of 2" in results.text
        assert "place 1 of 1 in this server" in response_of(await ben.slash("toad daily")).text

"""Tests of puzzles in a channel: the puzzle of the day and further ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest

from bot.engine.puzzle import FindPuzzle, Puzzle
from bot.engine.shuffle import lot
from bot.engine.worker_task import Read, Task
from bot.games import games
from bot.messages.components import Menu, Row
from bot.messages.deal_calendar import as_date
from bot.storage.database_address import Location, Server
from cogs.puzzles.content import PuzzleMenu, puzzle_content
from tests.discord.bot_harness import (
    MENU,
    BotHarness,
    Person,
    Seen,
    Thinkers,
    bot_harness,
    ephemeral_reply,
    response_of,
)
from tests.examples import few_or_all
from tests.games.frogger import test_puzzles as frogger
from tests.games.toad import test_puzzles as toad
from tests.messages.icons import EVERY
from tests.storage.database_types import query_rows

T = TypeVar("T")

DAY = 24 * 60 * 60


BEST_WAYS: dict[str, Callable[[Puzzle[Any]], list[int]]] = {
    "toad": toad.best_choices,
    "frogger": frogger.best_choices,
}
"""The best ways, found by playing all of them without the puzzle's own search."""


class Searchers(Thinkers):
    """Thinkers that note which puzzles they have found, by a name as its menu has it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, Puzzle[Any]] = {}

    async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
        """Find a puzzle."""
        found = await super().ask(task, who=who, read=read)
        if isinstance(task, FindPuzzle):
            name = f"pz:{task.game}:{task.grade}:{task.number}:0:{puzzle_version(task.game)}"
            self.found[name] = cast("Puzzle[Any]", found)
        return found


async def best_choice_of_day(place: BotHarness, day: int, game: str = "toad") -> int:
    """Return which way is best in the puzzle of a day."""
    number = 2**31 + lot(2**31, await place.bot.database.days.secret(), f"{game} puzzle {day}")
    return best_choice_of(game, 2, number)


def best_choice_of(game: str, grade: int, number: int) -> int:
    """Return which way is best in a puzzle."""
    puzzles = games()[game].puzzles
    assert puzzles is not None
    return puzzles.find(grade, number).ranking[0]


def puzzle_version(game: str) -> int:
    """Return the version of how a game's puzzles are found."""
    puzzles = games()[game].puzzles
    assert puzzles is not None
    return puzzles.version


def puzzle_day(seen: Seen) -> int:
    """Return the day that the menu of a puzzle names."""
    return int(puzzle_menu_id(seen).split(":")[4])


def puzzle_menu_id(seen: Seen) -> str:
    """Return the custom_id of the menu of a puzzle."""
    return next(str(part["custom_id"]) for part in seen._parts(MENU))


async def solve_puzzle(person: Person, seen: Seen, way: int) -> Seen:
    """Pick a way in the menu of a puzzle."""
    return response_of(await person.pick(str(way), seen, puzzle_menu_id(seen)))


def requests_with(place: BotHarness, words: str) -> list[dict[str, Any]]:
    """Return the requests that contain words."""
    return [one.json for one in place.env.http_requests if one.json and words in str(one.json)]


async def test_the_first_answer_to_the_daily_puzzle_counts(tmp_path: Path) -> None:
    """All users get the same puzzle. Later answers, even after a restart, do not change the streak."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        posed = response_of(await ann.slash("toad puzzle"))
        assert posed.alt == response_of(await ben.slash("toad puzzle")).alt
        today = puzzle_day(posed)
        best = await best_choice_of_day(place, today)
        await place.restart()
        wrong = await solve_puzzle(ben, response_of(await ben.slash("toad puzzle")), (best + 1) % 11)
        assert "Best:" in wrong.text
        again = await solve_puzzle(ben, response_of(await ben.slash("toad puzzle")), best)
        assert "Right" in again.text
        assert "in a row" not in again.text
        assert "Solved here by 0 of 1" in again.text
        await ben.press("Share", again)
        post = place.messages[-1].text
        assert f"<@{ben.id}>: ❌ missed" in post, "what is shared is the first answer, which counts"
        right = await solve_puzzle(ann, posed, best)
        assert "Right" in right.text
        assert "1 in a row" in right.text
        assert "Solved here by 1 of 2" in right.text
        tried = await solve_puzzle(ann, response_of(await ann.slash("toad puzzle")), (best + 1) % 11)
        await ann.press("Share", tried)
        assert (
            f"**Toad in two** · {as_date(today)} · <@{ann.id}>: ✅ 1 in a row" in place.messages[-1].text
        )
        await place.wait(DAY)
        later = response_of(await ann.slash("toad puzzle"))
        assert puzzle_day(later) > today
        unsolved = response_of(await ben.slash("toad puzzle"))
        right = await solve_puzzle(ann, later, await best_choice_of_day(place, puzzle_day(later)))
        assert "2 in a row" in right.text
        await place.wait(2 * DAY)
        stale = ephemeral_reply(await ben.pick("0", unsolved, puzzle_menu_id(unsolved)))
        assert "no longer today's puzzle" in stale.text


async def test_a_shared_result_shows_no_solution(tmp_path: Path) -> None:
    """A shared result pings no user and has a cooldown. Its button opens the puzzle in private."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("*Ben*")
        posed = response_of(await ann.slash("toad puzzle"))
        day, picture = puzzle_day(posed), posed.alt
        best = await best_choice_of_day(place, day)
        solved = await solve_puzzle(ann, posed, best)
        made_up = await ben.send(solved, f"ps:toad:{day}")
        assert "out of date" in ephemeral_reply(made_up).text
        await ann.press("Share", solved)
        [post] = [seen for seen in place.messages if "Try it" in seen.labels]
        assert "spots" not in f"{post.text}{post.alt}"
        assert post.alt == ""
        [sent] = requests_with(place, "Try it")
        assert sent["data"]["allowed_mentions"] == {"parse": []}
        assert "just shared" in ephemeral_reply(await ann.press("Share", solved)).text
        tried = ephemeral_reply(await ben.press("Try it", post))
        assert tried.alt == picture
        assert "Solved here by 1 of 1" in tried.text
        await place.bot.database.servers.change(
            place.guild.id, lambda settings: replace(settings, channels=frozenset({7}))
        )
        await solve_puzzle(ben, tried, best)
        closed = ephemeral_reply(await ben.send(tried, f"ps:toad:{day}"))
        assert "aren't played in this channel" in closed.text
        await place.wait(2 * DAY)
        assert (
            "no longer today's puzzle"
            in ephemeral_reply(await place.person("Cid").press("Try it", post)).text
        )


async def test_missed_puzzles_can_be_tried_again(tmp_path: Path) -> None:
    """Missed puzzles can be practised at any later time. The first answer remains."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        posed = response_of(await ann.slash("toad puzzle"))
        day, picture = puzzle_day(posed), posed.alt
        best = await best_choice_of_day(place, day)
        solved = await solve_puzzle(ann, posed, best)
        assert "pm:toad" not in solved.custom_ids
        await solve_puzzle(ben, response_of(await ben.slash("toad puzzle")), (best + 1) % 8)
        await place.wait(5 * DAY)
        random = response_of(await ben.slash("toad puzzle"))
        answered = await solve_puzzle(ben, random, await best_choice_of_day(place, puzzle_day(random)))
        again = response_of(await ben.pick(str(day), answered, "pm:toad"))
        assert again.alt == picture
        right = await solve_puzzle(ben, again, best)
        assert "Right" in right.text
        assert "in a row" not in right.text
        assert "Share" not in right.labels
        assert "pm:toad" in right.custom_ids
        stranger = place.person("Cid")
        theirs = response_of(await stranger.slash("toad puzzle"))
        refused = await stranger.send(theirs, "pm:toad", component_type=3, values=[str(day)])
        assert "no longer today's puzzle" in ephemeral_reply(refused).text


async def test_the_puzzle_board_ranks_members_by_solved_days(tmp_path: Path, location: Location) -> None:
    """The board of puzzles ranks members of the server by solved days, without removed players."""
    async with bot_harness(location if isinstance(location, Server) else tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        assert "/toad puzzle" in response_of(await ben.slash("leaderboard", board="toad_puzzles")).text
        posed = response_of(await ann.slash("toad puzzle"))
        best = await best_choice_of_day(place, puzzle_day(posed))
        await solve_puzzle(ann, posed, best)
        await solve_puzzle(ben, response_of(await ben.slash("toad puzzle")), (best + 1) % 8)
        ditch, lily_pad = place.env.create_guild("The Ditch"), place.channel
        place.channel = ditch.create_text_channel("mud")
        zoe = Person(place, ditch.add_member(place.env.create_user("zoe", global_name="Zoe")))
        await solve_puzzle(zoe, response_of(await zoe.slash("toad puzzle")), best)
        place.channel = lily_pad
        await place.wait(DAY)
        await place.restart()
        board = response_of(await ben.slash("leaderboard", board="toad_puzzles"))
        assert "1 Ann: 1, 1, 1. 2 Ben: 0, 1, 0." in board.alt
        assert "Zoe" not in board.alt
        off = f"{place.guild.id}, 'player', '{ann.id}', 9, {ben.id}, NULL, NULL"
        await query_rows(location, f"INSERT INTO removals VALUES ({off})")
        assert "Ann" not in response_of(await ben.slash("leaderboard", board="toad_puzzles")).alt
        await place.forget(ben)
        assert "lately" in response_of(await ann.slash("leaderboard", board="toad_puzzles")).text


async def test_extra_puzzles_accept_only_known_puzzles(tmp_path: Path) -> None:
    """A puzzle of any grade can be solved. An answer to a puzzle that was not posed is refused."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        posed = response_of(await ann.slash("toad puzzle", grade=3))
        assert "Hard" in posed.text
        solved = await solve_puzzle(ann, posed, 0)
        assert "chance of a toad" in solved.text
        assert "in a row" not in solved.text
        another = response_of(await ann.press("Medium", solved))
        assert "Medium" in another.text
        day = puzzle_day(response_of(await ann.slash("toad puzzle")))
        of_another_grade = (f"{grade}:0:{day}:2" for grade in (1, 3))
        for made_up in (f"2:{2**31}:0:2", *of_another_grade):
            refused = ephemeral_reply(await ann.send(another, f"pz:toad:{made_up}", values=["0"]))
            assert "isn't one of my puzzles" in refused.text
        for former in (f"2:0:{day}", "2:7:0", "2:7:0:1"):
            refused = ephemeral_reply(await ann.send(another, f"pz:toad:{former}", values=["0"]))
            assert "from before an update" in refused.text
        assert place.faults() == []


async def test_a_frogger_puzzle_asks_for_the_first_action(tmp_path: Path) -> None:
    """A puzzle of Frogger asks for the first action of a turn, and its solution shows the rest."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        posed = response_of(await ann.slash("frogger puzzle"))
        assert "Home in one turn" in posed.text
        assert "May move" in (posed.alt or "")
        best = await best_choice_of_day(place, puzzle_day(posed), "frogger")
        right = await solve_puzzle(ann, posed, best)
        assert "Then " in right.text
        assert "and all your frogs are home" in right.text
        assert "1 in a row" in right.text
        await ann.press("Share", right)
        assert "Home in one turn" in place.messages[-1].text
        toad_posed = response_of(await ann.slash("toad puzzle"))
        other = (await best_choice_of_day(place, puzzle_day(toad_posed)) + 1) % 8
        assert "1 in a row" not in (await solve_puzzle(ann, toad_posed, other)).text, (
            "each game has its own"
        )
        posed = response_of(await ann.press("Hard", right))
        best = best_choice_of("frogger", 3, int(puzzle_menu_id(posed).split(":")[3]))
        wrong = await solve_puzzle(ann, posed, (best + 1) % 8)
        assert "Best: move back" in wrong.text
        assert "Then play" in wrong.text
        assert "chance of a toad" not in wrong.text
        assert place.faults() == []


@pytest.mark.parametrize("game", BEST_WAYS)
async def test_each_puzzle_has_one_best_answer(tmp_path: Path, game: str) -> None:
    """Playing out all answers of a puzzle finds exactly one best answer, and it is judged right."""
    thinkers = Searchers()
    async with bot_harness(tmp_path, opponents=thinkers) as place:
        ann = place.person("Ann")
        posed = response_of(await ann.slash(f"{game} puzzle", grade=1))
        for label in few_or_all((), ("Medium", "Hard", "Easy", "Medium", "Hard")):
            [best] = BEST_WAYS[game](thinkers.found[puzzle_menu_id(posed)])
            solved = await solve_puzzle(ann, posed, best)
            assert "Right" in solved.text
            posed = response_of(await ann.press(label, solved))
        [best] = BEST_WAYS[game](thinkers.found[puzzle_menu_id(posed)])
        assert "Right" in (await solve_puzzle(ann, posed, best)).text


@pytest.mark.parametrize("key", ["toad", "frogger"])
def test_puzzle_menus_use_words_instead_of_emoji(key: str) -> None:
    """The options of a puzzle's menu contain words instead of custom emoji."""
    game = games()[key]
    assert game.puzzles is not None
    posed = puzzle_content(game, PuzzleMenu(key, 1, 0), game.puzzles.find(1, 0), EVERY)
    menus = [item for row in posed.parts if isinstance(row, Row) for item in row.items]
    labels = [way.label for menu in menus if isinstance(menu, Menu) for way in menu.options]
    assert len(labels) >= 8
    assert not [label for label in labels if "<:" in label]

"""Puzzles, as ``/toad puzzle``: one per day for all players, and any number of others, all in private.

The puzzle of a day is drawn from the day and a secret, so that no player can know it before. The others
are random. The first answer to a day's puzzle is stored and counts.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import handles
from bot.delivery.display import Display
from bot.delivery.start_checks import plays_here
from bot.delivery.turn_pings import COOLDOWN_SECONDS, RecentActivity
from bot.engine.game import AnyGame
from bot.engine.immutable import frozen
from bot.engine.name_sanitizing import Name, server_name
from bot.engine.panel import Tone
from bot.engine.puzzle import EASY, GRADES, HARD, MIDDLE, MOST_WAYS, AnyPuzzles, FindPuzzle, Puzzle
from bot.engine.shuffle import lot
from bot.engine.words import N_, _, speaking
from bot.features import BoardChoice, BoardReaders, Command, DayStreak, Feature
from bot.matches.leaderboard import PUZZLE_BOARD_DAYS
from bot.matches.match import Player
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import Button, Content, Menu, Option, Picture, Row, Text, layout, row
from bot.messages.custom_ids import GAME, Control, Plain, number_in
from bot.messages.daily_items import DailyItem, DayNews, longest_streaks
from bot.messages.deal_calendar import (
    Streak,
    as_date,
    day_before,
    day_of,
    is_day,
    row_lately,
    streak_up_to,
)
from bot.messages.leaderboard_pages import PAGE_SIZE, Board, BoardPage, Page, board_content
from bot.messages.text_table import as_liked
from bot.messages.time_limits import when
from bot.requests.answers import answering
from bot.sessions.errors import TableError
from bot.sessions.ports import Opponents
from bot.storage.outages import off_days
from bot.storage.ranked_boards import RankedBoards
from bot.storage.sql import Sql

GRADE_WORDS = {EASY: N_("Easy"), MIDDLE: N_("Middle"), HARD: N_("Hard")}
MOST_STREAKS = 50
"""Number of players whose streaks are computed for a server."""
MOST_MISSED = 25
"""Discord's limit for the options of a menu."""

OF_A_DAY = MIDDLE
"""The grade of the puzzles of the day."""


@frozen
class Posed(Control):
    """A puzzle's menu. It names the puzzle of a ``day``, or a grade and a ``number``.

    Attributes:
        number: The number of a random puzzle.
        day: The day, such as 20261121, or 0 for a random puzzle.
        version: Version of the game's search for puzzles.
        way: The picked answer.
    """

    pattern = re.compile(
        rf"pz:{GAME}:(?P<grade>[123]):(?P<number>\d{{1,10}}):(?P<day>\d{{1,8}})(:(?P<version>\d{{1,4}}))?"
    )
    kind = "solve"

    game: str
    grade: int
    number: int = 0
    day: int = 0
    version: int = 1
    way: int = MOST_WAYS

    @property
    def custom_id(self) -> str:
        return f"pz:{self.game}:{self.grade}:{self.number}:{self.day}:{self.version}"

    @property
    def title(self) -> str:
        return as_date(self.day).isoformat() if self.day else _(GRADE_WORDS[self.grade])

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        way = number_in(values[0], MOST_WAYS - 1) if values else None
        numbers = {part: int(found[part] or 1) for part in ("grade", "number", "day", "version")}
        if way is None or (numbers["day"] and not is_day(numbers["day"])):
            return None
        return cls(found["game"], **numbers, way=way)


@frozen
class PoseToday(Plain):
    """A button that asks for the puzzle of the day on which it is pressed."""

    kind = "puzzle of the day"
    form = "po:{0.game}"

    game: str


@frozen
class Pose(Plain):
    """A button that asks for another puzzle of a grade."""

    kind = "another puzzle"
    form = "pn:{0.game}:{0.grade}"

    game: str
    grade: int


@frozen
class TryDay(Plain):
    """A button that shows the puzzle of a day to its user."""

    kind = "puzzle of a day"
    form = "py:{0.game}:{0.day}"

    game: str
    day: int


@frozen
class ShareDay(Plain):
    """A button that posts the user's result of a day's puzzle."""

    kind = "share a puzzle"
    form = "ps:{0.game}:{0.day}"

    game: str
    day: int


@frozen
class PickMissed(Control):
    """The day picked among the puzzles that the user has missed."""

    pattern = re.compile(rf"pm:{GAME}")
    kind = "missed puzzle"

    game: str
    day: int


@frozen
class Standing:
    """The state of a day's puzzle for a user.

    Attributes:
        streak: The streak that ends with the day.
        answered: The number of players of the server who have answered.
        solved: The number of those who were right.
        missed: The recent days that the user has missed, latest first.
        is_open: True until the end of the following day, while all may answer.
    """

    streak: Streak = Streak()
    answered: int = 0
    solved: int = 0
    missed: Sequence[int] = ()
    is_open: bool = False

    @property
    def lines(self) -> list[str]:
        words = _("-# Solved here by {n} of {players}")
        return [words.format(n=self.solved, players=self.answered)] if self.answered else []


def puzzle_content(
    game: AnyGame,
    posed: Posed,
    puzzle: Puzzle[Any],
    look: Appearance = PLAIN,
    standing: Standing | None = None,
) -> Content:
    puzzles = puzzles_of(game)
    menu = Menu(
        posed.custom_id,
        _(puzzles.choice),
        tuple(
            Option(look.labelled(_capital(puzzles.told(puzzle.state, way)), "", None)[1], str(number))
            for number, way in enumerate(puzzle.ways)
        ),
    )
    question = "\n".join((_(puzzles.question), *(standing.lines if standing else ())))
    return layout(*_head(game, posed, puzzle, look), Text(question), Row((menu,)))


def solved_content(
    game: AnyGame, posed: Posed, puzzle: Puzzle[Any], standing: Standing, look: Appearance = PLAIN
) -> Content:
    """Return the answer to a puzzle."""
    puzzles, way, best = puzzles_of(game), posed.way, puzzle.ranking[0]
    is_right = way == best
    said = _("✅ **Right: {best}.**") if is_right else _("❌ {picked}. **Best was: {best}.**")
    said = said.format(
        picked=_capital(puzzles.told(puzzle.state, puzzle.ways[way])),
        best=puzzles.told(puzzle.state, puzzle.ways[best]),
    )
    lines = [look.told(f"{said} {puzzles.verdict(puzzle, way)}")]
    if standing.streak.length:
        lines.append(f"📅 {standing.streak.words}")
    lines += standing.lines
    share = Button(ShareDay(posed.game, posed.day).custom_id, _("Share"), emoji="📣")
    again = [
        Button(Pose(posed.game, grade).custom_id, _(words), Tone.PLAIN)
        for grade, words in GRADE_WORDS.items()
    ]
    more = Text(_("Another one:"))
    days = tuple(Option(as_date(day).isoformat(), str(day)) for day in standing.missed)
    missed = [Row((Menu(f"pm:{posed.game}", _("Try again"), days),))] if days else []
    share_rows = [row(share)] if standing.is_open else []
    text = Text("\n".join(lines))
    return layout(*_head(game, posed, puzzle, look), text, *share_rows, more, row(*again), *missed)


def shared_content(game: AnyGame, day: int, player_id: int, streak: Streak) -> Content:
    """Return a post about a player's first answer to a day's puzzle, without the solution."""
    result = f"✅ {streak.words}" if streak.length else _("❌ missed")
    words = f"🐸 **{_(puzzles_of(game).name)}** · {as_date(day)} · <@{player_id}>: {result}"
    return layout(Text(words), row(Button(TryDay(game.info.key, day).custom_id, _("Try it"), Tone.GOOD)))


def _head(game: AnyGame, posed: Posed, puzzle: Puzzle[Any], look: Appearance) -> tuple[Text, Picture]:
    names = (_("You"), _("Rival"))
    scene = game.scene(game.view(puzzle.state, 0), names)
    return Text(f"### {_(puzzles_of(game).name)} · {posed.title}"), Picture(look.coloured(scene))


def _name(game: AnyGame) -> str:
    return _(puzzles_of(game).name)


def _today_buttons(game: AnyGame, _day: int) -> tuple[Button]:
    return (Button(PoseToday(game.info.key).custom_id, _name(game), Tone.GOOD),)


def puzzles_of(game: AnyGame) -> AnyPuzzles:
    assert game.puzzles is not None, "they are offered"
    return game.puzzles


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def puzzle_board(game: AnyGame, key: str, server: Name) -> Board:
    return Board(
        title=_("## 🏆 {game} in {server}").format(game=_(puzzles_of(game).name), server=server),
        hint=_("Nobody has answered a puzzle lately. Today's is `/{command} puzzle`.").format(
            command=game.info.command
        ),
        headings=(_("Solved"), _("Answered"), _("In a row")),
        cells=lambda place: (str(place.wins), str(place.matches), str(place.figures[ROW])),
        turn=lambda number, button: BoardPage(key, number).named(button),
        legend=_("-# The puzzles of the last {n} days, by the first answer.").format(
            n=PUZZLE_BOARD_DAYS
        ),
    )


ROW = "in a row"
"""Key of the length of the streak that ends today or yesterday."""

NUMBERS = 2**31
"""Lowest number of a day's puzzle. Random puzzles have lower numbers."""


@dataclass(eq=False)
class Puzzles(commands.Cog):
    """Puzzles and their answers."""

    _display: Display
    _thinkers: Opponents
    _played: Callable[[int | None], Awaitable[None]]
    _shared: RecentActivity
    _boards: RankedBoards = field(default_factory=RankedBoards)

    def commands_of(self, game: AnyGame) -> Iterable[Command]:
        if game.puzzles is None:
            return

        @app_commands.command()
        @app_commands.describe(grade="Any one of this grade (the puzzle of the day if you don't say)")
        @app_commands.choices(
            grade=[app_commands.Choice(name=_(name), value=each) for each, name in GRADE_WORDS.items()]
        )
        async def puzzle(interaction: discord.Interaction, grade: int | None = None) -> None:
            """Find the best turn in a position; only you see it. There is one a day for everybody."""
            async with answering(interaction) as answer:
                await answer.whisper(await self._posed(interaction, game, grade))

        yield puzzle

    def boards(self) -> Iterable[BoardChoice]:
        for key, game in self._display.tables.games.items():
            if game.puzzles is not None:
                board = f"{key}_puzzles"
                yield BoardChoice(
                    board, f"{game.info.command.capitalize()}: puzzles", partial(self._page, game, board)
                )

    def daily_items(self) -> Iterable[DailyItem]:
        for key, game in self._display.tables.games.items():
            if game.puzzles is not None:
                name = partial(_name, game)
                yield DailyItem(
                    f"{key}_puzzle", name, partial(self._news, game), partial(_today_buttons, game)
                )

    async def _news(self, game: AnyGame, guild_id: int, day: int) -> DayNews:
        """Return the news of a game's puzzle of a day for the post of a server."""
        before, key = day_before(day), game.info.key
        settled = day_before(before)
        days = {"since": settled, "until": day}

        async def work(sql: Sql) -> DayNews:
            found = sql.puzzle_days(guild_id=guild_id, game=key, **days)
            rows = [row async for row in found]
            lately = {row["player_id"]: row for row in rows if row["is_right"] and row["day"] != settled}
            off, streaks = await off_days(sql), list[tuple[Player, int]]()
            for player_id, one in list(lately.items())[:MOST_STREAKS]:
                won = {
                    as_date(each["day"]) async for each in sql.days_right(player_id=player_id, game=key)
                }
                player = Player(player_id, one["name"], user_name=one["user_name"] or "")
                streaks.append((player, row_lately(won, as_date(day), off)))
            right = [row["is_right"] for row in rows if row["day"] == settled]
            words = _("🏆 {day}: solved by {n} of {players}")
            told = words.format(day=as_date(settled), n=sum(right), players=len(right)) if right else ""
            played = (sum(row["day"] == each for row in rows) for each in (day, before))
            return DayNews(told, longest_streaks(streaks), *played)

        return await self._display.database.surveying.run(work)

    @handles(PoseToday)
    async def pose_today(self, clicked: ClickContext, asked: PoseToday) -> None:
        content = await self._posed(clicked.interaction, self._game(asked.game), None)
        await clicked.answer.whisper(content)

    def streaks(self) -> Iterable[DayStreak]:
        for key, game in self._display.tables.games.items():
            if game.puzzles is not None:
                name, command = partial(_name, game), f"{game.info.command} puzzle"
                yield DayStreak(name, command, partial(self._at_stake, key))

    async def _at_stake(self, game: str, player_id: int, day: int) -> int:
        """Return the length of a player's streak if a day's puzzle was not answered yet, or 0."""
        off_days = await self._display.database.outages.off_days()

        async def work(sql: Sql) -> int:
            if await sql.has_answered(player_id=player_id, game=game, day=day):
                return 0
            found = sql.days_right(player_id=player_id, game=game)
            return row_lately({as_date(row["day"]) async for row in found}, as_date(day), off_days)

        return await self._display.database.surveying.run(work)

    @handles(Pose, in_private=True)
    async def pose(self, clicked: ClickContext, asked: Pose) -> None:
        content = await self._posed(clicked.interaction, self._game(asked.game), asked.grade)
        await clicked.answer.update(content)

    @handles(Posed, in_private=True)
    async def solve(self, clicked: ClickContext, asked: Posed) -> None:
        game, standing = self._game(asked.game), Standing()
        puzzle = await self._found(clicked.interaction, game, asked)
        if asked.way >= len(puzzle.ways):
            raise TableError(_("That is no turn of this puzzle."))
        if asked.day:
            is_right = asked.way == puzzle.ranking[0]
            await self._store(asked, clicked.player_id, is_right=is_right)
            standing = await self._standing(clicked.interaction, asked.game, asked.day)
            await self._played(clicked.interaction.guild_id)
        look = await self._display.appearances.of_asker(clicked.interaction)
        content = solved_content(game, asked, puzzle, standing, look)
        await clicked.answer.update(as_liked(content, look))

    @handles(TryDay)
    async def try_day(self, clicked: ClickContext, asked: TryDay) -> None:
        content = await self._posed(clicked.interaction, self._game(asked.game), None, asked.day)
        await clicked.answer.whisper(content)

    @handles(PickMissed, in_private=True)
    async def try_again(self, clicked: ClickContext, picked: PickMissed) -> None:
        content = await self._posed(clicked.interaction, self._game(picked.game), None, picked.day)
        await clicked.answer.update(content)

    @handles(ShareDay, in_private=True)
    async def share(self, clicked: ClickContext, asked: ShareDay) -> None:
        game, interaction = self._game(asked.game), clicked.interaction
        is_answered = await self._has_answered(clicked.player_id, asked.game, asked.day)
        if not (is_answered and _is_open(interaction, asked.day)):
            raise unknown_button()
        if not await plays_here(self._display, interaction):
            raise TableError(_("Games aren't played in this channel, so I don't post here."))
        if (until := self._shared.until(clicked.player_id)) is not None:
            words = _("You have just shared a puzzle. You can share the next one {when}.")
            raise TableError(words.format(when=when(until)))
        self._shared.note(clicked.player_id)
        standing = await self._standing(interaction, asked.game, asked.day)
        with speaking(await self._display.plans.spoken(interaction, in_public=True)):
            content = shared_content(game, asked.day, clicked.player_id, standing.streak)
        await clicked.answer.post(content)

    async def _page(
        self, game: AnyGame, key: str, asked: discord.Interaction | BoardReaders, number: int
    ) -> Content | None:
        guild, player_id, today = asked.guild, asked.user.id, asked.created_at.date()
        if guild is None:
            return None
        since = day_of(asked.created_at - timedelta(days=PUZZLE_BOARD_DAYS))
        off_days = await self._display.database.outages.off_days()
        key_of_board = (guild.id, game.info.key, since)

        async def work(sql: Sql) -> Page:
            find = partial(sql.puzzle_board, guild_id=guild.id, game=game.info.key, since=since)
            shown, count, rows = await self._boards.page(
                sql, key_of_board, find, number, PAGE_SIZE, guild.id, player_id
            )
            for at, place in enumerate(rows):
                found = sql.days_right(player_id=place.player_id, game=game.info.key)
                right = {as_date(day["day"]) async for day in found}
                rows[at] = replace(place, figures={ROW: row_lately(right, today, off_days)})
            return Page(shown, count, rows)

        page = await self._display.database.surveying.run(work)
        return board_content(puzzle_board(game, key, server_name(guild.name)), page, player_id)

    def _game(self, key: str) -> AnyGame:
        game = self._display.tables.games.get(key)
        if game is None or game.puzzles is None:
            raise unknown_button()
        return game

    async def _posed(
        self, asked: discord.Interaction, game: AnyGame, grade: int | None, day: int | None = None
    ) -> Content:
        """Return a puzzle of a grade, or the puzzle of a day, or today's."""
        key, version, standing = game.info.key, puzzles_of(game).version, None
        if grade is None:
            posed = Posed(key, OF_A_DAY, day=day or day_of(asked.created_at), version=version)
            standing = await self._standing(asked, key, posed.day)
        else:
            posed = Posed(key, grade, secrets.randbelow(NUMBERS), version=version)
        puzzle = await self._found(asked, game, posed)
        look = await self._display.appearances.of_asker(asked)
        return as_liked(puzzle_content(game, posed, puzzle, look, standing), look)

    async def _found(self, asked: discord.Interaction, game: AnyGame, posed: Posed) -> Puzzle[Any]:
        """Return a puzzle. That of a day is available until the end of the following day.

        Later it is available for practice to players who have answered it.

        Raises:
            TableError: The puzzle is outdated, or was never posed.
        """
        number, puzzles = posed.number, puzzles_of(game)
        if posed.version != puzzles.version:
            raise TableError(_("That puzzle is from before an update. Ask for another one."))
        if posed.day and posed.grade == OF_A_DAY:
            if not (
                _is_open(asked, posed.day)
                or await self._has_answered(asked.user.id, posed.game, posed.day)
            ):
                raise TableError(_("That is not today's puzzle any more."))
            secret = await self._display.database.days.secret()
            number = NUMBERS + lot(NUMBERS, secret, f"{posed.game} puzzle {posed.day}")
        elif posed.day or number >= NUMBERS or posed.grade not in GRADES:
            raise TableError(_("That is no puzzle of mine."))
        search = FindPuzzle(posed.game, puzzles.find, posed.grade, number)
        return await self._thinkers.ask(search, who=asked.user.id)

    async def _store(self, posed: Posed, player_id: int, *, is_right: bool) -> None:
        """Store the first answer to a day's puzzle."""
        answer = {
            "player_id": player_id,
            "game": posed.game,
            "day": posed.day,
            "is_right": int(is_right),
        }
        await self._display.database.writer.write(lambda sql: sql.answer_puzzle(**answer))

    async def _has_answered(self, player_id: int, game: str, day: int) -> bool:
        whose = {"player_id": player_id, "game": game, "day": day}
        return bool(await self._display.database.reading.run(lambda sql: sql.has_answered(**whose)))

    async def _standing(self, asked: discord.Interaction, game: str, day: int) -> Standing:
        """Return the state of a day's puzzle for a user and the user's server."""
        whose, since = {"player_id": asked.user.id, "game": game}, asked.created_at
        where = {"game": game, "day": day, "guild_id": asked.guild_id or 0}
        off_days = await self._display.database.outages.off_days()
        first = day_of(since - timedelta(days=PUZZLE_BOARD_DAYS))

        async def work(sql: Sql) -> Standing:
            right = {as_date(row["day"]) async for row in sql.days_right(**whose)}
            missed = [
                row["day"] async for row in sql.days_missed(**whose, since=first, limit=MOST_MISSED)
            ]
            counts = await sql.puzzle_counts(**where)
            streak = streak_up_to(right, as_date(day), off_days)
            return Standing(
                streak, counts["answered"], int(counts["solved"] or 0), missed, _is_open(asked, day)
            )

        return await self._display.database.surveying.run(work)


def _is_open(asked: discord.Interaction, day: int) -> bool:
    return day in (day_of(asked.created_at), day_of(asked.created_at - timedelta(days=1)))


async def setup(bot: Ribit) -> None:
    shared = RecentActivity(bot.tables.clock, COOLDOWN_SECONDS)
    cog = Puzzles(bot.display, bot.thinkers, bot.post_schedule.played, shared)
    await bot.add_feature(
        Feature(
            cog,
            of_game=cog.commands_of,
            boards=[*cog.boards()],
            daily_items=[*cog.daily_items()],
            streaks=[*cog.streaks()],
        )
    )

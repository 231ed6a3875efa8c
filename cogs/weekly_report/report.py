"""A server's weekly report, with the week's ranking and its most remarkable matches.

Players earn points for matches, deals of the day, puzzles and duels.
"""

from __future__ import annotations

from calendar import SUNDAY
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from bot.delivery.display import Display
from bot.delivery.regular_posts import PostSchedule
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.name_sanitizing import is_forgotten
from bot.engine.scene import Caption, Podium, Scene, Standing
from bot.engine.translation import _, ngettext
from bot.matches.leaderboard_rules import BEYOND, DAY_SECONDS, Uncounted
from bot.matches.match import Player, Result
from bot.messages.button_rows import ButtonPlace, feature_buttons, with_last
from bot.messages.components import GOLD, Content, ScenePicture, Text, layout
from bot.messages.deal_calendar import as_date, ends_at
from bot.messages.player_names import drawn_names
from bot.messages.table_view import table_view
from bot.sessions.table_state import Table
from bot.storage.leaderboard_totals import shown_players, stored_results
from bot.storage.named_queries import Sql
from bot.storage.regular_posts import PostSettings, RegularPost
from bot.storage.writer import ReadStore

WON, LOST, DEAL, PUZZLE, DUELS, COMPUTER_PLAYER = 10, 2, 3, 1, 1, 1
"""Points for each result."""

MOST_COMPUTER_PLAYERS = 3
"""Maximum number of daily wins against computer players that earn points."""

NO_POINTS = {Uncounted.AGAIN.value, Uncounted.UNPLAYED.value, Uncounted.OFTEN.value}

WEEKLY = "weekly"
STEPS = 3
FEWEST_WINS = 2

_WIDTH, _MARGIN, _LINE, _TEXT = 7.4, 0.15, 0.45, 0.3


@frozen
class WeekSeat:
    """A player's seat and result in one of the week's matches.

    Attributes:
        player: The player.
        match_id: The match's ID.
        game: The game's key.
        day: The day on which the match ended, as a number of days since 1970-01-01.
        result: The player's result in the match.
        is_computer: Whether a computer player had the seat when the match ended.
    """

    player: Player
    match_id: str
    game: str
    day: int
    result: Result
    is_computer: bool = False

    @property
    def is_won(self) -> bool:
        return self.result.won and not (self.is_computer or self.result.handed_over)

    @property
    def is_played(self) -> bool:
        return self.result.played and not self.is_computer


@frozen
class Week:
    """The results of one week in a server, as its weekly report shows them.

    Attributes:
        points: Each player who earned points, with the number of points, best player first.
        closest: The winner and the runner-up of the closest match. Empty if there was no such match.
        comeback: The winner of the match with the greatest comeback, or None if there was none.
        unbeaten: The players who won at least ``FEWEST_WINS`` matches and lost none.
    """

    points: Sequence[tuple[Player, int]]
    closest: Sequence[WeekSeat]
    comeback: WeekSeat | None
    unbeaten: Sequence[Player]


def week_of(
    seats: Sequence[WeekSeat], days: Iterable[tuple[Player, int]], games: Mapping[str, AnyGame]
) -> Week:
    """Compute the results of one week in a server.

    Args:
        seats: The seats in all matches that earn points.
        days: Players with the points that they earned in daily deals, puzzles and duels.
        games: The games, by key.
    """
    points, wins, losers = Counter[int](), Counter[int](), set[int]()
    computer_wins = Counter[tuple[int, int]]()
    people = dict[int, Player]()
    matches = defaultdict[str, list[WeekSeat]](list)
    for player, earned in days:
        people[player.id] = player
        points[player.id] += earned
    mixed_ids = {seat.match_id for seat in seats if seat.player.is_computer_player}
    for seat in seats:
        player, is_among_people = seat.player, seat.match_id not in mixed_ids
        if is_among_people:
            matches[seat.match_id].append(seat)
        if seat.player.is_computer_player or not seat.is_played:
            continue
        people[player.id] = player
        if is_among_people:
            points[player.id] += WON if seat.is_won else LOST
            wins[player.id] += seat.is_won
            if not seat.is_won:
                losers.add(player.id)
        elif seat.is_won and computer_wins[player.id, seat.day] < MOST_COMPUTER_PLAYERS:
            computer_wins[player.id, seat.day] += 1
            points[player.id] += COMPUTER_PLAYER
    ranked = sorted(points, key=lambda player_id: (-points[player_id], -wins[player_id], player_id))
    winners = sorted(wins, key=lambda player_id: (-wins[player_id], player_id))
    leads = [lead for match in matches.values() if (lead := _lead(match, games)) is not None]
    won_seats = [seat for match in matches.values() for seat in match if seat.is_won]
    comebacks = [seat for seat in won_seats if seat.result.figures.get("comebacks")]
    return Week(
        [(people[player_id], points[player_id]) for player_id in ranked if points[player_id]],
        min(leads, key=lambda lead: lead[0])[1] if leads else (),
        max(comebacks, key=lambda seat: seat.result.figures.get("pot", 0)) if comebacks else None,
        [people[key] for key in winners if wins[key] >= FEWEST_WINS and key not in losers],
    )


def _lead(
    match: Sequence[WeekSeat], games: Mapping[str, AnyGame]
) -> tuple[tuple[int, int], list[WeekSeat]] | None:
    """Return a match's closeness, its winner and the runner-up.

    Returns:
        A sort key that is lower for closer matches, and the seats of the winner and the runner-up. None
        if the game does not measure leads, if the match does not have exactly one winner and at least
        one loser, or if a player did not play until the end.
    """
    game = games.get(match[0].game)
    keys = [figure.key for figure in game.info.figures if figure.measures_lead] if game else []
    winners = [seat for seat in match if seat.is_won]
    losers = [seat for seat in match if not seat.is_won]
    if not keys or len(winners) != 1 or not losers or not all(seat.is_played for seat in match):
        return None
    runner_up = max(losers, key=lambda seat: seat.result.figures.get(keys[0], 0))
    most = winners[0].result.figures.get(keys[0], 0)
    return (most - runner_up.result.figures.get(keys[0], 0), -most), [winners[0], runner_up]


def report_scene(
    week: Week, streaks: Sequence[tuple[Player, int]], games: Mapping[str, AnyGame]
) -> Scene:
    """Draw a weekly report's picture.

    It shows a podium with the first three players, and a line of text for each remarkable result.
    """
    first = week.points[:STEPS]
    names = drawn_names([player for player, _points in first])
    places = [1 + sum(other > earned for _player, other in first) for _player, earned in first]
    notes = [ngettext("{n} point", "{n} points", n).format(n=n) for _player, n in first]
    standings = tuple(
        Standing(step, name, place, note, crowned=place == 1)
        for step, (name, place, note) in enumerate(zip(names, places, notes, strict=True))
    )
    width = _WIDTH - 2 * _MARGIN
    podium = Podium(_MARGIN, _MARGIN, width, standings)
    top = 2 * _MARGIN + podium.height
    lines = [f"{title}: {text}" for title, text in _facts(week, streaks, games) if text]
    if len(first) == 1:  # the podium of one has no name
        lines = [names[0], *lines]
    captions = [
        Caption(line, _MARGIN, top + at * _LINE, _TEXT, room=width) for at, line in enumerate(lines)
    ]
    return Scene(_WIDTH, top + len(lines) * _LINE + _MARGIN, (podium, *captions))


def _facts(
    week: Week, streaks: Sequence[tuple[Player, int]], games: Mapping[str, AnyGame]
) -> Iterable[tuple[str, str]]:
    if streaks:
        player, days = streaks[0]
        words = ngettext("{name}, {n} day", "{name}, {n} days", days)
        yield _("Longest streak"), words.format(name=drawn_names([player])[0], n=days)
    if week.closest:
        names = drawn_names([seat.player for seat in week.closest])
        words = _("{first} – {second} ({game})").format(
            first=names[0], second=names[1], game=games[week.closest[0].game].info.name
        )
        yield _("Closest match"), words
    if week.comeback:
        yield _("Greatest comeback"), drawn_names([week.comeback.player])[0]
    yield _("Unbeaten"), ", ".join(drawn_names(week.unbeaten[:STEPS]))


@dataclass(eq=False)
class WeeklyReport(ReadStore):
    """Database queries and message content for servers' weekly reports."""

    _display: Display
    _schedule: PostSchedule

    def __post_init__(self) -> None:
        super().__init__(self._display.database.surveying)

    async def content(self, post: RegularPost, _settings: PostSettings) -> Content | None:
        """Return the weekly report that a server gets on a Sunday.

        If no player earned points, return None, or a short message if a report must be replaced because
        it has already been posted.

        The report covers matches of the seven days up to Friday (UTC), and the deals, puzzles and duels
        of the seven days up to Thursday. All of them are finished when the report is posted, in every
        time zone.
        """
        last = _last_day(post)
        week = await self._load_week(post)
        if not week.points:
            return (
                None
                if post.message_id is None
                else layout(Text(_("There's nobody left in this report.")))
            )
        settled_day = _day_number(last - timedelta(days=1))
        news = [await item.news(post.guild_id, settled_day) for item in self._schedule.items]
        streaks = [streak for item_news in news for streak in item_news.streaks]
        streaks.sort(key=lambda streak: -streak[1])
        games = self._display.tables.games
        days = _("{first} to {last}").format(first=last - timedelta(days=6), last=last)
        title = "### 🏆 " + _("The week's winners") + f"\n-# {days}"
        legend = _(
            "-# A win over people gets {won} points, a loss {lost}, and a deal of the day {deal}. "
            "A puzzle, half of a day's duels or a win against frogs gets {puzzle}."
        ).format(won=WON, lost=LOST, deal=DEAL, puzzle=PUZZLE)
        picture = ScenePicture(report_scene(week, streaks, games))
        best_seat = week.comeback or next(iter(week.closest), None)
        match = await self._display.tables.journal.find(best_seat.match_id) if best_seat else None
        table = Table(match, games[match.game]) if match else None
        buttons = feature_buttons(ButtonPlace.SHARED, table_view(table)) if table else []
        return layout(Text(title), picture, Text(legend), *with_last([], *buttons), colour=GOLD)

    async def first_of(self, post: RegularPost) -> int:
        """Return the ID of the best player in a weekly report, or 0 if no player has points.

        Players who had their data deleted are skipped.
        """
        points = (await self._load_week(post)).points
        return next((player.id for player, _points in points if not is_forgotten(player.id)), 0)

    async def _load_week(self, post: RegularPost) -> Week:
        return await self._reader.run(lambda sql: self._read_week(sql, post.guild_id, _last_day(post)))

    async def _read_week(self, sql: Sql, guild_id: int, last: date) -> Week:
        first = last - timedelta(days=7)
        ended = {"since": ends_at(_day_number(first)), "until": ends_at(_day_number(last))}
        hidden = {row["subject"] async for row in sql.players_off(guild_id=guild_id)}
        counted = [
            row
            async for row in sql.week_seats(guild_id=guild_id, **ended)
            if (row["uncounted"] or "") not in NO_POINTS and str(row["player_id"]) not in hidden
        ]
        results = {
            (match_id, result.seat): result
            for match_id in {row["id"] for row in counted}
            for result in await stored_results(sql, match_id)
        }
        last_daily = _day_number(last - timedelta(days=1))
        days = {"guild_id": guild_id, "first": _day_number(first), "last": last_daily}
        daily = [(DEAL, row) async for row in sql.week_days(**days, beyond=BEYOND)]
        daily += [(PUZZLE, row) async for row in sql.week_puzzles(**days)]
        daily += [(DUELS, row) async for row in sql.week_duels(**days)]
        daily = [(points, row) for points, row in daily if str(row["player_id"]) not in hidden]
        players = await shown_players(sql, guild_id, [*counted, *(row for _points, row in daily)])
        seats = [
            WeekSeat(
                players[row["player_id"]],
                row["id"],
                row["game"],
                row["ended_at"] // DAY_SECONDS,
                result,
                row["strength"] is not None,
            )
            for row in counted
            if (result := results.get((row["id"], row["seat"])))
        ]
        points = [(players[row["player_id"]], per_day * row["days"]) for per_day, row in daily]
        return week_of(seats, points, self._display.tables.games)


def _last_day(post: RegularPost) -> date:
    return as_date(post.day) - timedelta(days=2)


def _day_number(day: date) -> int:
    return int(f"{day:%Y%m%d}")


def next_sunday(day: date) -> date:
    return day + timedelta(days=(SUNDAY - day.weekday()) % 7)

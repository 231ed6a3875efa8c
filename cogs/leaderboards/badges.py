"""Bronze, silver and gold badges.

Badges are computed from a player's totals and are not stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from datetime import date
from functools import partial
from typing import TypeAlias

from bot.engine.frozen import frozen
from bot.engine.opponent import Strength
from bot.engine.scene import Medal
from bot.engine.translation import N_, _
from bot.matches.leaderboard_rules import HELPED, Counted, LeaderboardRow
from bot.matches.match import Match
from bot.messages.deal_calendar import as_date
from bot.messages.streaks import longest_row

DEALS = ""
"""Key of the deal of the day in ``Career.days``. All other keys are games with puzzles."""

Days: TypeAlias = dict[date, bool]
"""The days on which a player tried a deal or puzzle. The value is True if the player succeeded."""


@frozen
class Results:
    """Profile statistics that are computed from a player's individual matches.

    Attributes:
        sizes: Matches and wins in matches without computer players, by game and number of seats.
        quickest: The lowest number of turns in which the player completed a toad, a hand with exactly
            10 red and 10 black spots. 0 if the player never has.
        rivals: The opponents whom the player has met most often, without computer players.
        against_computer: Statistics of matches against computer players, by key. Each value is a total,
            except that ``quickest`` is a minimum.
    """

    sizes: Mapping[tuple[str, int], tuple[int, int]]
    quickest: int
    rivals: Sequence[LeaderboardRow]
    against_computer: Mapping[str, int] = field(default_factory=dict)


@frozen
class Career:
    """A player's totals over all matches and puzzles. Badges are computed from them.

    Attributes:
        rows: The player's leaderboard rows, by game.
        pars: The number of deals won, by the number of moves over par.
        days: The days whose puzzle the player answered, by game. The key ``DEALS`` has the days whose
            deal of the day the player won.
        solo: The keys of the games for one player.
        off_days: Days on which the bot was offline. They do not break a streak.
    """

    rows: Mapping[str, LeaderboardRow]
    pars: Mapping[int, int]
    days: Mapping[str, Days]
    solo: frozenset[str]
    off_days: frozenset[date] = frozenset()

    def figure(self, key: str) -> int:
        return sum(row.figures.get(key, 0) for row in self.rows.values())

    def wins(self, *, alone: bool) -> int:
        return sum(row.wins for game, row in self.rows.items() if (game in self.solo) is alone)

    def against(self, strength: Strength) -> tuple[int, int]:
        """Return the player's matches and wins against computer players with the given strength."""
        totals = [row.against.get(strength, (0, 0)) for row in self.rows.values()]
        return sum(matches for matches, _won in totals), sum(won for _matches, won in totals)

    @property
    def computer_players_beaten(self) -> int:
        return sum(self.against(strength)[1] for strength in Strength)

    def good_days(self, key: str) -> frozenset[date]:
        """Return the days whose puzzle or deal of the day the player solved.

        ``key`` is the game of the puzzles, or ``DEALS`` for the deals of the day.
        """
        return frozenset(day for day, is_good in self.days.get(key, {}).items() if is_good)

    @property
    def puzzles(self) -> int:
        return sum(right for game, days in self.days.items() if game for right in days.values())

    def without_match(self, match: Match, count: Counted) -> Career:
        """Return a copy of these totals with one match subtracted.

        Args:
            match: The match to subtract. These totals must include it.
            count: The numbers that the match added to these totals.
        """
        row, pars, days = self.rows[match.game], dict(self.pars), dict(self.days)
        if count.against is not None:
            matches, won = row.against.get(count.against, (0, 0))
            against = {**row.against, count.against: (matches - 1, won - count.won)}
            return replace(self, rows={**self.rows, match.game: replace(row, against=against)})
        figures = {key: value - count.figures.get(key, 0) for key, value in row.figures.items()}
        row = replace(row, matches=row.matches - 1, wins=row.wins - count.won, figures=figures)
        if count.won and match.par and not count.figures.get(HELPED, 0):
            over = count.figures.get("moves", 0) - match.par
            pars[over] = pars.get(over, 0) - 1
        if count.won and match.day:
            others = {
                day: good for day, good in days.get(DEALS, {}).items() if day != as_date(match.day)
            }
            days[DEALS] = others
        return replace(self, rows={**self.rows, match.game: row}, pars=pars, days=days)


@frozen
class _Badge:
    """A badge with three levels.

    Attributes:
        label: The badge's name, not yet translated.
        steps: The lowest values for bronze, silver and gold.
        count: Function that computes the badge's value from a player's totals.
        is_against_computer: Whether the badge is about matches against computer players.
    """

    label: str
    steps: tuple[int, int, int]
    count: Callable[[Career], int]
    is_against_computer: bool = False

    def level(self, count: int) -> int:
        return sum(count >= step for step in self.steps)


def _beaten(strength: Strength, career: Career) -> int:
    return career.against(strength)[1]


_BADGES = (
    _Badge(N_("Wins"), (10, 50, 250), lambda career: career.wins(alone=False)),
    _Badge(N_("Toads"), (10, 100, 500), lambda career: career.figure("toads")),
    _Badge(N_("Maximus"), (1, 5, 25), lambda career: career.figure("maximus")),
    _Badge(N_("Comebacks"), (1, 5, 25), lambda career: career.figure("comebacks")),
    _Badge(N_("Rounds survived"), (25, 250, 1000), lambda career: career.figure("survived")),
    _Badge(N_("Frogs home"), (20, 100, 500), lambda career: career.figure("home")),
    _Badge(N_("Frogs hit"), (10, 50, 250), lambda career: career.figure("sent")),
    _Badge(N_("Deals won"), (1, 10, 100), lambda career: career.wins(alone=True)),
    _Badge(
        N_("At par"),
        (1, 10, 50),
        lambda career: sum(deals for over, deals in career.pars.items() if over <= 0),
    ),
    _Badge(
        N_("Day streak"),
        (3, 10, 50),
        lambda career: longest_row(career.good_days(DEALS), career.off_days),
    ),
    _Badge(N_("Puzzles"), (5, 25, 100), lambda career: career.puzzles),
    _Badge(
        N_("Beat frogs"),
        (3, 25, 100),
        lambda career: career.computer_players_beaten,
        is_against_computer=True,
    ),
    _Badge(
        N_("Beat tadpoles"), (3, 25, 100), partial(_beaten, Strength.TADPOLE), is_against_computer=True
    ),
    _Badge(
        N_("Beat froglets"), (3, 25, 100), partial(_beaten, Strength.FROGLET), is_against_computer=True
    ),
    _Badge(N_("Beat toads"), (1, 10, 50), partial(_beaten, Strength.TOAD), is_against_computer=True),
)

_COMPUTER_PLAYER_FIGURES = {
    "toads": N_("Toads"),
    "maximus": N_("Maximus"),
    "quickest": N_("Quickest toad"),
    "unhurt": N_("No life lost"),
    "home": N_("Frogs home"),
}
"""Labels for the statistics of matches against computer players, by key."""


def medals(career: Career) -> tuple[Medal, ...]:
    """Return all badges with the player's values, including those with a value of 0."""
    counted = ((badge, badge.count(career)) for badge in _BADGES)
    return tuple(
        Medal(_(badge.label), str(value), badge.level(value), badge.is_against_computer)
        for badge, value in counted
    )


def computer_player_figures(results: Results) -> tuple[Medal, ...]:
    """Return a player's statistics in matches against computer players."""
    figures = (
        (label, results.against_computer.get(key, 0)) for key, label in _COMPUTER_PLAYER_FIGURES.items()
    )
    return tuple(Medal(_(label), str(value), is_against_computer=True) for label, value in figures)


_SIGNS = ("", "🥉", "🥈", "🥇")
_PREFIX = "badge "


def new_badges(after: Career, before: Career) -> dict[str, int]:
    """Return the badges that gained a level in a match.

    Args:
        after: The player's totals after the match.
        before: The player's totals before the match.

    Returns:
        The new value of each badge. The keys are those stored as facts at the end of the match.
    """
    counted = ((badge, badge.count(after), badge.count(before)) for badge in _BADGES)
    return {
        _PREFIX + badge.label: now
        for badge, now, then in counted
        if badge.level(now) > badge.level(then)
    }


def badge_words(facts: Mapping[str, int]) -> list[str]:
    """Return a text such as ``🥉 Wins 10`` for each badge that a player gained in a match.

    ``facts`` are the numbers that were stored for the player's seat when the match ended.
    """
    counts = ((badge, facts.get(_PREFIX + badge.label)) for badge in _BADGES)
    return [
        f"{_SIGNS[badge.level(count)]} {_(badge.label)} {count}"
        for badge, count in counts
        if count is not None
    ]

"""Tests of a week's points and its highlights."""

from __future__ import annotations

from datetime import date

from bot.games import games
from bot.matches.match import Player, Result
from cogs.weekly_report.report import (
    COMPUTER_PLAYER,
    LOST,
    MOST_COMPUTER_PLAYERS,
    WON,
    WeekSeat,
    next_sunday,
    week_of,
)

ADA, BO, CY = Player(1, "Ada"), Player(2, "Bo"), Player(3, "Cy")
FROG = Player(-1, "Tilly")


def match_seats(
    match_id: str, *players: Player, day: int = 1, gap: int = 1, **more: int
) -> list[WeekSeat]:
    """Return the seats of a match of Toad that the first player has won by some rounds."""
    return [
        WeekSeat(
            player,
            match_id,
            "toad",
            day,
            Result(at, not at, {"survived": 5 - gap * min(at, 1), **(more if not at else {})}, True),
            player is FROG,
        )
        for at, player in enumerate(players)
    ]


def points_by_name(
    *matches: list[WeekSeat], days: list[tuple[Player, int]] | None = None
) -> dict[str, int]:
    week = week_of([seat for each in matches for seat in each], days or [], games())
    return {player.name: earned for player, earned in week.points}


def test_matches_between_people_count_most() -> None:
    """A win earns 10 points against people, but only 1 against computer players. A loss earns 2 or 0."""
    assert points_by_name(match_seats("a", ADA, BO)) == {"Ada": WON, "Bo": LOST}
    assert points_by_name(match_seats("a", ADA, FROG)) == {"Ada": COMPUTER_PLAYER}
    assert points_by_name(match_seats("a", FROG, ADA)) == {}
    assert points_by_name(days=[(CY, 3), (CY, 1)]) == {"Cy": 4}


def test_matches_against_computer_players_earn_few_points_a_day() -> None:
    """At most three wins against computer players earn a point on one day."""
    many = [match_seats(f"m{n}", ADA, FROG, day=n % 2) for n in range(20)]
    assert points_by_name(*many) == {"Ada": 2 * MOST_COMPUTER_PLAYERS * COMPUTER_PLAYER}


def test_a_seat_played_by_a_computer_player_earns_nothing() -> None:
    """A seat handed over earns only the points of a loss.

    Computer seats and unplayed seats earn none.
    """
    seat = match_seats("a", ADA, BO)[0]
    given = WeekSeat(ADA, "a", "toad", 1, Result(0, True, {}, True, handed_over=True))
    assert points_by_name([seat]) == {"Ada": WON}
    assert points_by_name([given]) == {"Ada": LOST}
    assert (
        points_by_name([WeekSeat(ADA, "a", "toad", 1, Result(0, True, {}, True), is_computer=True)])
        == {}
    )
    assert points_by_name([WeekSeat(ADA, "a", "toad", 1, Result(0, True, {}, played=False))]) == {}


def test_the_report_lists_close_matches_and_unbeaten_players() -> None:
    """The closest match, the greatest comeback and the players without a loss are in the report."""
    seats = [
        *match_seats("a", ADA, BO, gap=2),
        *match_seats("b", ADA, CY, comebacks=1, pot=3),
        *match_seats("c", BO, CY, comebacks=1, pot=2),
    ]
    week = week_of(seats, [], games())
    assert [seat.player.name for seat in week.closest] == ["Ada", "Cy"]
    assert week.comeback is not None
    assert week.comeback.match_id == "b"
    assert [player.name for player in week.unbeaten] == ["Ada"]


def test_the_report_is_sent_on_sundays() -> None:
    """From a Monday, the next report is on the Sunday of that week. From a Sunday, it is on that day."""
    assert next_sunday(date(2026, 3, 23)) == date(2026, 3, 29)
    assert next_sunday(date(2026, 3, 29)) == date(2026, 3, 29)

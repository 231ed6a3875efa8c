"""Counting of matches on boards in the storage."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.opponent import Strength
from bot.games import games
from bot.matches.leaderboard_rules import Uncounted
from bot.matches.match import Entry, Match, Player, Result
from bot.storage.database import Database, open_database
from bot.storage.database_address import Location
from bot.storage.recount import recount
from tests.storage.boards import leaderboard_reader
from tests.storage.database_types import query_rows
from tests.storage.matches import (
    ADA,
    BO,
    CY,
    FROGS,
    NOW,
    TOADS,
    new_lobby,
    store_finished_match,
    store_live_match,
    store_move,
)

DAY = 24 * 60 * 60
MIDNIGHT = NOW - NOW % DAY + DAY


async def store_won_match(
    database: Database, match_id: str, *players: Player, played: str, **changes: int
) -> None:
    """Store a match that the first player won.

    ``played`` has a 1 for each seat that moved, and a 0 for others.
    """
    await store_live_match(database, match_id, *players)
    results = tuple(
        Result(seat, seat == 0, {"pot": 1}, has_played == "1") for seat, has_played in enumerate(played)
    )
    assert await store_move(database, match_id, Entry(0, 0, "ribit"), results)


async def win_counts(database: Database, guild_id: int | None, player: Player) -> tuple[int, int] | None:
    """Return a player's wins and matches of Toad in a server, or everywhere."""
    row = (await leaderboard_reader(database).profile(player.id, guild_id)).get("toad")
    return None if row is None else (row.wins, row.matches)


async def uncounted_reason(database: Database, match_id: str) -> Uncounted | None:
    """Return the reason why a match does not count everywhere."""
    match = await database.journal.find(match_id)
    assert isinstance(match, Match)
    return (await database.journal.ending(match.id)).why


async def test_a_match_counts_only_if_two_players_moved(database: Database) -> None:
    """A match counts if two players have moved.

    A player who did not move has lost, without effect on the others.
    """
    await store_won_match(database, "m1", ADA, BO, played="10")
    await store_won_match(database, "m2", ADA, BO, played="00")
    assert await win_counts(database, FROGS, ADA) is None
    assert await uncounted_reason(database, "m1") is Uncounted.UNPLAYED
    await store_won_match(database, "m3", ADA, BO, CY, played="110")
    assert await uncounted_reason(database, "m3") is None
    assert [await win_counts(database, FROGS, one) for one in (ADA, BO, CY)] == [(1, 1), (0, 1), (0, 1)]


async def test_a_player_without_moves_cannot_win(database: Database) -> None:
    """A player who never moved has not won, even if all others have left."""
    await store_won_match(database, "m1", CY, ADA, BO, played="011")
    assert await win_counts(database, FROGS, CY) == (0, 1)


async def test_only_three_wins_a_day_over_the_same_player_count(database: Database) -> None:
    """Three wins a day over the same player count, in all seats and servers together.

    The other player's wins and those of another day count separately.
    """
    for number in range(5):
        players = (ADA, BO) if number % 2 else (BO, ADA)
        where = TOADS if number == 2 else FROGS
        await store_finished_match(database, f"m{number}", *players, winner=ADA, guild_id=where)
    assert await win_counts(database, FROGS, ADA) == (4, 4)
    assert await win_counts(database, None, ADA) == (3, 3)
    assert await uncounted_reason(database, "m4") is Uncounted.OFTEN
    await store_finished_match(database, "bo's", ADA, BO, winner=BO)
    assert await win_counts(database, None, BO) == (1, 4)
    await store_finished_match(database, "three", ADA, BO, CY, winner=ADA)
    assert await win_counts(database, None, ADA) == (4, 5), "Cy was never beaten before"
    await store_live_match(database, "tomorrow", ADA, BO)
    won = (Result(0, True, {}), Result(1, False, {}))
    assert await store_move(database, "tomorrow", Entry(0, 0, "ribit"), won, ended_at=MIDNIGHT)
    assert await win_counts(database, None, ADA) == (5, 6)


async def test_wins_are_limited_per_opponent_and_per_day(database: Database) -> None:
    """Each other account counts for at most three wins a day, and all accounts for twelve in all.

    The limits hold for every combination of accounts at tables.
    """
    others = [Player(100 + n, f"P{n}") for n in range(6)]
    for company in (others[:1], others[1:2], others[:2]):
        for number in range(3):
            match_id = f"two {number} {len(company)} {company[0].id}"
            await store_finished_match(database, match_id, ADA, *company, winner=ADA)
    assert await win_counts(database, None, ADA) == (6, 6)
    for number in range(20):
        await store_finished_match(database, f"six {number}", ADA, others[number % 6], winner=ADA)
    assert await win_counts(database, None, ADA) == (12, 12)
    assert await win_counts(database, FROGS, ADA) == (29, 29)


async def test_a_player_without_moves_does_not_count_as_beaten(database: Database) -> None:
    """Only a player who moved counts as beaten, and matches without a winner are limited too."""
    for number in range(3):
        await store_finished_match(database, f"m{number}", ADA, BO, winner=ADA)
    await store_won_match(database, "idle", ADA, BO, CY, played="110")
    assert await uncounted_reason(database, "idle") is Uncounted.OFTEN
    for number in range(4):
        await store_finished_match(database, f"drawn {number}", CY, Player(40, "Di"))
    assert await uncounted_reason(database, "drawn 2") is None
    assert await uncounted_reason(database, "drawn 3") is Uncounted.OFTEN


async def test_a_lobby_names_players_whose_win_will_not_count(database: Database) -> None:
    """A lobby names players who have three wins over all others there, or twelve wins, that day."""
    for number in range(3):
        await store_finished_match(database, f"m{number}", ADA, BO, winner=ADA)
    two, three = new_lobby("two", ADA, BO), new_lobby("three", ADA, BO, CY)
    assert await database.journal.players_at_win_limit(two, NOW) == (ADA,)
    assert await database.journal.players_at_win_limit(two, MIDNIGHT) == ()
    assert await database.journal.players_at_win_limit(three, NOW) == ()
    assert await database.journal.players_at_win_limit(new_lobby("alone", ADA), NOW) == ()


async def test_uncounted_matches_use_up_no_wins(database: Database) -> None:
    """A match that no player lost by play uses up no win, and nor does one against computer players."""
    computer_player = Player(-1, "Tilly", strength=Strength.TOAD)
    for number in range(4):
        await store_won_match(database, f"given up {number}", ADA, BO, played="10")
        await store_finished_match(
            database, f"with a frog {number}", ADA, replace(computer_player), winner=ADA
        )
    await store_finished_match(database, "m1", ADA, BO, winner=ADA)
    assert await uncounted_reason(database, "m1") is None
    assert await win_counts(database, None, ADA) == (1, 1)
    everywhere = await leaderboard_reader(database).profile(ADA.id, None)
    assert everywhere["toad"].against == {Strength.TOAD: (4, 4)}


async def test_the_first_dealt_of_two_concurrent_tries_counts(database: Database) -> None:
    """Of two first tries of a deal, the one dealt first counts, whichever ends first."""
    for match_id, opened_at in (("late", NOW + 1), ("early", NOW)):
        deal = {"options": {"deal": 8}, "game": "american_toad", "opened_at": opened_at}
        await store_live_match(database, match_id, ADA, **deal)
    for match_id in ("late", "early"):
        assert await store_move(database, match_id, Entry(0, 0, "up"), (Result(0, True, {}),))
    assert await uncounted_reason(database, "late") is Uncounted.AGAIN
    assert await uncounted_reason(database, "early") is None
    row = (await leaderboard_reader(database).profile(ADA.id, None))["american_toad"]
    assert (row.wins, row.matches) == (1, 1)
    assert await database.journal.knows_deal("american_toad", ADA.id, 8)
    assert not await database.journal.knows_deal("american_toad", BO.id, 8)


async def store_won_solitaire(
    database: Database, match_id: str, player: Player, deal: int, helped: int
) -> None:
    """Store a solitaire that a player won with this many hints and peeks."""
    facts = {"options": {"deal": deal, "daily": 0}, "game": "american_toad", "limit": 1}
    await store_live_match(database, match_id, player, **facts)
    result = Result(0, True, {"moves": 90, "helped": helped})
    assert await store_move(database, match_id, Entry(0, 0, "up"), (result,))


async def test_a_deal_solved_with_too_much_help_is_no_win(
    database: Database, location: Location
) -> None:
    """A deal with more than three hints and peeks is no win.

    Wins counted before this rule stay.
    """
    await store_won_solitaire(database, "three", ADA, 1, helped=3)
    await store_won_solitaire(database, "four", ADA, 2, helped=4)
    await store_won_solitaire(database, "earlier", BO, 3, helped=63)
    assert [await uncounted_reason(database, match_id) for match_id in ("three", "four")] == [
        None,
        Uncounted.HELPED,
    ]
    await database.close()
    where = "game = 'american_toad' AND player_id = 20"
    await query_rows(location, f"UPDATE totals SET wins = 1 WHERE {where}")  # as the rules before had it
    await query_rows(location, "UPDATE matches SET uncounted = NULL WHERE id = 'earlier'")
    assert (await recount(location, games(), is_applied=True)).changes == ()
    database = await open_database(location)
    for guild_id in (FROGS, None):
        rows = [(await leaderboard_reader(database).profile(each.id, guild_id)) for each in (ADA, BO)]
        counted = [(row["american_toad"].wins, row["american_toad"].matches) for row in rows]
        assert counted == [(1, 2), (1, 1)]
        alone = [
            (await leaderboard_reader(database).results(each.id, guild_id)).sizes for each in (ADA, BO)
        ]
        assert [sizes["american_toad", 1] for sizes in alone] == [(2, 1), (1, 1)]
    await database.close()

"""Storage of daily duels on both databases: tries, scores, counts, versions of a day and forgetting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games import games
from bot.matches.duels import LOST, BoardScores, count_of
from bot.matches.leaderboard_rules import EVERYWHERE
from bot.matches.match import Match, Player
from bot.matches.match_type import BOARD, DUEL
from bot.sessions.errors import TableError
from bot.storage.database import Database
from bot.storage.forgetting import own_data
from cogs.duels.post_section import DuelNews
from cogs.duels.store import DuelTries

TOAD = games()["toad"]
DAY, AT = 20260101, 1_767_225_600
"""The first day of 2026, and its begin as Unix time."""
GUILD = 7
DAY_SECONDS = 24 * 60 * 60
LOST_ALL = LOST * count_of(TOAD)


@pytest.fixture
def tries(database: Database) -> DuelTries:
    return DuelTries(database.writer, database.surveying, games())


def new_board(player_id: int, number: int) -> Match:
    return Match("m", "toad", 3, None, 0, player_id, (), 2, {DUEL: DAY, BOARD: number})


async def lose_day(tries: DuelTries, player_id: int, name: str, at: int = AT) -> None:
    """Begin a day and lose all its boards."""
    await tries.begin(TOAD, DAY, Player(player_id, name), GUILD, at)
    for number in range(count_of(TOAD)):
        await tries.count_as_lost(new_board(player_id, number), at)


async def test_a_board_counts_once_and_in_order(tries: DuelTries) -> None:
    """A score that is recorded twice, or before an earlier board, changes nothing."""
    await tries.begin(TOAD, DAY, Player(1, "Ann"), GUILD, AT)
    for number in (1, 0, 0):
        await tries.count_as_lost(new_board(1, number), AT)
    own = await tries.find_try("toad", DAY, 1)
    assert own is not None
    assert (own.scores, own.is_over) == ("0", False)


async def test_finished_tries_count_in_their_server_and_globally(tries: DuelTries) -> None:
    """Two equal tries are one count of two, and the page names both in the order of their end."""
    await lose_day(tries, 2, "Ben", AT + 1)
    await lose_day(tries, 1, "Ann", AT)
    day = await tries.day(TOAD, DAY)
    assert day is not None
    for guild_id in (EVERYWHERE, GUILD):
        assert await tries.counts(day, guild_id) == {LOST_ALL: 2}
    page = await tries.page(day, GUILD, [(1, 2, LOST_ALL)], 10)
    assert [row.name for row, _scores in page] == ["Ann", "Ben"]


async def test_a_player_removed_from_boards_is_not_listed(tries: DuelTries, database: Database) -> None:
    """The player has no row, rank or streak in that server, but still counts in global percentages."""
    pytest.importorskip("cogs.corrections")
    for at, name in enumerate(("Ann", "Ben"), 1):
        await lose_day(tries, at, name, AT + at)
    day = await tries.day(TOAD, DAY)
    assert day is not None
    removal = {"guild_id": GUILD, "kind": "player", "subject": "1", "at": AT, "by_id": 9}
    await database.writer.write(lambda sql: sql.take_off(**removal))
    assert await tries.counts(day, GUILD) == {LOST_ALL: 1}
    assert await tries.counts(day, EVERYWHERE) == {LOST_ALL: 2}, "nobody's percentage changes"
    page = await tries.page(day, GUILD, [(1, 2, LOST_ALL)], 10)
    assert [row.name for row, _scores in page] == ["Ben"]
    assert await tries.best_at("toad", DAY, GUILD, 0) == 2
    assert [row.name for row in await tries.recent_players("toad", GUILD, DAY, DAY, 9)] == ["Ben"]


async def test_an_update_does_not_change_the_number_of_boards(database: Database) -> None:
    """A day ends with the last of its boards, even if the newest version has more of them."""
    assert TOAD.duel is not None
    assert TOAD.thinking is not None
    rules, thinking = TOAD.info.rules_version, TOAD.thinking.version
    info = replace(TOAD.info, rules_version=TOAD.info.rules_version + 1)
    newer = replace(TOAD, info=info, duel=replace(TOAD.duel, boards=9), earlier=(TOAD,))
    tries = DuelTries(database.writer, database.surveying, {"toad": newer})
    await tries.begin(TOAD, DAY, Player(1, "Ann"), GUILD, AT)
    for number in range(count_of(TOAD)):
        match = replace(new_board(1, number), rules_version=rules, thinking_version=thinking)
        await tries.count_as_lost(match, AT)
    own = await tries.find_try("toad", DAY, 1)
    assert own is not None
    assert own.is_over


@pytest.mark.parametrize(("key", "rules", "boards"), [("toad", 3, 6), ("frogger", 2, 4)])
def test_earlier_rules_keep_their_number_of_boards(key: str, rules: int, boards: int) -> None:
    """A day or challenge that began before an update is finished with its own number of boards."""
    game = games()[key].by_rules(rules)
    assert game is not None
    assert count_of(game) == boards < count_of(games()[key])


async def test_equal_results_of_a_day_share_ranks(
    tries: DuelTries, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two equal results share rank 2, and the next rank is 4. Matchpoints are computed only once."""
    for player_id, scores in enumerate(("20000000", "02000000", "22222222", LOST_ALL), 1):
        await tries.begin(TOAD, DAY, Player(player_id, f"P{player_id}"), GUILD, AT)
        for number, score in enumerate(scores):
            monkeypatch.setattr("cogs.duels.store.LOST", score)
            await tries.count_as_lost(new_board(player_id, number), AT + player_id)
    day = await tries.day(TOAD, DAY)
    assert day is not None
    whole, among, computed = await tries.field(day), await tries.counts(day, GUILD), list[str]()
    points = BoardScores.points

    def compute(field: BoardScores) -> list[dict[str, int]]:
        computed.append("points")
        return points(field)

    monkeypatch.setattr(BoardScores, "points", compute)
    best = await tries.best(day, GUILD, whole, among, 10)
    assert [(row.rank, row.name) for row, _scores, _points in best] == [
        (1, "P3"),
        (2, "P2"),
        (2, "P1"),
        (4, "P4"),
    ]
    assert computed == ["points"]


async def test_a_board_played_after_the_next_day_does_not_count(tries: DuelTries) -> None:
    """A board that is played two days after the duel's day adds no score to the player's try."""
    await lose_day(tries, 1, "Ann", AT + 2 * DAY_SECONDS)
    own = await tries.find_try("toad", DAY, 1)
    assert own is not None
    assert own.scores == ""


async def test_a_day_keeps_the_versions_it_began_with(tries: DuelTries) -> None:
    """After an update, the day's boards use the earlier game. If it is gone, an error is raised."""
    await tries.begin(TOAD, DAY, Player(1, "Ann"), GUILD, AT)
    assert TOAD.thinking is not None
    newer = replace(TOAD, thinking=replace(TOAD.thinking, version=99), earlier=(TOAD,))
    day = await tries.begin(newer, DAY, Player(2, "Ben"), GUILD, AT)
    assert day.game is TOAD
    with pytest.raises(TableError, match="rules I no longer know"):
        await tries.day(replace(newer, earlier=()), DAY)


async def test_results_by_unsupported_rules_do_not_stop_the_post(
    tries: DuelTries, database: Database
) -> None:
    """If an update drops the rules of two days ago, the post is sent without that day's results."""
    await lose_day(tries, 1, "Ann")
    newer = replace(TOAD, info=replace(TOAD.info, rules_version=TOAD.info.rules_version + 1))
    updated = DuelTries(database.writer, database.surveying, {"toad": newer})
    news = await DuelNews(updated, newer).of_day(GUILD, DAY + 2)
    assert news.results == ""
    assert "Ann" in (await DuelNews(tries, TOAD).of_day(GUILD, DAY + 2)).results


async def test_a_deleted_players_result_is_anonymised(tries: DuelTries, database: Database) -> None:
    """The result stays in the counts, and the same account cannot begin the day again."""
    await lose_day(tries, 1, "Ann")
    assert [row["scores"] for row in (await _own_data(database, 1))["duels"]] == [LOST_ALL]
    await database.players.forget(1, -(2**62))
    assert (await _own_data(database, 1))["duels"] == []
    day = await tries.day(TOAD, DAY)
    assert day is not None
    assert [row.name for row, _scores in await tries.page(day, GUILD, [(1, 1, LOST_ALL)], 10)] == [""]
    with pytest.raises(TableError, match="played these duels before"):
        await tries.begin(TOAD, DAY, Player(1, "Ann"), GUILD, AT)


async def test_deleting_a_player_deletes_an_unfinished_try(tries: DuelTries, database: Database) -> None:
    """After the deletion, the same account cannot begin the duels of that day again."""
    await tries.begin(TOAD, DAY, Player(1, "Ann"), GUILD, AT)
    await database.players.forget(1, -(2**62))
    assert await tries.find_try("toad", DAY, 1) is None
    with pytest.raises(TableError, match="played these duels before"):
        await tries.begin(TOAD, DAY, Player(1, "Ann"), GUILD, AT)


async def test_computer_results_of_a_day_are_stored_once(tries: DuelTries) -> None:
    """A second attempt to store the computer results of a day leaves the first ones unchanged."""
    await tries.begin(TOAD, DAY, Player(1, "Ann"), GUILD, AT)
    await tries.fill_field("toad", DAY, ["222222", LOST_ALL])
    await tries.fill_field("toad", DAY, ["111111"])
    day = await tries.day(TOAD, DAY)
    assert day is not None
    assert day.field == ("222222", LOST_ALL)


async def _own_data(database: Database, player_id: int) -> dict[str, list[dict[str, object]]]:
    return await database.surveying.run(lambda sql: own_data(sql, player_id))

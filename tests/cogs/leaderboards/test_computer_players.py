"""Tests of matches against computer players: wins in a row, the profile's section, stronger ones."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from bot.engine.opponent import Strength
from bot.engine.scene import Medals
from bot.games import games
from bot.matches.leaderboard_rules import COMPUTER_PLAYER_ROW, Ending, stronger
from bot.matches.match import Entry, Player, Result, Stage
from bot.messages.appearance import PLAIN
from bot.messages.match_end import rematch_rows
from bot.messages.table_view import table_view
from bot.sessions.table_state import Table
from bot.storage.database import Database
from cogs.leaderboards.badges import Career, Results
from cogs.leaderboards.content import end_lines
from cogs.leaderboards.profile import Profile, profile_content, profile_scene
from cogs.leaderboards.standings import EVENING_SECONDS
from tests.discord.bot_harness import Seen, bot_harness, response_of
from tests.storage.boards import leaderboard_reader
from tests.storage.matches import (
    ADA,
    BO,
    FROGS,
    NOW,
    new_lobby,
    store_finished_match,
    store_live_match,
    store_move,
)

PIP = Player(-1, "Pip", strength=Strength.TADPOLE)


async def finish_match(
    database: Database,
    match_id: str,
    at: int,
    *players: Player,
    winner: Player = ADA,
    channel_id: int = 5,
) -> int | None:
    """Finish a match at a time, and return Ada's wins in a row at its end."""
    database.journal.end_recorders[:] = [leaderboard_reader(database).record_end]
    await store_live_match(database, match_id, *(players or (ADA, PIP)), channel_id=channel_id)
    results = tuple(Result(seat, each == winner, {}) for seat, each in enumerate(players or (ADA, PIP)))
    assert await store_move(database, match_id, Entry(0, 0, "ribit"), results, ended_at=NOW + at)
    return (await database.journal.ending(match_id)).facts.get(0, {}).get(COMPUTER_PLAYER_ROW)


async def test_a_loss_or_a_long_pause_ends_a_winning_streak(database: Database) -> None:
    """A loss or a long pause ends a run. A match among people or in another channel does not."""
    assert await finish_match(database, "m1", 0) == 1
    assert await finish_match(database, "m2", 60) == 2
    await finish_match(database, "m3", 120, ADA, BO, winner=BO)
    await finish_match(database, "m4", 130, winner=PIP, channel_id=6)
    assert await finish_match(database, "m5", 180) == 3
    assert await finish_match(database, "m6", 240, winner=PIP) is None
    assert await finish_match(database, "m7", 300) == 1
    assert await finish_match(database, "m8", 300 + EVENING_SECONDS) == 1
    assert await finish_match(database, "m9", 300 + 2 * EVENING_SECONDS - 1) == 2


def finished_table(*players: Player) -> Table:
    return Table(new_lobby("m1", *players, stage=Stage.FINISHED), games()["toad"])


@pytest.mark.parametrize(
    ("strength", "wins", "offered"),
    [
        (Strength.TADPOLE, 3, "Now froglets"),
        (Strength.FROGLET, 6, "Now toads"),
        (Strength.TADPOLE, 2, None),
        (Strength.TADPOLE, 4, None),
        (Strength.TOAD, 3, None),
    ],
)
def test_three_wins_offer_stronger_computer_players(
    strength: Strength, wins: int, offered: str | None
) -> None:
    """Every third win in a row offers the next stronger computer players, if there are any."""
    facts = {0: {COMPUTER_PLAYER_ROW: wins}}
    table = finished_table(ADA, Player(-1, "Pip", strength=strength))
    labels = [
        getattr(one, "label", "")
        for row in rematch_rows(table_view(table), PLAIN, Ending(facts=facts))
        for one in row.items
    ]
    assert (offered in labels) if offered else ("Now" not in str(labels))
    assert any(f"{wins} wins in a row" in line for line in end_lines(table_view(table), facts))
    assert stronger((ADA, BO), facts) is None


async def test_a_rematch_button_offers_stronger_computer_players(tmp_path: Path) -> None:
    """The button opens the same table with the next strength, and none is above the strongest."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=1, strength=0, lives=2)
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        for strength in (Strength.FROGLET, Strength.TOAD):
            before: Seen = place.table
            await ann.send(before, f"a:{before.match_id}:stepup")
            if (lobby := await place.live_match_here()) is not None and lobby.stage is Stage.LOBBY:
                await ann.press("Start")
            match = await place.live_match_here()
            assert match is not None
            assert {each.strength for each in match.players if each.is_computer_player} == {strength}
            await ann.press("Give up", response_of(await ann.slash("toad leave")))
        before = place.table
        await ann.send(before, f"a:{before.match_id}:stepup")
        assert await place.live_match_here() is None


async def test_a_profile_counts_computer_player_matches_separately(database: Database) -> None:
    """The section counts only matches against computer players. Totals among people stay separate."""
    figures = {"toads": 2, "quickest": 3, "unhurt": 1}
    await store_finished_match(database, "m1", ADA, PIP, winner=ADA, figures=figures)
    await store_finished_match(database, "m2", ADA, PIP, winner=PIP, figures={"toads": 1, "quickest": 0})
    await store_finished_match(database, "m3", ADA, BO, winner=ADA, figures={"toads": 5, "quickest": 2})
    found = leaderboard_reader(database)
    results, career = await found.results(ADA.id, FROGS), await found.career(ADA.id, FROGS, games())
    assert (
        results.quickest,
        results.against_computer["toads"],
        results.against_computer["quickest"],
    ) == (2, 3, 3)
    scene = profile_scene(games(), Profile(ADA, career, results), date(2026, 11, 21))
    people, against_computer = [item for item in scene.items if isinstance(item, Medals)]
    assert {medal.label: medal.value for medal in against_computer.medals} == {
        "Beat frogs": "1",
        "Beat tadpoles": "1",
        "Toads": "3",
        "Quickest toad": "3",
        "No life lost": "1",
    }
    assert all(medal.is_against_computer for medal in against_computer.medals)
    assert not any(medal.is_against_computer for medal in people.medals)
    content = profile_content(
        games(), Profile(ADA, career, results), date(2026, 11, 21), may_compare=False
    )
    assert "Against frogs: tadpoles 1 of 2" in str(content)


def test_a_profile_without_computer_players_has_no_section() -> None:
    """The profile of a player without matches against computer players shows no medals."""
    career = Career({}, {}, {}, frozenset())
    scene = profile_scene(games(), Profile(ADA, career, Results({}, 0, ())), date(2026, 11, 21))
    assert not any(isinstance(item, Medals) for item in scene.items)

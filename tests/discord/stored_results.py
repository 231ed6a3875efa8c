"""Finished matches that tests store so that leaderboards have rows."""

from __future__ import annotations

from bot.matches.match import Entry, Player, Result, Stage
from tests.discord.bot_harness import BotHarness
from tests.storage.matches import move_change, new_lobby


async def store_finished_match(
    place: BotHarness, match_id: str, winner: Player, loser: Player, guild_id: int
) -> None:
    """Store a finished match of Toad between two players."""
    journal = place.bot.database.journal
    match = new_lobby(match_id, winner, loser, guild_id=guild_id, stage=Stage.PLAYING, seed=bytes(32))
    assert await journal.create(match, match_id) is None
    figures = {"pot": 2, "toads": 1, "maximus": 0, "survived": 1}
    nothing = dict.fromkeys(figures, 0)
    results = (Result(0, True, figures), Result(1, False, nothing))
    assert await journal.commit(move_change(match, Entry(0, 0, "ribit"), results))


async def store_many_matches(place: BotHarness) -> None:
    """Store matches that twelve players have won against Zoe: the first player 12, the last player 1."""
    zoe = Player(place.person("Zoe").id, "Zoe")
    for rank in range(12):
        for again in range(12 - rank):
            winner = Player(1000 + rank, f"Player{rank}")
            await store_finished_match(place, f"m{rank:02}x{again:02}", winner, zoe, place.guild.id)

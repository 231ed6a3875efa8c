"""Recorded matches that tests store as if users had played them in the bot harness's server."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.matches.match import Match, Player, Stage
from bot.matches.results import results_of
from tests.discord.bot_harness import BotHarness, Person
from tests.playthroughs.recording import RECORDINGS, Recording, parse_recording
from tests.storage.matches import NOW, move_change, new_lobby

DEAL = 747635951
"""The number of the solitaire deal that was recorded."""

OVER: dict[str, Any] = {"stage": Stage.STOPPED, "ended_at": NOW}


def read_recording(name: str) -> Recording:
    """Read the recorded match with this file name."""
    return parse_recording((RECORDINGS / f"{name}.txt").read_text("utf-8"))


async def store_recording(
    place: BotHarness, name: str, *people: Person, match_id: str = "k3v9", **facts: Any
) -> Match:
    """Store a recorded match as if it had been played in the server, and return it.

    The people take the first seats, and computer players take the others. ``facts`` are attributes of
    the match. If they contain the stage ``PLAYING``, the match stays live before its last move.
    Otherwise the last move ends it.
    """
    recording = read_recording(name)
    players = [Player(person.id, person.name) for person in people]
    players += [Player(-seat, f"Frog{seat}") for seat in range(len(players) + 1, recording.seats + 1)]
    match = new_lobby(
        match_id,
        *players,
        **{
            "game": recording.game,
            "rules_version": recording.rules_version,
            "guild_id": place.guild.id,
            "channel_id": place.channel.id,
            "options": recording.options,
            "stage": Stage.PLAYING,
            "seed": recording.seed,
            **facts,
        },
    )
    journal = place.bot.database.journal
    *entries, last = (replace(entry, at=NOW) for entry in recording.entries)
    assert await journal.create(match, f"place of {match_id}", entries) is None
    if facts.get("stage") is not Stage.PLAYING:
        results = results_of(recording.by_rules(), match, recording.entries)
        assert await journal.commit(move_change(match, last, results, **({} if results else OVER)))
    return match

"""A deal that a player has viewed in another's match is practice for that player."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.name_sanitizing import new_placeholder
from bot.storage.database import Database
from bot.storage.database_address import Location
from tests.cogs.stored_moves import win_deal
from tests.discord.bot_harness import BotHarness, Person, bot_harness, ephemeral_reply, response_of
from tests.discord.solitaire_player import give_up
from tests.storage.database_types import query_rows
from tests.storage.matches import ADA, NOW, SEED, new_lobby

pytest.importorskip("cogs.replays")
pytest.importorskip("cogs.verify")

DEAL = 25
PRACTICE = "This try doesn't count"


async def open_match(way: str, person: Person, match_id: str, place: BotHarness) -> str:
    """Open a finished match in some way and return the ephemeral message."""
    if way == "watch":
        return ephemeral_reply(await person.press("Watch", place.table)).text
    if way in ("replay", "verify"):
        return ephemeral_reply(await person.slash(way, match=match_id)).text
    page = response_of(await person.slash("solitaire rules"))
    return ephemeral_reply(await person.send(page, f"dr:{match_id}")).text


async def test_a_deal_already_viewed_is_practice(tmp_path: Path) -> None:
    """A deal that a user has viewed in any way is practice from its start."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=DEAL)
        match_id = place.table.match_id
        await give_up(ann)
        viewers = {way: place.person(way.title()) for way in ("watch", "replay", "verify", "download")}
        for way, person in viewers.items():
            await open_match(way, person, match_id, place)
        for person in viewers.values():
            await person.slash("solitaire start", deal=DEAL)
            assert PRACTICE in place.table.text, person.name
            assert "0 moves" in place.table.text
            await give_up(person)
            assert "No finished matches yet" in response_of(await person.slash("profile")).text
        await place.person("Ben").slash("solitaire start", deal=DEAL)
        assert PRACTICE not in place.table.text


async def test_a_viewers_open_try_hides_other_players_deals(tmp_path: Path) -> None:
    """Until a player's counted try ends, other players' matches of the same deal are not shown."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=DEAL)
        match_id = place.table.match_id
        await win_deal(place, ann)
        await ben.slash("solitaire start", deal=DEAL)
        for way in ("replay", "verify", "download"):
            assert "You're already playing this deal" in await open_match(way, ben, match_id, place)
        await win_deal(place, ben)
        assert "1 win" in response_of(await ben.slash("profile")).text
        assert "move 0 of" in await open_match("replay", ben, match_id, place)


async def test_forgetting_a_user_deletes_their_viewed_deals(
    database: Database, location: Location
) -> None:
    """Forgetting a user deletes the record of viewed deals, but the deal is known until the day ends."""
    journal = database.journal
    match = new_lobby("m1", ADA, options={"deal": DEAL}, game="american_toad", seed=SEED)
    await journal.mark_viewed(match, 7, NOW)
    assert await journal.knows_deal("american_toad", 7, DEAL)
    assert not await journal.knows_deal("american_toad", ADA.id, DEAL)
    await database.players.forget(7, new_placeholder())
    assert await query_rows(location, "SELECT * FROM viewed_deals") == []
    assert await journal.knows_deal("american_toad", 7, DEAL)

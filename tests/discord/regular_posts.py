"""Helpers for tests of regular posts: switching them on, and storing results for them to show."""

from __future__ import annotations

from typing import Any

from bot.matches.match import Change, Entry, Player, Result, Stage
from bot.messages.deal_calendar import ends_at
from bot.sessions.match_creation import place_of_try
from bot.storage.daily_deals import day_at
from tests.discord.admins import add_admin
from tests.discord.bot_harness import BotHarness, Person, Seen, ephemeral_reply, response_of
from tests.storage.matches import move_change, new_lobby

HOUR, DAY = 60 * 60, 24 * 60 * 60
EIGHT = ("Ann", "Ben", "Cy", "Dot", "Eve", "Fay", "Gil", "Hal")
ZONE = "Europe/Berlin"


async def open_own_settings(person: Person) -> Seen:
    """Open the user's own settings with ``/settings``."""
    return response_of(await person.slash("settings"))


async def open_daily_post_settings(person: Person) -> Seen:
    """Open the settings of the server's daily post as an admin."""
    server = response_of(await person.press("This server", await open_own_settings(person)))
    return ephemeral_reply(await person.press("Daily post", server))


async def pick_channel(place: BotHarness, person: Person, seen: Seen) -> Seen:
    result = await person.actor.select(seen.message, [place.channel], custom_id="dp:channel")
    return response_of(await person._done(result))


async def enable_daily_post(place: BotHarness, hour: int = 1, zone: str | None = None) -> Person:
    """Switch on the daily post as an admin, and return the admin.

    ``hour`` is the hour of the post. ``zone`` is the time zone that the admin sets first, if given.
    """
    ada = place.people.get("Ada") or add_admin(place)
    if zone is not None:
        await ada.slash("settings", zone=zone)
    seen = await pick_channel(place, ada, await open_daily_post_settings(ada))
    seen = response_of(await ada.pick(str(hour), seen, "dp:hour"))
    assert "The next post comes" in response_of(await ada.press("Switch on", seen)).text
    return ada


def daily_posts(place: BotHarness) -> list[Seen]:
    """Return the daily posts in the channel, oldest first."""
    return [seen for seen in place.messages if "📅 New on" in seen.text]


def weekly_reports(place: BotHarness) -> list[Seen]:
    return [seen for seen in place.messages if "The week's winners" in seen.text]


async def store_deal_win(place: BotHarness, person: Person) -> None:
    """Store that a player has won today's deal in the server.

    The daily post does not show the win until a user plays the deal.
    """
    day, guild_id = day_at(place.now), place.guild.id
    player, journal = Player(person.id, person.name), place.bot.database.journal
    options = {"deal": day % 10_000, "daily": day, "par": 80}
    facts: dict[str, Any] = {"game": "american_toad", "guild_id": guild_id, "options": options}
    begun = {"stage": Stage.PLAYING, "seed": bytes(32), "opened_at": place.now}
    match = new_lobby(f"{person.name.lower()}{day}", player, limit=1, **facts, **begun)
    where = place_of_try(match.game, day, guild_id, str(person.id))
    assert await journal.create(match, where) is None
    result = Result(0, True, {"up": 104, "moves": 80 + len(person.name), "undos": 0})
    ended_at = min(place.now + 60, ends_at(day) - 1)
    await store_change(place, move_change(match, Entry(0, 0, "turn"), (result,), ended_at=ended_at))


async def store_toad_win(
    place: BotHarness, number: int, winner: Person, *losers: Person, survived: int = 3
) -> None:
    """Store a match of Toad that ``winner`` has won against ``losers``."""
    people, journal = (winner, *losers), place.bot.database.journal
    players = [Player(each.id, each.name) for each in people]
    facts = {"guild_id": place.guild.id, "channel_id": place.channel.id, "opened_at": place.now}
    begun = {"stage": Stage.PLAYING, "seed": bytes(32), "limit": len(players)}
    match = new_lobby(f"toad{number}", *players, **facts, **begun)
    assert await journal.create(match, match.id) is None
    zeros = dict.fromkeys(("pot", "toads", "maximus", "quickest"), 0)
    results = tuple(
        Result(
            seat,
            not seat,
            {**zeros, "survived": survived - min(seat, 1), "comebacks": int(not seat)},
            True,
        )
        for seat in range(len(people))
    )
    await store_change(place, move_change(match, Entry(0, 0, "take"), results, ended_at=place.now))


async def store_change(place: BotHarness, change: Change) -> None:
    """Store a change to a match without notifying the bot, whose timers would run in real time."""
    journal = place.bot.database.journal
    journal.ended, ended = lambda _match: None, journal.ended
    assert await journal.commit(change)
    journal.ended = ended

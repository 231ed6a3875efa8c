"""Tables that an older Ribit left in play continue under this version."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from simcord.backend.models import Message
from simcord.builders import ChannelHandle

from bot.engine.spoken_cards import spell_icons
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness, response_of
from tests.discord.old_databases import KEPT, SEATED, ReadCache, make_move, move_button_ids

VERSIONS = sorted(path.stem for path in KEPT.glob("*.json"))
LATER = 60


def rebuild_server(
    place: BotHarness, kept: ReadCache, monkeypatch: pytest.MonkeyPatch
) -> dict[str, ChannelHandle]:
    """Add the kept server, its users and the bot's messages to Discord, with their IDs."""
    backend = place.env.backend
    bot = backend.bot_user.id

    def next_id(value: int) -> None:
        patched.setattr(backend, "snowflake", lambda: value)

    with monkeypatch.context() as patched:
        place.guild = place.env.create_guild("The Old Pond", id=kept.guild)
        channels = {}
        for name, channel_id in kept.channels.items():
            next_id(channel_id)
            channels[name] = place.guild.create_text_channel(name)
        for name, user_id in kept.people.items():
            next_id(user_id)
            person = place.person(name)
            if name in kept.dms:
                next_id(kept.dms[name])
                backend.get_dm_channel(person.id)
        for fields in kept.messages:
            message = Message(author_id=bot, **fields)
            backend.messages[message.channel_id][message.id] = message
    return channels


class Update:
    """A server that an older Ribit left, with this one in it."""

    def __init__(self, place: BotHarness, kept: ReadCache, channels: dict[str, ChannelHandle]) -> None:
        self.place = place
        self._kept = kept
        self._channels = channels

    def open_channel(self, name: str) -> list[Person]:
        """Go to a channel and return its seated players."""
        self.place.channel = self._channels[name]
        return [self.place.person(player) for player in SEATED[name]]

    def old_hand(self, people: list[Person]) -> tuple[Person, Seen]:
        """Return the player to move and the hand as the older Ribit showed it."""
        hands = ((person, self.old_message(person.actor.user.dm_channel.id)) for person in people)
        return next((person, hand) for person, hand in hands if move_button_ids(hand))

    def old_message(self, channel_id: int) -> Seen:
        """Return the last message of a channel as the older Ribit wrote it."""
        fields = [fields for fields in self._kept.messages if fields["channel_id"] == channel_id][-1]
        return Seen(Message(author_id=self.place.env.backend.bot_user.id, **fields))

    async def entries(self) -> list[Any]:
        """Return the stored moves of the match at the table."""
        return list(await self.place.bot.database.journal.entries(self.place.table.match_id))


@asynccontextmanager
async def _start_updated(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Update]:
    """Start this Ribit on a copy of the database of an older one, among its messages."""
    kept = ReadCache.read(name)
    async with bot_harness(folder) as place:
        channels = rebuild_server(place, kept, monkeypatch)
        await place.bot.close()
        for file in folder.glob("ribit.sqlite3*"):
            file.unlink()
        shutil.copy(KEPT / f"{name}.db", folder / "ribit.sqlite3")
        await place.restart(after=kept.seconds + LATER)
        yield Update(place, kept, channels)


Updated = Callable[[], AbstractAsyncContextManager[Update]]


@pytest.fixture(params=VERSIONS)
def updated(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Updated:
    """Return the servers that older versions left, for a start of this version."""
    return partial(_start_updated, request.param, tmp_path, monkeypatch)


GAMES = ("toad", "frogger")


async def test_old_hands_deals_and_lobbies_work_after_an_update(updated: Updated) -> None:
    """Hands, a deal, a lobby and an ended match of an older Ribit go on, each in its channel."""
    async with updated() as update:
        for game in GAMES:
            await check_old_hand(update, game)
        await check_old_solitaire(update)
        await check_old_lobby(update)
        await check_old_win(update)


async def test_old_tables_accept_their_clicks_after_an_update(updated: Updated) -> None:
    """Old tables of both games take the clicks that they offered."""
    async with updated() as update:
        for game in GAMES:
            await check_old_table(update, game)


async def check_old_hand(update: Update, game: str) -> None:
    """The button in an old DM makes the move, the old table shows it, and the next moves follow."""
    people, place = update.open_channel(game), update.place
    before, table_id, alt = await update.entries(), place.table.id, place.table.alt
    mover, hand = update.old_hand(people)
    assert hand.id == mover.dm.id
    assert f":{len(before)}:h:" in move_button_ids(hand)[0]
    claims = {move for move in move_button_ids(hand) if move.endswith(":ribit")}
    for claim in claims:  # by now it asks first
        await mover.send(hand, claim)
        assert await update.entries() == before
    last = next(move for move in reversed(move_button_ids(hand)) if move not in claims)
    await mover.send(hand, last)
    after = await update.entries()
    assert [after[: len(before)], len(after)] == [before, len(before) + 1]
    assert (place.table.id, place.table.alt == alt) == (table_id, False)
    for _move in range(4):
        await make_move(place, people)
    later = await update.entries()
    assert len(later) >= len(before) + 5, "one click may make two moves"
    stale = await mover.send(hand, last)
    assert await update.entries() == later, stale


async def check_old_table(update: Update, game: str) -> None:
    """Old buttons of the table itself show the hand, and make the moves that need none."""
    people, place = update.open_channel(game), update.place
    table = update.old_message(place.channel.id)
    before = len(await update.entries())
    my_hand = next(custom_id for custom_id in table.custom_ids if custom_id.endswith(":hand"))
    mover, _hand = update.old_hand(people)
    assert move_button_ids(response_of(await mover.send(table, my_hand)))
    end = next(custom_id for custom_id in move_button_ids(table) if custom_id.endswith(":end"))
    await mover.send(table, end)
    assert len(await update.entries()) == before + 1
    assert place.reminded_player is not mover


async def check_old_solitaire(update: Update) -> None:
    """After an update, old buttons of a solitaire table still work in the same message."""
    (player,), place = update.open_channel("solitaire"), update.place
    table, before = update.old_message(place.channel.id), len(await update.entries())
    undo = next(custom_id for custom_id in move_button_ids(table) if custom_id.endswith(":undo"))
    await player.send(table, undo)
    assert len(await update.entries()) == before + 1
    await player.press("Redo")
    assert len(await update.entries()) == before + 2
    assert place.table.id == table.id
    columns = re.compile(r"\b[1-8]: [^.(]+\.")
    assert columns.findall(place.table.alt) == columns.findall(spell_icons(table.alt)) != []


async def check_old_lobby(update: Update) -> None:
    """After an update, old buttons of a lobby still work, and its options are kept."""
    host, _guest = update.open_channel("lobby")
    place, newcomer = update.place, update.place.person("Kim")
    table = update.old_message(place.channel.id)
    join, start = (
        next(custom_id for custom_id in table.custom_ids if custom_id.endswith(f":{action}"))
        for action in ("join", "start")
    )
    await newcomer.send(table, join)
    await host.send(table, start)
    assert "2 of 2 lives" in place.table.alt
    assert all(name in place.table.alt for name in ("Gwen", "Hugo", "Kim"))
    assert place.table.id == table.id


async def check_old_win(update: Update) -> None:
    """A match that ended before is on the board, and its old table opens the next one."""
    host, _other = update.open_channel("over")
    assert "1 Ida: 1, 1," in response_of(await host.slash("leaderboard", board="toad")).alt
    table = update.old_message(update.place.channel.id)
    await host.send(table, table.custom_ids[0])
    assert "— host" in update.place.table.text

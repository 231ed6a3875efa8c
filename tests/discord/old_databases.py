"""Recordings of a server with active tables, with which tests update the bot to a later version.

``python -m tests.discord.old_databases NAME`` plays a few moves, writes the database to
``tests/discord/old_servers/NAME.db`` and the simulated Discord's state to ``NAME.json``. Do not record
existing files again, because the code of the commit in a file's name has written the file. This module
was added to commit ``506b41b`` to record it.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from bot.engine.frozen import frozen
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness

KEPT = Path(__file__).parent / "old_servers"
TABLES = ("toad", "frogger", "solitaire", "lobby", "over")
"""Names of the channels. Each has a table in a different state."""

SEATED = {
    "toad": ("Ann", "Ben", "Cleo"),
    "frogger": ("Dora", "Emil"),
    "solitaire": ("Finn",),
    "lobby": ("Gwen", "Hugo"),
    "over": ("Ida", "Jon"),
}
MOVES = 5
HOUR = 3600
"""Virtual seconds that pass first. IDs contain the time, so they differ from those of later servers."""


@frozen
class ReadCache:
    """The recorded state of a simulated Discord, with its users' IDs and all permanent messages."""

    guild: int
    channels: dict[str, int]
    people: dict[str, int]
    dms: dict[str, int]
    messages: list[dict[str, Any]]
    seconds: float
    """Virtual seconds that had passed when the state was recorded."""

    @classmethod
    def read(cls, name: str) -> ReadCache:
        return cls(**json.loads((KEPT / f"{name}.json").read_text("utf-8")))


def move_button_ids(seen: Seen) -> list[str]:
    """Return the custom_ids of a message's buttons that make a move or a step of a move."""
    ids = [seen.custom_id(label) for label in seen.labels]
    return [custom_id for custom_id in ids if custom_id.startswith("m:")]


async def make_move(place: BotHarness, people: list[Person]) -> str:
    """Press the first move button in the current player's hand until a move is made.

    Returns:
        The custom_id of the last button pressed.
    """
    match_id = place.table.match_id
    before = len(await place.bot.database.journal.entries(match_id))
    mover = next(person for person in people if move_button_ids(person.dm))
    while True:
        pressed = move_button_ids(mover.dm)[0]
        await mover.send(mover.dm, pressed)
        if len(await place.bot.database.journal.entries(match_id)) > before:
            return pressed


async def play_scenario(place: BotHarness) -> None:
    """Create a server, and bring the table in each of its channels into the state to record."""
    await place.env.advance_time(HOUR)
    place.guild = place.env.create_guild("The Old Pond")
    for name in TABLES:
        place.channel = place.guild.create_text_channel(name)
        names = SEATED[name]
        if name == "solitaire":
            await place.person(*names).slash("solitaire start", deal=8)
            for _turn in range(MOVES):
                await place.person(*names).press("Turn the stock")
        elif name == "lobby":
            await place.person(names[0]).slash("toad start", lives=2)
            await place.person(names[1]).press("Join")
        elif name == "over":
            _host, other = await place.started(*names)
            await other.press("Give up", Seen((await other.slash("toad leave")).response))
        else:
            people = await place.started(*names, game=name)
            for _move in range(MOVES):
                await make_move(place, people)


def discord_state(place: BotHarness) -> dict[str, Any]:
    """Return the simulated Discord's state in the form that ``ReadCache`` reads."""
    backend = place.env.backend
    channels = {channel.name: channel.id for channel in backend.channels.values()}
    fields = ("id", "channel_id", "content", "timestamp", "flags", "components", "attachments")
    return {
        "guild": place.guild.id,
        "channels": {name: channels[name] for name in TABLES},
        "people": {name: person.id for name, person in place.people.items()},
        "dms": {
            name: backend.dm_channels[person.id]
            for name, person in place.people.items()
            if person.id in backend.dm_channels
        },
        "messages": [
            {field: getattr(message, field) for field in fields}
            for messages in backend.messages.values()
            for message in messages.values()
            if not message.is_ephemeral
        ],
        "seconds": backend.clock.elapsed,
    }


async def record_server(name: str) -> None:
    """Play in a new server, and write the database and the simulated Discord's state to files."""
    with tempfile.TemporaryDirectory() as folder:
        async with bot_harness(Path(folder)) as place:
            await play_scenario(place)
        KEPT.mkdir(exist_ok=True)
        shutil.copy(Path(folder) / "ribit.sqlite3", KEPT / f"{name}.db")
        (KEPT / f"{name}.json").write_text(json.dumps(discord_state(place), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    asyncio.run(record_server(sys.argv[1]))

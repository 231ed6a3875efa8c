"""A server with people and the real bot in it, on SimCord: what a person does, in a person's words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import discord
import simcord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle
from simcord.components import walk_components
from simcord.results import InteractionResult

from bot.app import Ribit
from bot.games import games
from bot.sessions.tables import PAUSE_SECONDS
from bot.storage import open_database
from tests.discord.judge import complaints

BUTTON, MENU, TEXT, GALLERY = 2, 3, 10, 12
CANNOT_DM = 50007


class Seen:
    """A message as a person sees it."""

    def __init__(self, message: Any) -> None:
        self.message = message

    def _parts(self, kind: int) -> Iterator[dict[str, Any]]:
        components = [part.to_dict() if hasattr(part, "to_dict") else part for part in self._components]
        return (part for part in walk_components(components) if part.get("type") == kind)

    @property
    def _components(self) -> list[Any]:
        return list(self.message.components)

    @property
    def id(self) -> int:
        return int(self.message.id)

    @property
    def text(self) -> str:
        """All that is written in the message."""
        written = [part["content"] for part in self._parts(TEXT)]
        return "\n".join([self.message.content, *written])

    @property
    def alt(self) -> str:
        """The alt text of the message's picture."""
        items = [item for part in self._parts(GALLERY) for item in part["items"]]
        return " ".join(item.get("description") or "" for item in items)

    @property
    def labels(self) -> list[str]:
        """The labels of the buttons that can be pressed."""
        return [part["label"] for part in self._parts(BUTTON) if not part.get("disabled")]

    @property
    def custom_ids(self) -> list[str]:
        """The custom_ids of all controls."""
        return [part["custom_id"] for kind in (BUTTON, MENU) for part in self._parts(kind)]

    def custom_id(self, label: str) -> str:
        """The custom_id of the button with this label."""
        return next(str(part["custom_id"]) for part in self._parts(BUTTON) if part["label"] == label)

    def label(self, start: str) -> str:
        """The first label that starts so."""
        return next(label for label in self.labels if label.startswith(start))


class Person:
    """Somebody in the server."""

    def __init__(self, pond: Pond, actor: MemberActor) -> None:
        self._pond = pond
        self.actor = actor
        self.id = actor.id
        self.dm_closed = False

    async def slash(self, command: str, **options: Any) -> InteractionResult:
        """Use a command in the channel."""
        result = await self.actor.slash(self._pond.channel, command, **options)
        assert result.acknowledged
        return result

    async def press(self, label: str, seen: Seen | None = None) -> InteractionResult:
        """Press a button of the table, or of another message that this person sees."""
        target = seen or self._pond.table
        result = await self.actor.click(target.message, label=label)
        assert result.acknowledged
        return result

    @property
    def dm(self) -> Seen:
        """The last message in this person's DMs with the bot."""
        message = self.actor.user.dm_channel.last_message
        assert message is not None
        return Seen(message)

    @property
    def dms(self) -> list[discord.Message]:
        """All messages in this person's DMs with the bot."""
        return self.actor.user.dm_channel.history()

    async def press_dm(self, label: str, seen: Seen | None = None) -> InteractionResult:
        """Press a button in the DMs."""
        result = await self.actor.user.click((seen or self.dm).message, label=label)
        assert isinstance(result, InteractionResult)
        assert result.acknowledged
        return result

    def close_dms(self) -> None:
        """Take no direct messages from now on."""
        channel_id = self.actor.user.dm_channel.id
        self._pond.env.inject_error(
            "POST",
            f"/channels/{channel_id}/messages",
            status=403,
            code=CANNOT_DM,
            message="Cannot send messages to this user",
            times=None,
        )


class Pond:
    """A server with one channel and some people, and the bot."""

    def __init__(self, env: simcord.Env, path: Path, locale: str | None = None) -> None:
        self.env = env
        self._path = path
        self.guild: GuildHandle = env.create_guild("The Frog Pond", preferred_locale=locale)
        self.channel: ChannelHandle = self.guild.create_text_channel("lily-pad")
        self.people: dict[str, Person] = {}

    def person(self, name: str) -> Person:
        """Somebody by name, new or known."""
        if name not in self.people:
            user = self.env.create_user(name.lower(), global_name=name)
            self.people[name] = Person(self, self.guild.add_member(user))
        return self.people[name]

    @property
    def bot(self) -> Ribit:
        assert isinstance(self.env.bot, Ribit)
        return self.env.bot

    @property
    def messages(self) -> list[Seen]:
        """The bot's messages that everybody sees in the channel, oldest first."""
        shown = sorted(self.channel.history(), key=lambda message: message.id)
        return [Seen(message) for message in shown if not message.flags.ephemeral]

    @property
    def table(self) -> Seen:
        """The message that shows the table: the last one with controls or a picture."""
        return [seen for seen in self.messages if seen.custom_ids or seen.alt][-1]

    @property
    def reminders(self) -> list[str]:
        """The plain lines that mention somebody."""
        return [seen.message.content for seen in self.messages if seen.message.content]

    @property
    def awaited(self) -> Person:
        """The one person whom a reminder calls to move."""
        called = [one for one in self.people.values() if f"<@{one.id}>" in " ".join(self.reminders)]
        assert len(called) == 1
        return called[0]

    async def pause(self) -> None:
        """Let the pause between two rounds pass."""
        await self.env.advance_time(PAUSE_SECONDS + 1)

    async def restart(self) -> None:
        """End the bot and start it anew on the same database."""
        await self.bot.close()
        await self.env.restart_bot(await new_bot(self._path))
        await self.env.settle()

    async def started(self, *names: str, **options: Any) -> list[Person]:
        """Have these people sit down and the first of them start a match."""
        people = [self.person(name) for name in names]
        await people[0].slash("toad start", **options)
        for other in people[1:]:
            await other.press("Join")
        await people[0].press("Start")
        return people


async def new_bot(path: Path) -> Ribit:
    """Return the bot on a database, as ``python -m bot`` would make it."""
    return Ribit(database=await open_database(path), games=games())


@asynccontextmanager
async def pond(folder: Path, locale: str | None = None) -> AsyncIterator[Pond]:
    """Open a server (of a language) with the bot in it; errors that the bot swallowed fail the test."""
    path = folder / "ribit.sqlite3"
    async with simcord.run(await new_bot(path), shard_count=1) as env:
        place = Pond(env, path, locale)
        try:
            yield place
        finally:
            await place.bot.close()
        assert complaints(env.http_requests) == []

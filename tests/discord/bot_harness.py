"""Test harness that runs the real bot in a SimCord server with simulated users.

At the end of each test, the harness checks that every interaction was acknowledged, that every request
body is valid, that no user was shown a hidden card, that no log line names a hidden card, and that the
test expected every logged error.
"""

from __future__ import annotations

import asyncio
import logging
import marshal
import pickle
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from copy import deepcopy
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, TypeVar

import discord
import pytest
import simcord
import structlog
from discord.ext import tasks
from simcord.actors import MemberActor, _component_interaction
from simcord.backend.access import can_access_channel
from simcord.backend.models.message import Message
from simcord.builders import ChannelHandle, GuildHandle
from simcord.components import walk_components
from simcord.results import InteractionResult, ResponseMessage, to_discord_message

from bot.app import Ribit
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.name_sanitizing import new_placeholder
from bot.engine.translation import language
from bot.engine.worker_task import Lane, Task
from bot.games import games
from bot.logs import OF_PEOPLE
from bot.matches.match import Entry, Match, Stage, advance, opening
from bot.metrics import Metrics
from bot.opponents import Opponents as Workers
from bot.opponents.pool import run_here
from bot.sessions.events import Click
from bot.sessions.ports import Opponents
from bot.sessions.turn_clock import PAUSE_SECONDS
from bot.sessions.worker_tasks import FindDeal
from bot.storage.database import open_database
from bot.storage.database_address import Location, Server
from bot.storage.match_posts import NewPost
from bot.storage.named_queries import Sql
from bot.storage.writer import UnreachableDatabaseError
from tests.discord import known_deals
from tests.discord.request_checks import request_faults
from tests.discord.secrecy import Secrets
from tests.discord.settling import PATIENCE_SECONDS, install_speedups

IN_PASSING = {
    "leaderboard": "leaderboards",
    "profile": "leaderboards",
    "daily": "daily",
    "rules": "rules",
    "Hint": "hints",
    "Daily post": "daily_post",
    "Play the deal": "daily",
}
"""Features of commands and buttons that tests of other features use in passing."""

BUTTON, MENU, TEXT, GALLERY = 2, 3, 10, 12
CANNOT_DM = 50007
TOKEN_SECONDS = 15 * 60
FAULTS = ("error", "critical")

T = TypeVar("T")

LogLine = MutableMapping[str, Any]
Games = Mapping[str, AnyGame]
Clicking = Coroutine[Any, Any, InteractionResult]


@cache
def _search_deal(task: FindDeal) -> Mapping[str, int]:
    return task.compute()


def _find_deal(task: FindDeal) -> Mapping[str, int]:
    """Return the solitaire deal that a worker process would find.

    If the test uses known deals, return one of them without a search.
    """
    options = dict(task.options)
    if known_deals.dealt is None or options["any"]:
        return _search_deal(task)
    return {**options, **known_deals.known_deal_options(options["deal"], known_deals.dealt)}


_RESCUES: dict[bytes, bytes | None] = {}
"""Answers of the slowest search, that for the move that lost a deal. Many tests lose the same deal."""


class Thinkers(Workers):
    """Workers that run all tasks in the test's own process.

    SimCord's virtual time does not wait for other processes.
    """

    async def _attempt(self, _lane: Lane, _longest: float, task: Task[Any], *given: Any) -> bytes | None:
        if isinstance(task, FindDeal):
            return pickle.dumps(_find_deal(task))
        if getattr(task, "question", None) != "rescue":
            return await run_here(task, *given)
        asked = pickle.dumps((task, language()))
        if asked not in _RESCUES:
            _RESCUES[asked] = await run_here(task, *given)
        return _RESCUES[asked]


class Seen:
    """A Discord message as a user sees it."""

    def __init__(self, message: Any) -> None:
        self.message = message
        self._walked: tuple[Any, list[dict[str, Any]]] = None, []

    def _parts(self, kind: int) -> Iterator[dict[str, Any]]:
        return (part for part in self._components if part.get("type") == kind)

    @property
    def _components(self) -> list[dict[str, Any]]:
        """All components, nested ones included. They are cached until an edit replaces them."""
        is_response = isinstance(self.message, ResponseMessage)  # it copies its components at each call
        shown = (self.message._message if is_response else self.message).components
        if self._walked[0] is not shown:
            parts = [part.to_dict() if hasattr(part, "to_dict") else part for part in shown]
            self._walked = shown, list(walk_components(parts))
        return self._walked[1]

    @property
    def id(self) -> int:
        return int(self.message.id)

    @property
    def text(self) -> str:
        """The message's content and text components, without button labels and alt texts."""
        written = [part["content"] for part in self._parts(TEXT)]
        return "\n".join([self.message.content, *written])

    @property
    def alt(self) -> str:
        """The alt texts of the message's pictures."""
        items = [item for part in self._parts(GALLERY) for item in part["items"]]
        return " ".join(item.get("description") or "" for item in items)

    @property
    def labels(self) -> list[str]:
        """The labels of all buttons that are not disabled."""
        return [part["label"] for part in self._parts(BUTTON) if not part.get("disabled")]

    @property
    def choices(self) -> list[str]:
        """The labels of all enabled buttons except *How to play*.

        A hand has that button while its player waits.
        """
        return [label for label in self.labels if label != "How to play"]

    @property
    def custom_ids(self) -> list[str]:
        """The custom_ids of all buttons, followed by those of all menus."""
        return [part["custom_id"] for kind in (BUTTON, MENU) for part in self._parts(kind)]

    @property
    def match_id(self) -> str:
        """The ID of the match that the message's controls belong to."""
        return self.custom_ids[0].split(":")[1]

    @property
    def is_deal(self) -> bool:
        """Whether the message shows a solitaire deal, live or finished."""
        return any(one.endswith((":give", ":same")) for one in self.custom_ids)

    @property
    def is_notice(self) -> bool:
        """Whether the message lists the users who play or have played the deal of the day."""
        kinds = {one.partition(":")[0] for one in self.custom_ids}
        return "dr" in kinds and "bd" not in kinds

    def custom_id(self, label: str) -> str:
        """Return the custom_id of the button with this label."""
        return next(str(part["custom_id"]) for part in self._parts(BUTTON) if part["label"] == label)

    def total(self) -> str:
        """Return the first label that states how many spots the hand has after a move."""
        return next(label for label in self.labels if "›" in label)

    def label(self, start: str) -> str:
        """Return the first button label that starts with ``start``."""
        return next(label for label in self.labels if label.startswith(start))


def response_of(result: InteractionResult) -> Seen:
    """Return the message with which the bot responded to an interaction."""
    assert result.response is not None
    return Seen(result.response)


def ephemeral_reply(result: InteractionResult) -> Seen:
    """Return the last message that the bot sent in answer to an interaction. It must be ephemeral."""
    message = result.followups[-1] if result.followups else result.response
    assert message is not None
    assert message.ephemeral
    return Seen(message)


HERE = "Show it here"


def public_messages(env: simcord.Env, channel_id: int) -> list[Message]:
    """Return SimCord's records of a channel's messages that are not ephemeral, oldest first."""
    stored = env.backend.messages.get(channel_id, {}).values()
    return sorted((each for each in stored if not each.is_ephemeral), key=lambda each: each.id)


@frozen
class Stored:
    """A match's true state, computed from its stored moves and compared with the content of messages."""

    match: Match
    game: AnyGame
    state: Any
    """The game's state, or None in a lobby."""
    n: int
    """The number of stored moves."""

    @property
    def is_playing(self) -> bool:
        """Whether the match has started and has not ended."""
        return self.match.stage is Stage.PLAYING

    @property
    def to_move(self) -> int | None:
        """The seat of the player to move, or None if the match is not being played."""
        return self.game.to_move(self.state) if self.is_playing else None


def _require_feature(used: str) -> None:
    """Skip the test if the feature with this command or button was deleted from the project."""
    if used in IN_PASSING and find_spec(f"cogs.{IN_PASSING[used]}") is None:
        pytest.skip(f"no feature has {used}")


class Person:
    """A simulated user in the server, who runs commands and clicks on controls."""

    def __init__(self, bot_harness: BotHarness, actor: MemberActor) -> None:
        self._harness = bot_harness
        self.actor = actor
        self.id = actor.id

    @property
    def name(self) -> str:
        return str(self.actor.user.global_name)

    async def slash(self, command: str, **options: Any) -> InteractionResult:
        """Run a slash command in the channel. Skip the test if the command's feature was deleted."""
        for part in (*command.split(), options.get("board", "")):
            _require_feature(part)
        return await self._done(await self.actor.slash(self._harness.channel, command, **options))

    async def press(self, label: str, seen: Seen | None = None) -> InteractionResult:
        """Press a button in the table's message, or in ``seen`` if given.

        If only the user's hand has the button, press it in the user's DM. If the DM shows no hand with
        the button, press *My hand* first.
        """
        _require_feature(label)
        target = seen or self._harness.table
        if seen is None and label not in target.labels and "My hand" in target.labels:
            dm = self._last_dm()
            is_there = dm is not None and label in dm.labels and dm.match_id == target.match_id
            target = dm if dm is not None and is_there else response_of(await self.press("My hand"))
        channel = self._harness.env.backend.get_channel(_channel_id_of(target))
        actor = self.actor if channel.guild_id is not None else self.actor.user
        return await self._done(await actor.click(target.message, label=label))

    async def pick(self, value: str | MemberActor, seen: Seen, custom_id: str) -> InteractionResult:
        """Pick an option in a message's menu."""
        return await self._done(await self.actor.select(seen.message, [value], custom_id=custom_id))

    async def send(self, seen: Seen, custom_id: str, **data: Any) -> InteractionResult:
        """Send a click on a control, even if the message does not have the control."""
        return await self._done(await self.sends(seen, custom_id, **data))

    def sends(self, seen: Seen, custom_id: str, **data: Any) -> Clicking:
        """Return a coroutine that sends a click, even if the message does not have the control.

        Tests use it for concurrent clicks, because it does not check the content of messages afterwards.
        """
        env, channel_id = self._harness.env, _channel_id_of(seen)
        stored = env.backend.get_message(channel_id, seen.id)
        in_dm = env.backend.get_channel(channel_id).guild_id is None
        asked = {"custom_id": custom_id, "component_type": BUTTON, **data}
        actor = self.actor.user if in_dm else self.actor
        return _component_interaction(actor, stored, asked)

    def visible_messages(self, channel: ChannelHandle) -> list[Seen]:
        """Return the messages that this user sees in a channel, or none if it is closed to the user."""
        sees = can_access_channel(self._harness.env, channel.id, self.actor.user, history=True)
        return list(map(Seen, channel.history(viewer=self.actor.user))) if sees else []

    @property
    def dm(self) -> Seen:
        """The last message in this user's DMs with the bot."""
        message = self._last_dm()
        assert message is not None
        return message

    def _last_dm(self) -> Seen | None:
        stored = public_messages(self._harness.env, self.actor.user.dm_channel.id)
        return Seen(to_discord_message(self._harness.env, stored[-1])) if stored else None

    @property
    def dms(self) -> list[discord.Message]:
        """All messages in this user's DMs with the bot."""
        return self.actor.user.dm_channel.history()

    def send_plain_dm(self) -> Seen:
        """Let the bot send this user a DM that belongs to no table, and return the message."""
        backend = self._harness.env.backend
        message = backend.create_message(self.actor.user.dm_channel.id, backend.bot_user.id, "hello")
        return Seen(message)

    async def press_dm(self, label: str, seen: Seen | None = None) -> InteractionResult:
        """Press a button in the user's last DM or in ``seen``.

        If ``seen`` is None and the user's hand is open at the table, move the hand to the DM first.
        """
        if seen is None:
            await self.move_hand_to_dm()
        return await self._done(await self.actor.user.click((seen or self.dm).message, label=label))

    async def move_hand_to_dm(self) -> None:
        """If the user's hand is open at the table, move it to the DM."""
        if HERE in self.dm.labels:
            await self._done(await self.actor.user.click(self.dm.message, label=HERE))

    def close_dms(self) -> None:
        """Make Discord reject all further DMs to this user."""
        channel_id = self.actor.user.dm_channel.id
        self._harness.env.inject_error(
            "POST",
            f"/channels/{channel_id}/messages",
            status=403,
            code=CANNOT_DM,
            message="Cannot send messages to this user",
            times=None,
        )

    async def _done(self, result: Any) -> InteractionResult:
        assert isinstance(result, InteractionResult)
        assert result.acknowledged
        await self._harness.check()
        return result


def other_person(people: list[Person], person: Person) -> Person:
    """Return the first of some people who is not the given person."""
    return next(one for one in people if one is not person)


class BotHarness:
    """A simulated server with a channel, users and the running bot."""

    def __init__(
        self,
        env: simcord.Env,
        path: Location,
        logs: list[LogLine],
        locale: str | None = None,
        known: Games | None = None,
        emojis: bool = False,
        figures: Metrics | None = None,
    ) -> None:
        self.env = env
        self._path = path
        self._games = known
        self._emojis = emojis
        self._figures = figures
        self.guild: GuildHandle = env.create_guild("The Frog Pond", preferred_locale=locale)
        self.channel: ChannelHandle = self.guild.create_text_channel("lily-pad")
        """The channel in which users run commands and look for the table."""
        self.people: dict[str, Person] = {}
        self.logs = logs
        self._expected: list[LogLine] = []
        self._secrets = Secrets()
        self._folds: dict[str, tuple[list[Entry], Any]] = {}

    def person(self, name: str) -> Person:
        """Return the server's member with this name. If there is none, add the user to the server."""
        if name not in self.people:
            user = self.env.create_user(name.lower(), global_name=name)
            self.people[name] = Person(self, self.guild.add_member(user))
        return self.people[name]

    async def greet(self) -> None:
        """Record that the bot has greeted the server, so that it sends no greeting during the test."""
        welcome: Any = self.bot.get_cog("Welcome")
        if welcome is not None:  # the feature is not deleted
            await welcome.mark_greeted(self.guild.id)

    @property
    def bot(self) -> Ribit:
        assert isinstance(self.env.bot, Ribit)
        return self.env.bot

    @property
    def processes(self) -> list[Ribit]:
        """The bot's processes."""
        return [self.bot]

    @property
    def messages(self) -> list[Seen]:
        """The bot's messages in the channel that are not ephemeral, oldest first."""
        assert self.bot.user is not None
        stored = public_messages(self.env, self.channel.id)
        own = [message for message in stored if message.author_id == self.bot.user.id]
        return [Seen(to_discord_message(self.env, message)) for message in own]

    @property
    def table(self) -> Seen:
        """The newest message that shows a table, or the short text that replaced a table.

        This may be an ephemeral message with a solitaire deal.
        """
        assert self.bot.user is not None
        boards = list[Seen]()
        stored = self.env.backend.messages.get(self.channel.id, {}).values()
        for message in sorted(stored, key=lambda message: -message.id):
            seen = Seen(message)  # a library's message is made for the table only
            if message.author_id != self.bot.user.id or not (not message.is_ephemeral or seen.is_deal):
                continue
            is_table = any(seen._parts(TEXT)) and not seen.is_notice
            if is_table and (seen.custom_ids or seen.text.strip().startswith("-#")):
                boards.append(seen)
                if "bm" not in seen.custom_ids:
                    break
        assert boards, "no table is shown"
        table = boards[0] if "bm" in boards[-1].custom_ids else boards[-1]
        return Seen(to_discord_message(self.env, table.message))

    @property
    def notice(self) -> Seen:
        """The last message that lists the users who play or have played the deal of the day."""
        return [seen for seen in self.messages if seen.is_notice][-1]

    @property
    def reminders(self) -> list[str]:
        """The plain-text content of each of the bot's messages that mentions a user."""
        return [seen.message.content for seen in self.messages if "<@" in seen.message.content]

    @property
    def reminded_player(self) -> Person:
        """The user whom a reminder in the channel asks to move. There must be exactly one."""
        called = [one for one in self.people.values() if f"<@{one.id}>" in " ".join(self.reminders)]
        assert len(called) == 1
        return called[0]

    async def stored(self, match_id: str) -> Stored:
        """Load a match and compute its state from the stored moves."""
        recorded = await self.bot.database.journal.load(match_id)
        assert recorded is not None
        match, entries = recorded
        game = self._game(match)
        state = None if match.seed is None else self._current_state(game, match, entries)
        return Stored(match, game, state, len(entries))

    def _current_state(self, game: AnyGame, match: Match, entries: list[Entry]) -> Any:
        """Return the match's state after all stored moves.

        The state of the previous call is cached, and only further moves are applied to it.
        """
        before, state = self._folds.get(match.id, ([], None))
        if not before or entries[: len(before)] != before:
            before, state = [], opening(game, match)
        for entry in entries[len(before) :]:
            state = advance(game, state, entry)
        self._folds[match.id] = entries, state
        return state

    async def expected_lines(self) -> tuple[str, ...]:
        """Return the lines that the table must show after the last stored move.

        The result is empty if the match is not being played.
        """
        stored = await self.stored(self.table.match_id)
        if not stored.is_playing:
            return ()
        names = [player.name for player in stored.match.players]
        words = stored.game.words(stored.game.view(stored.state, None), names)
        return words.headline, *words.story

    async def is_table_current(self) -> bool:
        """Return whether the table's message shows the state after the last stored move."""
        return all(line in self.table.text for line in await self.expected_lines())

    async def old_button_id(self, key: str) -> str:
        """Return the custom_id of a move button below the table, which only old versions have shown."""
        match_id = self.table.match_id
        return f"m:{match_id}:{(await self.stored(match_id)).n}:t:{key}"

    async def live(self) -> list[Match]:
        """Return all lobbies and all matches in progress, oldest first."""
        return await self.bot.database.journal.live()

    async def live_match_here(self) -> Match | None:
        """Return the channel's live match for several players, or None if there is none."""
        here = [one for one in await self.live() if one.channel_id == self.channel.id]
        return next((one for one in here if not self._game(one).info.is_solo), None)

    def _game(self, match: Match) -> AnyGame:
        game = {**games(), **(self._games or {})}[match.game].by_rules(match.rules_version)
        assert game is not None
        return game

    async def pause(self) -> None:
        """Advance virtual time beyond the pause between two rounds."""
        await self.wait(PAUSE_SECONDS + 1)

    async def wait(self, seconds: float) -> None:
        """Advance virtual time. Stop periodic tasks first, because they would run thousands of times."""
        for process in self.processes:
            process.display.silent_since = lambda: None
            for each in (each for cog in process.cogs.values() for each in vars(cog).values()):
                if isinstance(each, tasks.Loop):
                    each.cancel()
        await self.env.advance_time(seconds)
        await self.check()

    async def expire_interactions(self) -> None:
        """Advance virtual time until the tokens of all previous interactions have expired."""
        await self.wait(TOKEN_SECONDS)

    @property
    def now(self) -> int:
        """The current virtual time as Unix time."""
        return int(self.env.now().timestamp())

    async def restart(self, after: float = 0) -> None:
        """Stop the bot, and start it with the same database ``after`` seconds later."""
        await self.bot.close()
        await self.env.advance_time(after)
        bot = await new_bot(self._path, self._games, emojis=self._emojis, figures=self._figures)
        await self.env.restart_bot(bot)
        await self.env.settle()
        await self.check()

    async def seat_players(self, *names: str, game: str = "toad", **options: Any) -> list[Person]:
        """Open a table as the first user, and let the other users join it."""
        people = [self.person(name) for name in names]
        await people[0].slash(f"{game} start", **options)
        for other in people[1:]:
            await other.press("Join")
        return people

    async def started(self, *names: str, game: str = "toad", **options: Any) -> list[Person]:
        """Open a table as the first user, let the other users join, and start the match."""
        people = await self.seat_players(*names, game=game, **options)
        await people[0].press("Start")
        return people

    async def play_ahead(
        self, choose: Callable[[Any], tuple[str, ...] | None], *, in_public: bool = False
    ) -> None:
        """Make moves as the bot carries out clicks, and show the table after the last of them only.

        Args:
            choose: Returns the keys of the next move's clicks in a state, or None for no further move.
            in_public: Whether the clicks are those of the table's own buttons.
        """
        match_id, tables = self.table.match_id, self.bot.tables
        table = await tables.read(match_id)
        while (path := choose(table.state)) is not None:
            assert table.to_move is not None
            mover = table.match.players[table.to_move].id
            with self.env._bot_scope():
                table = await tables.choose(Click(match_id, table.n, in_public, path), mover)
        await self.show_stored(match_id)

    async def show_stored(self, match_id: str) -> None:
        """Let the bot show a match as it is stored, and wait until all its messages are current."""
        with self.env._bot_scope():  # otherwise SimCord would not wait for the tasks of the update
            self.bot.display.schedule_update(match_id)
        await self.env.settle()
        await self.check()

    async def forget(self, person: Person) -> None:
        """Delete a player's data as *Forget me* does, and wait until nothing is left to edit."""
        with self.env._bot_scope():  # otherwise SimCord would not wait for the edits
            await self.bot.database.players.forget(person.id, new_placeholder())
        await self.env.settle()

    async def start_pair(self, **options: Any) -> tuple[Person, Person]:
        """Start a match between Ann and Ben. Return the player to move and the other player."""
        people = await self.started("Ann", "Ben", **options)
        return self.reminded_player, other_person(people, self.reminded_player)

    async def start_expired_pair(self) -> tuple[Person, Person]:
        """Start a match between Ann and Ben, and let the tokens of their interactions expire.

        Returns:
            The player to move and the other player.
        """
        people = await self.start_pair()
        await self.expire_interactions()
        return people

    async def given_up(self) -> tuple[Person, Person]:
        """Start a match between Ann and Ben, and let Ann give up. Return Ann and Ben."""
        ann, ben = await self.started("Ann", "Ben", lives=1)
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        return ann, ben

    def faults(self) -> list[LogLine]:
        """Return the errors logged since the last call.

        If a test does not call this method, any logged error fails the test.
        """
        faults = [line for line in self._logged_errors() if line not in self._expected]
        self._expected += faults
        return faults

    def _logged_errors(self) -> list[LogLine]:
        return [line for line in self.logs if line["log_level"] in FAULTS]

    def _lines_with_players(self) -> list[str]:
        """Return the log lines that identify a player by ID or name."""
        people = [user for user in self.env.backend.users.values() if not user.bot]
        words = [re.escape(str(word)) for user in people for word in (user.id, user.name)]
        told = re.compile(rf"\b({'|'.join(words)})\b")
        lines = [
            str({key: value for key, value in line.items() if key not in OF_PEOPLE})
            for line in self.logs
            if line["log_level"] != "debug"
        ]
        return [line for line in lines if words and told.search(line)]

    async def check(self) -> None:
        """Check that no current message shows a user a card that the user has not seen."""
        found = await self._secrets.complaints(self.bot.database, self.env.backend)
        assert not found, found

    def check_records(self) -> None:
        """Check all requests and log lines of the test.

        The requests must be valid. The log must contain no secrets, no players and no unexpected errors.
        """
        for found in (
            request_faults(self.env.http_requests),
            self._secrets.leaking_log_lines(
                " ".join(f"{key}={value}" for key, value in line.items()) for line in self.logs
            ),
            self._lines_with_players(),
            self.faults(),
        ):
            assert not found, found


def _channel_id_of(seen: Seen) -> int:
    message = seen.message
    return int(message.channel.id if isinstance(message, discord.Message) else message.channel_id)


async def new_bot(
    path: Location,
    known: Games | None = None,
    opponents: Opponents | None = None,
    recent_seconds: float = 0,
    emojis: bool = False,
    figures: Metrics | None = None,
) -> Ribit:
    """Create the bot as ``python -m bot`` does, but without a limit on requests to Discord.

    Args:
        path: The database's file or server.
        known: The games, or None for the bot's own.
        opponents: The workers that run computer players, or None for ``Thinkers``.
        recent_seconds: Seconds after a click during which a player gets no ping.
        emojis: Whether the bot uploads its custom emoji.
        figures: The bot's metrics, or None.
    """
    return Ribit(
        database=await open_database(path),
        games=known or games(),
        requests_per_second=None,
        opponents=opponents or Thinkers(),
        recent_seconds=recent_seconds,
        emojis=emojis,
        figures=figures,
    )


class _Records(logging.Handler):
    """Log handler that adds the records of discord.py and asyncio to the collected log lines."""

    def __init__(self, lines: list[LogLine]) -> None:
        super().__init__(logging.INFO)
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        level = record.levelname.lower()
        self._lines.append({"event": record.getMessage(), "logger": record.name, "log_level": level})


@contextmanager
def capture_logs() -> Iterator[list[LogLine]]:
    """Return a context manager that yields a list to which all log lines in its block are added."""
    lines: list[LogLine] = []

    def keep(_logger: object, method: str, event: LogLine) -> LogLine:
        level = "error" if method == "exception" else method
        lines.append({**event, "log_level": level})
        return event

    processors: list[structlog.typing.Processor] = structlog.get_config()["processors"]
    plain = structlog.dev.plain_traceback  # the default shows all local variables, which takes seconds
    processors[-1] = structlog.dev.ConsoleRenderer(exception_formatter=plain)
    processors.insert(0, keep)
    handler = _Records(lines)
    logging.getLogger().addHandler(handler)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)
        processors.remove(keep)


@cache
def empty_database() -> bytes:
    """Return the content of a database file without matches.

    It is cached, because the migrations take a fifth of a short test's time.
    """

    async def make(path: Path) -> None:
        await (await open_database(path)).close()

    with TemporaryDirectory() as folder, ThreadPoolExecutor() as aside:  # a loop of its own
        aside.submit(asyncio.run, make(path := Path(folder, "ribit.sqlite3"))).result()
        return path.read_bytes()


def _copy_json(value: Any) -> Any:
    """Return a copy of parsed JSON, at a fiftieth of the cost of ``copy.deepcopy``."""
    try:
        return marshal.loads(marshal.dumps(value))
    except ValueError:  # part of it is an enum
        if type(value) is dict:
            return {key: _copy_json(each) for key, each in value.items()}
        return [_copy_json(each) for each in value] if type(value) is list else deepcopy(value)


install_speedups()

_COPY = SimpleNamespace(deepcopy=_copy_json)
for _module, _name, _copy in (
    (simcord.components, "deepcopy", _copy_json),
    (simcord.results, "deepcopy", _copy_json),
    (simcord.backend.serializers, "deepcopy", _copy_json),
    (simcord.gateway, "copy", _COPY),
    (simcord.http.router, "copy", _COPY),
):
    setattr(_module, _name, _copy)


@contextmanager
def message_ids_not_stored(place: BotHarness) -> Iterator[None]:
    """Inside the block, the database cannot store the IDs of messages that were sent.

    The log must report nothing else.
    """

    async def refuse(_new: NewPost, _sql: Sql) -> None:
        raise UnreachableDatabaseError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NewPost, "store", refuse)
        yield
    assert {fault["event"] for fault in place.faults()} == {"storage failed, games are paused"}


@asynccontextmanager
async def bot_harness(
    where: Path | Server,
    locale: str | None = None,
    known: Games | None = None,
    opponents: Opponents | None = None,
    recent_seconds: float = 0,
    emojis: bool = False,
    figures: Metrics | None = None,
) -> AsyncIterator[BotHarness]:
    """Return a context manager that runs the bot in a simulated server and checks it at the end.

    An unexpected error of the bot fails the test.

    Args:
        where: The folder of the SQLite database, or a PostgreSQL server.
        locale: The server's locale.
        known: See ``new_bot``, as for the further arguments.
        opponents: See ``new_bot``.
        recent_seconds: See ``new_bot``.
        emojis: See ``new_bot``.
        figures: See ``new_bot``.
    """
    path = where / "ribit.sqlite3" if isinstance(where, Path) else where
    if isinstance(path, Path) and not path.exists():
        path.write_bytes(empty_database())
    with capture_logs() as logs:
        bot = await new_bot(path, known, opponents, recent_seconds, emojis, figures)
        async with simcord.run(bot, shard_count=1, settle_timeout=PATIENCE_SECONDS) as env:
            place = BotHarness(env, path, logs, locale, known, emojis, figures)
            await place.greet()
            try:
                yield place
                await place.check()
            finally:
                await place.bot.close()
        place.check_records()

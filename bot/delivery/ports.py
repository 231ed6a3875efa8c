"""What delivery needs to have remembered. Storage fits it by shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Protocol, TypeAlias

from bot.engine.server import ServerSettings
from bot.messages.ports import Row

Once: TypeAlias = Callable[[str], AbstractAsyncContextManager[None]]
"""Has something to itself among all processes of the bot; it is waited for."""


def by_itself(_what: str) -> AbstractAsyncContextManager[None]:
    """Have something to oneself where there is only one process."""
    return nullcontext()


Share: TypeAlias = Callable[[Callable[[float], object]], object]
"""Has something called with this process's part of the bot's requests, now and when it has changed."""


class Post(Protocol):
    """A message that shows a spot of a match: the table, a hand, a reminder."""

    @property
    def channel_id(self) -> int:
        """Where it is."""

    @property
    def message_id(self) -> int:
        """Which it is."""


class Posts(Protocol):
    """Which messages show a match."""

    async def put(
        self, match_id: str, spot: str, channel_id: int, message_id: int, *, former: str | None = None
    ) -> None:
        """Remember the message that shows a spot; the one before may take a ``former`` spot."""

    async def get(self, match_id: str, spot: str) -> Post | None:
        """Return the message that shows a spot."""

    async def all(self, match_id: str) -> Mapping[str, Post]:
        """Return every message of a match by its spot."""

    async def remove(self, match_id: str, spot: str) -> None:
        """Forget the message that shows a spot."""

    def forget(self, match_id: str) -> None:
        """Have the messages of a match read anew, which another process may have changed."""


class Waking(Protocol):
    """Tells the other processes of the bot, and hears them; what it tells may be lost."""

    async def tell(
        self, kind: str, about: Mapping[str, Any], later: Mapping[str, Any] | None = None
    ) -> None:
        """Tell something now: ids and numbers by name; where it cannot be, ``later`` when it can."""

    def hear(self, kind: str, heard: Callable[[Mapping[str, Any]], object]) -> None:
        """Have this called with each note of a kind that another process tells."""


class PlayerRecord(Protocol):
    """How a player can be written to."""

    @property
    def dm_channel_id(self) -> int | None:
        """The channel of the DMs, once there is one."""

    @property
    def dms_closed(self) -> bool:
        """Whether Discord refused a DM, so that none is tried again unasked."""

    @property
    def locale(self) -> str | None:
        """The Discord locale that the player used last."""

    @property
    def four_colours(self) -> bool | None:
        """Whether the player likes a colour for each suit; None leaves it to the server."""


class Players(Protocol):
    """Who can be written to, and how."""

    async def get(self, player_id: int) -> PlayerRecord:
        """Return what is known of a player, also of one never seen."""

    async def dms(self, player_id: int, channel_id: int) -> None:
        """Remember that DMs arrive, and in which channel."""

    async def dms_closed(self, player_id: int) -> bool:
        """Remember that DMs are refused; returns whether that is news."""

    async def speaks(self, player_id: int, locale: str) -> None:
        """Remember the player's locale."""

    async def likes(self, player_id: int, *, four_colours: bool | None) -> None:
        """Remember in how many colours the player likes the suits; None for as the server has it."""

    async def has_learned(self, player_id: int, game: str) -> bool:
        """Return whether a player has learned a game in a lesson."""


class Servers(Protocol):
    """What the admins of each server have set."""

    async def get(self, guild_id: int | None) -> ServerSettings:
        """Return a server's settings: the defaults where nothing was set, and in DMs (None)."""

    async def change(
        self, guild_id: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change a server's settings as they are at that moment; returns what they are then."""


class Notes(Protocol):
    """Small things to remember, by key."""

    async def get(self, key: str) -> str | None:
        """Return what was noted."""

    async def put(self, key: str, value: str) -> None:
        """Note something."""

    async def remove(self, key: str) -> None:
        """Forget what was noted."""


class Drawing(Protocol):
    """A sign as it is drawn."""

    @property
    def digest(self) -> str:
        """What tells this drawing from another, in six digits."""

    def png(self) -> bytes:
        """Return the picture to upload."""


class Emojis(Protocol):
    """Which of the application's emojis shows which sign."""

    async def all(self, application_id: int) -> Mapping[str, tuple[str, int]]:
        """Return each sign's emoji at an application: its name and its id."""

    async def put(self, application_id: int, emojis: Mapping[str, tuple[str, int]]) -> None:
        """Remember the emojis of signs, in place of those before."""


class Standings(Protocol):
    """Leaderboards and profiles."""

    async def leaderboard(self, guild_id: int, game: str, offset: int, limit: int) -> Sequence[Row]:
        """Return some rows of a server's leaderboard, best first."""

    async def place_of(self, guild_id: int, game: str, player_id: int) -> Row | None:
        """Return a player's own row; one of rank 0 for who has played with frogs only."""

    async def count(self, guild_id: int, game: str) -> int:
        """Return how many players a leaderboard has."""

    async def profile(self, player_id: int, guild_id: int | None) -> Mapping[str, Row]:
        """Return a player's row for each game played, in one server or everywhere."""

    async def day_board(
        self, guild_id: int, game: str, day: int, offset: int, limit: int, player_id: int | None = None
    ) -> Sequence[Row]:
        """Return a day's winners in a server, with ``moves``, ``undos`` and ``seconds``."""

    async def day_count(self, guild_id: int, game: str, day: int) -> int:
        """Return how many players of a server have won a day's deal."""

    async def pars(self, player_id: int, guild_id: int | None, game: str) -> Mapping[int, int]:
        """Return how many deals a player won with how many moves more than par."""

    async def days_won(self, player_id: int, game: str) -> Sequence[int]:
        """Return the days whose deal a player has won, latest first."""

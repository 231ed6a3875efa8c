"""``/settings`` and its controls."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, Self

import discord
import structlog
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import handles
from bot.delivery.display import Display
from bot.delivery.start_checks import check_is_admin, is_admin
from bot.delivery.turn_pings import local_time
from bot.engine.immutable import frozen
from bot.engine.words import _
from bot.features import Feature, Occasion, StartButton
from bot.matches.preferences import ServerSettings
from bot.messages.components import Button, Content
from bot.messages.custom_ids import Control, Plain, number_in
from bot.messages.deal_calendar import daily_game
from bot.requests.answers import answering
from bot.requests.channel_permissions import is_guest
from bot.sessions.errors import TableError
from bot.sessions.seating import Seating
from cogs.settings.panels import (
    BARRED,
    CHANNELS,
    DAYS,
    MINE,
    OURS,
    OWN_SETTINGS,
    SETTINGS,
    TEXT_CHANNELS,
    UTC_NAME,
    not_offered,
    own_content,
    settings_content,
)

log = structlog.get_logger(__name__)

_CHANNEL_FIELDS = {CHANNELS: "channels", TEXT_CHANNELS: "text_channels"}

MOST_BARRED = 50
"""Largest number of banned users that a panel lists."""

_MOST_CHOICES = 25
_MOST_NEAR = 3


@frozen
class SettingPick(Control):
    """The values picked for a setting."""

    pattern = re.compile(r"s:(?P<setting>[a-z]{2,12})")
    kind = "setting"

    setting: str
    values: tuple[str, ...]

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        return cls(found["setting"], tuple(values))


@frozen
class SetUp(Plain):
    """A button in a public message that shows a member with Manage Server the server's settings."""

    kind = "set up"
    form = "set up"


class Settings(commands.Cog):
    """Settings of a server and of a player, in ephemeral messages."""

    def __init__(
        self,
        display: Display,
        seating: Seating,
        in_settings: Sequence[Callable[[], Sequence[Button]]] = (),
        in_own: Sequence[Callable[[], Sequence[Button]]] = (),
    ) -> None:
        self._display, self._in_settings = display, in_settings
        self._seating, self._in_own = seating, in_own

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(zone="Your time zone, such as Europe/Berlin: by its clock your night is")
    async def settings(
        self, interaction: discord.Interaction, zone: app_commands.Range[str, 1, 50] | None = None
    ) -> None:
        """Choose how your cards look; who manages the server also sets what holds at its tables."""
        async with answering(interaction) as answer:
            if zone is not None:
                await self._display.players.choose(interaction.user.id, zone=zone_named(zone))
            await answer.whisper(await self._panel(interaction, are_own=zone is not None))

    @settings.autocomplete("zone")
    async def _zones(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        now = int(interaction.created_at.timestamp())
        return [
            Choice(name=f"{zone} · {local_time(zone, now):%H:%M}", value=zone)
            for zone in zones_like(typed)[:_MOST_CHOICES]
        ]

    @handles(SettingPick, in_private=True)
    async def pick_setting(self, clicked: ClickContext, picked: SettingPick) -> None:
        are_own = picked.setting in OWN_SETTINGS
        if are_own:
            await self._change_own(clicked, picked)
        elif picked.setting not in (MINE, OURS):
            await self._change_server(clicked, picked)
        are_own |= picked.setting == MINE
        await clicked.answer.update(await self._panel(clicked.interaction, are_own=are_own))

    @handles(SetUp)
    async def set_up(self, clicked: ClickContext, _asked: SetUp) -> None:
        check_is_admin(clicked.interaction)
        await clicked.answer.whisper(await self._panel(clicked.interaction, are_own=False))

    async def _change_own(self, clicked: ClickContext, picked: SettingPick) -> None:
        setting = OWN_SETTINGS[picked.setting]
        choice = setting.picked(picked.values)
        if picked.setting != DAYS:
            await self._display.players.choose(clicked.player_id, **{setting.field: choice})
        elif (guild := _server_of(clicked.interaction)) is not None:
            await self._display.database.days.show(clicked.player_id, guild.id, is_shown=choice)

    async def _change_server(self, clicked: ClickContext, picked: SettingPick) -> None:
        guild = check_is_admin(clicked.interaction)
        await self._display.database.servers.change(guild.id, _change(guild, picked))
        if picked.setting == BARRED:
            for match_id in await self._seating.bar(guild.id, int(picked.values[0])):
                self._display.refresh(match_id)
        log.info("setting picked", server=guild.id, setting=picked.setting, player=clicked.player_id)

    async def _panel(self, interaction: discord.Interaction, *, are_own: bool) -> Content:
        guild = _server_of(interaction)
        if guild is not None and is_admin(interaction) and not are_own:
            more = [button for each in self._in_settings for button in each()]
            return settings_content(await self._display.database.servers.get(guild.id), guild, more)
        own = (await self._display.players.get(interaction.user.id)).own
        if guild is not None and daily_game(self._display.tables.games) is not None:
            is_shown = await self._display.database.days.is_shown(interaction.user.id, guild.id)
            own = replace(own, on_day_board=is_shown)
        now = int(interaction.created_at.timestamp())
        more = [] if guild is None else [button for each in self._in_own for button in each()]
        return own_content(
            own, now, in_server=guild is not None, is_admin=is_admin(interaction), more=more
        )


def _server_of(interaction: discord.Interaction) -> discord.Guild | None:
    """Return the server, or None in DMs and in servers without the bot, which have no settings."""
    return None if is_guest(interaction) else interaction.guild


def _change(guild: discord.Guild, picked: SettingPick) -> Callable[[ServerSettings], ServerSettings]:
    """Return the change for a pick, or raise TableError if the pick was not offered."""
    value: Any
    if picked.setting == BARRED:
        return _barring(picked.values)
    if picked.setting in _CHANNEL_FIELDS:
        channels = {str(channel.id): channel.id for channel in guild.channels}
        if not channels.keys() >= {*picked.values}:
            raise not_offered()
        field, value = _CHANNEL_FIELDS[picked.setting], frozenset(channels[one] for one in picked.values)
    elif picked.setting in SETTINGS:
        setting = SETTINGS[picked.setting]
        field, value = setting.field, setting.picked(picked.values, str(guild.preferred_locale))
    else:
        raise not_offered()
    return lambda settings: replace(settings, **{field: value})


def _barring(values: Sequence[str]) -> Callable[[ServerSettings], ServerSettings]:
    person = number_in(values[0]) if len(values) == 1 else None
    if person is None:
        raise not_offered()
    picked = frozenset({person})

    def change(settings: ServerSettings) -> ServerSettings:
        barred = settings.barred ^ picked
        if len(barred) > MOST_BARRED:
            raise TableError(
                _("The list is full at {n} people. Take somebody off first.").format(n=MOST_BARRED)
            )
        return replace(settings, barred=barred)

    return change


# ---- time zones ----------------------------------------------------------------------------------


@lru_cache(1)
def zones() -> tuple[str, ...]:
    """Return the names of all geographical time zones and UTC. They do not depend on the system."""
    names = files("tzdata").joinpath("zones").read_text("ascii").split()
    return (UTC_NAME, *sorted(name for name in names if "/" in name and not name.startswith("Etc/")))


def zones_like(typed: str) -> list[str]:
    """Return the time zones whose names contain a text, with cities of exactly that name first."""
    wanted = _plain(typed)
    found = [name for name in zones() if wanted in _plain(name)]
    return sorted(found, key=lambda name: _plain(_city(name)) != wanted)


def zone_named(typed: str) -> str:
    """Return the time zone of a name or a city.

    Raises:
        TableError: There is no such time zone. The sentence contains suggestions.
    """
    wanted = _plain(typed)
    for name in zones():
        if _plain(name) == wanted:
            return name
    of_city = [name for name in zones() if _plain(_city(name)) == wanted]
    # Names of one city with equal rules are current and former names.
    if len({_rules_of(name) for name in of_city}) == 1:
        return of_city[0]
    near = of_city or (zones_like(typed) if wanted else [])
    words = _("I know no time zone of that name. Take one with a city, such as {zones}.")
    raise TableError(words.format(zones=", ".join(near[:_MOST_NEAR] or ("Europe/Berlin",))))


def _rules_of(zone: str) -> bytes:
    return files("tzdata").joinpath("zoneinfo", *zone.split("/")).read_bytes()


def _city(zone: str) -> str:
    return zone.rpartition("/")[2]


def _plain(name: str) -> str:
    """Return a name's letters and slashes, without case, accents, spaces and dots."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if letter.isalnum() or letter == "/")


async def setup(bot: Ribit) -> None:
    set_up = StartButton(
        90, frozenset({Occasion.JOINED}), lambda _game: Button(SetUp().custom_id, _("Set up"))
    )
    cog = Settings(bot.display, bot.seating, bot.in_settings, bot.in_own_settings)
    await bot.add_feature(Feature(cog, starts=[set_up]))

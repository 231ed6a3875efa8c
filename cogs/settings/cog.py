"""The command ``/settings``, and the buttons, menus and forms with which users change settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
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
from bot.delivery.permission_checks import check_is_admin, is_admin
from bot.delivery.quiet_hours import local_time
from bot.engine.frozen import frozen
from bot.engine.translation import _
from bot.features import Feature, Occasion, StartButton
from bot.matches.preferences import NotifyMode
from bot.matches.server_settings import ServerSettings
from bot.messages.components import Button, Content
from bot.messages.custom_ids import Control, PlainControl, number_in
from bot.messages.deal_calendar import daily_game
from bot.requests.answers import answering
from bot.requests.channel_permissions import is_guest
from bot.requests.layout_views import form, menu_form
from bot.sessions.errors import TableError
from bot.sessions.seating import Seating
from cogs.settings.panels import (
    BARRED,
    CHANNELS,
    DAYS,
    GROUPS,
    MINE,
    OURS,
    OWN_SETTINGS,
    SETTINGS,
    SILENT,
    TEXT_CHANNELS,
    TOLD,
    UTC_NAME,
    VIA,
    ZONE,
    Group,
    OpenForm,
    field_id,
    not_offered,
    own_content,
    settings_content,
    settings_fields,
)
from cogs.settings.time_zones import LONGEST_ZONE, zone_named, zones_like

log = structlog.get_logger(__name__)

_CHANNEL_FIELDS = {CHANNELS: "channels", TEXT_CHANNELS: "text_channels"}

MOST_BARRED = 50
"""Maximum number of users that a server can ban from its tables."""


_MOST_CHOICES = 25


@frozen
class SettingPick(Control):
    """A menu or button with which a user changes a setting.

    Attributes:
        setting: The key of the setting or of the button.
        values: The picked values. Empty for a button.
    """

    pattern = re.compile(r"s:(?P<setting>[a-z]{2,12})")
    kind = "setting"

    setting: str
    values: tuple[str, ...]

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        return cls(found["setting"], tuple(values))


@frozen
class SetUp(PlainControl):
    """A button in a public message that opens the server's settings.

    Only members with *Manage Server* can use it.
    """

    kind = "set up"
    form = "set up"


@frozen
class FormFilled(PlainControl):
    """The submission of a form with one group of the server's settings.

    The values of the form's fields are read from the interaction.
    """

    kind = "settings form"
    form = "sd:{0.group}"

    group: str


@frozen
class ZoneTyped(PlainControl):
    """The submission of a form in which the player typed a time zone or city."""

    kind = "zone"
    form = "sz"

    zone: str


class SettingsCog(commands.Cog):
    """The ``/settings`` cog, which shows the server's and the user's settings in ephemeral messages."""

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
    @app_commands.describe(zone="Your time zone, such as Europe/Berlin, for your quiet hours")
    async def settings(
        self,
        interaction: discord.Interaction,
        zone: app_commands.Range[str, 1, LONGEST_ZONE] | None = None,
    ) -> None:
        """Change your notifications and how your cards look. Admins can also set this server's rules."""
        async with answering(interaction) as answer:
            if zone is not None:
                await self._display.players.choose(interaction.user.id, zone=zone_named(zone))
            await answer.send_ephemeral(await self._panel(interaction))

    @settings.autocomplete("zone")
    async def _zones(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        now = int(interaction.created_at.timestamp())
        return [
            Choice(name=f"{zone} · {local_time(zone, now):%H:%M}", value=zone)
            for zone in zones_like(typed)[:_MOST_CHOICES]
        ]

    @handles(SettingPick, in_private=True)
    async def pick_setting(self, clicked: ClickContext, picked: SettingPick) -> None:
        if picked.setting == OURS:
            await clicked.answer.update(await self._server_panel(clicked.interaction))
            return
        if picked.setting == ZONE:
            await self._ask_for_zone(clicked)
            return
        if picked.setting != MINE:
            await self._change_own(clicked, picked)
        await clicked.answer.update(await self._panel(clicked.interaction))

    async def _change_own(self, clicked: ClickContext, picked: SettingPick) -> None:
        players, player_id, key = self._display.players, clicked.player_id, picked.setting
        if key == SILENT:
            await players.choose(player_id, told=NotifyMode.NEVER)
            return
        if key not in OWN_SETTINGS:
            raise not_offered()
        setting = OWN_SETTINGS[key]
        choice, notify_mode = (
            setting.picked_value(picked.values),
            (await players.get(player_id)).own.told,
        )
        if key == TOLD:
            await players.choose(player_id, told=choice.with_route(by_dm=notify_mode.by_dm))
        elif key == VIA:
            await players.choose(player_id, told=notify_mode.with_route(by_dm=choice))
        elif key != DAYS:
            await players.choose(player_id, **{setting.field: choice})
        elif (guild := _server_of(clicked.interaction)) is not None:
            await self._display.database.days.show(player_id, guild.id, is_shown=choice)

    async def _ask_for_zone(self, clicked: ClickContext) -> None:
        own = (await self._display.players.get(clicked.player_id)).own
        fields = ((_("City, such as Berlin"), own.zone or UTC_NAME),)
        modal = form(_("Time zone"), ZoneTyped("").custom_id, fields, LONGEST_ZONE)
        if not await clicked.answer.ask(modal):
            raise _slow()

    @handles(ZoneTyped, in_private=True)
    async def set_zone(self, clicked: ClickContext, typed: ZoneTyped) -> None:
        await self._display.players.choose(clicked.player_id, zone=zone_named(typed.zone))
        await clicked.answer.update(await self._panel(clicked.interaction))

    # ---- the server's settings ---------------------------------------------------------------------

    @handles(SetUp)
    async def set_up(self, clicked: ClickContext, _asked: SetUp) -> None:
        await clicked.answer.send_ephemeral(await self._server_panel(clicked.interaction))

    @handles(OpenForm, in_private=True)
    async def open_form(self, clicked: ClickContext, asked: OpenForm) -> None:
        guild, group = check_is_admin(clicked.interaction), _group(asked.group)
        settings = await self._display.database.servers.get(guild.id)
        fields = settings_fields(settings, guild, group)
        modal = menu_form(_(group.title), FormFilled(asked.group).custom_id, fields)
        if not await clicked.answer.ask(modal):
            raise _slow()

    @handles(FormFilled, in_private=True)
    async def fill_form(self, clicked: ClickContext, filled: FormFilled) -> None:
        """Store the server settings that an admin has changed in a form."""
        guild, group = check_is_admin(clicked.interaction), _group(filled.group)
        picks = [SettingPick(key, values) for key, values in _changed_fields(clicked.interaction)]
        if any(pick.setting not in group.keys for pick in picks):
            raise not_offered()
        changes = [_change(guild, pick) for pick in picks]

        def change(settings: ServerSettings) -> ServerSettings:
            for edit in changes:
                settings = edit(settings)
            return settings

        if changes:
            await self._display.database.servers.change(guild.id, change)
        for pick in picks:
            await self._remove_banned(guild.id, pick)
            log.info("setting changed", server=guild.id, setting=pick.setting, player=clicked.player_id)
        await clicked.answer.update(await self._server_panel(clicked.interaction))

    async def _remove_banned(self, guild_id: int, picked: SettingPick) -> None:
        for player_id in picked.values if picked.setting == BARRED else ():
            for match_id in await self._seating.ban(guild_id, int(player_id)):
                self._display.refresh(match_id)

    async def _server_panel(self, interaction: discord.Interaction) -> Content:
        guild = check_is_admin(interaction)
        more = [button for provider in self._in_settings for button in provider()]
        return settings_content(await self._display.database.servers.get(guild.id), guild, more)

    async def _panel(self, interaction: discord.Interaction) -> Content:
        guild = _server_of(interaction)
        own = (await self._display.players.get(interaction.user.id)).own
        if guild is not None and daily_game(self._display.tables.games) is not None:
            is_shown = await self._display.database.days.is_shown(interaction.user.id, guild.id)
            own = replace(own, on_day_board=is_shown)
        now = int(interaction.created_at.timestamp())
        more = [] if guild is None else [button for provider in self._in_own for button in provider()]
        return own_content(
            own, now, in_server=guild is not None, is_admin=is_admin(interaction), more=more
        )


def _slow() -> TableError:
    return TableError(_("I'm slow right now. Please try again in a moment."))


def _group(key: str) -> Group:
    if key not in GROUPS:
        raise not_offered()
    return GROUPS[key]


def _changed_fields(interaction: discord.Interaction) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the key and the new values of each field that the user has changed in a form.

    A menu without a picked value is treated as unchanged. Channel menus are an exception, because there
    no value means every channel or no channel.
    """
    data: Mapping[str, Any] = interaction.data or {}
    for part in data.get("components", ()):
        field = part.get("component") or {}
        key, values = str(field.get("custom_id")).partition(":")[0], field.get("values", ())
        if (values or key in _CHANNEL_FIELDS) and field_id(key, values) != field["custom_id"]:
            yield key, tuple(map(str, values))


def _server_of(interaction: discord.Interaction) -> discord.Guild | None:
    """Return the server whose settings apply to an interaction.

    Return None in DMs and in servers that the bot has not joined, because they have no settings.
    """
    return None if is_guest(interaction) else interaction.guild


def _change(guild: discord.Guild, picked: SettingPick) -> Callable[[ServerSettings], ServerSettings]:
    """Return a function that applies the picked values to a server's settings.

    Raises:
        TableError: The setting does not exist, or a picked value was not among the menu's options.
    """
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
        field, value = setting.field, setting.picked_value(picked.values, str(guild.preferred_locale))
    else:
        raise not_offered()
    return lambda settings: replace(settings, **{field: value})


def _barring(values: Sequence[str]) -> Callable[[ServerSettings], ServerSettings]:
    numbers = [number_in(value) for value in values]
    people = frozenset(number for number in numbers if number is not None)
    if not people or None in numbers:
        raise not_offered()

    def change(settings: ServerSettings) -> ServerSettings:
        barred = settings.barred ^ people
        if len(barred) > MOST_BARRED:
            raise TableError(
                _("The list is full ({n} people). Take someone off first.").format(n=MOST_BARRED)
            )
        return replace(settings, barred=barred)

    return change


# ---- time zones ----------------------------------------------------------------------------------


async def setup(bot: Ribit) -> None:
    set_up = StartButton(
        90, frozenset({Occasion.JOINED}), lambda _game: Button(SetUp().custom_id, _("Set up"))
    )
    cog = SettingsCog(bot.display, bot.seating, bot.in_settings, bot.in_own_settings)
    await bot.add_feature(Feature(cog, starts=[set_up]))

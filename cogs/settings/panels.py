"""Panels that show a server's settings and each player's own settings.

A panel is an ephemeral message with the current values and with controls to change them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from zlib import crc32

import discord

from bot.delivery.quiet_hours import local_time, night_at
from bot.engine.frozen import frozen
from bot.engine.name_sanitizing import server_name
from bot.engine.translation import N_, SOURCE_LANGUAGE, _, language, languages, ngettext, speaking
from bot.languages import own_name
from bot.matches.preferences import NIGHT_HOURS, NotifyMode, OwnSettings
from bot.matches.server_settings import TABLES_EACH, ServerSettings, Stoppers
from bot.messages.components import (
    Button,
    ChannelMenu,
    Content,
    Field,
    Menu,
    MenuOption,
    Part,
    Row,
    Text,
    UserMenu,
    layout,
    row,
)
from bot.messages.custom_ids import PlainControl
from bot.messages.time_limits import TURN_LIMITS, limit_words
from bot.sessions.errors import TableError
from bot.sessions.seating import MOST_TABLES

OWN, TOLD, VIA, NIGHT, WORDS, TOTALS, DAYS = "own", "told", "via", "night", "words", "totals", "days"
"""Keys of the menus with which players change their own settings."""

OURS, MINE, SILENT, ZONE = "ours", "mine", "silent", "zone"
"""Keys of the buttons *This server*, *My settings*, *Stop all notifications* and *Time zone*."""

CHANNELS, TEXT_CHANNELS = "channels", "textin"
"""Keys of two channel menus: one for channels with games, one for channels whose tables are text."""

BARRED = "barred"
"""Key of the menu that bans users from tables or lifts their bans."""

MOST_CHANNELS = MOST_USERS = 25
"""Discord's limit for the number of values that a user can pick in one menu."""

UTC_NAME = "UTC"
_MOST_TABLES = (1, 2, TABLES_EACH, 5, MOST_TABLES)


@frozen
class SettingValue:
    """A value that a user can pick for a setting.

    Attributes:
        key: The value of the menu option.
        value: The value that is stored.
        words: The label of the menu option.
    """

    key: str
    value: Any
    words: str


@frozen
class Setting:
    """A setting that a user changes by picking one value from a menu.

    Attributes:
        key: The menu's key.
        field: The attribute's name in ServerSettings or OwnSettings.
        title: The menu's title, not yet translated.
        offers: Function that returns the values to pick from. Its argument is the server's locale for
            server settings, and the player's time zone for a player's own settings.
    """

    key: str
    field: str
    title: str
    offers: Callable[[str], Sequence[SettingValue]]

    def menu(
        self, settings: ServerSettings | OwnSettings, about: str, custom_id: str | None = None
    ) -> Menu:
        now = getattr(settings, self.field)
        options = (MenuOption(_(o.words), o.key, picked=o.value == now) for o in self.offers(about))
        return Menu(custom_id or f"s:{self.key}", _(self.title), tuple(options))

    def current_value(self, settings: ServerSettings | OwnSettings, about: str) -> SettingValue | None:
        """Return the setting's current value, or None if users can no longer pick that value."""
        now = getattr(settings, self.field)
        return next((offer for offer in self.offers(about) if offer.value == now), None)

    def picked_value(self, values: Sequence[str], about: str = UTC_NAME) -> Any:
        """Return the value to store for the menu option that the user picked.

        Raises:
            TableError: The menu has no such option.
        """
        for offer in self.offers(about):
            if [offer.key] == list(values):
                return offer.value
        raise not_offered()


def _offers_of(*offers: tuple[str, Any, str]) -> Callable[[str], Sequence[SettingValue]]:
    return lambda _about: [SettingValue(*offer) for offer in offers]


def _turns(_locale: str) -> list[SettingValue]:
    return [SettingValue(str(limit), limit, limit_words(limit)) for limit in TURN_LIMITS]


def _tables(_locale: str) -> list[SettingValue]:
    return [
        SettingValue(str(n), n, ngettext("{n} table", "{n} tables", n).format(n=n)) for n in _MOST_TABLES
    ]


def _languages(locale: str) -> list[SettingValue]:
    with speaking(locale):
        own = language() if language() in languages() else SOURCE_LANGUAGE
    as_discord_says = _("the server's language: {language}").format(language=own_name(own))
    return [
        SettingValue("server", None, as_discord_says),
        *(SettingValue(code, code, own_name(code)) for code in languages()),
    ]


def _nights(zone: str) -> list[SettingValue]:
    hours = ((n, (n + NIGHT_HOURS) % 24) for n in range(24))
    nights = (SettingValue(str(n), n, f"{n:02}:00 – {end:02}:00 {zone}") for n, end in hours)
    return [SettingValue("none", None, _("no quiet hours")), *nights]


_TWO, _FOUR = ("two", False, N_("red and black")), ("four", True, N_("a colour for each suit"))
_AS_TABLES = ("server", None, N_("same as the server's tables"))

_stoppers = _offers_of(
    ("host", Stoppers.HOST, N_("the host and moderators")),
    ("seated", Stoppers.SEATED, N_("everybody at the table and moderators")),
    ("managers", Stoppers.MANAGERS, N_("only moderators")),
)
_mentions = _offers_of(
    ("on", True, N_("ping the player")), ("off", False, N_("name the player, no ping"))
)
_texts = _offers_of(
    ("off", False, N_("only in the channels named below")), ("on", True, N_("in the whole server"))
)
_watching = _offers_of(
    ("here", False, N_("only here, and by their players")),
    ("everywhere", True, N_("in other servers too")),
)
_words = _offers_of(
    _AS_TABLES,
    ("words", True, N_("in words, for screen readers")),
    ("pictures", False, N_("in pictures")),
)
_totals = _offers_of(
    ("on", True, N_("the move and the totals after it")), ("off", False, N_("only the move"))
)
_told = _offers_of(
    ("away", NotifyMode.AWAY, N_("only when I'm not playing")),
    ("always", NotifyMode.ALWAYS, N_("always")),
    ("soon", NotifyMode.SOON, N_("also when I'm next")),
    ("never", NotifyMode.NEVER, N_("never")),
)
_via = _offers_of(("table", False, N_("ping me at the table")), ("dm", True, N_("send me a DM")))
_days = _offers_of(
    ("here", False, N_("only those I play here")), ("everywhere", True, N_("those I play anywhere"))
)

_SERVERS = (
    Setting("watching", "watched_elsewhere", N_("Where finished matches can be watched"), _watching),
    Setting("stop", "stoppers", N_("Who can close a table"), _stoppers),
    Setting("tables", "tables_each", N_("Tables a player can host at once"), _tables),
    Setting("turn", "turn_seconds", N_("Time per turn at new tables"), _turns),
    Setting("mentions", "mentions", N_("Reminders"), _mentions),
    Setting("language", "language", N_("Language at tables"), _languages),
    Setting("colours", "four_colours", N_("Suit colours at tables"), _offers_of(_TWO, _FOUR)),
    Setting("text", "text_tables", N_("Text tables"), _texts),
)
_OWN = (
    Setting(TOLD, "told_when", N_("When it's your turn"), _told),
    Setting(VIA, "told_by_dm", N_("Where"), _via),
    Setting(NIGHT, "night", N_("Quiet hours"), _nights),
    Setting(WORDS, "text_table", N_("Pictures or words"), _words),
    Setting(OWN, "four_colours", N_("Suit colours in your hand"), _offers_of(_AS_TABLES, _TWO, _FOUR)),
    Setting(TOTALS, "shows_totals", N_("Totals on your buttons"), _totals),
    Setting(DAYS, "on_day_board", N_("Show my daily wins here"), _days),
)
SETTINGS, OWN_SETTINGS = ({each.key: each for each in some} for some in (_SERVERS, _OWN))
"""The server's settings and each player's own settings, by menu key."""


@frozen
class Group:
    """A group of the server's settings that admins change together in one form.

    Attributes:
        title: The form's title, which is also the label of the button that opens the form.
        keys: The keys of the form's menus. Discord allows at most five.
    """

    title: str
    keys: tuple[str, ...]


GROUPS = {
    "where": Group(N_("Where"), (CHANNELS, "watching")),
    "who": Group(N_("Who"), ("stop", "tables", BARRED)),
    "clock": Group(N_("Clock"), ("turn", "mentions")),
    "language": Group(N_("Language and look"), ("language", "colours", "text", TEXT_CHANNELS)),
}
"""Groups of the server's settings, by the key of the button that opens their form."""


def not_offered() -> TableError:
    return TableError(_("That choice is out of date. Use `/settings` to see the current ones."))


def own_content(
    own: OwnSettings,
    now: int,
    *,
    in_server: bool = True,
    is_admin: bool = False,
    more: Sequence[Button] = (),
) -> Content:
    """Return the panel with a player's own settings.

    Args:
        own: The player's settings.
        now: The current Unix time.
        in_server: Whether the panel is shown in a server.
        is_admin: Whether to add the button that leads to the server's settings.
        more: Buttons that other features add.
    """
    zone = own.zone or UTC_NAME
    words = _("-# {n} hours without a notification. Your clock: {there} ({zone}).")
    quiet = words.format(n=NIGHT_HOURS, there=f"{local_time(own.zone, now):%H:%M}", zone=zone)
    if own.night is not None:
        begin, end = night_at(own.night, own.zone, now)
        quiet += f" <t:{begin}:t> – <t:{end}:t>"
    days = _("-# Applies to deals of the day that you win from now on, in DMs or other servers.")
    words = _("-# Describes your hands and your own deals in words, for screen readers.")
    colours = _("-# Applies to every picture only you can see, starting with the next one.")
    hints = {WORDS: words, OWN: colours, NIGHT: quiet, DAYS: days}
    title, parts = _("### ⚙️ Your settings"), list[Part]()
    for key, setting in OWN_SETTINGS.items():
        is_silent = key == VIA and own.told is NotifyMode.NEVER  # nothing is sent anywhere
        if not is_silent and (key != DAYS or (in_server and own.on_day_board is not None)):
            parts.append(
                Text("\n".join(filter(None, (title, f"**{_(setting.title)}**", hints.get(key)))))
            )
            parts.append(Row((setting.menu(own, zone),)))
            title = ""
    buttons = [
        Button(f"s:{SILENT}", _("Stop all notifications"), disabled=own.told is NotifyMode.NEVER),
        Button(f"s:{ZONE}", _("Time zone")),
    ]
    server = [Button(f"s:{OURS}", _("This server"))] if is_admin else []
    return layout(*parts, row(*buttons, *server), *([row(*more)] if more else []))


def settings_content(
    settings: ServerSettings, guild: discord.Guild, more: Sequence[Button] = ()
) -> Content:
    """Return the panel with a server's settings.

    It has a button for each group of settings, which opens the group's form. ``more`` are buttons that
    other features add.
    """
    title = _("### ⚙️ Ribit in {server}").format(server=server_name(guild.name))
    hint = _(
        "-# Changes take effect right away. Tables in other channels can still finish. Moderators "
        "are members with *Manage Messages*."
    )
    parts: list[Part] = [Text(f"{title}\n{hint}")]
    for group in GROUPS.values():
        lines = [f"**{_(group.title)}**"]
        lines += [f"{_title(key)}: {_current_value_text(settings, guild, key)}" for key in group.keys]
        parts.append(Text("\n".join(lines)))
    forms = [Button(OpenForm(key).custom_id, _(group.title)) for key, group in GROUPS.items()]
    return layout(*parts, row(*forms), row(Button(f"s:{MINE}", _("My settings")), *more))


def settings_fields(settings: ServerSettings, guild: discord.Guild, group: Group) -> list[Field]:
    """Return the fields of a form in which admins change one group of the server's settings.

    Each field's custom_id contains a checksum of the values that the form shows. When the form is
    submitted, the checksums show which fields have changed.
    """
    there = {channel.id for channel in guild.channels}
    fields = []
    for key in group.keys:
        if key in SETTINGS:
            locale, setting = str(guild.preferred_locale), SETTINGS[key]
            now = setting.current_value(settings, locale)
            custom_id = field_id(key, () if now is None else (now.key,))
            fields.append(Field(_title(key), setting.menu(settings, locale, custom_id)))
        elif key == BARRED:
            users = UserMenu(field_id(key, ()), _("nobody selected"), MOST_USERS)
            about = _(
                "Pick people to bar or to let back in. Anyone you bar leaves the tables here right away."
            )
            fields.append(Field(_title(key), users, about))
        else:
            channel_ids = tuple(sorted(_channels(settings, key) & there))
            custom_id = field_id(key, [str(channel_id) for channel_id in channel_ids])
            channels = ChannelMenu(custom_id, _NO_CHANNEL[key](), channel_ids, MOST_CHANNELS)
            fields.append(Field(_title(key), channels))
    return fields


def field_id(key: str, values: Sequence[str]) -> str:
    """Return a form field's custom_id, which contains its key and a checksum of the values shown."""
    return f"{key}:{crc32(','.join(sorted(values)).encode()):x}"


def _title(key: str) -> str:
    titles = {
        CHANNELS: _("Channels for games and their threads"),
        TEXT_CHANNELS: _("Channels with text tables"),
        BARRED: _("Who can't join tables"),
    }
    return titles[key] if key in titles else _(SETTINGS[key].title)


_NO_CHANNEL: Mapping[str, Callable[[], str]] = {
    CHANNELS: lambda: _("every channel"),
    TEXT_CHANNELS: lambda: _("no channel"),
}


def _channels(settings: ServerSettings, key: str) -> frozenset[int]:
    return settings.channels if key == CHANNELS else settings.text_channels


def _current_value_text(settings: ServerSettings, guild: discord.Guild, key: str) -> str:
    """Return the current value of one of the server's settings as text."""
    if key in SETTINGS:
        now = SETTINGS[key].current_value(settings, str(guild.preferred_locale))
        return _(now.words) if now is not None else "?"
    if key == BARRED:
        return ", ".join(f"<@{player_id}>" for player_id in sorted(settings.barred)) or _("nobody")
    channels = sorted(_channels(settings, key))
    return ", ".join(f"<#{channel_id}>" for channel_id in channels) or _NO_CHANNEL[key]()


@frozen
class OpenForm(PlainControl):
    """A button that opens a form with one group of the server's settings."""

    kind = "open settings form"
    form = "sf:{0.group}"

    group: str

"""Panels of the server's settings and of each player's own settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import discord

from bot.delivery.turn_pings import local_time, night_at
from bot.engine.immutable import frozen
from bot.engine.name_sanitizing import server_name
from bot.engine.words import N_, SOURCE_LANGUAGE, _, language, languages, ngettext, speaking
from bot.languages import own_name
from bot.matches.preferences import NIGHT_HOURS, TABLES_EACH, OwnSettings, ServerSettings, Stoppers, Told
from bot.messages.components import (
    Button,
    ChannelMenu,
    Content,
    Menu,
    Option,
    Part,
    Row,
    Text,
    UserMenu,
    layout,
    row,
)
from bot.messages.time_limits import TURN_LIMITS, limit_words
from bot.sessions.errors import TableError
from bot.sessions.seating import MOST_TABLES

OWN, TOLD, NIGHT, WORDS, TOTALS, DAYS = "own", "told", "night", "words", "totals", "days"
"""Keys of the menus of a player's own settings."""

OURS, MINE = "ours", "mine"
"""Keys of the buttons that open the server's settings and the user's own."""

CHANNELS, TEXT_CHANNELS = "channels", "textin"
"""Keys of the channel menus: channels for games, and channels for tables in words."""

BARRED = "barred"
"""Key of the menu of users who are banned from tables."""

MOST_CHANNELS = 25
"""Discord's limit for the options of a menu."""

UTC_NAME = "UTC"
_MOST_TABLES = (1, 2, TABLES_EACH, 5, MOST_TABLES)


@frozen
class Offer:
    """A possible value of a setting, with its key in the menu and its label."""

    key: str
    value: Any
    words: str


@frozen
class Setting:
    """A setting with a few values to pick from.

    Attributes:
        key: The key of the menu.
        field: The field in ServerSettings or OwnSettings.
        offers: Returns the possible values, given the server's locale or the player's time zone.
    """

    key: str
    field: str
    title: str
    offers: Callable[[str], Sequence[Offer]]

    def menu(self, settings: ServerSettings | OwnSettings, about: str) -> Menu:
        now = getattr(settings, self.field)
        options = (Option(_(o.words), o.key, picked=o.value == now) for o in self.offers(about))
        return Menu(f"s:{self.key}", _(self.title), tuple(options))

    def picked(self, values: Sequence[str], about: str = UTC_NAME) -> Any:
        """Return the picked value, or raise TableError if it was not offered."""
        for offer in self.offers(about):
            if [offer.key] == list(values):
                return offer.value
        raise not_offered()


def _of(*offers: tuple[str, Any, str]) -> Callable[[str], Sequence[Offer]]:
    return lambda _about: [Offer(*each) for each in offers]


def _turns(_locale: str) -> list[Offer]:
    return [Offer(str(each), each, limit_words(each)) for each in TURN_LIMITS]


def _tables(_locale: str) -> list[Offer]:
    return [Offer(str(n), n, ngettext("{n} table", "{n} tables", n).format(n=n)) for n in _MOST_TABLES]


def _languages(locale: str) -> list[Offer]:
    with speaking(locale):
        own = language() if language() in languages() else SOURCE_LANGUAGE
    as_discord_says = _("the server's own: {language}").format(language=own_name(own))
    return [
        Offer("server", None, as_discord_says),
        *(Offer(code, code, own_name(code)) for code in languages()),
    ]


def _nights(zone: str) -> list[Offer]:
    hours = ((n, (n + NIGHT_HOURS) % 24) for n in range(24))
    nights = (Offer(str(n), n, f"{n:02}:00 – {end:02}:00 {zone}") for n, end in hours)
    return [Offer("none", None, _("no night")), *nights]


_TWO, _FOUR = ("two", False, N_("red and black")), ("four", True, N_("a colour for each suit"))
_AS_TABLES = ("server", None, N_("as at the server's tables"))

_stoppers = _of(
    ("host", Stoppers.HOST, N_("the host and moderators")),
    ("seated", Stoppers.SEATED, N_("everybody at the table and moderators")),
    ("managers", Stoppers.MANAGERS, N_("only moderators")),
)
_mentions = _of(
    ("on", True, N_("ping the player")), ("off", False, N_("name the player without a ping"))
)
_texts = _of(
    ("off", False, N_("only in the channels named below")), ("on", True, N_("in the whole server"))
)
_watching = _of(
    ("here", False, N_("only here, and by those who played them")),
    ("everywhere", True, N_("in other servers too")),
)
_words = _of(
    _AS_TABLES,
    ("words", True, N_("in words, to be read aloud")),
    ("pictures", False, N_("in pictures")),
)
_totals = _of(
    ("on", True, N_("state the totals after each move")), ("off", False, N_("name the move only"))
)
_told = _of(
    ("away", Told.AWAY, N_("ping me at the table, but not while I'm playing")),
    ("always", Told.ALWAYS, N_("always ping me at the table")),
    ("soon", Told.SOON, N_("ping me at the table, also when I'm next")),
    ("dm", Told.DM, N_("send me a DM, but not while I'm playing")),
    ("never", Told.NEVER, N_("never")),
)
_days = _of(
    ("here", False, N_("only those I play here")), ("everywhere", True, N_("those I play anywhere"))
)

_SERVERS = (
    Setting("turn", "turn_seconds", N_("Time per turn at new tables"), _turns),
    Setting("tables", "tables_each", N_("Tables one person may host at a time"), _tables),
    Setting("stop", "stoppers", N_("Who may close a table"), _stoppers),
    Setting("mentions", "mentions", N_("Reminders"), _mentions),
    Setting("language", "language", N_("Language at tables"), _languages),
    Setting("colours", "four_colours", N_("Suit colours at tables"), _of(_TWO, _FOUR)),
    Setting("text", "text_tables", N_("Text tables"), _texts),
    Setting("watching", "watched_elsewhere", N_("Where finished matches may be watched"), _watching),
)
_OWN = (
    Setting(WORDS, "text_table", N_("Text table"), _words),
    Setting(OWN, "four_colours", N_("Suit colours in your hand"), _of(_AS_TABLES, _TWO, _FOUR)),
    Setting(TOTALS, "shows_totals", N_("Totals on your buttons"), _totals),
    Setting(TOLD, "told", N_("When it is your turn"), _told),
    Setting(NIGHT, "night", N_("Your night"), _nights),
    Setting(DAYS, "on_day_board", N_("Show my daily wins here"), _days),
)
SETTINGS, OWN_SETTINGS = ({each.key: each for each in some} for some in (_SERVERS, _OWN))
"""The settings of a server's tables and of each player, by the keys of their menus."""


def not_offered() -> TableError:
    return TableError(_("You can't pick that any more. `/settings` shows what you can."))


def own_content(
    own: OwnSettings,
    now: int,
    *,
    in_server: bool = True,
    is_admin: bool = False,
    more: Sequence[Button] = (),
) -> Content:
    """Return the panel of a player's own settings, with buttons of other features.

    ``now`` is the Unix time.
    """
    title, zone = _("### ⚙️ Your settings"), own.zone or UTC_NAME
    hint = _("-# Your server's admins set the rest.")
    words = _("-# {n} quiet hours. Your clock: {there} ({zone}). Wrong? `/settings zone:city`")
    ends = words.format(n=NIGHT_HOURS, there=f"{local_time(own.zone, now):%H:%M}", zone=zone)
    if own.night is not None:
        begin, end = night_at(own.night, own.zone, now)
        ends += f" <t:{begin}:t> – <t:{end}:t>"
    days = _("-# For deals of the day that you win from now on, in direct messages or other servers.")
    words = _("-# Words instead of pictures in your hands and your own deals, for screen readers.")
    colours = _("-# For every picture that only you see, starting with the next one.")
    hints = {WORDS: words, OWN: colours, NIGHT: ends, DAYS: days}
    parts: list[Part] = [Text(f"{title}\n{hint}" if in_server else title)]
    for key, setting in OWN_SETTINGS.items():
        if key != DAYS or own.on_day_board is not None:
            said = "\n".join(filter(None, (f"**{_(setting.title)}**", hints.get(key))))
            parts += [Text(said), Row((setting.menu(own, zone),))]
    server = [Button(f"s:{OURS}", _("Settings of the server"))] if is_admin else []
    buttons = (*more, *server)
    return layout(*parts, *([row(*buttons)] if buttons else []))


def settings_content(
    settings: ServerSettings, guild: discord.Guild, more: Sequence[Button] = ()
) -> Content:
    """Return the panel of a server's settings, with buttons of other features."""
    locale, there = str(guild.preferred_locale), {channel.id for channel in guild.channels}
    title = _("### ⚙️ Ribit in {server}").format(server=server_name(guild.name))
    hint = _(
        "-# Changes apply at once. Tables already running in other channels can be finished. "
        "Moderators are those who have *Manage Messages*."
    )
    where = "**" + _("Where games may be played, and in the threads there") + "**"
    if gone := settings.channels - there:
        where += ": " + ", ".join(f"<#{channel_id}>" for channel_id in sorted(gone))
    parts = list[Part]()
    for setting in SETTINGS.values():
        parts += [Text(f"**{_(setting.title)}**"), Row((setting.menu(settings, locale),))]
    words = _("Channels with text tables, without pictures")
    barred = ", ".join(f"<@{player_id}>" for player_id in sorted(settings.barred)) or _("nobody")
    who = _("Who may not sit down at tables")
    leaves = _("-# Whoever you add leaves the tables here at once, and gives up matches in play.")
    return layout(
        Text(f"{title}\n{hint}\n{where}"),  # in one text, because a message has at most 40 components
        _channel_row(CHANNELS, settings.channels & there, _("every channel")),
        *parts,
        Text(f"**{words}**"),
        _channel_row(TEXT_CHANNELS, settings.text_channels & there, _("no channel")),
        Text(f"**{who}:** {barred}\n{leaves}"),
        Row((UserMenu(f"s:{BARRED}", _("Pick somebody to add them, or to take them off")),)),
        row(Button(f"s:{MINE}", _("Your own settings")), *more),
    )


def _channel_row(key: str, picked: frozenset[int], none: str) -> Row:
    return Row((ChannelMenu(f"s:{key}", none, tuple(sorted(picked)), MOST_CHANNELS),))

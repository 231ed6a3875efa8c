"""What a server's admins set: a private panel that says it in words, and the picks in its menus."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Self

from bot.engine.names import written
from bot.engine.server import TABLES_EACH, ServerSettings, Stoppers
from bot.engine.values import frozen
from bot.engine.words import N_, SOURCE_LANGUAGE, _, language, languages, ngettext, speaking
from bot.languages import own_name
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
from bot.messages.custom_ids import Control
from bot.messages.own_settings import MINE, Offer, not_offered
from bot.messages.time_limits import TURN_LIMITS, limit_words
from bot.sessions.errors import TableError
from bot.sessions.hosting import MOST_TABLES

CHANNELS, TEXT_CHANNELS = "channels", "textin"
"""The keys of the menus of channels: where games may be played, and where in words."""

BARRED = "barred"
"""The key of the menu of people who may not sit down."""

MOST_BARRED = 50
"""As many as are told in a panel."""

MOST_CHANNELS = 25
"""As many as a menu of channels takes."""

_MOST_TABLES = (1, 2, TABLES_EACH, 5, MOST_TABLES)


@frozen
class SettingPick(Control):
    """What somebody picked for a setting of the server."""

    pattern = re.compile(r"s:(?P<setting>[a-z]{2,12})")
    kind = "setting"

    setting: str
    values: tuple[str, ...]

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        """Return what was picked."""
        return cls(found["setting"], tuple(values))


@frozen
class Server:
    """What the panel says of the server itself: its name, its locale and the channels it has."""

    name: str
    locale: str
    channel_ids: frozenset[int]


@frozen
class Setting:
    """A setting with a few values to pick from."""

    key: str
    field: str
    title: str
    offers: Callable[[Server], Sequence[Offer]]

    def menu(self, settings: ServerSettings, server: Server) -> Menu:
        """Return the menu, with the value that holds now picked."""
        now = getattr(settings, self.field)
        options = tuple(
            Option(offer.words, offer.key, picked=offer.value == now) for offer in self.offers(server)
        )
        return Menu(f"s:{self.key}", _(self.title), options)

    def change(self, values: Sequence[str], server: Server) -> Callable[[ServerSettings], Any]:
        """Return the change that a pick asks for, or raise TableError where it was not offered."""
        found = [offer for offer in self.offers(server) if [offer.key] == list(values)]
        if not found:
            raise not_offered()
        return lambda settings: replace(settings, **{self.field: found[0].value})


def _turns(_server: Server) -> list[Offer]:
    return [Offer(str(each), each, limit_words(each)) for each in TURN_LIMITS]


def _stoppers(_server: Server) -> list[Offer]:
    words = {
        Stoppers.HOST: _("the host and moderators"),
        Stoppers.SEATED: _("everybody at the table and moderators"),
        Stoppers.MANAGERS: _("only moderators"),
    }
    return [Offer(each.value, each, words[each]) for each in Stoppers]


def _mentions(_server: Server) -> list[Offer]:
    return [
        Offer("on", value=True, words=_("ping the player")),
        Offer("off", value=False, words=_("name the player without a ping")),
    ]


def _tables(_server: Server) -> list[Offer]:
    words = [ngettext("{n} table", "{n} tables", n).format(n=n) for n in _MOST_TABLES]
    return [Offer(str(n), n, said) for n, said in zip(_MOST_TABLES, words, strict=True)]


def _languages(server: Server) -> list[Offer]:
    with speaking(server.locale):
        own = language() if language() in languages() else SOURCE_LANGUAGE
    as_discord_says = _("the server's own: {language}").format(language=own_name(own))
    return [
        Offer("server", None, as_discord_says),
        *(Offer(code, code, own_name(code)) for code in languages()),
    ]


def _colours(_server: Server) -> list[Offer]:
    return [
        Offer("two", value=False, words=_("red and black")),
        Offer("four", value=True, words=_("a colour for each suit")),
    ]


def _text_tables(_server: Server) -> list[Offer]:
    return [
        Offer("off", value=False, words=_("only in the channels named below")),
        Offer("on", value=True, words=_("in the whole server")),
    ]


def _watching(_server: Server) -> list[Offer]:
    return [
        Offer("here", value=False, words=_("only here, and by those who played them")),
        Offer("everywhere", value=True, words=_("in other servers too")),
    ]


SETTINGS = {
    setting.key: setting
    for setting in (
        Setting("turn", "turn_seconds", N_("Time per turn at new tables"), _turns),
        Setting("tables", "tables_each", N_("Tables one person may host at a time"), _tables),
        Setting("stop", "stoppers", N_("Who may close a table"), _stoppers),
        Setting("mentions", "mentions", N_("Reminders"), _mentions),
        Setting("language", "language", N_("Language at tables"), _languages),
        Setting("colours", "four_colours", N_("Suit colours at tables"), _colours),
        Setting("text", "text_tables", N_("Text tables"), _text_tables),
        Setting("watching", "watched_elsewhere", N_("Where finished matches may be watched"), _watching),
    )
}


def channel_names(settings: ServerSettings) -> str:
    """Return the channels where games may be played, as links."""
    return _links(settings.channels)


def _links(channels: Iterable[int]) -> str:
    return ", ".join(f"<#{channel_id}>" for channel_id in sorted(channels))


def elsewhere(settings: ServerSettings) -> str:
    """Return the sentence that says where games may be played, and thus not here."""
    return _("In this server, games are played in {channels}.").format(channels=channel_names(settings))


def settings_content(settings: ServerSettings, server: Server) -> Content:
    """Return the panel: where games may be played, and every other setting of the server."""
    title = _("### ⚙️ Ribit in {server}").format(server=written(server.name))
    hint = _(
        "-# Changes apply at once. Tables already running in other channels can be finished. "
        "Moderators are those who have *Manage Messages*."
    )
    where = "**" + _("Where games may be played, and in the threads there") + "**"
    gone = replace(settings, channels=settings.channels - server.channel_ids)
    if gone.channels:
        where += f": {channel_names(gone)}"
    parts: list[Part] = [
        Text(f"{title}\n{hint}\n{where}"),  # 40 components are all there are
        Row((_channel_menu(CHANNELS, settings.channels, server, _("every channel")),)),
    ]
    for setting in SETTINGS.values():
        parts += [Text(f"**{_(setting.title)}**"), Row((setting.menu(settings, server),))]
    words = _("Channels with text tables, without pictures")
    parts += [
        Text(f"**{words}**"),
        Row((_channel_menu(TEXT_CHANNELS, settings.text_channels, server, _("no channel")),)),
    ]
    barred = ", ".join(f"<@{player_id}>" for player_id in sorted(settings.barred)) or _("nobody")
    title = _("Who may not sit down at tables")
    leaves = _("-# Whoever you add leaves the tables here at once, and gives up matches in play.")
    parts += [
        Text(f"**{title}:** {barred}\n{leaves}"),
        Row((UserMenu(f"s:{BARRED}", _("Pick somebody to add them, or to take them off")),)),
    ]
    return layout(*parts, row(Button(f"s:{MINE}", _("Your own settings"))))


def barring(values: Sequence[str]) -> Callable[[ServerSettings], ServerSettings]:
    """Return the change that adds who was picked to those who may not sit down, or takes them off."""
    if len(values) != 1 or not values[0].isdecimal():
        raise not_offered()
    picked = frozenset({int(values[0])})

    def change(settings: ServerSettings) -> ServerSettings:
        barred = settings.barred ^ picked
        if len(barred) > MOST_BARRED:
            raise TableError(
                _("The list is full at {n} people. Take somebody off first.").format(n=MOST_BARRED)
            )
        return replace(settings, barred=barred)

    return change


def _channel_menu(key: str, channels: frozenset[int], server: Server, none: str) -> ChannelMenu:
    """Return a menu of channels; those that were deleted are not picked in it."""
    return ChannelMenu(f"s:{key}", none, tuple(sorted(channels & server.channel_ids)), MOST_CHANNELS)

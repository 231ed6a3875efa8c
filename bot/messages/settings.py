"""What a server's admins set: a private panel that says it in words, and the picks in its menus."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

from bot.engine.names import written
from bot.engine.server import TABLES_EACH, ServerSettings, Stoppers
from bot.engine.values import frozen
from bot.engine.words import N_, SOURCE_LANGUAGE, _, language, languages, ngettext, speaking
from bot.languages import own_name
from bot.messages.components import ChannelMenu, Content, Menu, Option, Part, Row, Text, UserMenu, layout
from bot.messages.custom_ids import Control
from bot.messages.time_limits import TURN_LIMITS, limit_words
from bot.sessions.errors import TableError
from bot.sessions.hosting import MOST_TABLES

CHANNELS = "channels"
"""The key of the menu of channels."""

BARRED = "barred"
"""The key of the menu of people who may not sit down."""

MOST_BARRED = 100
"""As many as are told in a panel."""

OWN = "own"
"""The key of the menu of what each player chooses alone."""

DAYS = "days"
"""The key of the menu of whether a player is on the server's boards of the day wherever they play."""

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
class Offer:
    """A value that a setting can have: as its menu carries it, and in words."""

    key: str
    value: Any
    words: str


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


SETTINGS = {
    setting.key: setting
    for setting in (
        Setting("turn", "turn_seconds", N_("Time per turn at new tables"), _turns),
        Setting("tables", "tables_each", N_("Tables one person may host at a time"), _tables),
        Setting("stop", "stoppers", N_("Who may close a table"), _stoppers),
        Setting("mentions", "mentions", N_("Reminders"), _mentions),
        Setting("language", "language", N_("Language at tables"), _languages),
        Setting("colours", "four_colours", N_("Suit colours at tables"), _colours),
    )
}


def channel_names(settings: ServerSettings) -> str:
    """Return the channels where games may be played, as links."""
    return ", ".join(f"<#{channel_id}>" for channel_id in sorted(settings.channels))


def elsewhere(settings: ServerSettings) -> str:
    """Return the sentence that says where games may be played, and thus not here."""
    return _("In this server, games are played in {channels}.").format(channels=channel_names(settings))


@frozen
class Own:
    """What a player chooses alone.

    ``four_colours`` is None where the server's holds; ``on_day_board``: whether the server's boards of
    the day show what the player wins elsewhere, None where that is not asked.
    """

    four_colours: bool | None
    on_day_board: bool | None = None


def settings_content(settings: ServerSettings, server: Server, own: Own) -> Content:
    """Return the panel: where games may be played, every other setting, and the admin's own choice."""
    title = _("### ⚙️ Ribit in {server}").format(server=written(server.name))
    hint = _(
        "-# Changes apply at once. Tables already running in other channels can be finished. "
        "Moderators are those who have *Manage Messages*."
    )
    where = _("Where games may be played")
    parts: list[Part] = [
        Text(f"{title}\n{hint}"),
        Text(f"**{where}:** {_permissions(settings)}"),
        Row((_channel_menu(settings, server),)),
    ]
    for setting in SETTINGS.values():
        value = getattr(settings, setting.field)
        words = next((o.words for o in setting.offers(server) if o.value == value), str(value))
        parts += [Text(f"**{_(setting.title)}:** {words}"), Row((setting.menu(settings, server),))]
    barred = ", ".join(f"<@{player_id}>" for player_id in sorted(settings.barred)) or _("nobody")
    title = _("Who may not sit down at tables")
    parts += [
        Text(f"**{title}:** {barred}"),
        Row((UserMenu(f"s:{BARRED}", _("Pick somebody to add them, or to take them off")),)),
    ]
    return layout(*parts, *_own_parts(own))


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


def own_content(own: Own) -> Content:
    """Return the panel of who does not manage the server: what players choose for themselves."""
    title = _("### ⚙️ Your settings")
    hint = _("-# Those who manage the server choose what holds at its tables.")
    return layout(Text(f"{title}\n{hint}"), *_own_parts(own))


def _own_parts(own: Own) -> list[Part]:
    """Return a player's own choices and their menus."""
    hint = _("-# For every picture that only you see, starting with the next one.")
    parts = _own_part(OWN, _("Suit colours in your hand"), hint, own.four_colours, _own_offers())
    if own.on_day_board is None:
        return parts
    hint = _("-# For deals of the day that you win from now on, in direct messages or other servers.")
    title = _("You on this server's boards of the day")
    return [*parts, *_own_part(DAYS, title, hint, own.on_day_board, _day_offers())]


def _own_part(
    key: str, title: str, hint: str, value: bool | None, offers: Sequence[Offer]
) -> list[Part]:
    options = tuple(Option(o.words, o.key, picked=o.value == value) for o in offers)
    words = next(offer.words for offer in offers if offer.value == value)
    return [Text(f"**{title}:** {words}\n{hint}"), Row((Menu(f"s:{key}", title, options),))]


def _day_offers() -> list[Offer]:
    return [
        Offer("here", value=False, words=_("with what you play here")),
        Offer("everywhere", value=True, words=_("wherever you play")),
    ]


def _own_offers() -> list[Offer]:
    return [
        Offer("server", None, _("as at the server's tables")),
        Offer("two", value=False, words=_("red and black")),
        Offer("four", value=True, words=_("a colour for each suit")),
    ]


def own_choice(values: Sequence[str], key: str = OWN) -> bool | None:
    """Return what a player has picked, or raise TableError where it was not offered."""
    for offer in _own_offers() if key == OWN else _day_offers():
        if [offer.key] == list(values):
            return bool(offer.value) if offer.value is not None else None
    raise not_offered()


def _permissions(settings: ServerSettings) -> str:
    if not settings.channels:
        return _("in every channel")
    return _("in {channels}, and in their threads").format(channels=channel_names(settings))


def _channel_menu(settings: ServerSettings, server: Server) -> ChannelMenu:
    """Return the menu of channels; those that were deleted are not picked in it."""
    picked = tuple(sorted(settings.channels & server.channel_ids))
    return ChannelMenu(f"s:{CHANNELS}", _("every channel"), picked, MOST_CHANNELS)


def not_offered() -> TableError:
    """Return the refusal of a pick that the panel does not have."""
    return TableError(_("You can't pick that any more. `/settings` shows what you can."))

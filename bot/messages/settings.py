"""What a server's admins set: a private panel that says it in words, and the picks in its menus."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

from bot.engine.names import written
from bot.engine.own_settings import NIGHT_HOURS, OwnSettings, Told, night_at
from bot.engine.server import TABLES_EACH, ServerSettings, Stoppers
from bot.engine.values import frozen
from bot.engine.words import N_, SOURCE_LANGUAGE, _, language, languages, ngettext, speaking
from bot.languages import own_name
from bot.messages.components import ChannelMenu, Content, Menu, Option, Part, Row, Text, layout
from bot.messages.custom_ids import Control
from bot.messages.time_limits import TURN_LIMITS, limit_words
from bot.sessions.errors import TableError
from bot.sessions.hosting import MOST_TABLES

CHANNELS = "channels"
"""The key of the menu of channels."""

OWN, TOLD, NIGHT = "own", "told", "night"
"""The keys of the menus of what each player chooses alone."""

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


def settings_content(settings: ServerSettings, server: Server, own: OwnSettings, now: int) -> Content:
    """Return the panel: where games may be played, every other setting, and the admin's own choices."""
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
    return layout(*parts, *_own_parts(own, now))


def own_content(own: OwnSettings, now: int) -> Content:
    """Return the panel of who does not manage the server: what players choose for themselves."""
    title = _("### ⚙️ Your settings")
    hint = _("-# Those who manage the server choose what holds at its tables.")
    return layout(Text(f"{title}\n{hint}"), *_own_parts(own, now))


def _own_parts(own: OwnSettings, now: int) -> list[Part]:
    """Return a player's own choices and their menus, as they are ``now``, in seconds since 1970."""
    colours = _("-# For every picture that only you see, starting with the next one.")
    ends = _("-# You are not told in these {n} hours. It is {now} now, {utc} in UTC.").format(
        n=NIGHT_HOURS, now=f"<t:{now}:t>", utc=f"{now // 3600 % 24:02}:{now // 60 % 60:02}"
    )
    if own.night is not None:
        begin, end = night_at(own.night, now)
        ends += f" <t:{begin}:t> – <t:{end}:t>"
    return [
        *_own_part(OWN, _("Suit colours in your hand"), own.four_colours, colours),
        *_own_part(TOLD, _("When it is your turn"), own.told, ""),
        *_own_part(NIGHT, _("Your night"), own.night, ends),
    ]


def _own_part(key: str, title: str, value: object, hint: str) -> list[Part]:
    offers = OWN_SETTINGS[key]()
    options = tuple(Option(o.words, o.key, picked=o.value == value) for o in offers)
    words = next(offer.words for offer in offers if offer.value == value)
    said = "\n".join(filter(None, (f"**{title}:** {words}", hint)))
    return [Text(said), Row((Menu(f"s:{key}", title, options),))]


def _own_offers() -> list[Offer]:
    return [
        Offer("server", None, _("as at the server's tables")),
        Offer("two", value=False, words=_("red and black")),
        Offer("four", value=True, words=_("a colour for each suit")),
    ]


def _told_offers() -> list[Offer]:
    words = {
        Told.AWAY: _("mention me at the table, unless I have just clicked"),
        Told.ALWAYS: _("always mention me at the table"),
        Told.DM: _("write me a DM, unless I have just clicked"),
        Told.NEVER: _("never tell me"),
    }
    return [Offer(each.value, each, said) for each, said in words.items()]


def _night_offers() -> list[Offer]:
    def hour(number: int) -> str:
        return f"{number % 24:02}:00"

    nights = (Offer(str(n), n, f"{hour(n)} – {hour(n + NIGHT_HOURS)} UTC") for n in range(24))
    return [Offer("none", None, _("no night")), *nights]


OWN_SETTINGS: dict[str, Callable[[], list[Offer]]] = {
    OWN: _own_offers,
    TOLD: _told_offers,
    NIGHT: _night_offers,
}
"""What each player chooses alone, by the keys of the menus."""


def own_choice(key: str, values: Sequence[str]) -> Any:
    """Return what a player has picked, or raise TableError where it was not offered."""
    for offer in OWN_SETTINGS[key]():
        if [offer.key] == list(values):
            return offer.value
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

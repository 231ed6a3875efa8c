"""What each player chooses alone in the panel of settings: colours, words, calls, the night, boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bot.engine.own_settings import NIGHT_HOURS, OwnSettings, Told
from bot.engine.values import frozen
from bot.engine.words import _
from bot.messages.components import Button, Content, Menu, Option, Part, Row, Text, layout, row
from bot.messages.nights import UTC_NAME, local_time, night_at
from bot.sessions.errors import TableError

OWN, TOLD, NIGHT, WORDS = "own", "told", "night", "words"
"""The keys of the menus of what each player chooses alone."""

DAYS = "days"
"""The key of the menu of whether a player is on the server's boards of the day wherever they play."""


@frozen
class Offer:
    """A value that a setting can have: as its menu carries it, and in words."""

    key: str
    value: Any
    words: str


OURS, MINE = "ours", "mine"
"""The keys of the buttons that lead to the server's settings, and to one's own."""


def own_content(own: OwnSettings, now: int, *, is_admin: bool = False) -> Content:
    """Return what players choose for themselves; who manages the server gets to its settings from it."""
    title = _("### ⚙️ Your settings")
    hint = _("-# Those who manage the server choose what holds at its tables.")
    server = [row(Button(f"s:{OURS}", _("Settings of the server")))] if is_admin else []
    return layout(Text(f"{title}\n{hint}"), *_own_parts(own, now), *server)


def _own_parts(own: OwnSettings, now: int) -> list[Part]:
    """Return a player's own choices and their menus, as they are ``now``, in seconds since 1970."""
    colours = _("-# For every picture that only you see, starting with the next one.")
    zone = own.zone or UTC_NAME
    words = _(
        "-# You are not told in these {n} hours. It is {now} now, {there} in the time zone {zone}; "
        "`/settings zone:city` sets another."
    )
    ends = words.format(
        n=NIGHT_HOURS, now=f"<t:{now}:t>", there=f"{local_time(own.zone, now):%H:%M}", zone=zone
    )
    if own.night is not None:
        begin, end = night_at(own.night, own.zone, now)
        ends += f" <t:{begin}:t> – <t:{end}:t>"
    words = _("-# No pictures in what only you see, nor in your own deals: everything is said in words.")
    parts = [
        *_own_part(WORDS, _("Text table"), own.text_table, words),
        *_own_part(OWN, _("Suit colours in your hand"), own.four_colours, colours),
        *_own_part(TOLD, _("When it is your turn"), own.told, ""),
        *_own_part(NIGHT, _("Your night"), own.night, ends, _night_offers(zone)),
    ]
    if own.on_day_board is None:
        return parts
    days = _("-# For deals of the day that you win from now on, in direct messages or other servers.")
    title = _("You on this server's boards of the day")
    return [*parts, *_own_part(DAYS, title, own.on_day_board, days)]


def _own_part(
    key: str, title: str, value: object, hint: str, offers: Sequence[Offer] = ()
) -> list[Part]:
    offers = offers or OWN_SETTINGS[key]()
    options = tuple(Option(o.words, o.key, picked=o.value == value) for o in offers)
    said = "\n".join(filter(None, (f"**{title}**", hint)))
    return [Text(said), Row((Menu(f"s:{key}", title, options),))]


def _own_offers() -> list[Offer]:
    return [
        Offer("server", None, _("as at the server's tables")),
        Offer("two", value=False, words=_("red and black")),
        Offer("four", value=True, words=_("a colour for each suit")),
    ]


def _words_offers() -> list[Offer]:
    return [
        Offer("server", None, _("as at the server's tables")),
        Offer("words", value=True, words=_("in words, to be read aloud")),
        Offer("pictures", value=False, words=_("in pictures")),
    ]


def _told_offers() -> list[Offer]:
    words = {
        Told.AWAY: _("mention me at the table, unless I have just clicked"),
        Told.ALWAYS: _("always mention me at the table"),
        Told.SOON: _("mention me at the table, and also when I am next"),
        Told.DM: _("write me a DM, unless I have just clicked"),
        Told.NEVER: _("never tell me"),
    }
    return [Offer(each.value, each, said) for each, said in words.items()]


def _night_offers(zone: str = UTC_NAME) -> list[Offer]:
    def hour(number: int) -> str:
        return f"{number % 24:02}:00"

    nights = (Offer(str(n), n, f"{hour(n)} – {hour(n + NIGHT_HOURS)} {zone}") for n in range(24))
    return [Offer("none", None, _("no night")), *nights]


def _day_offers() -> list[Offer]:
    return [
        Offer("here", value=False, words=_("with what you play here")),
        Offer("everywhere", value=True, words=_("wherever you play")),
    ]


OWN_SETTINGS: dict[str, Callable[[], list[Offer]]] = {
    WORDS: _words_offers,
    OWN: _own_offers,
    TOLD: _told_offers,
    NIGHT: _night_offers,
    DAYS: _day_offers,
}
"""What each player chooses alone, by the keys of the menus."""


def own_choice(key: str, values: Sequence[str]) -> Any:
    """Return what a player has picked, or raise TableError where it was not offered."""
    for offer in OWN_SETTINGS[key]():
        if [offer.key] == list(values):
            return offer.value
    raise not_offered()


def not_offered() -> TableError:
    """Return the refusal of a pick that the panel does not have."""
    return TableError(_("You can't pick that any more. `/settings` shows what you can."))

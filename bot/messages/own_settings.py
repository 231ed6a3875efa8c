"""What each player chooses alone in the panel of settings: colours, calls, the night, boards of days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bot.engine.own_settings import NIGHT_HOURS, OwnSettings, Told, night_at
from bot.engine.values import frozen
from bot.engine.words import _
from bot.messages.components import Content, Menu, Option, Part, Row, Text, layout
from bot.sessions.errors import TableError

OWN, TOLD, NIGHT = "own", "told", "night"
"""The keys of the menus of what each player chooses alone."""

DAYS = "days"
"""The key of the menu of whether a player is on the server's boards of the day wherever they play."""


@frozen
class Offer:
    """A value that a setting can have: as its menu carries it, and in words."""

    key: str
    value: Any
    words: str


def own_content(own: OwnSettings, now: int) -> Content:
    """Return the panel of who does not manage the server: what players choose for themselves."""
    title = _("### ⚙️ Your settings")
    hint = _("-# Those who manage the server choose what holds at its tables.")
    return layout(Text(f"{title}\n{hint}"), *own_parts(own, now))


def own_parts(own: OwnSettings, now: int) -> list[Part]:
    """Return a player's own choices and their menus, as they are ``now``, in seconds since 1970."""
    colours = _("-# For every picture that only you see, starting with the next one.")
    ends = _("-# You are not told in these {n} hours. It is {now} now, {utc} in UTC.").format(
        n=NIGHT_HOURS, now=f"<t:{now}:t>", utc=f"{now // 3600 % 24:02}:{now // 60 % 60:02}"
    )
    if own.night is not None:
        begin, end = night_at(own.night, now)
        ends += f" <t:{begin}:t> – <t:{end}:t>"
    parts = [
        *_own_part(OWN, _("Suit colours in your hand"), own.four_colours, colours),
        *_own_part(TOLD, _("When it is your turn"), own.told, ""),
        *_own_part(NIGHT, _("Your night"), own.night, ends),
    ]
    if own.on_day_board is None:
        return parts
    days = _("-# For deals of the day that you win from now on, in direct messages or other servers.")
    title = _("You on this server's boards of the day")
    return [*parts, *_own_part(DAYS, title, own.on_day_board, days)]


def _own_part(key: str, title: str, value: object, hint: str) -> list[Part]:
    offers = OWN_SETTINGS[key]()
    options = tuple(Option(o.words, o.key, picked=o.value == value) for o in offers)
    said = "\n".join(filter(None, (f"**{title}**", hint)))
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
        Told.SOON: _("mention me at the table, and also when I am next"),
        Told.DM: _("write me a DM, unless I have just clicked"),
        Told.NEVER: _("never tell me"),
    }
    return [Offer(each.value, each, said) for each, said in words.items()]


def _night_offers() -> list[Offer]:
    def hour(number: int) -> str:
        return f"{number % 24:02}:00"

    nights = (Offer(str(n), n, f"{hour(n)} – {hour(n + NIGHT_HOURS)} UTC") for n in range(24))
    return [Offer("none", None, _("no night")), *nights]


def _day_offers() -> list[Offer]:
    return [
        Offer("here", value=False, words=_("with what you play here")),
        Offer("everywhere", value=True, words=_("wherever you play")),
    ]


OWN_SETTINGS: dict[str, Callable[[], list[Offer]]] = {
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

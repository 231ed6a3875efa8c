"""Reads and changes the panel of ``/settings``."""

from __future__ import annotations

from typing import Any

from simcord.results import InteractionResult

from cogs.settings.panels import GROUPS
from tests.discord.admins import add_admin
from tests.discord.bot_harness import MENU, BotHarness, Person, Seen, response_of

OWN, TOLD, VIA, NIGHT, DAYS = (f"s:{setting}" for setting in ("own", "told", "via", "night", "days"))

CHANNEL_MENU = 8
"""The type of such a menu among Discord's components."""


async def open_settings(person: Person) -> Seen:
    """Open the settings."""
    result = await person.slash("settings")
    assert result.ephemeral
    return response_of(result)


async def open_server_settings(person: Person) -> Seen:
    """Open the settings of the server."""
    return response_of(await person.press("This server", await open_settings(person)))


async def open_form(person: Person, seen: Seen, label: str) -> InteractionResult:
    """Press the button of a form."""
    opened = await person.press(label, seen)
    assert opened.modal is not None
    return opened


def form_menus(opened: InteractionResult) -> dict[str, dict[str, Any]]:
    """Return the menus of a form by their settings."""
    assert opened.modal is not None
    menus = [label["component"] for label in opened.modal["components"]]
    return {menu["custom_id"].partition(":")[0]: menu for menu in menus}


async def submit_form(person: Person, opened: InteractionResult, **picks: Any) -> InteractionResult:
    """Submit a form with these picks. What is not named stays as the form shows it."""
    values: dict[str, Any] = {}
    for key, menu in form_menus(opened).items():
        place = person._harness
        now = [option["value"] for option in menu.get("options", ()) if option.get("default")]
        if menu["type"] == CHANNEL_MENU:
            picked = {int(each["id"]) for each in menu.get("default_values", ())}
            now = [each for each in place.guild.channels.values() if each.id in picked]
        pick = picks.pop(key, now)
        values[menu["custom_id"]] = pick if isinstance(pick, list) else [pick]
    assert not picks, "the form has no such field"
    return await person._done(await person.actor.submit_modal(opened, values))


async def change_server_settings(person: Person, seen: Seen, **picks: Any) -> InteractionResult:
    """Change settings of the server that are in one form."""
    [label] = {group.title for group in GROUPS.values() if {*picks} & {*group.keys}}
    return await submit_form(person, await open_form(person, seen, label), **picks)


async def change_server_setting(place: BotHarness, key: str, value: str) -> None:
    """Change a setting of the server as an admin."""
    ada = place.people.get("Ada") or add_admin(place)
    await change_server_settings(ada, await open_server_settings(ada), **{key: value})


def picked_labels(seen: Seen, custom_id: str) -> list[str]:
    """Return the labels that are picked in a menu."""
    menus = [part for part in seen._parts(MENU) if part["custom_id"] == custom_id]
    return [option["label"] for part in menus for option in part["options"] if option.get("default")]


def picked_channel_ids(opened: InteractionResult, key: str = "channels") -> list[int]:
    """Return the channels that are picked in a form."""
    return sorted(int(value["id"]) for value in form_menus(opened)[key].get("default_values", ()))

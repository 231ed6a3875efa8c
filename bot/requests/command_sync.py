"""The slash commands as Discord has them, in every language: told when they change, known by id."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import discord
import structlog
from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.engine.words import _, is_spoken, pgettext, speaking
from bot.messages.mentions import COMMAND, know_commands
from bot.requests.discord_errors import NOT_SENT, ErrorKind, error_kind
from bot.storage import Notes

log = structlog.get_logger(__name__)


async def sync_if_changed(tree: app_commands.CommandTree[Any], notes: Notes) -> None:
    """Tell Discord the commands, unless it knows them so; sentences mention them by their ids.

    A change is one of what is sent, also a new translation. The ids are noted with a digest of that, so
    a start that tells nothing asks nothing either.
    """
    know_commands({})
    translator = CatalogueTranslator()
    await tree.set_translator(translator)
    commands = [await each.get_translated_payload(tree, translator) for each in tree.get_commands()]
    digest = sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()
    key = f"commands of {tree.client.application_id}"
    ids = _noted(await notes.get(key), digest)
    if ids is None:
        try:
            ids = {command.name: command.id for command in await tree.sync()}
        except NOT_SENT as error:
            if error_kind(error) is not ErrorKind.TROUBLE:
                raise
            log.warning("commands not synced; the next start tries again", error=str(error))
            return
        await notes.put(key, json.dumps({"digest": digest, "ids": ids}))
        log.info("commands synced", commands=len(commands))
    know_commands(
        {
            command.qualified_name: ids[(command.root_parent or command).name]
            for command in tree.walk_commands(type=discord.AppCommandType.chat_input)
            if isinstance(command, app_commands.Command)
        }
    )


def _noted(note: str | None, digest: str) -> dict[str, int] | None:
    """Return the ids of the commands with this digest, if that is what was noted."""
    try:
        known = json.loads(note or "null")
    except ValueError:  # an older note, which was a digest alone
        return None
    if not isinstance(known, dict) or known.get("digest") != digest:
        return None
    return {str(name): int(command_id) for name, command_id in known["ids"].items()}


CONTEXTS = {
    Location.command_name: COMMAND,
    Location.group_name: COMMAND,
    Location.parameter_name: COMMAND,
    Location.choice_name: "choice of a slash command",
}
"""What translators see beside the words; descriptions are sentences like any other."""


class CatalogueTranslator(app_commands.Translator):
    """Translates commands with the catalogues that everything else is translated with."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return the words, or None where they are as in English."""
        written = string.message
        if not is_spoken(locale.value):  # discord.py asks for each of Discord's some 30 languages
            return None
        with speaking(locale.value):
            named = CONTEXTS.get(context.location)
            said = _(written) if named is None else pgettext(named, written)
        return None if said == written else said

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
from bot.storage.servers_and_notes import Notes

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
    noted_digest, _space, noted = (await notes.get(key) or "").partition(" ")
    if noted and noted_digest == digest:
        ids: dict[str, int] = json.loads(noted)
    else:
        try:
            ids = {command.name: command.id for command in await tree.sync()}
        except NOT_SENT as error:
            if error_kind(error) is not ErrorKind.TROUBLE:
                raise
            log.warning("commands not synced; the next start tries again", error=str(error))
            return
        await notes.put(key, f"{digest} {json.dumps(ids)}")
        log.info("commands synced", commands=len(commands))
    know_commands(
        {
            command.qualified_name: ids[(command.root_parent or command).name]
            for command in tree.walk_commands(type=discord.AppCommandType.chat_input)
            if isinstance(command, app_commands.Command)
        }
    )


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

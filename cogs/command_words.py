"""The words of the slash commands in every language: what Discord's own menus show of them."""

from __future__ import annotations

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.engine.words import _, is_spoken, pgettext, speaking
from bot.messages.commands import COMMAND

CHOICE = "choice of a slash command"
"""What translators see beside what one may choose."""

CONTEXTS = {
    Location.command_name: COMMAND,
    Location.group_name: COMMAND,
    Location.parameter_name: COMMAND,
    Location.choice_name: CHOICE,
}
"""Descriptions have none: they are sentences like any other."""


class CatalogueTranslator(app_commands.Translator):
    """Translates commands with the catalogues that everything else is translated with."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return the words in a language, or None where they are as in English."""
        written = string.message
        if not is_spoken(locale.value):  # discord.py asks for each of Discord's some 30 languages
            return None
        with speaking(locale.value):
            named = CONTEXTS.get(context.location)
            said = _(written) if named is None else pgettext(named, written)
        return None if said == written else said

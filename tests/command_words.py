"""The words of the slash commands for the catalogues: from the commands as Discord is told of them.

They are docstrings, names of functions and of what those take, and choices; some are made at a start.
So they are not in the source as such: Babel asks for them here, by ``[tool.babel]`` in pyproject.toml.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from types import SimpleNamespace
from typing import Any, BinaryIO, cast

import discord
from babel.messages.extract import extract_python
from discord import app_commands

from bot.games import games
from bot.services import Services
from cogs.admin import Admin
from cogs.command_sync import CONTEXTS
from cogs.slash_commands import AppCommand, slash_commands


class Collector(app_commands.Translator):
    """Translates nothing, and keeps what it was asked for, with the context of each."""

    def __init__(self) -> None:
        self.asked: set[tuple[str | None, str]] = set()

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> None:
        self.asked.add((CONTEXTS.get(context.location), string.message))


def commands() -> list[AppCommand]:
    """Return all commands, made for nobody: until they are used they only need to know the games."""
    services = cast("Services", SimpleNamespace(games=games()))
    return [*slash_commands(services, None), *Admin(services).get_app_commands()]


def command_words() -> set[tuple[str | None, str]]:
    """Return the context and the words of everything that Discord shows in its own menus."""
    collector = Collector()

    async def collect() -> None:
        tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
        for command in commands():
            await command.get_translated_payload(tree, collector)

    asyncio.run(collect())
    return collector.asked


def extract(
    source: BinaryIO, keywords: Collection[str], comment_tags: Collection[str], options: Any
) -> Iterator[Any]:
    """Extract what Babel finds in a module by itself, and the words of all slash commands."""
    yield from extract_python(source, keywords, comment_tags, options)  # type: ignore[arg-type]
    for context, words in sorted(command_words(), key=str):
        yield (1, "_", words, []) if context is None else (1, "pgettext", (context, words), [])

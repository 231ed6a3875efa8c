"""The words of the slash commands for the catalogues: from the commands as Discord is told of them.

They are docstrings, names of functions and of what those take, and choices; some are made at a start.
So they are not in the source as such: Babel asks for them here, by ``[tool.babel]`` in pyproject.toml.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO
from unittest.mock import AsyncMock, MagicMock

import discord
from babel.messages.extract import extract_python
from discord import app_commands

from bot.app import Ribit
from bot.games import games
from bot.requests.command_sync import CONTEXTS


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


def command_words() -> set[tuple[str | None, str]]:
    """Return the context and the words of everything that Discord shows in its own menus."""
    collector = Collector()

    async def collect() -> None:
        database = MagicMock(close=AsyncMock())  # until they are used commands need nothing of it
        async with Ribit(database=database, games=games()) as bot:
            await bot.load_features()
            for command in bot.tree.get_commands():
                await command.get_translated_payload(bot.tree, collector)

    asyncio.run(collect())
    return collector.asked


def extract(
    source: BinaryIO, keywords: Collection[str], comment_tags: Collection[str], options: Any
) -> Iterator[Any]:
    """Extract what Babel finds in a module by itself, and the words of all slash commands."""
    yield from extract_python(source, keywords, comment_tags, options)  # type: ignore[arg-type]
    for context, words in sorted(command_words(), key=str):
        yield (1, "_", words, []) if context is None else (1, "pgettext", (context, words), [])

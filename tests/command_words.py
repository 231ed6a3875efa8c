"""Catalogue texts of the slash commands, extracted from the commands sent to Discord.

The texts are docstrings, names of functions and parameters, and choices. Some exist only after a start,
so Babel cannot find them in the source. ``[tool.babel]`` in pyproject.toml calls this module instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO
from unittest.mock import AsyncMock, MagicMock

from babel.messages.extract import extract_python

from bot.app import Ribit
from bot.games import games
from bot.requests.command_sync import command_texts


def command_words() -> set[tuple[str | None, str]]:
    """Return the context and the words of everything that Discord shows in its own menus."""

    async def collect() -> set[tuple[str | None, str]]:
        database = MagicMock(close=AsyncMock())  # until they are used commands need nothing of it
        async with Ribit(database=database, games=games()) as bot:
            await bot.load_features()
            commands = [command.to_dict(bot.tree) for command in bot.tree.get_commands()]
        return {
            (context, part[field])
            for command in commands
            for part, field, context in command_texts(command)
        }

    return asyncio.run(collect())


def extract(
    source: BinaryIO, keywords: Collection[str], comment_tags: Collection[str], options: Any
) -> Iterator[Any]:
    """Extract Babel's own messages of a module and the texts of all slash commands."""
    yield from extract_python(source, keywords, comment_tags, options)  # type: ignore[arg-type]
    for context, words in sorted(command_words(), key=str):
        yield (1, "_", words, []) if context is None else (1, "pgettext", (context, words), [])

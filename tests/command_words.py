"""The words of the slash commands for the catalogues: from the commands as Discord is told of them.

They are docstrings, names of functions and of what those take, and choices; some are made at a start.
So they are not in the source as such: Babel asks for them here, by ``[tool.babel]`` in pyproject.toml.
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
    """Extract what Babel finds in a module by itself, and the words of all slash commands."""
    yield from extract_python(source, keywords, comment_tags, options)  # type: ignore[arg-type]
    for context, words in sorted(command_words(), key=str):
        yield (1, "_", words, []) if context is None else (1, "pgettext", (context, words), [])

"""Stores of notes and of application emojis.

A note is a text value stored under a key.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.storage.named_queries import Sql
from bot.storage.writer import Store


class Notes(Store):
    """Store of notes. A note is a text value stored under a key."""

    async def get(self, key: str) -> str | None:
        row = await self._ask("note", key=key)
        return None if row is None else str(row["value"])

    async def like(self, pattern: str) -> dict[str, str]:
        """Return the notes whose keys match an SQL LIKE pattern, as a dictionary of keys and values."""
        return {row["key"]: row["value"] for row in await self._list("notes_like", pattern=pattern)}

    async def store_note(self, key: str, value: str) -> None:
        await self._do("put_note", key=key, value=value)

    async def remove(self, key: str) -> None:
        await self._do("remove_note", key=key)


class StoredEmojis(Store):
    """Store of the bot's application emojis.

    With it, the bot need not fetch them from Discord at each start.
    """

    async def all(self, application_id: int) -> Mapping[str, tuple[str, int]]:
        rows = await self._list("emojis", application_id=application_id)
        return {row["sign"]: (row["name"], row["emoji_id"]) for row in rows}

    async def store_emojis(self, application_id: int, emojis: Mapping[str, tuple[str, int]]) -> None:

        async def work(sql: Sql) -> None:
            for sign, (name, emoji_id) in emojis.items():
                await sql.put_emoji(
                    application_id=application_id, sign=sign, name=name, emoji_id=emoji_id
                )

        await self._writer.write(work)

"""Texts that mention players, such as turn reminders, and clickable mentions of commands."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bot.engine.translation import _, pgettext
from bot.messages.time_limits import turn_end, when
from bot.sessions.table_state import Table
from bot.sessions.turn_clock import Call


def call_words(table: Table, seat: int, call: Call, link: str) -> str:
    """Return the text of a turn reminder, which mentions the player to move.

    Args:
        table: The table.
        seat: The player's seat.
        call: The type of reminder.
        link: The link to the table's message.
    """
    words = (
        _("⏳ <@{id}>, your turn at [the table]({link}) ends {when}. After that, I'll pass for you.")
        if call is Call.NUDGE
        else _("<@{id}>, it's your turn at [the table]({link}).")
    )
    id_, ends = table.match.players[seat].id, turn_end(table.match)
    return words.format(id=id_, link=link, when=ends)


def next_words(player_id: int, link: str) -> str:
    return _("<@{id}>, you're next at [the table]({link}).").format(id=player_id, link=link)


def over_words(link: str | None) -> str:
    """Return the text that replaces an outdated turn reminder. The text mentions no player."""
    if link is None:
        return _("-# This was a reminder about the table.")
    return _("-# This was a reminder about [the table]({link}).").format(link=link)


def dms_closed_words(player_id: int) -> str:
    words = _(
        "<@{id}>, your DMs are closed to me, so I can't send you your cards. "
        "Press **My hand** at the table: only you will see them."
    )
    return words.format(id=player_id)


def no_dms_words(player_id: int) -> str:
    words = _(
        "<@{id}>, Discord won't let me send you your cards right now. Press **My hand** at the table: "
        "only you will see them."
    )
    return words.format(id=player_id)


def storage_failed_words(since: int) -> str:
    """Return the text that a table shows while play is paused because moves cannot be stored.

    The text stays true even if the bot stops and cannot remove it.
    """
    words = _(
        "⏸️ Play stopped {when}, because I can't save moves. Press any button to see if it can go on."
    )
    return words.format(when=when(since))


_IN_WORDS = re.compile(r"`/([\w ]+)((?: \w+:\w+)*)`")
COMMAND = "slash command"
"""Message context for the translation of command and option names."""

_known: dict[str, int] = {}


def register_commands(ids: Mapping[str, int]) -> None:
    _known.clear()
    _known.update(ids)


def clickable(words: str) -> str:
    """Turn slash commands such as ``/toad start`` into clickable mentions.

    Discord cannot mention a command with options or one that is not registered. Only the names of such
    a command and its options are translated.
    """

    def mention(found: re.Match[str]) -> str:
        name, options = found[1], found[2]
        if name in _known and not options:
            return f"</{name}:{_known[name]}>"
        words = re.sub(r"[^\W\d]+", lambda word: pgettext(COMMAND, word[0]), name)
        typed = re.sub(r"(\w+)(?=:)", lambda option: pgettext(COMMAND, option[0]), options)
        return f"`/{words}{typed}`"

    return _IN_WORDS.sub(mention, words)

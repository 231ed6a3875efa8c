"""Answers to commands and clicks that send a table or a hand.

A hand is a message with a player's own cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import discord

from bot.delivery.display import Display
from bot.delivery.message_keys import TABLE_KEY, ChoiceStep, panel_key
from bot.delivery.message_routes import NewAnswer
from bot.messages.channel_access import throttled_words
from bot.requests.answers import Answer
from bot.requests.budget import Priority
from bot.requests.discord_errors import ErrorKind, error_kind
from bot.sessions.errors import TableError
from bot.sessions.table_state import Table


async def open_hand(
    display: Display, answer: Answer, table: Table, seat: int, path: tuple[str, ...] = ()
) -> None:
    """Show a player's hand in a new ephemeral message, then refresh the match's messages.

    Args:
        display: The messages of all matches.
        answer: Answers the player's click or command.
        table: The table.
        seat: The player's seat.
        path: The choices that the player has made so far for the next move.
    """
    await open_panel(display, answer, table, path)
    await display.calls.delete_hand_line(table, seat)
    display.refresh(table.match.id, Priority.UPKEEP)


async def open_panel(display: Display, answer: Answer, table: Table, path: tuple[str, ...] = ()) -> None:
    """Show the user's hand of cards in a new ephemeral message, and keep that message up to date."""
    await _send_new(display, answer, table, panel_key(answer.interaction.user.id), path)


async def post_table(display: Display, answer: Answer, table: Table) -> None:
    """Send the table as a new message to the channel, and replace the former table message with a link.

    If the match is private, show it in an ephemeral message instead.
    """
    if table.match.is_private:
        await open_panel(display, answer, table)
    else:
        with explain_refusals(table):
            await _send_new(display, answer, table, TABLE_KEY)
    display.refresh(table.match.id)


async def _send_new(
    display: Display, answer: Answer, table: Table, key: str, path: tuple[str, ...] = ()
) -> None:
    """Answer a click or command with a new message of a match."""
    messages = display.messages_of_match(table.match.id)
    messages.publish(table)
    via = [NewAnswer(messages.place(key), answer)]
    await messages.answer(key, via, ChoiceStep(table.n, path))


@contextmanager
def explain_refusals(table: Table) -> Iterator[None]:
    """Convert Discord's refusal of a table message into an error that explains the refusal to the user.

    This applies only if Ribit is not a member of the server or group. The user's action is already
    stored.

    Raises:
        TableError: A filter blocked the message, or the interaction allows no more follow-ups.
    """
    try:
        yield
    except discord.HTTPException as error:
        kind = error_kind(error)
        if not table.match.guest or kind not in {ErrorKind.BLOCKED, ErrorKind.USED_UP}:
            raise
        words = throttled_words(table.game.info.command, is_blocked=kind is ErrorKind.BLOCKED)
        raise TableError(words) from error

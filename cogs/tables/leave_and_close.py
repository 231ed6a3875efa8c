"""Questions that ask a user to confirm that they leave or close a table."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.scene import FROG
from bot.engine.translation import _
from bot.messages.components import Button, Content
from bot.messages.computer_player_controls import Substitute, computer_player_menu, remove_option
from bot.messages.confirmations import confirm_content
from bot.sessions.table_state import Table


def leave_content(table: Table, seat: int) -> Content:
    question = _("Give up your seat? You'll be out of this match for good.")
    if table.game.thinking is None or seat in table.match.computer_seats or seat not in table.people:
        return confirm_content(question, table.match.id, "quit", _("Give up"))
    later = _(
        "Or let a frog take over. Once it has moved, this match can't count as your win, even if you "
        "press **Join** and play on."
    )
    at_once = _(
        "Or let a frog take over. Nobody else is left, so the frogs will finish this match right "
        "away, and it won't count as your win."
    )
    is_last = set(table.remaining) - {seat} <= set(table.match.computer_seats)
    hint = at_once if is_last else later
    button = Button(Substitute(table.match.id, seat).custom_id, _("Leave it to a frog"), emoji=FROG)
    return confirm_content(f"{question}\n{hint}", table.match.id, "quit", _("Give up"), button)


def ask_to_close_content(table: Table, *, is_at_once: bool, may_manage: bool = False) -> Content:
    """Return a confirmation question for closing a table.

    If the other players must agree, the question is whether to ask them.

    Args:
        table: The table.
        is_at_once: True if the table closes without asking the other players.
        may_manage: True if the user is a moderator. A moderator who closes a match in progress gets a
            menu for removing a single player instead.
    """
    name, match = table.game.info.name, table.match
    if is_at_once:
        question = _("Close this table of {game} for everybody? The match won't count.")
        confirmation = confirm_content(
            question.format(game=name), match.id, "stop", _("Close the table")
        )
        if not (may_manage and table.is_playing):
            return confirmation
        people = tuple(remove_option(match, seat) for seat in table.people)
        menu = computer_player_menu(match, _("Or remove a player from the match"), people)
        return replace(confirmation, parts=(*confirmation.parts, menu))
    question = _(
        "Ask the others to close this match of {game}? It closes without a result once everybody "
        "still playing agrees. If anyone wants to play on, you can't ask again."
    )
    return confirm_content(question.format(game=name), match.id, "stop", _("Ask the others"))


def gone_words(player_id: int) -> str:
    return _("{name} is no longer at the table.").format(name=f"<@{player_id}>")

"""Questions that a user must confirm, such as giving up or closing a table."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.panel import Tone
from bot.engine.translation import _
from bot.messages.components import (
    Button,
    Content,
    Menu,
    MenuOption,
    Part,
    Row,
    Text,
    notice_content,
    row,
)
from bot.messages.computer_player_controls import plain_name_of
from bot.messages.custom_ids import action_id
from bot.messages.table_view import TableView
from bot.sessions.table_state import Table


def confirm_content(question: str, match_id: str, action: str, label: str, *others: Button) -> Content:
    """Return a confirmation question with a button for the action and a button to keep playing.

    Args:
        question: The question.
        match_id: The match.
        action: The name of the action, as in ``Action``.
        label: The label of the action's button.
        others: Additional buttons between these two.
    """
    return notice_content(
        question,
        row(
            Button(action_id(match_id, action), label, Tone.DANGER),
            *others,
            Button(action_id(match_id, "never"), _("No, play on")),
        ),
    )


def closing_parts(table: TableView) -> tuple[Part, ...]:
    """Return the text and buttons of a player's request to close the match without a result.

    The other players can agree or decline. If there is no request, or if the viewer has already agreed,
    return no parts.
    """
    closing, players = table.match.roster.closing, table.match.players
    missing = [players[seat] for seat in table.people if players[seat].id not in closing]
    if not closing or (table.viewer is not None and players[table.viewer] not in missing):
        return ()
    asker = next(player for player in players if player.id == closing[0])
    words = _(
        "🚪 {name} wants to close this match without a result. It closes once everybody still "
        "playing agrees. Still to agree: {names}."
    ).format(name=plain_name_of(asker), names=", ".join(map(plain_name_of, missing)))
    agree = Button(action_id(table.match.id, "agree"), _("Close the match"), Tone.DANGER)
    go_on = Button(action_id(table.match.id, "playon"), _("Play on"), Tone.GOOD)
    return (Text(words), row(agree, go_on))


def too_many_content(sentence: str, hosted: Sequence[tuple[Table, str | None]]) -> Content:
    """Return a message for a user who hosts too many matches. A menu lets the user end one of them.

    Args:
        sentence: The text that explains the limit.
        hosted: The user's matches, each with the link to its message or None.
    """
    lines, options = [sentence], list[MenuOption]()
    for number, (table, link) in enumerate(hosted, 1):
        match, game = table.match, table.game.info.name
        channel = f"<#{match.channel_id}>" if match.guild_id else _("direct messages")
        words = _("**{game}** in {channel}.").format(game=game, channel=channel)
        there = _("[Jump to it]({link}).").format(link=link) if link else ""
        lines.append(f"{number}. {words} {there}".strip())
        options.append(MenuOption(f"{number}. {game}", match.id))
    menu = Menu("c", _("End one of them"), tuple(options))
    return notice_content("\n".join(lines), Row((menu,)))


def give_up_content(words: str, match_id: str) -> Content:
    """Return an error message with a button to give up the private match that the user is playing."""
    return notice_content(words, row(Button(action_id(match_id, "quit"), _("Give up"), Tone.DANGER)))

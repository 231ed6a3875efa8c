"""Questions before something is over: to who would end it, all who play, and who hosts too many."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.panel import Tone
from bot.engine.words import _
from bot.messages.components import Button, Content, Menu, Option, Part, Row, Text, notice_content, row
from bot.messages.computer_players import called
from bot.messages.custom_ids import action_id
from bot.sessions.table import Table


def confirm_content(question: str, match_id: str, action: str, label: str, *others: Button) -> Content:
    """Return a question before something that cannot be taken back, with other ways out of it."""
    return notice_content(
        question,
        row(
            Button(action_id(match_id, action), label, Tone.DANGER),
            *others,
            Button(action_id(match_id, "never"), _("No, go on playing")),
        ),
    )


def closing_parts(table: Table, seat: int | None = None) -> tuple[Part, ...]:
    """Return the question whether to close a match that is being played; nothing where nobody asks.

    ``seat`` is whose hand it stands with, None for the table itself.
    """
    closing, players = table.match.roster.closing, table.match.players
    missing = [players[each] for each in table.people if players[each].id not in closing]
    if not closing or (seat is not None and players[seat] not in missing):
        return ()
    asker = next(player for player in players if player.id == closing[0])
    words = _(
        "🚪 {name} asks to close this match without a result. It closes once everybody who is still in "
        "it agrees; missing: {names}."
    ).format(name=called(asker), names=", ".join(map(called, missing)))
    buttons = row(
        Button(action_id(table.match.id, "agree"), _("Close the match"), Tone.DANGER),
        Button(action_id(table.match.id, "playon"), _("Play on"), Tone.GOOD),
    )
    return (Text(words), buttons)


def too_many_content(sentence: str, hosted: Sequence[tuple[Table, str | None]]) -> Content:
    """Return the refusal of another match, with the way to each of those before, and out of it.

    Each is there with the address of its message, where it has one.
    """
    lines, options = [sentence], list[Option]()
    for number, (table, link) in enumerate(hosted, 1):
        match, game = table.match, table.game.info.name
        channel = f"<#{match.channel_id}>" if match.guild_id else _("direct messages")
        words = _("**{game}** in {channel}.").format(game=game, channel=channel)
        there = _("[Go to it]({link}).").format(link=link) if link else ""
        lines.append(f"{number}. {words} {there}".strip())
        options.append(Option(f"{number}. {game}", match.id))
    menu = Menu("c", _("End one of them"), tuple(options))
    return notice_content("\n".join(lines), Row((menu,)))

"""Questions before something is over: to who would end it, all who play, and who hosts too many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from bot.engine.match import Stage
from bot.engine.panel import Tone
from bot.engine.scene import FROG
from bot.engine.values import frozen
from bot.engine.words import _
from bot.messages.components import Button, Content, Menu, Option, Part, Row, Text, notice_content, row
from bot.messages.computer_players import StandIn, called, send_away_row
from bot.messages.custom_ids import MATCH, Control, action_id
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


def leave_content(table: Table, seat: int) -> Content:
    """Return the question before a player leaves a match that is being played."""
    question = _("Give up your seat? You are out of this match for good.")
    if table.game.thinking is None or seat in table.match.computer_seats or seat not in table.people:
        return confirm_content(question, table.match.id, "quit", _("Give up"))
    hint = _(
        "Or leave your seat to a frog: once it has moved, the match is no win for you on any "
        "leaderboard, even if you press **Join** at the table and play on."
    )
    to_frog = Button(StandIn(table.match.id, seat).custom_id, _("Leave it to a frog"), emoji=FROG)
    return confirm_content(f"{question}\n{hint}", table.match.id, "quit", _("Give up"), to_frog)


def give_up_content(match_id: str) -> Content:
    """Return the question before a deal is given up."""
    return confirm_content(_("Give up this deal? It counts as lost."), match_id, "quit", _("Give up"))


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


def ask_to_close_content(table: Table, *, is_at_once: bool, may_manage: bool = False) -> Content:
    """Return the question before a table is closed, or before the others are asked.

    A moderator, who ``may_manage``, can take somebody out of the match instead.
    """
    name = table.game.info.name
    if is_at_once:
        question = _("Close this table of {game} for everybody? The match won't count.")
        asked = confirm_content(question.format(game=name), table.match.id, "stop", _("Close the table"))
        is_offered = may_manage and table.is_playing
        return replace(asked, parts=(*asked.parts, send_away_row(table))) if is_offered else asked
    question = _(
        "Ask the others to close this match of {game}? It closes without a result once everybody who is "
        "still in it agrees. If somebody wants to play on, you can't ask again."
    )
    return confirm_content(question.format(game=name), table.match.id, "stop", _("Ask the others"))


def closed_words(table: Table) -> str:
    """Return what is said to who closed a table, or has asked for it."""
    if table.match.stage is Stage.STOPPED:
        return _("Table closed.")
    return _("Done: the table asks the others now.")


@frozen
class CloseOwn(Control):
    """Somebody's own match is to be ended, from wherever they are; ``is_sure``: they were asked."""

    pattern = re.compile(rf"c(:{MATCH})?")
    kind = "close own"

    match_id: str
    is_sure: bool

    @classmethod
    def read(cls, found: re.Match[str], values: Sequence[str]) -> Self | None:
        """Return which match: the one of the button that ends it, or what was picked in the menu."""
        if found["match_id"] is not None:
            return cls(found["match_id"], is_sure=True)
        return cls(values[0], is_sure=False) if values else None


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


def close_content(table: Table, *, is_given_up: bool) -> Content:
    """Return the question before the host ends a match from elsewhere, or gives up what others play."""
    if table.is_solo:
        question = _("Give up this deal? It counts as lost.")
    elif is_given_up:
        question = _("Give up your seat? You are out of this match for good.")
    else:
        question = _("Close this table of {game} for everybody? The match won't count.")
    question = question.format(game=table.game.info.name)
    label = _("Give up") if is_given_up else _("Close the table")
    return notice_content(question, row(Button(f"c:{table.match.id}", label, Tone.DANGER)))

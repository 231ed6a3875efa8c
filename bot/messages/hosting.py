"""What somebody hosts who may not open another match: where it is, and a menu to close one of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

from bot.engine.match import Match
from bot.engine.panel import Tone
from bot.engine.values import frozen
from bot.engine.words import _
from bot.messages.components import Button, Content, Menu, Option, Row, notice_content, row
from bot.messages.custom_ids import MATCH, Control
from bot.sessions.table import Table


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


@frozen
class Hosted:
    """A live match of somebody's: its game's name, and the address of its message, where it has one."""

    match: Match
    game: str
    link: str | None


def too_many_content(sentence: str, hosted: Sequence[Hosted]) -> Content:
    """Return the refusal of another match, with the way to each of those before, and out of it."""
    lines = [f"{number}. {_where(one)}" for number, one in enumerate(hosted, 1)]
    options = tuple(
        Option(f"{number}. {one.game}", one.match.id) for number, one in enumerate(hosted, 1)
    )
    menu = Menu("c", _("End one of them"), options)
    return notice_content("\n".join((sentence, *lines)), Row((menu,)))


def _where(hosted: Hosted) -> str:
    channel = f"<#{hosted.match.channel_id}>" if hosted.match.guild_id else _("direct messages")
    words = _("**{game}** in {channel}.").format(game=hosted.game, channel=channel)
    there = _("[Go to it]({link}).").format(link=hosted.link) if hosted.link else ""
    return f"{words} {there}".strip()


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

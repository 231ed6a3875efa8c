"""What somebody hosts who may not open another match: where it is, and a menu to close one of it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.match import Match
from bot.engine.panel import Tone
from bot.engine.values import frozen
from bot.engine.words import _
from bot.messages.components import Button, Content, Menu, Option, Row, notice_content, row
from bot.messages.custom_ids import close_id
from bot.sessions.table import Table


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
    menu = Menu(close_id(), _("End one of them"), options)
    return notice_content("\n".join((sentence, *lines)), Row((menu,)))


def _where(hosted: Hosted) -> str:
    channel = f"<#{hosted.match.channel_id}>" if hosted.match.guild_id else _("direct messages")
    words = _("**{game}** in {channel}.").format(game=hosted.game, channel=channel)
    there = _("[Go to it]({link}).").format(link=hosted.link) if hosted.link else ""
    return f"{words} {there}".strip()


def close_content(table: Table) -> Content:
    """Return the question before the host ends a match from elsewhere."""
    question = (
        _("Give up this deal? It counts as lost.")
        if table.is_solo
        else _("Close this table of {game} for everybody? The match won't count.").format(
            game=table.game.info.name
        )
    )
    label = _("Give up") if table.is_solo else _("Close the table")
    return notice_content(question, row(Button(close_id(table.match.id), label, Tone.DANGER)))

"""What happened: the lines below a table, and a whole match in private, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.engine.values import frozen
from bot.engine.words import _
from bot.messages.appearance import MOST_LETTERS, PLAIN, Appearance
from bot.messages.components import Button, Content, Text, layout, row
from bot.messages.computer_players import marked
from bot.messages.custom_ids import Plain, action_id
from bot.messages.player_names import written_names
from bot.sessions.table import Table

_LINE = 4
"""How many letters a line takes besides its own."""


@frozen
class StoryOf(Plain):
    """A page of what happened in a match, counted from 0."""

    kind = "story page"
    form = "st:{0.match_id}:{0.page}"

    match_id: str
    page: int


def story_text(lines: Sequence[str], look: Appearance) -> str:
    """Return lines of the story as one text, in small letters."""
    return look.told("\n".join(f"-# {line}" for line in _fitted(lines)))


def _fitted(lines: Sequence[str]) -> list[str]:
    """Return the lines as they have room: the longest are shortened, and none is left out."""
    longest = max(map(len, lines), default=0)
    while sum(min(len(line), longest) + _LINE for line in lines) > MOST_LETTERS:
        longest -= _LINE
    return [_shortened(line, longest) for line in lines]


def _shortened(line: str, most: int) -> str:
    if len(line) <= most:
        return line
    short = line[: most - _LINE].rstrip("\\*")
    return short + "…" + ("**" if short.count("**") % 2 else "")


def story_button(table: Table) -> list[Button]:
    """Return the button that tells what happened, where there is something to tell."""
    if table.game.history is None or not table.is_playing:
        return []
    return [Button(action_id(table.match.id, "story"), _("What happened?"), emoji="📜")]


def story_content(
    table: Table, events: Sequence[Any], number: int | None = None, look: Appearance = PLAIN
) -> Content:
    """Return a page of all that happened, the last one where no such page is asked for."""
    history, match = table.game.history, table.match
    assert history is not None, "only such a game is asked"
    pages = history.pages(events, marked(match, written_names(match.players)))
    last = len(pages) - 1
    at = last if number is None else min(number, last)
    where = _("{game} in {channel}").format(game=table.game.info.name, channel=f"<#{match.channel_id}>")
    page = _("page {n} of {all}").format(n=at + 1, all=len(pages))
    head = Text(look.told(f"### {pages[at].title}\n-# {where} · {page}"))
    earlier = [Button(StoryOf(match.id, at - 1).custom_id, "◀")] if at else []
    on, sign = (at + 1, "▶") if at < last else (at, "🔄")  # the last page may have grown since
    later = Button(StoryOf(match.id, on).custom_id, sign)
    return layout(head, Text(look.told("\n".join(_fitted(pages[at].lines)))), row(*earlier, later))

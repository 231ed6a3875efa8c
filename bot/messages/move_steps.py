"""A table in the middle of a move that is seen step by step: no move to make, and gone in a moment."""

from __future__ import annotations

from typing import Any

from bot.engine.words import _
from bot.messages.appearance import Appearance
from bot.messages.components import Button, Content, Picture, Text, layout, row
from bot.messages.computer_players import marked
from bot.messages.custom_ids import action_id
from bot.messages.player_names import drawn_names, written_names
from bot.sessions.table import Table


def passing_content(table: Table, state: Any, look: Appearance) -> Content:
    """Return a table of a game for one as it looks while a move is carried out."""
    game, players = table.game, table.match.players
    view = game.view(state, None)
    gallery = Picture(look.coloured(game.scene(view, drawn_names(players))))
    words = game.words(view, marked(table.match, written_names(players)))
    story = look.told("\n".join(f"-# {line}" for line in words.story))
    return layout(
        Text(look.told(f"### {game.info.name} · {words.headline}")),
        gallery,
        Text(story),
        row(Button(action_id(table.match.id, "rules"), _("How to play"))),
    )

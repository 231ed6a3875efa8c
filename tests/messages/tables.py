"""Tables at any moment of a match, and the text of their messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot.engine.alt_text import describe
from bot.games import games
from bot.matches.match import LEAVES, Entry, Match, Player, Stage
from bot.messages.components import Button, Content, Menu, Row, Text
from bot.sessions.table_state import Table

NOW = 1_800_000_000

Options = dict[str, int] | None


def new_players(*names: str) -> tuple[Player, ...]:
    """Return players with these names and user names such as somebody1."""
    return tuple(
        Player(100 + number, name, user_name=f"somebody{number}") for number, name in enumerate(names, 1)
    )


def new_lobby(game: str, players: Sequence[Player], options: Options = None, **of: Any) -> Table:
    """Return a lobby that people can join. ``of`` has further fields of its match."""
    info = games()[game].info
    usual = {option.key: option.default for option in info.options}
    match = Match(
        id="m1",
        game=game,
        rules_version=info.rules_version,
        guild_id=1,
        channel_id=2,
        host_id=players[0].id,
        players=tuple(players),
        limit=info.most,
        options=usual | (options or {}),
        opened_at=NOW,
        **of,
    )
    return Table(match, games()[game])


def new_table(game: str, players: Sequence[Player], options: Options = None, **of: Any) -> Table:
    """Return a table at its first move, with a fixed seed."""
    waiting = new_lobby(game, players, options, **of)
    match = replace(waiting.match, stage=Stage.PLAYING, seed=bytes(32))
    return Table.deal(match, waiting.game)


def table_after(table: Table, *moves: str) -> Table:
    """Return a table after written moves, each by the seat to move."""
    for text in moves:
        assert table.to_move is not None
        table = table.after_move(Entry(table.n, table.to_move, text))
    return table


def table_after_passes(table: Table) -> Table:
    """Return a table of Toad at which all players have passed."""
    return table_after(table, *("end" for _seat in table.remaining))


def tables_after_leaving(table: Table) -> Iterator[Table]:
    """Yield a table as players give up one by one, until the last one has won."""
    for seat in table.remaining[:-1]:
        table = table.after_move(Entry(table.n, seat, LEAVES))
        if table.outcome is not None:
            table = replace(table, match=replace(table.match, stage=Stage.FINISHED))
        yield table


def text_of(content: Content) -> str:
    """Return the text of a message."""
    return "\n".join(part.words for part in content.parts if isinstance(part, Text))


def alt_of(content: Content) -> str:
    """Return the alt text of a message's picture."""
    return describe(content.picture.scene) if content.picture else ""


def _row_items(content: Content) -> Iterator[Any]:
    for part in content.parts:
        if isinstance(part, Row):
            yield from part.items


def labels_of(content: Content) -> list[str]:
    """Return the labels of the enabled buttons."""
    buttons = (item for item in _row_items(content) if isinstance(item, Button) and not item.disabled)
    return [button.label or "" for button in buttons]


def options_of(content: Content) -> list[str]:
    """Return the labels of the menu options."""
    menus = (item for item in _row_items(content) if isinstance(item, Menu))
    return [option.label for menu in menus for option in menu.options]

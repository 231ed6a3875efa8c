"""Content of a match's public table message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.engine.game import Words
from bot.engine.panel import Panel, Tone
from bot.engine.translation import _
from bot.matches.leaderboard_rules import DAY_SECONDS, Ending
from bot.matches.match import Player, Stage
from bot.messages.appearance import PLAIN, Appearance, story_text
from bot.messages.button_rows import (
    ButtonPlace,
    feature_buttons,
    panel_rows,
    rules_button,
    with_first,
    with_last,
)
from bot.messages.components import (
    GOLD,
    Button,
    Content,
    Row,
    ScenePicture,
    Text,
    layout,
    notice_content,
    row,
)
from bot.messages.computer_player_controls import (
    strengths,
    substitute_buttons,
)
from bot.messages.confirmations import closing_parts
from bot.messages.custom_ids import action_id
from bot.messages.deal_calendar import ends_at, number_line
from bot.messages.lobby import commitment_parts, lobby_content
from bot.messages.match_end import (
    NOTHING_STORED,
    end_lines,
    from_the_middle,
    questions,
    rematch_rows,
)
from bot.messages.table_view import TableView
from bot.messages.time_limits import clock_lines, when
from bot.sessions.errors import ended_words


def pointer_content(link: str | None) -> Content:
    there = _("[Jump to it]({link}).").format(link=link) if link else ""
    return notice_content(" ".join((_("This table has moved."), there)).strip())


def table_content(
    table: TableView,
    path: tuple[str, ...] = (),
    look: Appearance = PLAIN,
    *,
    today: int = 0,
    ending: Ending = NOTHING_STORED,
    feature_lines: Sequence[tuple[int, str]] = (),
    capped_players: Sequence[Player] = (),
) -> Content:
    """Return the content of a match's public table message.

    Args:
        table: The table.
        path: The keys of the choices that the player to move has made so far.
        look: The custom emoji and colours.
        today: The current day, such as 20261121.
        ending: The stored ending of a finished match.
        feature_lines: The features' lines below a finished match, each with its order.
        capped_players: The people in a lobby who have reached the limit of wins. Another win would count
            only on the server's leaderboard.
    """
    if table.is_lobby:
        return lobby_content(table, look, capped_players)
    if table.match.stage is Stage.STOPPED or table.view is None:
        return _stopped_content(table)
    words = table.words()
    picture = ScenePicture(look.recolour(table.scene()))
    computer_players = strengths(table.match) if table.is_playing and table.is_new else []
    story = story_text((*words.story, *computer_players, *clock_lines(table)), look)
    head = Text(look.replace_icons(f"### {table.game.info.name} · {words.headline}{table.aim_line}"))
    if not table.is_playing:
        result = Text("\n".join((story, *end_lines(table, words, ending, feature_lines, today))))
        rows = rematch_rows(table, look, ending)
        return layout(head, picture, result, *rows, *commitment_parts(table.match), colour=GOLD)
    # Hands show the choices, but a pause shows them in public.
    has_choices = not table.rests and (table.pauses or not table.game.info.hidden_hands)
    panel = table.panel(path) if has_choices else Panel()
    rows, note = panel_rows(table, panel, path, look)
    return layout(
        head,
        picture,
        Text(story + _small_print(table, today), news=news_lines(table, words)),
        Text(note),
        *_table_rows(table, rows, look),
        *closing_parts(table),
        *(commitment_parts(table.match) if table.is_new else ()),
    )


def _small_print(table: TableView, today: int) -> str:
    match, lines = table.match, list[str]()
    if table.is_solo and match.opened_at is not None:
        beginning = _("Dealt {when}.").format(when=when(match.opened_at))
        if not match.day:
            note = number_line(match, today)
        elif match.day < today:
            note = _("The day is over, so a win now ranks below all wins of that day.")
        else:
            note = _("The day ends {when}.").format(when=when(ends_at(match.day), DAY_SECONDS))
        lines.append(" ".join(filter(None, (beginning, note))))
    if not (table.is_solo or match.counts):
        lines.append(from_the_middle())
    if match.guest and not match.is_private:
        words = _(
            "I'm only a guest here, so I can't send reminders, and the table stays where it is. "
            "Use `/{command} table` to bring it down here."
        )
        lines.append(words.format(command=table.game.info.command))
    return "".join(f"\n-# {line}" for line in lines)


def _table_rows(table: TableView, rows: list[Row], look: Appearance) -> list[Row]:
    match = table.match
    if table.to_move in match.computer_seats:  # a computer player's choices have no buttons
        rows = []
    if table.inactive_seats:
        rows = with_last(rows, return_button(table, is_main=False))
        if table.game.thinking is not None and not table.rests:
            rows = with_last(rows, *substitute_buttons(match, table.inactive_seats, look))
    if table.shows_banner:
        rows = with_last(rows, Button(action_id(match.id, "on"), _("Go on"), Tone.GOOD))
    if table.game.info.hidden_hands:
        rows = with_first(rows, Button(action_id(match.id, "hand"), _("My hand"), emoji="🖐️"))
    elif table.to_move not in match.computer_seats:
        rows = with_last(rows, *feature_buttons(ButtonPlace.TURN, table))
    if table.is_solo:
        give_up = Button(action_id(match.id, "give"), _("Give up"))
        buttons = questions(table)
        rows = [*with_last(rows, *buttons[:1]), row(*buttons[1:], give_up)]  # both rows fit on a phone
    return with_last(rows, *feature_buttons(ButtonPlace.TABLE, table), rules_button(match.id))


def news_lines(table: TableView, words: Words) -> str:
    if words.story and table.alt_names != table.names:
        words = table.game.words(table.view, table.alt_names)
    return "\n".join(words.story)


def return_button(table: TableView, *, is_main: bool = True) -> Button:
    if table.rests:
        return Button(action_id(table.match.id, "wake"), _("Wake"), Tone.GOOD, emoji="☀️")
    return Button(action_id(table.match.id, "join"), _("Join"), Tone.GOOD if is_main else Tone.PLAIN)


def _stopped_content(table: TableView) -> Content:
    info = table.game.info
    words = (
        ended_words(table.match, table.view) if table.match.people else _("Everybody left this table.")
    )
    again = _("Start another one with `/{command} start`.").format(command=info.command)
    return Content((Text(f"-# {info.name} · {words} {again}"),), colour=None)


def frame_content(table: TableView, view: Any, look: Appearance) -> Content:
    """Return the content of the table message for an intermediate state that is shown for a moment."""
    frame = replace(table, view=view, frogs=frozenset())
    words = frame.words()
    head = Text(look.replace_icons(f"### {table.game.info.name} · {words.headline}"))
    story = Text(look.replace_icons("\n".join(f"-# {line}" for line in words.story)))
    return layout(
        head, ScenePicture(look.recolour(frame.scene())), story, row(rules_button(table.match.id))
    )

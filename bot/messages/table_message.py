"""Content of a match's public table message and of the messages that show a player's hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.engine.game import Words
from bot.engine.panel import Panel, Tone
from bot.engine.translation import _
from bot.matches.leaderboard import DAY_SECONDS, Ending
from bot.matches.match import Match, Player, Stage
from bot.messages.appearance import PLAIN, Appearance, story_text
from bot.messages.button_rows import (
    ButtonPlace,
    feature_buttons,
    hint_panel,
    panel_rows,
    rules_button,
    with_first,
    with_last,
)
from bot.messages.components import (
    GOLD,
    POND,
    STONE,
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
from bot.messages.custom_ids import action_id
from bot.messages.deal_calendar import ends_at, number_line
from bot.messages.lobby import commitment_parts, lobby_content
from bot.messages.match_end import (
    NOTHING_STORED,
    closing_parts,
    end_lines,
    from_the_middle,
    point_lines,
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
        Text(story + _small_print(table, today), news=_news(table, words)),
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
        rows = with_last(rows, _return_button(table, is_main=False))
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


def hand_content(
    table: TableView,
    path: tuple[str, ...] = (),
    *,
    offer_dms: bool = False,
    look: Appearance = PLAIN,
) -> Content:
    """Return the content of the message that shows a player's own cards.

    Args:
        table: The player's view of the table.
        path: The keys of the choices that the player has made so far.
        offer_dms: True to add a button that tries again to send the hand by DM.
        look: The custom emoji and colours.
    """
    seat, roster = table.viewer, table.match.roster
    assert seat is not None, "a player sees it"
    player_id = table.match.players[seat].id
    if player_id in roster.shut_out and table.is_playing:
        return _shut_out_content(table)
    panel = hint_panel(table, path)
    # A waiting player without choices sees the start of the turn, so each turn needs only one edit.
    is_waiting = not (table.to_move in (None, seat) or table.pauses or panel.rows)
    shown = replace(table, view=table.turn_start) if is_waiting else table
    words = _hand_words(table, shown)
    story = story_text((*words.story, *clock_lines(table)), look)
    rows, note = panel_rows(table, panel, path, look)
    if is_waiting and seat in table.remaining:
        note = _(table.game.info.how) if table.game.info.how and table.needs_aim else ""
    if seat in table.match.computer_seats:
        rows, note = [], ""
    elif rows and not path:
        if table.to_move == seat:
            rows = with_last(rows, *feature_buttons(ButtonPlace.TURN, table))
        rows = with_last(rows, *feature_buttons(ButtonPlace.HAND, table))
    if is_waiting:
        rows.append(row(rules_button(table.match.id)))
    if table.shows_banner and player_id not in roster.going_on:
        rows.append(row(Button(action_id(table.match.id, "on"), _("Go on"), Tone.GOOD)))
    if seat in table.inactive_seats:
        rows.append(row(_return_button(table, is_main=not rows)))
    if offer_dms:
        rows.append(row(Button(action_id(table.match.id, "dms"), _("Send it to my DMs"))))
    if table.match.stage is Stage.FINISHED:
        story = "\n".join((story, *point_lines(words)))
        rows += rematch_rows(table, look)
    if table.match.is_private and table.is_playing:
        action = "resign" if table.match.type.is_duel else "quit"  # ask first if only one try counts
        give_up = Button(action_id(table.match.id, action), _("Give up"))
        rows.append(row(give_up, *(() if is_waiting else (rules_button(table.match.id),))))
    return layout(
        Text(look.replace_icons(f"### {words.headline}\n-# {_location_line(table)}{table.aim_line}")),
        ScenePicture(look.recolour(shown.scene())),
        Text(story, news=_news(shown, words)),
        Text(note),
        *rows,
        *closing_parts(table),
        *(commitment_parts(table.match) if table.match.is_private and table.is_new else ()),
        colour=POND if table.to_move == seat else STONE,
    )


def _location_line(table: TableView) -> str:
    if table.match.type.is_duel and not table.match.type.challenge:
        words = _(
            "{game}, board {n}. Only you can see this. If you leave, the same command brings it back."
        )
        return words.format(game=table.game.info.name, n=table.match.type.board + 1)
    if table.match.is_private:
        words = _(
            "{game}. Only you can see this. If you leave, press the button that began it to come back."
        )
        if not (table.match.type.counts or table.match.type.is_duel):
            words = _(
                "{game}, just for practice. Only you can see this. If you leave, press the button that "
                "began it to come back."
            )
        return words.format(game=table.game.info.name)
    channel = f"<#{table.match.channel_id}>"
    return _("{game} in {channel}").format(game=table.game.info.name, channel=channel)


def _news(table: TableView, words: Words) -> str:
    if words.story and table.alt_names != table.names:
        words = table.game.words(table.view, table.alt_names)
    return "\n".join(words.story)


def _shut_out_content(table: TableView) -> Content:
    words = _(
        "You can't see this table's channel any more, so play goes on without you. When you can "
        "see it again, press **Join**."
    )
    return notice_content(f"### {table.game.info.name}\n{words}", row(_return_button(table)))


def _hand_words(table: TableView, shown: TableView) -> Words:
    """Return the texts of a hand message.

    A waiting player sees the texts from the beginning of the turn.
    """
    if shown is table:
        words = table.words()
        is_stopped = table.match.stage is Stage.STOPPED
        return Words(ended_words(table.match, table.view), words.story) if is_stopped else words
    if table.viewer not in table.remaining:
        return Words(_("You're out of this match."), ())
    assert table.to_move is not None, "a seat waits for another one"
    headline = _("{name}'s turn.").format(name=table.names[table.to_move])
    return Words(headline, shown.words().story)


def open_hand_content(match: Match) -> Content:
    words = _("Your hand is open at the table in {channel}. Only you can see it there.")
    button = Button(action_id(match.id, "here"), _("Show it here"), emoji="🖐️")
    return notice_content(words.format(channel=f"<#{match.channel_id}>"), row(button))


def _return_button(table: TableView, *, is_main: bool = True) -> Button:
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
    shown = replace(table, view=view, frogs=frozenset())
    words = shown.words()
    head = Text(look.replace_icons(f"### {table.game.info.name} · {words.headline}"))
    story = Text(look.replace_icons("\n".join(f"-# {line}" for line in words.story)))
    return layout(
        head, ScenePicture(look.recolour(shown.scene())), story, row(rules_button(table.match.id))
    )

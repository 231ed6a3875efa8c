"""Content of the messages that show a player's hand."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.game import Words
from bot.engine.panel import Tone
from bot.engine.translation import _
from bot.matches.match import Match, Stage
from bot.messages.appearance import PLAIN, Appearance, story_text
from bot.messages.button_rows import (
    ButtonPlace,
    feature_buttons,
    hint_panel,
    panel_rows,
    rules_button,
    with_last,
)
from bot.messages.components import (
    POND,
    STONE,
    Button,
    Content,
    ScenePicture,
    Text,
    layout,
    notice_content,
    row,
)
from bot.messages.confirmations import closing_parts
from bot.messages.custom_ids import action_id
from bot.messages.lobby import commitment_parts
from bot.messages.match_end import (
    point_lines,
    rematch_rows,
)
from bot.messages.table_message import news_lines, return_button
from bot.messages.table_view import TableView
from bot.messages.time_limits import clock_lines
from bot.sessions.errors import ended_words


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
    shown_table = replace(table, view=table.turn_start) if is_waiting else table
    words = _hand_words(table, shown_table)
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
        rows.append(row(return_button(table, is_main=not rows)))
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
        ScenePicture(look.recolour(shown_table.scene())),
        Text(story, news=news_lines(shown_table, words)),
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


def _shut_out_content(table: TableView) -> Content:
    words = _(
        "You can't see this table's channel any more, so play goes on without you. When you can "
        "see it again, press **Join**."
    )
    return notice_content(f"### {table.game.info.name}\n{words}", row(return_button(table)))


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

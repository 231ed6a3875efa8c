"""Content of a table's messages: a layout and its picture, made only from the table's views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.engine.game import Viewer, Words
from bot.engine.name_sanitizing import Name
from bot.engine.panel import Panel, Tone
from bot.engine.scene import Scene
from bot.engine.translation import _
from bot.matches.leaderboard import DAY_SECONDS, Ending
from bot.matches.match import Player, Stage
from bot.messages.appearance import PLAIN, Appearance, story_text
from bot.messages.button_rows import (
    Place,
    feature_buttons,
    hint_panel,
    panel_rows,
    with_first,
    with_last,
)
from bot.messages.components import (
    GOLD,
    POND,
    STONE,
    Button,
    Content,
    Picture,
    Row,
    Text,
    layout,
    notice_content,
    row,
)
from bot.messages.computer_player_controls import (
    marked_names,
    stand_in_buttons,
    strengths,
    with_computer_players,
)
from bot.messages.custom_ids import HAND, TABLE, action_id
from bot.messages.deal_calendar import commitment_line, ends_at, number_line
from bot.messages.lobby import AIM, commitment_parts, lobby_content
from bot.messages.match_end import (
    NOTHING_STORED,
    closing_parts,
    end_lines,
    from_the_middle,
    point_lines,
    questions,
    rematch_rows,
)
from bot.messages.player_names import drawn_names, written_names
from bot.messages.time_limits import clock_lines, when
from bot.sessions.errors import ended_words
from bot.sessions.table import Table


def pointer_content(link: str | None) -> Content:
    there = _("[Go to it]({link}).").format(link=link) if link else ""
    return notice_content(" ".join((_("This table has moved."), there)).strip())


def table_content(
    table: Table,
    path: tuple[str, ...] = (),
    look: Appearance = PLAIN,
    *,
    today: int = 0,
    ending: Ending = NOTHING_STORED,
    told: Sequence[tuple[int, str]] = (),
    capped_players: Sequence[Player] = (),
) -> Content:
    """Return the content of a table's public message.

    Args:
        table: The table.
        path: The choices of a move that were picked.
        look: The custom emoji and colours.
        today: The current day, such as 20261121.
        ending: The stored ending of a finished match.
        told: The lines of features, each with its order.
        capped_players: The people in a lobby whose win would count on the server's leaderboard only.
    """
    if table.is_lobby:
        return lobby_content(table, look, capped_players)
    if table.match.stage is Stage.STOPPED or table.state is None:
        return _stopped_content(table)
    written = marked_names(table.match, written_names(table.match.players))
    words = table.words(None, written)
    gallery = Picture(look.recolour(table_scene(table, None)))
    frogs = strengths(table.match) if table.is_playing and _is_new(table) else []
    story = story_text((*words.story, *frogs, *clock_lines(table, None, written)), look)
    title = f"### {table.game.info.name} · {words.headline}"
    head = Text(look.told(title + _aim_line(table, None)))
    if not table.is_playing:
        result = Text("\n".join((story, *end_lines(table, words, ending, told, today))))
        return layout(head, gallery, result, *rematch_rows(table, look, ending), colour=GOLD)
    in_hands = table.game.info.hidden_hands and not table.pauses  # a pause shows the choices here
    panel = Panel() if table.rests or in_hands else table.panel(None, path)
    rows, note = panel_rows(table, panel, TABLE, path, look)
    said = Text(story + _small_print(table, today), news=_news(table, None, words))
    return layout(
        head,
        gallery,
        *(each for each in (said, Text(note)) if each.words),
        *_table_rows(table, rows, look),
        *closing_parts(table),
        *(commitment_parts(table.match) if _is_new(table) else ()),
    )


def table_scene(table: Table, viewer: Viewer) -> Scene:
    scene = table.scene(viewer, drawn_names(table.match.players))
    return with_computer_players(scene, table.frogs)


def _small_print(table: Table, today: int) -> str:
    lines, match = [], table.match
    if table.is_solo and match.opened_at is not None:
        dealt = _("Dealt {when}.").format(when=when(match.opened_at))
        if not match.day:
            last = number_line(match, today)
        elif match.day < today:
            last = _("The day is over: a win ranks below those within it.")
        else:
            last = _("The day ends {when}.").format(when=when(ends_at(match.day), DAY_SECONDS))
        lines.append(" ".join(filter(None, (dealt, last))))
    if not (table.is_solo or match.counts):
        lines.append(from_the_middle())
    if match.guest and not match.is_private:
        limits = _(
            "I'm a guest here, so I can only answer: no reminders, and the table stays where it is. "
            "`/{command} table` brings it down."
        )
        lines.append(limits.format(command=table.game.info.command))
    return "".join(f"\n-# {line}" for line in lines)


def _is_new(table: Table) -> bool:
    """Return whether no person has moved yet. Until then, the message shows facts that never change."""
    return table.moved.isdisjoint(table.people)


def _table_rows(table: Table, rows: list[Row], look: Appearance) -> list[Row]:
    match = table.match
    if table.to_move in match.computer_seats:  # a computer player's choices have no buttons
        rows = []
    if table.away:
        rows = with_last(rows, _back(table, is_main=False), *stand_in_buttons(table, look))
    if table.shows_banner:
        rows = with_last(rows, Button(action_id(match.id, "on"), _("Go on"), Tone.GOOD))
    if table.game.info.hidden_hands:
        rows = with_first(rows, Button(action_id(match.id, "hand"), _("My hand"), emoji="🖐️"))
    elif table.to_move not in match.computer_seats:
        rows = with_last(rows, *feature_buttons(Place.TURN, table))
    if table.is_solo:
        # In two rows, so that both fit on a phone.
        hint, others = questions(table)[:1], questions(table)[1:]
        rows = with_last(rows, *hint)
        rows.append(row(*others, Button(action_id(match.id, "give"), _("Give up"))))
    return with_last(rows, *feature_buttons(Place.TABLE, table), _rules(table))


def _rules(table: Table) -> Button:
    return Button(action_id(table.match.id, "rules"), _("How to play"))


def hand_content(
    table: Table,
    seat: int,
    path: tuple[str, ...] = (),
    *,
    offer_dms: bool = False,
    look: Appearance = PLAIN,
) -> Content:
    """Return the content of a hand. ``offer_dms`` adds a button that tries the player's DMs again."""
    if table.match.players[seat].id in table.match.roster.shut_out and table.is_playing:
        return _shut_out_content(table)
    written = marked_names(table.match, written_names(table.match.players))
    panel = hint_panel(table, seat, path)
    is_waiting = _is_waiting(table, seat, panel)
    seen = table.turn_start if is_waiting else table  # while waiting, one edit per turn
    scene = seen.scene(seat, drawn_names(table.match.players))
    gallery = Picture(look.recolour(with_computer_players(scene, table.frogs)))
    words = (_waiting_words if is_waiting else _hand_words)(table, seat, written)
    story = story_text((*words.story, *clock_lines(table, seat, written)), look)
    rows, note = panel_rows(table, panel, HAND, path, look)
    if is_waiting and seat in table.remaining:
        note = _(table.game.info.how) if table.game.info.how and table.aim(seat) else ""
    if seat in table.match.computer_seats:
        rows, note = [], ""
    elif rows and not path:
        if table.to_move == seat:
            rows = with_last(rows, *feature_buttons(Place.TURN, table))
        rows = with_last(rows, *feature_buttons(Place.HAND, table))
    if table.shows_banner and table.match.players[seat].id not in table.match.roster.going_on:
        rows.append(row(Button(action_id(table.match.id, "on"), _("Go on"), Tone.GOOD)))
    if seat in table.away:
        rows.append(row(_back(table, is_main=not rows)))
    if offer_dms:
        rows.append(row(Button(action_id(table.match.id, "dms"), _("Send it to my DMs"))))
    if table.match.stage is Stage.FINISHED:
        story = "\n".join((story, *point_lines(words)))
        rows += rematch_rows(table, look)
    if table.match.is_private and table.is_playing:
        action = "resign" if table.match.type.is_duel else "quit"  # one try counts, so it is asked
        rows.append(row(Button(action_id(table.match.id, action), _("Give up"))))
    return layout(
        Text(look.told(f"### {words.headline}\n-# {_where(table)}{_aim_line(table, seat)}")),
        gallery,
        *(each for each in (Text(story, news=_news(seen, seat, words)), Text(note)) if each.words),
        *rows,
        *closing_parts(table, seat),
        colour=POND if table.to_move == seat else STONE,
    )


def _aim_line(table: Table, viewer: Viewer) -> str:
    aim = table.aim(viewer)
    return f"\n{AIM} {aim}" if aim else ""


def _where(table: Table) -> str:
    if table.match.type.is_duel and not table.match.type.challenge:
        words = _("{game}, board {n}: only you see this. Leave and come back: the command goes on.")
        return words.format(game=table.game.info.name, n=table.match.type.board + 1)
    if table.match.is_private:
        words = _("{game}: only you see this. Where you began it the same button brings it back.")
        committed = commitment_line(table.match) if _is_new(table) else ""
        return " ".join(filter(None, (words.format(game=table.game.info.name), committed)))
    channel = f"<#{table.match.channel_id}>"
    return _("{game} in {channel}").format(game=table.game.info.name, channel=channel)


def _news(table: Table, viewer: Viewer, words: Words) -> str:
    if not words.story:
        return ""
    players = table.match.players
    drawn = tuple(map(Name, drawn_names(players)))
    if drawn != written_names(players):
        words = table.words(viewer, marked_names(table.match, drawn))
    return "\n".join(words.story)


def _shut_out_content(table: Table) -> Content:
    words = _(
        "You can't see the channel of this table any more, so the table goes on without you. When you "
        "can see it again, press **Join**."
    )
    return notice_content(f"### {table.game.info.name}\n{words}", row(_back(table)))


def _is_waiting(table: Table, seat: int, panel: Panel) -> bool:
    """Return whether a seat waits for another seat's turn and has nothing to choose meanwhile."""
    return not (table.to_move in (None, seat) or table.pauses or panel.rows)


def _hand_words(table: Table, seat: int, names: Sequence[str]) -> Words:
    words = table.words(seat, names)
    return Words(ended_words(table), words.story) if table.match.stage is Stage.STOPPED else words


def _waiting_words(table: Table, seat: int, names: Sequence[str]) -> Words:
    """Return the words for a waiting seat, as they were when the current turn began."""
    if seat not in table.remaining:
        return Words(_("You're out of this match."), ())
    assert table.to_move is not None, "a seat waits for another one"
    headline = _("{name}'s turn.").format(name=names[table.to_move])
    return Words(headline, table.turn_start.words(seat, names).story)


def open_hand_content(table: Table) -> Content:
    words = _("Your hand is open at the table in {channel}. Only you can see it there.")
    here = Button(action_id(table.match.id, "here"), _("Show it here"), emoji="🖐️")
    return notice_content(words.format(channel=f"<#{table.match.channel_id}>"), row(here))


def _back(table: Table, *, is_main: bool = True) -> Button:
    if table.rests:
        return Button(action_id(table.match.id, "wake"), _("Wake"), Tone.GOOD, emoji="☀️")
    tone = Tone.GOOD if is_main else Tone.PLAIN
    return Button(action_id(table.match.id, "join"), _("Join"), tone)


def _stopped_content(table: Table) -> Content:
    info = table.game.info
    words = ended_words(table) if table.match.people else _("Everybody left this table.")
    again = _("`/{command} start` begins another.").format(command=info.command)
    return Content((Text(f"-# {info.name} · {words} {again}"),), colour=None)


def passing_content(table: Table, state: Any, look: Appearance) -> Content:
    game, players = table.game, table.match.players
    view = game.view(state, None)
    gallery = Picture(look.recolour(game.scene(view, drawn_names(players))))
    words = game.words(view, marked_names(table.match, written_names(players)))
    head = Text(look.told(f"### {game.info.name} · {words.headline}"))
    story = Text(look.told("\n".join(f"-# {line}" for line in words.story)))
    return layout(head, gallery, story, row(_rules(table)))

"""What a message shows: a layout and its picture, made from a table's views and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.engine.game import Words
from bot.engine.leaderboard import Uncounted
from bot.engine.match import Stage
from bot.engine.panel import Panel, Tone
from bot.engine.scene import FROG, with_computer_players
from bot.engine.words import _, ngettext
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.button_rows import panel_rows, turned_off, with_last
from bot.messages.closing import closing_parts
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
from bot.messages.computer_players import called, marked, stand_in_buttons
from bot.messages.counting import uncounted_lines
from bot.messages.custom_ids import HAND, TABLE, action_id, ask_id
from bot.messages.daily_deal import (
    NO_RESULT,
    DayResult,
    duration,
    ends_at,
    number_line,
    result_line,
    share_text,
)
from bot.messages.hints import MARK, hinted, offers_hint
from bot.messages.lobby import lobby_content
from bot.messages.player_names import drawn_names, written_names
from bot.messages.replays import watch_button
from bot.messages.time_limits import clock_lines, when
from bot.sessions.hints import Hint
from bot.sessions.refusals import ended
from bot.sessions.table import Table

HAND_STORY_LINES = 3
_ROW_SIZE = 5


def pointer_content(link: str | None) -> Content:
    """Return what a former message of a table shows: where the table is."""
    there = _("[Go to it]({link}).").format(link=link) if link else ""
    return notice_content(" ".join((_("This table has moved."), there)).strip())


def table_content(
    table: Table,
    path: tuple[str, ...] = (),
    look: Appearance = PLAIN,
    *,
    day: DayResult = NO_RESULT,
    hints: Mapping[int, int] = MappingProxyType({}),
    why: Uncounted | None = None,
) -> Content:
    """Return the public table, whatever stage the match is in, at a step of choosing a move.

    ``hints`` are those used at a match that is over, by seats: everybody sees them now. ``why`` it does
    not count everywhere is said then too.
    ``day`` is how the try of a day's deal stands among those of other days.
    """
    match = table.match
    if table.is_lobby:
        return lobby_content(table, look)
    if match.stage is Stage.STOPPED or table.state is None:
        return _stopped_content(table)
    names = drawn_names(match.players)
    written = marked(match, written_names(match.players))
    words = table.words(None, written)
    gallery = Picture(
        look.coloured(with_computer_players(table.scene(None, names), match.computer_seats))
    )
    lines = (*words.story, *clock_lines(table, None, written))
    story = look.told("\n".join(f"-# {line}" for line in lines))
    head = Text(look.told(f"### {table.game.info.name} · {words.headline}"))
    if not table.is_playing:
        result = Text("\n".join((story, *uncounted_lines(table, why), _standings(table, day, hints))))
        return layout(head, gallery, result, _again(table, look), colour=GOLD)
    panel = Panel() if table.rests else table.panel(None, path)
    rows, note = panel_rows(table, panel, TABLE, path, look)
    said = (story + _small_print(table, day), note)
    return layout(
        head,
        gallery,
        *(Text(each) for each in said if each),
        *_table_rows(table, rows, look),
        *closing_parts(table),
    )


def _small_print(table: Table, day: DayResult) -> str:
    """Return what is said below a game for one, and where Ribit is a guest."""
    lines, match = [], table.match
    if table.is_solo and match.opened_at is not None:
        dealt = _("dealt {when}").format(when=when(match.opened_at))
        ends = _("the day ends {when}").format(when=when(ends_at(match.day))) if match.day else ""
        last = number_line(match, day) if day.is_over else ends
        lines.append(" · ".join(filter(None, (dealt, last))))
    if match.guest:
        limits = _(
            "I'm a guest here, so I can only answer: no reminders, and the table stays where it is. "
            "`/{command} table` brings it down."
        )
        lines.append(limits.format(command=table.game.info.command))
    return "".join(f"\n-# {line}" for line in lines)


def _table_rows(table: Table, rows: list[Row], look: Appearance) -> list[Row]:
    """Return the rows of a table in play: the choices, and what can be pressed at any time."""
    match = table.match
    if table.computer is not None:
        rows = list(map(turned_off, rows))  # a frog's choices stand there, and are nobody's to press
    mine = Button(action_id(match.id, "hand"), _("My hand"), emoji="🖐️")
    if table.away:
        rows = with_last(rows, _back(table))
        for stand_in in stand_in_buttons(table, look):
            rows = with_last(rows, stand_in)
    if table.game.info.hidden_hands:
        rows = with_last(rows, mine)
    if table.is_solo:
        rows.append(row(*_questions(table), Button(action_id(match.id, "give"), _("Give up"))))
    return with_last(rows, Button(action_id(match.id, "rules"), _("How to play")))


def hand_content(
    table: Table,
    seat: int,
    path: tuple[str, ...] = (),
    *,
    offer_dms: bool = False,
    hint: Hint | None = None,
    look: Appearance = PLAIN,
) -> Content:
    """Return what a seated player sees: the hand, the table, and the player's own choices.

    ``offer_dms`` adds a button that tries the player's DMs again; a ``hint`` is marked and explained.
    """
    if table.match.players[seat].id in table.match.roster.shut_out and table.is_playing:
        return _shut_out_content(table)
    names = drawn_names(table.match.players)
    written = marked(table.match, written_names(table.match.players))
    gallery = Picture(
        look.coloured(with_computer_players(table.scene(seat, names), table.match.computer_seats))
    )
    panel = table.panel(seat, path) if hint is None else hinted(hint)
    words = _hand_words(table, seat, written, panel)
    lines = (*words.story[-HAND_STORY_LINES:], *clock_lines(table, seat, written))
    story = look.told("\n".join(f"-# {line}" for line in lines))
    rows, note = panel_rows(table, panel, HAND, path, look)
    if seat in table.match.computer_seats:
        rows, note = [], ""
    elif rows and hint is None and not path and table.to_move == seat and offers_hint(table):
        rows = with_last(rows, Button(action_id(table.match.id, "hint"), _("Hint"), emoji=MARK))
    if seat in table.away:
        rows.append(row(_back(table)))
    if offer_dms:
        rows.append(row(Button(action_id(table.match.id, "dms"), _("Send it to my DMs"))))
    where = _("{game} in {channel}").format(
        game=table.game.info.name, channel=f"<#{table.match.channel_id}>"
    )
    return layout(
        Text(look.told(f"### {words.headline}\n-# {where}")),
        gallery,
        *(Text(said) for said in (story, note) if said),
        *rows,
        *closing_parts(table, seat),
        colour=POND if table.to_move == seat else STONE,
    )


def _shut_out_content(table: Table) -> Content:
    """Return what stands in place of a hand whose player may not see the table any more."""
    words = _(
        "You can't see the channel of this table any more, so the table goes on without you. When you "
        "can see it again, press **Join**."
    )
    return notice_content(f"### {table.game.info.name}\n{words}", row(_back(table)))


def _hand_words(table: Table, seat: int, names: Sequence[str], panel: Panel) -> Words:
    """Return what a hand says: to a player who waits nothing that others' moves would make untrue.

    Those are told at the table, and no reason to edit the hand. The end of a round is told in both.
    """
    if table.match.stage is Stage.STOPPED:
        return Words(ended(table), table.words(seat, names).story)
    words = table.words(seat, names)
    if not table.is_playing or table.pauses or table.to_move == seat or panel.rows:
        return words
    if seat not in table.remaining:
        return Words(_("You're out of this match."), ())
    return Words(words.waits or _("Not your turn yet."), ())


def open_hand_content(table: Table) -> Content:
    """Return what a player's DM shows while the hand is open at the table: where it is."""
    words = _("Your hand is open at the table in {channel}. Only you can see it there.")
    here = Button(action_id(table.match.id, "here"), _("Show it here"), emoji="🖐️")
    return notice_content(words.format(channel=f"<#{table.match.channel_id}>"), row(here))


def _questions(table: Table) -> list[Button]:
    """Return what the player can ask, each in its place, disabled where it does not fit."""
    return [
        Button(
            ask_id(table.match.id, question.key),
            _(question.label),
            disabled=not table.fits(question),
        )
        for question in table.game.questions
    ]


def _back(table: Table) -> Button:
    """Return the button with which somebody who is away comes back."""
    if table.rests:
        return Button(action_id(table.match.id, "wake"), _("Wake"), Tone.GOOD, emoji="☀️")
    return Button(action_id(table.match.id, "join"), _("Join"), Tone.GOOD)


def _stopped_content(table: Table) -> Content:
    key, label = ("new", _("New deal")) if table.is_solo else ("rematch", _("New table"))
    again = Button(action_id(table.match.id, key), label, Tone.GOOD)
    buttons = (again, watch_button(table.match.id)) if table.n else (again,)
    words = ended(table) if table.match.people else _("Everybody left this table.")
    return notice_content(f"### {table.game.info.name}\n{words}", row(*buttons))


def _again(table: Table, look: Appearance) -> Row:
    """Return what can be played next."""
    match_id = table.match.id
    if not table.is_solo:
        return row(
            Button(action_id(match_id, "rematch"), _("Rematch"), Tone.GOOD, emoji=look.emoji(FROG)),
            watch_button(match_id),
        )
    return row(
        Button(action_id(match_id, "new"), _("New deal"), Tone.GOOD, emoji=look.emoji(FROG)),
        Button(action_id(match_id, "same"), _("Same deal again")),
        *(one for one in _questions(table) if not one.disabled),
        watch_button(match_id),
    )


def _standings(table: Table, day: DayResult, hints: Mapping[int, int]) -> str:
    """Return the final standings: each seat's figures, the winners first, and the time it took.

    Who gave up is told so, even without figures. Who has won is told by the headline, and what one did
    who played alone by the story.
    """
    winners = table.outcome.winners if table.outcome else ()
    tally = table.game.tally(table.state)
    order = sorted(range(len(tally)), key=lambda seat: seat not in winners)
    lines = []
    for seat in order:
        figures = [
            f"{_(figure.name)} {tally[seat][figure.key]}"
            for figure in table.game.info.figures
            if tally[seat][figure.key]
        ]
        if used := hints.get(seat, 0):
            figures.append(f"{MARK} " + ngettext("{n} hint used", "{n} hints used", used).format(n=used))
        if seat in table.left:
            figures.append(_("gave up"))
        if not table.is_solo:
            lines.append(" · ".join((f"▫️ {called(table.match.players[seat])}", *figures)))
    if table.match.seconds is not None:
        time = _("time {time}").format(time=duration(table.match.seconds))
        lines.append("-# " + " · ".join(filter(None, (time, number_line(table.match, day)))))
    if result := result_line(day):
        lines.append(result)
    if shared := share_text(table, day):
        lines.append(_("To share:") + f"\n```\n{shared}\n```")
    return "\n".join(lines)

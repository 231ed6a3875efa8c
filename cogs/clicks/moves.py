"""Moves, and the steps of choosing one."""

from __future__ import annotations

from typing import Any

from bot.delivery.clicked import Clicked, unknown_button
from bot.delivery.clicks import handles, handles_at_table
from bot.messages.custom_ids import Ask, Choose
from bot.messages.winning_lines import told_content
from bot.services.table_opening import own_seat
from bot.sessions.decision.moves import seat_asking
from bot.sessions.errors import MovedOnError, TableError
from bot.sessions.events import FIRST_STEP, Answered, Click
from bot.sessions.table import Table
from bot.sessions.tasks import Answer


@handles(Choose)
async def choose(clicked: Clicked, asked: Choose) -> None:
    """Play what was chosen at a table, or show the next step of choosing it."""
    services, player_id, click = clicked.services, clicked.player_id, asked.click
    if not (click.in_public or clicked.is_private):
        raise unknown_button()
    before = await clicked.enter(click.match_id)
    try:
        table = await services.tables.choose(click, player_id)
    except MovedOnError:
        await clicked.show_changed(click.match_id, in_public=click.in_public)
        raise
    except TableError:
        if before.match.guest and not before.is_playing:  # only a click can show the end there
            await clicked.show(before, in_public=click.in_public)
        raise
    seat = table.match.seat_of(player_id)
    assert seat is not None, "only a seated player gets this far"
    if table.is_playing and table.n == click.seen:  # a step on the way to a move
        await _show_step(clicked, table, seat, click)
        return
    try:
        await clicked.show(table, in_public=click.in_public, passing=_passing(before, table))
    finally:  # what was stored is shown, also when this answer came too late
        services.display.changed(table.match.id)
    if click.in_public and table.to_move == seat and table.game.info.hidden_hands:
        await clicked.open_hand(table, seat)


def _passing(before: Table, after: Table) -> tuple[Any, ...]:
    """Return the states that a table is seen in on the way of a move."""
    if not before.is_playing:
        return ()
    return tuple(before.game.unfolding(before.state, after.state))


@handles_at_table(Ask)
async def ask(clicked: Clicked, table: Table, asked: Ask) -> None:
    """Have a question thought about, and show the table with the answer.

    What is asked again about the same position gets the same answer, and is thought about once.
    """
    services, game, key = clicked.services, table.game, asked.question
    if table.is_playing or table.outcome is None:
        seat_asking(table, clicked.player_id)
    else:
        own_seat(table, clicked.player_id)
        await services.access.check_may_look(clicked.interaction, table.match)
    question = next((one for one in game.questions if one.key == key), None)
    if question is None:
        raise unknown_button()
    if not table.fits(question):
        await clicked.show_changed(table.match.id)
        return
    if (answer := table.answers.get(key)) is None:
        task = Answer(game.info.key, key, table.state)
        answer = await services.thinkers.ask(task, who=clicked.player_id)
    table.answers[key] = answer
    if not table.is_playing:
        await clicked.answer.whisper(told_content(table, answer))
        return
    await services.tables.happens(table.match.id, Answered(clicked.player_id, table.n, answer))
    await clicked.show_changed(table.match.id)


async def _show_step(clicked: Clicked, table: Table, seat: int, click: Click) -> None:
    path = () if click.path == (FIRST_STEP,) else click.path
    if click.in_public and table.game.info.hidden_hands:
        await clicked.open_hand(table, seat, path)
    else:
        await clicked.show(table, in_public=click.in_public, path=path)

"""The lobby: who sits down and gets up, frogs, the start, a thread of its own, and the rules."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

import discord

from bot.delivery.clicked import Clicked, unknown_button
from bot.delivery.clicks import action, handles, handles_at_table
from bot.engine.words import _, speaking
from bot.messages.components import notice_content
from bot.messages.computer_players import PERSON, FrogPick, StandIn, gone_words
from bot.messages.lobby import InThread
from bot.messages.player_names import written_names
from bot.messages.rules import RulesPage
from bot.requests.discord_errors import ErrorKind, error_kind
from bot.services.player_names import player_of, sitting_down
from bot.services.start_checks import check_may_start, may_open_thread
from bot.sessions.errors import TableError
from bot.sessions.events import CameBack, FrogAdded, FrogRemoved, StoodIn
from bot.sessions.table import Table

_NOT_LET = (ErrorKind.SHUT, ErrorKind.LOCKED, ErrorKind.PLACE_GONE, ErrorKind.BLOCKED)

_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
"""By channel: held from the look for an offer's table until that table is stored."""


@action("join")
async def join(clicked: Clicked, table: Table) -> None:
    """Take a seat, or come back to it."""
    await clicked.services.players.speaks(clicked.player_id, str(clicked.interaction.locale))
    await clicked.services.seating.join(table.match.id, sitting_down(clicked.interaction))
    await clicked.show_changed(table.match.id, in_public=not clicked.is_private)


@action("wake")
async def wake(clicked: Clicked, table: Table) -> None:
    """Come back to a table that rests."""
    await clicked.services.tables.happens(table.match.id, CameBack(clicked.player_id))
    await clicked.show_changed(table.match.id, in_public=not clicked.is_private)


@action("leave")
async def leave(clicked: Clicked, table: Table) -> None:
    """Give the seat up while the match has not started."""
    if table.is_lobby:
        await clicked.services.seating.leave(table.match.id, clicked.player_id)
    await clicked.show_changed(table.match.id)


@action("start")
async def start(clicked: Clicked, table: Table) -> None:
    """Have the cards dealt."""
    await clicked.services.seating.start(table.match.id, clicked.player_id, clicked.interaction.id)
    await clicked.show_changed(table.match.id)


@action("rules")
async def rules(clicked: Clicked, table: Table) -> None:
    """Explain how the game is played."""
    await clicked.answer.whisper(
        await clicked.services.display.appearances.rules(
            table.game,
            clicked.interaction,
            match_id=None if table.match.is_lesson else table.match.id,
        )
    )


@handles(RulesPage, in_private=True)
async def turn_page(clicked: Clicked, asked: RulesPage) -> None:
    """Show a page of the rules in place of the one that was read."""
    game = clicked.services.games.get(asked.game)
    if game is None:
        raise unknown_button()
    await clicked.answer.update(
        await clicked.services.display.appearances.rules(
            game, clicked.interaction, asked.page, asked.match_id
        )
    )


@handles(InThread, in_private=True)
async def open_in_thread(clicked: Clicked, asked: InThread) -> None:
    """Open the table that was offered, once, and say where it is."""
    services, interaction = clicked.services, clicked.interaction
    async with _locks.setdefault(interaction.channel_id or 0, asyncio.Lock()):
        table = await services.tables.find(asked.match_id) or await _opened(clicked, asked)
    if table.match.guild_id != interaction.guild_id:
        raise unknown_button()
    services.display.refresh(table.match.id)
    where = _("Your table is in {thread}.").format(thread=f"<#{table.match.channel_id}>")
    await clicked.answer.update(notice_content(where))


async def _opened(clicked: Clicked, asked: InThread) -> Table:
    services, interaction, opening = clicked.services, clicked.interaction, asked.opening
    game = services.games.get(opening.game)
    if game is None or not opening.fits(game):
        raise unknown_button()
    await check_may_start(services.display, interaction)
    if not may_open_thread(interaction):
        raise _no_thread()
    async with services.opening.telling_which():  # before there is a thread for it
        await services.seating.check_may_host(opening.game, interaction.guild_id, clicked.player_id)
    with speaking(await services.display.plans.language_in(interaction.guild_id)):
        (host,) = written_names([player_of(interaction.user)])
        name = _("{game} with {name}").format(game=game.info.name, name=host)
    thread_id = await _opened_thread(clicked, name, game.info.name)
    table: Table = await services.opening.open_table(interaction, opening, thread_id, asked.match_id)
    return table


async def _opened_thread(clicked: Clicked, name: str, plain: str) -> int:
    """Open a thread for the offer that was pressed; returns its id.

    It has this name, or a ``plain`` one where a filter refuses a word of it.

    The process may have ended between opening a thread and storing its table: then a thread of
    Ribit's own stands there without one, younger than the offer, and is used.
    """
    interaction, services = clicked.interaction, clicked.services
    channel, offer, me = interaction.channel, interaction.message, interaction.client.user
    assert isinstance(channel, discord.TextChannel), "no other channel is offered a thread"
    for thread in channel.threads:
        is_own = me is not None and thread.owner_id == me.id and thread.name in {name, plain}
        if is_own and offer and thread.id > offer.id and await services.tables.is_unused(thread.id):
            return int(thread.id)
    requests = clicked.display.routes.requests
    try:
        try:
            return await requests.open_thread(channel, name)
        except discord.HTTPException as error:
            if error_kind(error) is not ErrorKind.BLOCKED:
                raise
        return await requests.open_thread(channel, plain)
    except discord.HTTPException as error:
        if error_kind(error) not in _NOT_LET:
            raise
        raise _no_thread() from error


def _no_thread() -> TableError:
    return TableError(_("I can't open a thread in this channel. Start your table in another one."))


@handles_at_table(FrogPick)
async def pick(clicked: Clicked, table: Table, picked: FrogPick) -> None:
    """Have the host of a lobby add a frog, or send a frog or a person away."""
    seating, person = clicked.services.seating, picked.pick.removeprefix(PERSON)
    if picked.pick.startswith(PERSON) and person.isdecimal():
        may_manage = clicked.interaction.permissions.manage_messages
        await seating.remove(table.match.id, int(person), clicked.player_id, may_manage=may_manage)
        if clicked.is_private:  # a moderator has picked it, where a match is closed
            clicked.services.display.refresh(table.match.id)
            await clicked.answer.update(notice_content(gone_words(int(person))))
            return
    elif picked.pick.isdecimal():
        gone = FrogRemoved(clicked.player_id, -int(picked.pick))
        await clicked.services.tables.happens(table.match.id, gone)
    else:
        await clicked.services.tables.happens(table.match.id, FrogAdded(clicked.player_id, picked.pick))
    await clicked.show_changed(table.match.id)


@handles_at_table(StandIn)
async def stand_in(clicked: Clicked, table: Table, asked: StandIn) -> None:
    """Have a frog play for a seat: one who is away, or the one who leaves it."""
    match = table.match
    table = await clicked.services.tables.happens(match.id, StoodIn(asked.seat, clicked.player_id))
    if clicked.is_private:
        clicked.services.display.refresh(match.id)
        words = (
            _("Nobody else is left, so the frogs finish this match right away.")
            if table.is_left_to_frogs
            else _("A frog is playing for you now. Press **Join** at the table to take your seat back.")
        )
        await clicked.answer.update(notice_content(words))
        return
    await clicked.show_changed(match.id)

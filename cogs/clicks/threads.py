"""A table that is opened in a thread of its own, because its channel has one already."""

from __future__ import annotations

from bot.delivery.clicked import Clicked, unknown_button
from bot.delivery.dealing import open_table
from bot.delivery.hosting import telling_which
from bot.delivery.permits import check_may_start, may_open_thread
from bot.delivery.threads import no_thread
from bot.engine.words import _, speaking
from bot.messages.ids import InThread
from bot.messages.parts import notice_sheet
from bot.sessions.table import Table


async def open_in_thread(clicked: Clicked, asked: InThread) -> None:
    """Open the table that was offered, once, and say where it is."""
    desk, interaction = clicked.desk, clicked.interaction
    async with desk.threads.lock(interaction.channel_id or 0):
        table = await desk.tables.find(asked.match_id) or await _opened(clicked, asked)
    if table.match.guild_id != interaction.guild_id:
        raise unknown_button()
    desk.display.refresh(table.match.id)
    where = _("Your table is in {thread}.").format(thread=f"<#{table.match.channel_id}>")
    await clicked.answer.update(notice_sheet(where))


async def _opened(clicked: Clicked, asked: InThread) -> Table:
    desk, interaction, opening = clicked.desk, clicked.interaction, asked.opening
    game = desk.games.get(opening.game)
    if game is None or not opening.fits(game):
        raise unknown_button()
    await check_may_start(desk, interaction)
    if not may_open_thread(interaction):
        raise no_thread()
    async with telling_which(desk):  # before there is a thread for it
        await desk.seating.check_may_host(opening.game, interaction.guild_id, clicked.player_id)
    with speaking(await desk.display.language_in(interaction.guild_id)):
        name = _("{game} with {name}").format(game=game.info.name, name=interaction.user.display_name)
    thread_id = await desk.threads.open(interaction, name)
    return await open_table(desk, interaction, opening, thread_id, asked.match_id)

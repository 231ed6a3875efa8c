"""A table that is opened in a thread of its own, because its channel has one already."""

from __future__ import annotations

from bot.engine.words import _, speaking
from bot.messages.components import notice_content
from bot.messages.player_names import written_names
from bot.messages.threads import InThread
from bot.requests.threads import no_thread
from bot.services.click import Clicked, unknown_button
from bot.services.hosting import telling_which
from bot.services.player_names import player_of
from bot.services.start_checks import check_may_start, may_open_thread
from bot.services.table_opening import open_table
from bot.sessions.table import Table
from cogs.clicks.handlers import handles


@handles(InThread, in_private=True)
async def open_in_thread(clicked: Clicked, asked: InThread) -> None:
    """Open the table that was offered, once, and say where it is."""
    services, interaction = clicked.services, clicked.interaction
    async with services.threads.lock(interaction.channel_id or 0):
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
    await check_may_start(services, interaction)
    if not may_open_thread(interaction):
        raise no_thread()
    async with telling_which(services):  # before there is a thread for it
        await services.seating.check_may_host(opening.game, interaction.guild_id, clicked.player_id)
    with speaking(await services.display.plans.language_in(interaction.guild_id)):
        (host,) = written_names([player_of(interaction.user)])
        name = _("{game} with {name}").format(game=game.info.name, name=host)
    thread_id = await services.threads.open(interaction, name, game.info.name)
    return await open_table(services, interaction, opening, thread_id, asked.match_id)

"""A lesson: begun, looked at again, and ended.

A lesson stands in a message that only its pupil sees, below the command or the button that asked for
it, and in no DM, so that nobody needs to open theirs. Each click renews Discord's 15 minutes for editing
it, and the tadpole answers within seconds. Its buttons work after any restart; where the message itself
is gone, the command shows the lesson again as it stands.
"""

from __future__ import annotations

from bot.delivery.clicked import Clicked, open_panel, post_table, unknown_button
from bot.delivery.clicks import action, handles
from bot.delivery.slots import Step
from bot.engine.game import AnyGame
from bot.engine.thinking import Strength
from bot.engine.words import _
from bot.messages.lessons import Learn, PlayAfter
from bot.requests.answers import Answer
from bot.requests.user_install import is_guest
from bot.services import Services
from bot.services.player_names import player_of
from bot.services.start_checks import check_may_start
from bot.services.table_opening import options_of
from bot.sessions.errors import TableError
from bot.sessions.lobby import Opening
from bot.sessions.table import Table


@handles(Learn)
async def begin(clicked: Clicked, asked: Learn) -> None:
    """Begin a lesson in a game, or go on with the player's own."""
    game = clicked.services.games.get(asked.game)
    if game is None or game.lesson is None:
        raise unknown_button()
    await open_lesson(clicked.services, clicked.answer, game)


@handles(PlayAfter)
async def play(clicked: Clicked, asked: PlayAfter) -> None:
    """Deal who has learned a game in, at once and where they are: with two frogs, or alone."""
    services, interaction = clicked.services, clicked.interaction
    game = services.games.get(asked.game)
    if game is None:
        raise unknown_button()
    if game.info.is_solo:
        table = await services.opening.deal_for(interaction, game, {})
    else:
        table = await _against_frogs(clicked, game)
    await post_table(services.display, clicked.answer, table)


async def _against_frogs(clicked: Clicked, game: AnyGame) -> Table:
    services, interaction, info = clicked.services, clicked.interaction, game.info
    if interaction.guild_id is None or interaction.channel_id is None or is_guest(interaction):
        words = _("A table stands in a server's channel: use `/{command} start frogs:2` there.")
        raise TableError(words.format(command=info.command))
    await check_may_start(services.display, interaction)
    turn = (await services.servers.get(interaction.guild_id)).turn_seconds if game.has_clock else 0
    frogs = (Strength.FROGLET, Strength.FROGLET)
    opening = Opening(info.key, 1 + len(frogs), options_of(info, {}), turn, frogs)
    table: Table = await services.opening.open_table(interaction, opening, interaction.channel_id)
    return table


@action("look", in_private=True)
async def look(clicked: Clicked, table: Table) -> None:
    """Show how a lesson stands by now, where nobody has shown it."""
    if not table.match.is_lesson:
        raise unknown_button()
    await clicked.show_changed(table.match.id, in_public=False)


@action("endlesson", in_private=True)
async def end(clicked: Clicked, table: Table) -> None:
    """End a lesson."""
    await clicked.services.dealing.end_lesson(table.match.id, clicked.player_id)
    await clicked.show_changed(table.match.id, in_public=False)


async def open_lesson(services: Services, answer: Answer, game: AnyGame) -> None:
    """Show who asked a lesson in a game: the one that was begun, or a new one."""
    asked = answer.interaction
    await services.players.speaks(asked.user.id, str(asked.locale))
    table = await services.dealing.teach(game.info.key, player_of(asked.user))
    await open_panel(services.display, answer, table, Step(table.n))
    services.display.refresh(table.match.id)  # the tadpole may have moved meanwhile

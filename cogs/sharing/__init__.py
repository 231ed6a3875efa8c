"""*Share*: the end of a match, posted once where it was played, by one who sat there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

import structlog
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import action
from bot.delivery.display import Display
from bot.delivery.match_access import MatchAccess
from bot.delivery.routes import nonce_of
from bot.delivery.start_checks import check_may_start_there
from bot.delivery.table_opening import own_seat
from bot.engine.words import _, speaking
from bot.features import Feature
from bot.matches.match import DEAL, Stage
from bot.messages.appearance import Appearance
from bot.messages.button_rows import Offer, Place, offered
from bot.messages.components import GOLD, Button, Content, Picture, Text, layout, row
from bot.messages.computer_players import marked
from bot.messages.custom_ids import action_id
from bot.messages.deal_calendar import day_of, duration, still_counts
from bot.messages.match_end import point_lines
from bot.messages.player_names import written_names
from bot.messages.table_message import table_scene
from bot.messages.text_table import as_liked, fitting
from bot.requests.components import message
from bot.requests.membership import Sight
from bot.sessions.errors import TableError
from bot.sessions.table import Table

log = structlog.get_logger(__name__)

SHARED_SLOT = "shared"
"""The message by which a match was shared: there is one, whoever presses, and after a restart too."""


@dataclass(eq=False)
class Sharing(commands.Cog):
    """Posts how a match ended."""

    _display: Display
    _access: MatchAccess

    @action("share")
    async def share(self, clicked: ClickContext, table: Table) -> None:
        match, plans, posts = table.match, self._display.plans, self._display.database.posts
        own_seat(table, clicked.player_id)
        if share_button(table) is None:
            raise unknown_button()
        async with self._display.tables.live_match(match.id).lock:  # two clicks at once post one
            if (link := await plans.link(table, SHARED_SLOT)) is not None:
                words = _("This match has been shared: [go to it]({link}).")
                raise TableError(words.format(link=link))
            await self._check_may_post(clicked, table)
            message_id = await self._post(clicked, table)
            await posts.put(match.id, SHARED_SLOT, match.channel_id, message_id)
        log.info("match shared", match=match.id, player=clicked.player_id)
        if not clicked.is_at(table):
            words, link = _("Shared: [go to it]({link})."), await plans.link(table, SHARED_SLOT)
            await clicked.answer.tell(words.format(link=link))

    async def _check_may_post(self, clicked: ClickContext, table: Table) -> None:
        """Raise TableError for who may not write there, or where the bot may not from elsewhere."""
        match, asked, membership = table.match, clicked.interaction, clicked.membership
        if not match.guest:
            await check_may_start_there(self._display, membership, asked, table)
            if await membership.sight(match, clicked.player_id) is Sight.READS:
                raise TableError(
                    _("You are in time-out there, or may not write in the channel of this table.")
                )
        if not (clicked.is_at(table) or self._display.channels.permissions.of(match).sends):
            raise TableError(_("I can't show a table in that channel just now."))

    async def _post(self, clicked: ClickContext, table: Table) -> int:
        """Post it as the answer to a click at the table, and to one in a hand in DMs by the channel."""
        match, display = table.match, self._display
        look = await display.appearances.of_table(table)
        today = day_of(datetime.fromtimestamp(display.plans.clock(), UTC))
        is_secret = still_counts(await self._access.day_of_deal(match), today)
        with speaking(await display.plans.language(table)):
            shared = [each for each in display.plans.told_at_end if each.is_shared]
            told = [line for each in shared for line in await each.lines(table)]
            content = shared_content(table, look, told, is_secret=is_secret)
        if clicked.is_at(table):
            return await clicked.answer.post(content)
        made = message(fitting(content, display.channels.permissions.of(match)))
        nonce, send = nonce_of(match.id, SHARED_SLOT, None), display.channels.requests.send
        return await send(match.channel_id, nonce, view=made.view, files=made.files())


def share_button(table: Table) -> Button | None:
    """Return the button; None for what lives, was private and no day's, or a deal nobody boasts of."""
    match = table.match
    if match.stage is not Stage.FINISHED or table.state is None or (match.is_private and not match.day):
        return None
    is_won = table.outcome is not None and bool(table.outcome.winners)
    if table.is_solo and not (match.day or (match.counts and match.options.get(DEAL) and is_won)):
        return None
    return Button(action_id(match.id, "share"), _("Share"), emoji="📣")


def shared_content(
    table: Table, look: Appearance, told: Iterable[str] = (), *, is_secret: bool
) -> Content:
    """A day's deal that still counts ``is_secret``: signs tell the way, and no picture its cards.

    ``told`` are the lines of features.
    """
    match = table.match
    words = table.words(None, marked(match, written_names(match.players)))
    lines = [f"### {table.game.info.name} · {words.headline}", *point_lines(words)[:1]]
    picture = Picture(look.coloured(table_scene(table, None)))
    if table.is_solo:
        result, *way = table.shared
        lines += [f"{result} · ⏱️ {duration(match.seconds or 0)}", *told, *(way if is_secret else ())]
    buttons = offered(Place.SHARED, table)
    content = layout(
        Text(look.told("\n".join(lines))),
        *(() if is_secret else [picture]),
        *([row(*buttons)] if buttons else ()),
        colour=GOLD,
    )
    return as_liked(content, look)


async def setup(bot: Ribit) -> None:
    offers = [Offer(Place.END, 15, share_button)]
    await bot.add_feature(Feature(Sharing(bot.display, bot.access), offers=offers))

"""The *Share* button, which posts the result of a finished match in its channel, at most once."""

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
from bot.delivery.message_routes import nonce_of
from bot.delivery.permission_checks import check_may_start_there
from bot.delivery.table_opening import own_seat
from bot.engine.translation import _, speaking
from bot.features import Feature
from bot.matches.match import Stage
from bot.messages.appearance import Appearance
from bot.messages.button_rows import ButtonPlace, FeatureButton, feature_buttons, with_last
from bot.messages.components import GOLD, Button, Content, ScenePicture, Text, layout
from bot.messages.custom_ids import action_id
from bot.messages.deal_calendar import day_of, duration, still_counts
from bot.messages.match_end import point_lines
from bot.messages.table_view import TableView, table_view
from bot.messages.text_mode import adapted_to_reader, fitting
from bot.requests.layout_views import message
from bot.requests.membership import PlayerAccess
from bot.sessions.errors import TableError
from bot.sessions.table_state import Table

log = structlog.get_logger(__name__)

SHARED_SLOT = "shared"
"""Slot under which the ID of a match's shared post is stored.

The stored ID keeps users from sharing a match twice, even after a restart.
"""


@dataclass(eq=False)
class Sharing(commands.Cog):
    """A cog that posts the result of a finished match when a player clicks *Share*."""

    _display: Display
    _access: MatchAccess

    @action("share")
    async def share(self, clicked: ClickContext, table: Table) -> None:
        match, plans, posts = table.match, self._display.plans, self._display.database.posts
        own_seat(table, clicked.player_id)
        if share_button(table_view(table)) is None:
            raise unknown_button()
        # Two simultaneous clicks must post one message.
        async with self._display.tables.live_match(match.id).lock:
            if (link := await plans.link(table.match, SHARED_SLOT)) is not None:
                words = _("This match has already been shared. [Jump to it]({link}).")
                raise TableError(words.format(link=link))
            await self._check_may_post(clicked, table)
            message_id = await self._post(clicked, table)
            await posts.store_message(match.id, SHARED_SLOT, match.channel_id, message_id)
        log.info("match shared", match=match.id, player=clicked.player_id)
        if not clicked.is_at(table):
            words, link = _("Shared! [Jump to it]({link})."), await plans.link(table.match, SHARED_SLOT)
            await clicked.answer.send_sentence(words.format(link=link))

    async def _check_may_post(self, clicked: ClickContext, table: Table) -> None:
        """Check that both the user and the bot may post in the table's channel.

        Raises:
            TableError: The user or the bot may not post there.
        """
        match, interaction, membership = table.match, clicked.interaction, clicked.membership
        if not match.guest:
            await check_may_start_there(self._display, membership, interaction, table)
            if await membership.sight(match, clicked.player_id) is PlayerAccess.READS:
                raise TableError(
                    _("You're timed out there, or you can't write in this table's channel.")
                )
        if not (clicked.is_at(table) or self._display.channels.permissions.match_access(match).sends):
            raise TableError(_("I can't show a table in that channel right now."))

    async def _post(self, clicked: ClickContext, table: Table) -> int:
        """Post a match's result in the table's channel and return the message ID.

        If the user clicked in that channel, the post is the response to the click.
        """
        match, shown, display = table.match, table_view(table), self._display
        look = await display.appearances.of_table(match, is_solo=table.is_solo)
        today = day_of(datetime.fromtimestamp(display.plans.clock(), UTC))
        is_secret = still_counts(match.type.duel or await self._access.day_of_deal(match), today)
        with speaking(await display.plans.language(match)):
            shared = [source for source in display.plans.match_end_lines if source.is_shared]
            ending = await display.database.journal.ending(match.id)
            told = [line for source in shared for line in await source.lines(shown, ending)]
            content = shared_content(shown, look, told, is_secret=is_secret)
        if clicked.is_at(table):
            return await clicked.answer.post(content)
        made = message(fitting(content, display.channels.permissions.match_access(match)))
        nonce, send = nonce_of(match.id, SHARED_SLOT, None), display.channels.requests.send
        return await send(match.channel_id, nonce, view=made.view, files=made.files())


def share_button(table: TableView) -> Button | None:
    """Return the *Share* button for a match, or None if the match cannot be shared.

    Only finished matches can be shared. A daily deal can always be shared. Any other match must not be
    private. A solitaire must also count for leaderboards and be won.
    """
    match = table.match
    if match.stage is not Stage.FINISHED or table.view is None or (match.is_private and not match.day):
        return None
    is_won = table.outcome is not None and bool(table.outcome.winners)
    if table.is_solo and not (match.day or (match.counts and match.type.deal and is_won)):
        return None
    return Button(action_id(match.id, "share"), _("Share"), emoji="📣")


def shared_content(
    table: TableView, look: Appearance, told: Iterable[str] = (), *, is_secret: bool
) -> Content:
    """Return a post about a finished match.

    Args:
        table: The finished match.
        look: The custom emoji and colours.
        told: Lines that other features add to a solitaire's result.
        is_secret: True for a daily deal that others can still win. Icons that summarize the course of
            the deal then replace the picture, so that the post reveals no cards.
    """
    words, seconds = table.words(), table.match.seconds or 0
    lines = [f"### {table.game.info.name} · {words.headline}", *point_lines(words)[:1]]
    if table.is_solo:
        result, *way = table.game.shared(table.view)
        lines += [f"{result} · ⏱️ {duration(seconds)}", *told, *(way if is_secret else ())]
    content = layout(
        Text(look.replace_icons("\n".join(lines))),
        *(() if is_secret else [ScenePicture(look.recolour(table.scene()))]),
        *with_last([], *feature_buttons(ButtonPlace.SHARED, table)),
        colour=GOLD,
    )
    return adapted_to_reader(content, look)


async def setup(bot: Ribit) -> None:
    offers = [FeatureButton(ButtonPlace.END, 15, share_button)]
    await bot.add_feature(Feature(Sharing(bot.display, bot.access), offers=offers))

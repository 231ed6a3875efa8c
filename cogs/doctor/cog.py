"""``/doctor``, which checks whether the bot can work in the channel and send the user DMs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.display import Display
from bot.delivery.permission_checks import home_of, is_closed_thread, is_granted, permits
from bot.engine.translation import _
from bot.features import Feature
from bot.messages.channel_access import elsewhere
from bot.messages.components import GOLD, POND, Content, Text, layout
from bot.requests.answers import answering
from bot.requests.budget import Budget, Priority
from bot.storage.players import PlayerRecord

_WELL, _ILL = "✅", "❌"


class Doctor(commands.Cog):
    """The cog of the ``/doctor`` command, which tells users whether the bot can work in a channel."""

    def __init__(
        self, display: Display, budget: Budget, posts: Callable[[int], Awaitable[Sequence[str]]]
    ) -> None:
        """Initialize the cog.

        Args:
            display: Permissions and stored data.
            budget: The request budget, which shows how many requests Discord has refused.
            posts: Returns lines about a server's regular posts, such as the daily post, for a server ID.
        """
        self._display, self._budget, self._posts = display, budget, posts

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    async def doctor(self, interaction: discord.Interaction) -> None:
        """Check this channel: what works, which permissions are missing, and what fails without them."""
        async with answering(interaction) as answer:
            await answer.send_ephemeral(await self._health(interaction))

    async def _health(self, interaction: discord.Interaction) -> Content:
        display, player_id = self._display, interaction.user.id
        settings = await display.database.servers.get(interaction.guild_id)
        allows = settings.allows(home_of(interaction))
        lines = [
            *_permissions(interaction),
            f"{_WELL} " + _("This server's settings allow games here.")
            if allows
            else f"{_ILL} {elsewhere(settings)}",
            _dms(await display.players.get(player_id), is_barred=display.channels.quarantine.holds),
        ]
        lines += await self._posts(interaction.guild_id or 0)
        if Priority.UPKEEP in self._budget.held_back:
            words = _(
                "Discord refused {n} of my requests in the last ten minutes. Until that improves, "
                "I'll still answer clicks, but other messages may not be updated."
            )
            lines.append(f"{_ILL} {words.format(n=self._budget.refusal_count)}")
        is_well = not any(line.startswith(_ILL) for line in lines)
        title = _("### 🩺 Ribit in {channel}").format(channel=f"<#{interaction.channel_id}>")
        return layout(Text("\n".join((title, *lines))), colour=POND if is_well else GOLD)


def _permissions(interaction: discord.Interaction) -> list[str]:
    lines = []
    for permit in permits(interaction):
        if is_granted(permit, interaction):
            lines.append(f"{_WELL} **{_(permit.name)}**")
        else:
            words = _("**{permission}** is missing: {without}")
            words = words.format(permission=_(permit.name), without=_(permit.without))
            lines.append(f"{_ILL} {words}")
    if any(line.startswith(_ILL) for line in lines):
        lines.append(
            _(
                "-# Anyone who manages this channel can allow it in the channel settings, under "
                "*Permissions*."
            )
        )
    if is_closed_thread(interaction):
        words = _("I'm not in this private thread, so I can't play here. Mention me to add me.")
        lines.append(f"{_ILL} {words}")
    return lines


def _dms(player: PlayerRecord, *, is_barred: bool) -> str:
    if is_barred and player.dm_channel_id is None:
        words = _(
            "Discord won't let me DM new players right now. Use **My hand** at the table instead: "
            "only you can see it."
        )
        return f"{_ILL} {words}"
    if not player.dms_closed:
        return f"{_WELL} " + _("Your DMs seem to be open, so I send your cards there.")
    words = _(
        "Your DMs are closed to me, so I can't send your cards there. **My hand** at the table "
        "shows them only to you, and has a button to try your DMs again."
    )
    return f"{_ILL} {words}"


async def setup(bot: Ribit) -> None:
    await bot.add_feature(Feature(Doctor(bot.display, bot.budget, bot.post_schedule.status)))

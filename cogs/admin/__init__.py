"""``/doctor``: what works in a channel for who asks, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.queues import Display
from bot.delivery.start_checks import home_of, is_closed_thread, is_granted, permits
from bot.engine.words import _
from bot.features import Feature
from bot.matches.settings import ServerSettings
from bot.messages.channel_access import Permit, elsewhere
from bot.messages.components import GOLD, POND, Content, Text, layout
from bot.requests.answers import answering
from bot.requests.budget import Budget, Priority
from bot.sessions.table import Table

_WELL, _ILL = "✅", "❌"


class Doctor(commands.Cog):
    """What is wrong in a channel; answered in private."""

    def __init__(self, display: Display, budget: Budget) -> None:
        self._display = display
        self._budget = budget

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    async def doctor(self, interaction: discord.Interaction) -> None:
        """Say what works in this channel, which permission is missing, and what fails without it."""
        async with answering(interaction) as answer:
            await answer.whisper(health_content(await self._examined(interaction)))

    async def _examined(self, interaction: discord.Interaction) -> Health:
        """Return what works for the user where the interaction happened."""
        display, tables = self._display, self._display.tables
        channel_id, player_id = interaction.channel_id or 0, interaction.user.id
        player = await display.players.get(player_id)
        settings = await display.database.servers.get(interaction.guild_id)
        found = (await tables.at(channel_id), await tables.deal_of(channel_id, player_id))
        return Health(
            channel_id=channel_id,
            granted={permit: is_granted(permit, interaction) for permit in permits(interaction)},
            is_closed_thread=is_closed_thread(interaction),
            settings=None if settings.allows(home_of(interaction)) else settings,
            takes_dms=not player.dms_closed,
            opens_dms=player.dm_channel_id is not None or not display.routes.quarantine.holds,
            refused=self._budget.refused,
            is_held_back=Priority.UPKEEP in self._budget.held_back,
            tables=[(table, await display.plans.link(table)) for table in found if table is not None],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What works in a channel for who asked, and what does not.

    ``granted`` says of each permission that is needed whether it is given. ``settings`` are those of
    the server where no game may be played here, else None. ``tables`` are those that stand here, each
    with the address of its message or None. ``refused`` requests of the bot in ten minutes are so many
    that it is held back with what nobody waits for.
    """

    channel_id: int
    granted: Mapping[Permit, bool]
    is_closed_thread: bool
    settings: ServerSettings | None
    takes_dms: bool
    opens_dms: bool
    refused: int
    is_held_back: bool
    tables: Sequence[tuple[Table, str | None]]


def health_content(health: Health) -> Content:
    """Return in words what works, and what does not and why."""
    lines = [
        *_permissions(health),
        f"{_WELL} " + _("This server's settings allow games here.")
        if health.settings is None
        else f"{_ILL} {elsewhere(health.settings)}",
        _dms(health),
        *([_refusals(health)] if health.is_held_back else []),
        *(_table(*each) for each in health.tables),
    ]
    if not health.tables:
        lines.append("💤 " + _("There is no table here right now."))
    is_well = not any(line.startswith(_ILL) for line in lines)
    title = _("### 🩺 Ribit in {channel}").format(channel=f"<#{health.channel_id}>")
    return layout(Text("\n".join((title, *lines))), colour=POND if is_well else GOLD)


def _permissions(health: Health) -> list[str]:
    """Return a line for each permission that is needed here, and who can help where one is missing."""
    lines = []
    for permit, is_there in health.granted.items():
        if is_there:
            lines.append(f"{_WELL} **{_(permit.name)}**")
        else:
            words = _("**{permission}** is missing: {without}")
            words = words.format(permission=_(permit.name), without=_(permit.without))
            lines.append(f"{_ILL} {words}")
    if not all(health.granted.values()):
        lines.append(
            _(
                "-# Somebody who manages this channel can allow it in the channel settings, under "
                "*Permissions*."
            )
        )
    if health.is_closed_thread:
        words = _("I'm not in this private thread, so I can't play here. Mention me to add me.")
        lines.append(f"{_ILL} {words}")
    return lines


def _dms(health: Health) -> str:
    if not health.opens_dms:
        words = _(
            "Discord doesn't let me write to new players just now. **My hand** at the table shows you "
            "your cards, and only you."
        )
        return f"{_ILL} {words}"
    if health.takes_dms:
        return f"{_WELL} " + _("As far as I know, your DMs are open, so your cards go there.")
    words = _(
        "Your DMs are closed to me, so I can't send your cards there. **My hand** at the table "
        "shows them only to you, and has a button to try your DMs again."
    )
    return f"{_ILL} {words}"


def _refusals(health: Health) -> str:
    """Return what is to be said of requests that Discord has refused, wherever that was."""
    words = _(
        "Discord refused {n} of my requests in the last ten minutes. Until that eases, I answer clicks, "
        "and update few or no other messages."
    )
    return f"{_ILL} {words.format(n=health.refused)}"


def _table(table: Table, link: str | None) -> str:
    if link is None:
        words = _(
            "There's a table of {game} here, but its message is gone: `/{command} table` brings it back."
        )
    else:
        words = _("There's a table of [{game}]({link}) here.")
    return "🎴 " + words.format(game=table.game.info.name, link=link, command=table.game.info.command)


async def setup(bot: Ribit) -> None:
    """Add it to the bot."""
    await bot.add_feature(Feature(Doctor(bot.display, bot.budget)))

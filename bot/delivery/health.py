"""What ``/doctor`` finds where it is asked: permissions, settings, DMs, and the table that is here."""

from __future__ import annotations

import discord

from bot.delivery.desk import Desk
from bot.delivery.permits import elsewhere, home_of, is_closed_thread, is_granted, permits
from bot.engine.words import _
from bot.messages.boards import COMMANDS
from bot.messages.parts import GOLD, POND, Sheet, sheet, text
from bot.sessions.table import Table

_WELL, _ILL = "✅", "❌"


async def health_sheet(desk: Desk, interaction: discord.Interaction) -> Sheet:
    """Return in words what works here for the user, and what does not and why."""
    lines = [
        *_permissions(interaction),
        await _allowed(desk, interaction),
        await _dms(desk, interaction),
        *await _tables(desk, interaction),
    ]
    is_well = not any(line.startswith(_ILL) for line in lines)
    title = _("### 🩺 Ribit in {channel}").format(channel=f"<#{interaction.channel_id}>")
    return sheet(text("\n".join((title, *lines))), colour=POND if is_well else GOLD)


def _permissions(interaction: discord.Interaction) -> list[str]:
    """Return a line for each permission that is needed here, and who can help where one is missing."""
    lines, lacking = [], False
    for permit in permits(interaction):
        if is_granted(permit, interaction):
            lines.append(f"{_WELL} **{_(permit.name)}**")
        else:
            lacking = True
            words = _("**{permission}** is missing: {without}")
            words = words.format(permission=_(permit.name), without=_(permit.without))
            lines.append(f"{_ILL} {words}")
    if lacking:
        lines.append(
            _("-# Somebody who manages this channel can allow it: channel settings, *Permissions*.")
        )
    if is_closed_thread(interaction):
        words = _("I am not in this private thread, so I cannot play here. Mention me here to add me.")
        lines.append(f"{_ILL} {words}")
    return lines


async def _allowed(desk: Desk, interaction: discord.Interaction) -> str:
    settings = await desk.servers.get(interaction.guild_id)
    if settings.allows(home_of(interaction)):
        return f"{_WELL} " + _("By this server's settings, games may be played here.")
    return f"{_ILL} {elsewhere(settings)}"


async def _dms(desk: Desk, interaction: discord.Interaction) -> str:
    record = await desk.players.get(interaction.user.id)
    if not record.dms_closed:
        return f"{_WELL} " + _("Your DMs have not been closed to me: your cards come there.")
    words = _(
        "Your DMs are closed to me, so your cards do not come there. **My hand** at the table shows "
        "them to you alone, and has a button that tries your DMs again."
    )
    return f"{_ILL} {words}"


async def _tables(desk: Desk, interaction: discord.Interaction) -> list[str]:
    channel_id = interaction.channel_id or 0
    found = (
        await desk.tables.at(channel_id),
        await desk.tables.deal_of(channel_id, interaction.user.id),
    )
    live = [await _table(desk, table) for table in found if table is not None]
    return live or ["💤 " + _("No table is here just now.")]


async def _table(desk: Desk, table: Table) -> str:
    link = await desk.display.link(table)
    if link is None:
        words = _(
            "A table of {game} is here, but its message is not: `/{command} table` brings it back."
        )
    else:
        words = _("A table of {game} is here: {link}")
    return "🎴 " + words.format(
        game=table.game.info.name, link=link, command=COMMANDS[table.game.info.key]
    )

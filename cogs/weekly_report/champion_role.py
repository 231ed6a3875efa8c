"""The champion's role, which a server's best player gets after each weekly report."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, replace

import discord
import structlog
from discord.ext import commands

from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import handles
from bot.delivery.permission_checks import check_is_admin
from bot.delivery.regular_posts import PostSchedule
from bot.engine.frozen import frozen
from bot.engine.translation import N_, _
from bot.messages.components import Button, Content, RoleMenu, Row, Text, layout
from bot.messages.custom_ids import Control, number_in
from bot.requests.answers import EDIT_SECONDS
from bot.requests.discord_errors import NOT_SENT
from bot.sessions.errors import TableError
from bot.storage.database import Database
from bot.storage.named_queries import Sql
from bot.storage.regular_posts import RegularPost
from bot.storage.writer import Store

log = structlog.get_logger(__name__)

_GONE = N_("the role is gone")
_FIXED = N_("Discord won't let me give it")
_POWERFUL = N_("it has permissions to moderate or manage")
_MISSING = N_("I'm missing **Manage Roles**")
_ABOVE = N_("it must be below my own role in the server's list")
_REFUSED = N_("Discord refuses it")

_ELEVATED = discord.Permissions.elevated() | discord.Permissions(
    mention_everyone=True,
    view_audit_log=True,
    manage_nicknames=True,
    manage_events=True,
    mute_members=True,
    deafen_members=True,
    move_members=True,
)


@frozen
class ChampionSetting(Control):
    """A button or menu with which admins pick the champion's role.

    Attributes:
        what: ``open`` for the button that opens the role's settings, ``role`` for the menu of roles.
        picked: The ID of the picked role. Empty if no role is picked.
    """

    pattern = re.compile("wr:(?P<what>open|role)")
    kind = "champion's role"

    what: str
    picked: str = ""


@frozen
class Champion:
    """A server's champion's role, and the player to whom the bot gives it.

    Attributes:
        guild_id: The server's ID.
        role_id: The role's ID.
        admin_id: The ID of the user who picked the role, or 0 if the ID was deleted.
        player_id: The ID of the player who gets the role, or 0 if there is no such player.
        is_given: 1 if the player has received the role, otherwise 0.
        error: The reason why the bot could not give the role, or empty. The admin was notified of it.
    """

    guild_id: int
    role_id: int
    admin_id: int
    player_id: int = 0
    is_given: int = 0
    error: str = ""


def role_obstacle(role: discord.Role | None) -> str | None:
    """Return the reason why a role cannot be used as the champion's role, or None if it can.

    Deleted roles, ``@everyone``, managed roles and roles with moderation permissions cannot be used.
    """
    if role is None:
        return _GONE
    if role.is_default() or role.managed:
        return _FIXED
    return _POWERFUL if role.permissions.value & _ELEVATED.value else None


def permission_obstacle(role: discord.Role, giver: discord.Member) -> str | None:
    """Return the reason why a member may not give a role to others, or None if Discord permits it."""
    if not giver.guild_permissions.manage_roles:
        return _MISSING
    is_above = role >= giver.top_role and giver.id != giver.guild.owner_id
    return _ABOVE if is_above else None


def screen_content(picked: tuple[int, ...], status: Sequence[str]) -> Content:
    lines = [
        "### 👑 " + _("Champion's role"),
        _(
            "Whoever tops the weekly report gets this role, and the previous champion loses it. Use "
            "**Daily post** to switch the reports on."
        ),
        *status,
    ]
    return layout(Text("\n".join(lines)), Row((RoleMenu("wr:role", _("no role"), picked),)))


class Champions(Store, commands.Cog):
    """A cog that gives a role to the best player in a server's latest weekly report.

    It reassigns the role each time the report is posted or updated.
    """

    def __init__(
        self,
        client: discord.Client,
        database: Database,
        schedule: PostSchedule,
        first_of: Callable[[RegularPost], Awaitable[int]],
    ) -> None:
        """Initialize the cog. ``first_of`` must return the ID of a report's best player, or 0."""
        super().__init__(database.writer, database.reading)
        self._client, self._schedule, self._first_of = client, schedule, first_of

    # ---- naming the role --------------------------------------------------------------------------

    @handles(ChampionSetting, in_private=True)
    async def set(self, clicked: ClickContext, asked: ChampionSetting) -> None:
        guild = check_is_admin(clicked.interaction)
        if asked.what == "open":
            await clicked.answer.send_ephemeral(await self._screen(guild))
            return
        role = guild.get_role(number_in(asked.picked) or 0)
        admin = clicked.interaction.user
        if asked.picked and (reason := role_obstacle(role)):
            raise TableError(_("Pick another role: {why}.").format(why=_(reason)))
        if role and isinstance(admin, discord.Member) and permission_obstacle(role, admin):
            raise TableError(_("You need *Manage Roles* and a role above this one for that."))
        await clicked.answer.acknowledge()
        former = await self._champion(guild.id)
        is_same = former is not None and role is not None and former.role_id == role.id
        holder_id = former.player_id if former is not None else 0

        async def work(sql: Sql) -> None:
            await sql.drop_champion(guild_id=guild.id)
            if role is not None:
                kept_id = holder_id if is_same else 0
                await sql.add_champion(**asdict(Champion(guild.id, role.id, clicked.player_id, kept_id)))

        await self._writer.write(work)
        failure = ""
        if former is not None and holder_id and not is_same:
            try:
                await self._change_role(guild, holder_id, former.role_id, is_given=False)
            except NOT_SENT:
                words = _(
                    "❌ I couldn't take {role} from {player}. Please remove it in the server's list "
                    "of members."
                )
                failure = words.format(role=f"<@&{former.role_id}>", player=f"<@{holder_id}>")
        await self._schedule.refresh(guild.id)
        await clicked.answer.update(await self._screen(guild, failure))

    async def _screen(self, guild: discord.Guild, failure: str = "") -> Content:
        champion = await self._champion(guild.id)
        role = guild.get_role(champion.role_id) if champion else None
        status = [*filter(None, [failure]), *await self.status(guild.id)]
        return screen_content((role.id,) if role else (), status)

    async def status(self, guild_id: int) -> list[str]:
        """Return a line with the champion's role and its holder.

        If the role cannot be given, the line has the reason instead. If the server has picked no role,
        the list is empty.
        """
        champion = await self._champion(guild_id)
        guild = self._client.get_guild(guild_id)
        if champion is None or guild is None:
            return []
        if error := _obstacle(guild, champion) or champion.error:
            return [f"❌ <@&{champion.role_id}>: {_(error)}"]
        holder = f"<@{champion.player_id}>" if champion.is_given else _("nobody yet")
        return [f"👑 <@&{champion.role_id}>: {holder}"]

    async def _champion(self, guild_id: int) -> Champion | None:
        row = await self._ask("champion", guild_id=guild_id)
        return None if row is None else Champion(**dict(row))

    # ---- giving it --------------------------------------------------------------------------------

    async def follow(self, post: RegularPost) -> None:
        """Give the champion's role to a report's best player and take it from the previous champion.

        Do nothing if the report is not the server's latest. The new champion is stored before Discord is
        asked to give the role, so that the bot can always remove the role later.
        """
        guild = self._client.get_guild(post.guild_id)
        champion = await self._champion(post.guild_id)
        if guild is None or champion is None:
            return
        posts = await self._schedule.store.of_server(guild.id)
        sent_days = [other.day for other in posts if other.slot == post.slot and other.message_id]
        if post.day != max(sent_days, default=0):
            return
        best_id = await self._first_of(post)
        if champion.player_id == best_id and (champion.is_given or not best_id) and not champion.error:
            return
        error = _obstacle(guild, champion)
        try:
            if error is None:
                champion = await self._give_role(guild, champion, best_id)
        except discord.Forbidden:
            error = _REFUSED
        if error is not None and not champion.error:
            await self._notify(champion, error)
        await self._do("set_champion", **asdict(replace(champion, error=error or "")))

    async def _give_role(self, guild: discord.Guild, champion: Champion, best_id: int) -> Champion:
        role_id = champion.role_id
        if champion.player_id not in {0, best_id}:
            await self._change_role(guild, champion.player_id, role_id, is_given=False)
        champion = replace(champion, player_id=best_id, is_given=0)
        await self._do("set_champion", **asdict(champion))
        is_given = best_id > 0 and await self._change_role(guild, best_id, role_id, is_given=True)
        current = await self._champion(guild.id)
        if is_given and (current is None or (current.role_id, current.player_id) != (role_id, best_id)):
            await self._change_role(guild, best_id, role_id, is_given=False)
            return replace(champion, player_id=0)
        return replace(champion, is_given=int(is_given))

    async def _change_role(
        self, guild: discord.Guild, player_id: int, role_id: int, *, is_given: bool
    ) -> bool:
        """Give a role to a user, or remove it from them if ``is_given`` is False.

        Return False if the user is not a member of the server, or if the role no longer exists.
        """
        turn = self._schedule.channels.turn(guild.id, is_urgent=False)
        try:
            async with turn, asyncio.timeout(EDIT_SECONDS):
                member = await guild.fetch_member(player_id)
                change = member.add_roles if is_given else member.remove_roles
                await change(discord.Object(role_id), reason=_("Weekly report"))
        except discord.NotFound:
            return False
        return True

    async def _notify(self, champion: Champion, why: str) -> None:
        def words(server: object) -> str:
            return _(
                "I can't give out the champion's role in {server}: {why}. Once that's fixed, pick "
                "the role again in `/settings` there, or wait for the next weekly report."
            ).format(server=server, why=_(why))

        await self._schedule.notify(champion.admin_id, champion.guild_id, why, words)

    async def withdraw(self, player_id: int) -> None:
        """Remove the champion's role from a player in all servers.

        This is called before the player's data is deleted.
        """
        for row in await self._list("own_data_champions", player_id=player_id):
            try:
                guild_id = row["guild_id"]
                guild = self._client.get_guild(guild_id) or await self._client.fetch_guild(guild_id)
                await self._change_role(guild, player_id, row["role_id"], is_given=False)
            except NOT_SENT as error:
                log.info("champion's role not removed", server=row["guild_id"], error=str(error))


def _obstacle(guild: discord.Guild, champion: Champion) -> str | None:
    role = guild.get_role(champion.role_id)
    return role_obstacle(role) or (permission_obstacle(role, guild.me) if role else None)


def settings_buttons() -> Sequence[Button]:
    return (Button("wr:open", _("Champion's role"), emoji="👑"),)

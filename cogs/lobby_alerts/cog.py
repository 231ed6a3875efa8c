"""The *Notify me* button, and the alerts that mention players when a table opens.

Players start and stop these alerts for each game. When a lobby opens, one message in its channel
mentions the players who have alerts for its game.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import discord
import structlog
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import action, handles
from bot.delivery.display import Display
from bot.delivery.message_routes import nonce_of
from bot.delivery.permission_checks import check_is_admin, is_admin
from bot.delivery.quiet_hours import night_seconds_left
from bot.delivery.turn_pings import LOBBY_SLOT
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.name_sanitizing import server_name
from bot.engine.panel import Tone
from bot.engine.translation import _, speaking
from bot.features import Feature
from bot.messages.button_rows import ButtonPlace, FeatureButton
from bot.messages.components import Button, Content, Part, RoleMenu, Row, Text, layout, row
from bot.messages.custom_ids import Control, PlainControl, action_id, number_in
from bot.messages.table_view import TableView
from bot.requests.membership import Membership, PlayerAccess
from bot.sessions.errors import TableError
from bot.sessions.lobby import kept_seats
from bot.sessions.table_state import Table
from bot.storage.named_queries import Sql

log = structlog.get_logger(__name__)

HOUR_SECONDS = 60 * 60
"""Minimum number of seconds between two alerts to the same player.

The limit also applies to all alerts for one game in a server.
"""

NEW_SECONDS = 5 * 60
"""Age in seconds after which a lobby is no longer announced.

The limit keeps the bot from announcing an old lobby, for example after a restart.
"""

MOST_MENTIONS = 20
MOST_READ, MOST_ASKED = 200, 40
"""Maximum numbers of players to load for one alert, and to check for access to the channel.

Each check may cost a request to Discord. The next alert continues with other players, so that players
without access do not block the others.
"""


@frozen
class OpenAlerts(PlainControl):
    """A button that shows the user's lobby alerts in the server."""

    kind = "alerts"
    form = "la"


@frozen
class SetAlert(PlainControl):
    """A button that starts or stops the user's lobby alerts for a game.

    ``is_on`` is 1 to start them and 0 to stop them.
    """

    kind = "alert"
    form = "la:{0.game}:{0.is_on}"

    game: str
    is_on: int


@frozen
class PickRole(Control):
    """A menu that picks the role to mention if an alert has too many recipients.

    Only members with *Manage Server* see it. If ``role`` is empty, no role is mentioned.
    """

    pattern = re.compile("la:role")
    kind = "alert role"

    role: str = ""


def notify_button(table: TableView) -> Button:
    return Button(action_id(table.match.id, "notify"), _("Notify me"), emoji="🔔")


def alerts_content(
    games: Mapping[str, AnyGame], active: set[str], guild: discord.Guild, role: RoleMenu | None
) -> Content:
    """Return the message in which a player sets their lobby alerts in a server.

    Args:
        games: All games by key.
        active: The keys of the games for which the player has alerts.
        guild: The server.
        role: The role menu for members with *Manage Server*, or None for other players.
    """
    several = {key: game for key, game in games.items() if not game.info.is_solo}
    names = ", ".join(f"**{game.info.name}**" for key, game in several.items() if key in active)
    words = _("I'll ping you in {server} when a table opens: {games}.")
    none = _("I won't ping you in {server} when a table opens.")
    status = (words if names else none).format(server=server_name(guild.name), games=names)
    limits = _("-# At most once an hour, and never in your quiet hours or while you're at a table.")
    start = _("Notify me: {game}")
    buttons = [
        Button(SetAlert(key, 0).custom_id, _("Stop {game}").format(game=game.info.name))
        if key in active
        else Button(SetAlert(key, 1).custom_id, start.format(game=game.info.name), Tone.GOOD, emoji="🔔")
        for key, game in several.items()
    ]
    parts: list[Part] = [Text("\n".join((_("### 🔔 New tables"), status, limits))), row(*buttons)]
    if role is not None:
        title = _("**Role to mention if more than {n} players want a ping**")
        parts += [Text(title.format(n=MOST_MENTIONS)), Row((role,))]
    return layout(*parts)


@dataclass(eq=False)
class LobbyAlerts(commands.Cog):
    """A cog that announces new lobbies to the players who have set an alert."""

    _display: Display
    _membership: Membership
    _client: discord.Client

    # ---- choosing ---------------------------------------------------------------------------------

    @action("notify")
    async def start(self, clicked: ClickContext, table: Table) -> None:
        guild_id, game = table.match.guild_id, table.match.game
        if guild_id is None or guild_id != clicked.interaction.guild_id:
            raise unknown_button()
        await self._set(guild_id, game, clicked.player_id, is_on=True)
        await clicked.answer.send_ephemeral(await self._panel(clicked))

    @handles(OpenAlerts, in_private=True)
    async def open(self, clicked: ClickContext, _asked: OpenAlerts) -> None:
        await clicked.answer.send_ephemeral(await self._panel(clicked))

    @handles(SetAlert, in_private=True)
    async def set(self, clicked: ClickContext, asked: SetAlert) -> None:
        game = self._display.tables.games.get(asked.game)
        if game is None or game.info.is_solo:
            raise unknown_button()
        guild = _server_of(clicked)
        await self._set(guild.id, asked.game, clicked.player_id, is_on=bool(asked.is_on))
        await clicked.answer.update(await self._panel(clicked))

    @handles(PickRole, in_private=True)
    async def pick_role(self, clicked: ClickContext, asked: PickRole) -> None:
        guild = check_is_admin(clicked.interaction)
        role = guild.get_role(number_in(asked.role) or 0)
        if asked.role and (role is None or not role.mentionable):
            raise TableError(_("Pick a role that everyone may mention."))
        role_id = 0 if role is None else role.id
        await self._display.database.writer.write(
            lambda sql: sql.put_alert_role(guild_id=guild.id, role_id=role_id)
        )
        await clicked.answer.update(await self._panel(clicked))

    async def _set(self, guild_id: int, game: str, player_id: int, *, is_on: bool) -> None:
        whose = {"guild_id": guild_id, "game": game, "player_id": player_id}

        await self._display.database.writer.write(
            lambda sql: (sql.start_alerts if is_on else sql.stop_alerts)(**whose)
        )

    async def _panel(self, clicked: ClickContext) -> Content:
        guild = _server_of(clicked)

        async def work(sql: Sql) -> tuple[set[str], int | None]:
            rows = sql.alert_games(guild_id=guild.id, player_id=clicked.player_id)
            return {row["game"] async for row in rows}, await sql.alert_role(guild_id=guild.id)

        active, role_id = await self._display.database.reading.run(work)
        role_ids = (role_id,) if role_id and guild.get_role(role_id) else ()
        role = RoleMenu("la:role", _("no role"), role_ids) if is_admin(clicked.interaction) else None
        return alerts_content(self._display.tables.games, active, guild, role)

    # ---- notifying --------------------------------------------------------------------------------

    async def announce(self, table: Table) -> None:
        """Post one message that mentions the players who have alerts for the lobby's game.

        The players are recorded before the message is sent. If the request fails or the bot restarts,
        they may miss this alert, but they never get two within an hour. The message's nonce keeps
        Discord from posting it twice for the same lobby.
        """
        match, display = table.match, self._display
        if not await self._is_due(table):
            return
        players, role = await self._players(table)
        if not players:
            return
        users = [discord.Object(player_id) for player_id in players]
        only = discord.AllowedMentions(users=users, roles=[role] if role else [], everyone=False)
        mentions = role.mention if role else " ".join(f"<@{player_id}>" for player_id in players)
        with speaking(await display.plans.language(table.match)):
            words = _("🔔 {mentions} A table for {game} is open. Press **Join** to play.")
            line = words.format(mentions=mentions, game=table.game.info.name)
        nonce = nonce_of(match.id, LOBBY_SLOT, None)
        message_id = await display.channels.requests.send(match.channel_id, nonce, only, content=line)
        await display.database.posts.store_message(match.id, LOBBY_SLOT, match.channel_id, message_id)
        log.info("lobby announced", match=match.id, players=len(players), is_role=role is not None)

    async def _is_due(self, table: Table) -> bool:
        match, display = table.match, self._display
        is_new = display.plans.clock() < (match.opened_at or 0) + NEW_SECONDS
        if (
            not is_new
            or len(match.players) >= match.limit
            or not display.permissions.match_access(match).sends
        ):
            return False
        is_posted = await display.database.posts.get(match.id, LOBBY_SLOT) is not None
        return not is_posted and await display.plans.notifies(table)

    async def _players(self, table: Table) -> tuple[list[int], discord.Role | None]:
        """Choose the players to mention, and record that they were notified.

        Returns:
            The players' IDs, and the role to mention in their place if they exceed ``MOST_MENTIONS``.
            The list is empty if no alert is due.
        """
        match, database, now = table.match, self._display.database, self._display.plans.clock()
        which = {"guild_id": match.guild_id, "game": match.game, "match_id": match.id}
        which |= {"since": now - HOUR_SECONDS}

        async def read(sql: Sql) -> tuple[list[int], int | None]:
            if await sql.alerts_since(**which):
                return [], None
            player_ids = [
                row["player_id"] async for row in sql.alert_candidates(**which, limit=MOST_READ)
            ]
            return player_ids, await sql.alert_role(guild_id=match.guild_id)

        candidates, role_id = await database.reading.run(read)
        checked_ids, awake = list[int](), list[int]()
        for player_id in candidates:
            checked_ids.append(player_id)
            if await self._is_awake(table, player_id, now):
                awake.append(player_id)
            if len(awake) == MOST_ASKED:
                break
        sights = await asyncio.gather(*(self._membership.sight(match, user_id) for user_id in awake))
        players = [
            user_id for user_id, sight in zip(awake, sights, strict=True) if sight is PlayerAccess.WHOLE
        ]
        guild = self._client.get_guild(match.guild_id or 0)
        role = guild.get_role(role_id) if guild and role_id else None
        if len(players) <= MOST_MENTIONS or role is None or not role.mentionable:
            role, players = None, players[:MOST_MENTIONS]

        async def record(sql: Sql) -> bool:
            if await sql.alerts_since(**which):  # another lobby was announced in the meantime
                return False
            for player_id in checked_ids:
                await sql.record_asked(**which, player_id=player_id, now=now)
            for player_id in [0] if role else players:
                await sql.record_alert(**which, player_id=player_id, now=now)
            return True

        is_first = bool(checked_ids) and await database.writer.write(record)
        return (players if is_first else []), role

    async def _is_awake(self, table: Table, player_id: int, now: int) -> bool:
        """Return whether a player can be notified now, without checking access to the channel.

        A player is not notified if they are banned from the server's tables, are already invited to this
        rematch, or have quiet hours.
        """
        database = self._display.database
        if player_id in (await database.servers.get(table.match.guild_id)).barred:
            return False
        own = (await database.players.get(player_id)).own
        return player_id not in kept_seats(table.match, now) and not night_seconds_left(own, now)


def _server_of(clicked: ClickContext) -> discord.Guild:
    guild = clicked.interaction.guild
    if guild is None or clicked.interaction.client.get_guild(guild.id) is None:
        raise TableError(_("You can only get alerts for tables in servers I'm in."))
    return guild


def settings_buttons() -> Sequence[Button]:
    return (Button(OpenAlerts().custom_id, _("New tables"), emoji="🔔"),)


async def setup(bot: Ribit) -> None:
    cog = LobbyAlerts(bot.display, bot.membership, bot)
    offers = [FeatureButton(ButtonPlace.LOBBY, 10, notify_button)]
    await bot.add_feature(
        Feature(cog, offers=offers, in_own_settings=settings_buttons, at_lobby=cog.announce)
    )

"""Profile commands and buttons, and the line about badges gained in a match.

Users open a profile with ``/profile`` or *Apps → Profile*, and can compare two players there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import handles
from bot.delivery.display import Display
from bot.delivery.name_updates import player_of
from bot.delivery.permission_checks import plays_here
from bot.engine.game import AnyGame
from bot.engine.translation import _, speaking
from bot.features import ProfileLines
from bot.matches.leaderboard_rules import Ending, Facts, contribution, places
from bot.matches.match import Match, Player, Result
from bot.messages.components import Content
from bot.messages.computer_player_controls import plain_name_of
from bot.messages.deal_calendar import as_date, day_of
from bot.messages.table_view import TableView
from bot.requests.answers import answering
from bot.requests.channel_permissions import is_guest
from bot.sessions.errors import TableError
from bot.storage.named_queries import Sql
from cogs.leaderboards.badges import Career, badge_words, new_badges
from cogs.leaderboards.profile import Compare, Profile, badge_line, compare_content, profile_content
from cogs.leaderboards.standings import Standings, uncounted_why

User = discord.User | discord.Member


@dataclass(eq=False)
class Profiles(commands.Cog):
    """A cog that shows player profiles and reports the badges gained in a match.

    Attributes:
        _in_profile: Functions that return other features' lines for a profile. Features may still add
            functions after this cog is created.
    """

    _games: Mapping[str, AnyGame]
    _display: Display
    _standings: Standings
    _in_profile: Sequence[ProfileLines]

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(player="Whose profile (default: your own)")
    async def profile(
        self, interaction: discord.Interaction, player: discord.User | None = None
    ) -> None:
        """Show what a player has done in each game."""
        async with answering(interaction, public=True) as answer:
            in_public = await plays_here(self._display, interaction)
            with speaking(await self._display.plans.spoken(interaction, in_public=in_public)):
                content = await self._content(interaction, player or interaction.user)
            await (answer.post(content) if in_public else answer.send_ephemeral(content))

    async def of_user(self, interaction: discord.Interaction, user: discord.User) -> None:
        async with answering(interaction) as answer:
            await answer.send_ephemeral(await self._content(interaction, user))

    @handles(Compare)
    async def compare(self, clicked: ClickContext, asked: Compare) -> None:
        """Send an ephemeral comparison of the user and the profile's player."""
        interaction, guild_id = clicked.interaction, clicked.interaction.guild_id
        if guild_id is None or asked.player_id == interaction.user.id:
            raise TableError(_("That's you. Others can compare themselves with you here."))
        name = await self._standings.name_of(asked.player_id, guild_id)
        if name is None:
            raise TableError(_("No finished matches yet."))
        own = await self._profile(interaction, player_of(interaction.user), guild_id)
        other = await self._profile(interaction, name, guild_id)
        await clicked.answer.send_ephemeral(compare_content(own, other))

    async def record_end(self, sql: Sql, match: Match, results: Sequence[Result]) -> Facts:
        """Return the badges that each player gained in a match.

        They are stored as facts about the match, by seat.
        """
        facts, why = dict[int, Mapping[str, int]](), await uncounted_why(sql, match.id)
        for result in results:
            player, count = match.players[result.seat], contribution(match.players, result, why)
            if count is None or not places(match, player, why):
                continue
            guild_id = None if match.guest else match.guild_id
            after = await self._standings.career_in(sql, player.id, guild_id, self._games)
            if match.game in after.rows:
                facts[result.seat] = new_badges(after, after.without_match(match, count))
        return facts

    async def match_end_lines(self, table: TableView, ending: Ending) -> Iterable[str]:
        """Return one line that lists the badges gained in the match, or no line if there are none."""
        seat_badges = ((seat, badge_words(facts)) for seat, facts in sorted(ending.facts.items()))
        players = table.match.players
        return badge_line(
            (plain_name_of(players[seat]), badges) for seat, badges in seat_badges if badges
        )

    async def _content(self, interaction: discord.Interaction, user: User) -> Content:
        guild_id = None if is_guest(interaction) else interaction.guild_id
        if guild_id is None and user != interaction.user:
            raise TableError(
                _(
                    "Here I only show you your own profile. To see another one, ask in a server we're "
                    "both in."
                )
            )
        profile = await self._profile(interaction, player_of(user), guild_id)
        today = as_date(day_of(interaction.created_at))
        return profile_content(self._games, profile, today, may_compare=guild_id is not None)

    async def _profile(
        self, interaction: discord.Interaction, player: Player, guild_id: int | None
    ) -> Profile:
        """Return a player's profile.

        The player's daily results and other features' lines are included only if the user views their
        own profile or the server's leaderboards show the player.
        """
        career, at = await self._career(player.id, guild_id), interaction.created_at
        results = await self._standings.results(player.id, guild_id)
        is_shown = player.id == interaction.user.id or (
            guild_id is not None and await self._standings.is_on_boards(player.id, guild_id, at)
        )
        if not is_shown:
            return Profile(player, replace(career, days={}), results)
        today, lines = day_of(at), list[str]()
        for read_lines in self._in_profile:
            lines += await read_lines(player.id, today)
        return Profile(player, career, results, lines)

    async def _career(self, player_id: int, guild_id: int | None) -> Career:
        return await self._standings.career(player_id, guild_id, self._games)

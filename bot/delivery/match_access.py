"""Permission checks for viewing matches.

Features call these checks before they show more of a match than its table message does, for example to
replay, share, review or verify it. The day's deal is a solitaire deal that all players get on one day.
Each player has one attempt at it that counts, here called a try.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.engine.translation import _
from bot.matches.duels import count_in, place_of_board
from bot.matches.leaderboard_rules import DAY_SECONDS, own_deal
from bot.matches.match import Match
from bot.messages.confirmations import give_up_content
from bot.messages.deal_calendar import counts_until, day_of, has_daily, still_counts
from bot.messages.time_limits import when
from bot.requests.answers import OfferError
from bot.requests.membership import Membership, PlayerAccess
from bot.sessions.errors import TableError
from bot.sessions.tables import Tables
from bot.storage.daily_deals import Days
from bot.storage.servers import Servers


@dataclass(eq=False)
class MatchAccess:
    """Checks whether a user may view a match."""

    _tables: Tables
    _servers: Servers
    _days: Days
    _membership: Membership

    async def check_may_look(self, interaction: discord.Interaction, match: Match) -> None:
        """Check that the user may view a match, including its cards and its seed.

        The match's players may view it, and so may users who can see its channel. If the user did not
        play in the match, its deal is recorded as viewed. From then on, the user can play that deal only
        as practice.

        Raises:
            TableError: The user may not view the match, or may not view it yet.
            OfferError: The user is playing on from a position of this match. The answer offers to give
                that up.
        """
        if match.seat_of(interaction.user.id) is None:
            if match.is_private and match.stage.is_live:
                raise TableError(_("This match is private to its players."))
            if not self._is_past_board(interaction, match):
                await self._check_sees(interaction, match)
        if match.stage.is_live or match.is_lesson:
            return
        if match.type.duel and not await self.has_finished_boards(interaction.user.id, match):
            raise TableError(_("You can look at these boards once you've played all of them yourself."))
        if day := await self.day_of_deal(match):
            is_own = match.seat_of(interaction.user.id) is not None and match.replay == day
            await self.check_may_see_day(interaction, match.game, day, has_finished=is_own)
        await self._check_not_playing(interaction.user.id, match)
        if match.seed is not None and match.seat_of(interaction.user.id) is None:
            at = int(interaction.created_at.timestamp())
            await self._tables.journal.mark_viewed(match, interaction.user.id, at)

    async def check_may_see_day(
        self, interaction: discord.Interaction, game: str, day: int, *, has_finished: bool = False
    ) -> None:
        """Check that a player may see the daily deal of a given day and its results.

        While results of the deal can still count, it is hidden from players who have not finished it.

        Args:
            interaction: The interaction.
            game: The key of the game.
            day: The day as a number, such as 20261121.
            has_finished: True if the player has finished this deal in another match than the try that
                counts.

        Raises:
            TableError: The player may not see the deal yet.
        """
        tried, today = await self._finished_try(interaction, game, day), day_of(interaction.created_at)
        if tried or has_finished or not still_counts(day, today):
            return
        if day >= today:
            raise TableError(
                _("This is the deal of the day. You can see it once you've tried it yourself.")
            )
        words = _("Others can still win this deal of the day. You can watch it {when}.")
        raise TableError(words.format(when=when(counts_until(day), DAY_SECONDS)))

    async def check_may_practise(
        self, interaction: discord.Interaction, game: str, day: int, words: str
    ) -> None:
        """Check that a player may play the daily deal of a given day for practice.

        Args:
            interaction: The interaction.
            game: The key of the game.
            day: The day as a number, such as 20261121.
            words: The error message for a player who can still begin the try that counts.

        Raises:
            TableError: The player's try that counts is in progress, or can still begin.
        """
        if not await self._finished_try(interaction, game, day) and day >= day_of(
            interaction.created_at
        ):
            raise TableError(words)

    async def _finished_try(self, interaction: discord.Interaction, game: str, day: int) -> bool:
        """Return whether a player has finished the one attempt at a day's deal that counts.

        If the attempt is in progress, raise TableError.
        """
        tried = await self._tables.match_of_day(game, interaction.user.id, day)
        if tried is not None and tried.is_playing:
            raise TableError(_("You're playing this deal as a deal of the day. Finish that try first."))
        return tried is not None

    async def has_finished_boards(self, player_id: int, match: Match) -> bool:
        """Return whether a player has finished the daily duel or challenge that a match belongs to."""
        game, kind = self._tables.games[match.game], match.type
        last, journal = count_in(game, match) - 1, self._tables.journal
        place = place_of_board(match.game, kind.duel, last, player_id, kind.challenge)
        match_id = await journal.newest_at(place)
        row = None if match_id is None else await journal.version_and_stage(match_id)
        return row is not None and not row[1].is_live

    def _is_past_board(self, interaction: discord.Interaction, match: Match) -> bool:
        """Return whether a match belongs to the daily duel of a past day.

        All players who have finished that day's duel may view such a match.
        """
        kind = match.type
        is_of_day = kind.is_duel and not kind.challenge
        return is_of_day and not still_counts(kind.duel, day_of(interaction.created_at))

    async def may_be_shown_in(self, match: Match, guild_id: int | None, player_id: int) -> bool:
        """Return whether a match and its players' names may be shown to all members of a server.

        If no other people took part in the match, its player may show it anywhere.

        Args:
            match: The match.
            guild_id: The server, or None for DMs.
            player_id: The user who would show the match.
        """
        if [player.id for player in match.people] == [player_id]:
            return True
        return match.guild_id is not None and (
            match.guild_id == guild_id or (await self._servers.get(match.guild_id)).watched_elsewhere
        )

    async def day_of_deal(self, match: Match) -> int:
        """Return the day on which a match's deal was the daily deal, such as 20261121.

        Return 0 if it never was.
        """
        game = self._tables.games.get(match.game)
        if game is None or not has_daily(game) or not match.type.deal:
            return 0
        deal = await self._days.with_deal(match.game, match.type.deal)
        return 0 if deal is None else deal.day

    async def _check_sees(self, interaction: discord.Interaction, match: Match) -> None:
        """Check that a user who did not play in a match may see it. Raise TableError otherwise."""
        player_id = interaction.user.id
        if match.guild_id is None:
            raise TableError(_("This match is private to its players."))
        # A user in the match's channel sees it. A message in a private thread may still be clicked by
        # a former member of the thread.
        is_closed = isinstance(interaction.channel, discord.Thread) and interaction.channel.is_private()
        is_here = interaction.channel_id == match.channel_id and interaction.permissions.view_channel
        if is_here and not is_closed:
            return
        if not await self.may_be_shown_in(match, interaction.guild_id, player_id):
            raise TableError(
                _(
                    "This match is private to its server. Admins there can use `/settings` to let "
                    "others watch."
                )
            )
        # From elsewhere, a user gets here only if the server's admins let others watch.
        is_open = match.guild_id != interaction.guild_id
        sight = await self._membership.sight(match, player_id, is_open=is_open)
        if sight is None:
            words = _(
                "I can't check right now whether you can see this match's channel, so I'm not showing "
                "it here. Please try again in a few minutes."
            )
            raise TableError(words)
        if sight is PlayerAccess.NONE:
            raise TableError(_("This match was played in a channel that you can't see."))

    async def _check_not_playing(self, player_id: int, match: Match) -> None:
        """Check that the user is not playing the match's deal or continuing from one of its positions.

        A practice match with the same deal is allowed, because it does not count.

        Raises:
            TableError: The user is playing the same deal in a match that counts.
            OfferError: The user is playing a match with the same seed.
        """
        hosted = await self._tables.journal.hosted_matches(player_id)
        deal = match.type.deal
        if deal and deal in [own_deal(hosted_match) for hosted_match in hosted]:
            raise TableError(_("You're already playing this deal. Finish it first."))
        same_seed = [
            hosted_match
            for hosted_match in hosted
            if match.seed is not None and hosted_match.seed == match.seed
        ]
        if not same_seed:
            return
        words = _("You're already playing on from this match. Finish that first, or give it up.")
        raise OfferError(words, give_up_content(words, same_seed[0].id))

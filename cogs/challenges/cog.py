"""Buttons and channel posts of challenges between members of a server.

In a challenge, a player plays a few boards, which are short matches against a computer player. When the
player has finished, the bot posts the result, and other members of the server play the same boards.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

import discord
import structlog
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, custom_ids, unknown_button
from bot.delivery.click_dispatch import handles
from bot.delivery.display import Display
from bot.delivery.duel_match_opening import Boards, next_board
from bot.delivery.message_routes import nonce_of
from bot.delivery.name_updates import player_of
from bot.delivery.permission_checks import check_may_share, check_may_start, check_may_write
from bot.delivery.regular_posts import PostSchedule, PostType
from bot.delivery.table_posting import open_panel
from bot.engine.translation import _, speaking
from bot.features import Feature
from bot.matches.match import Match
from bot.messages.button_rows import ButtonPlace, FeatureButton
from bot.messages.components import Content, notice_content
from bot.messages.custom_ids import number_in
from bot.messages.player_names import written_names
from bot.messages.text_mode import adapted_to_reader
from bot.requests.channel_permissions import is_guest
from bot.requests.layout_views import message
from bot.sessions.errors import TableError
from bot.storage.regular_posts import PostSettings, RegularPost
from cogs.challenges.content import (
    AnswerFriend,
    BeginChallenge,
    ChallengePings,
    CloseChallenge,
    PickFriend,
    PlayChallenge,
    begin_button,
    board_content,
    close_content,
    friend_content,
    hidden_words,
    open_content,
    pings_content,
    post_content,
    result_content,
    settings_buttons,
    waiting_words,
)
from cogs.challenges.store import POST, Challenge, Challenges, over_error

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class ChallengeButtons(commands.Cog):
    """Handlers of the buttons of challenges, and the content of the challenges' posts."""

    _display: Display
    _challenges: Challenges
    _schedule: PostSchedule

    # ---- boards -------------------------------------------------------------------------------------

    @handles(BeginChallenge)
    async def begin(self, clicked: ClickContext, asked: BeginChallenge) -> None:
        """Begin a challenge, and show the user its first match.

        If the user has an unfinished challenge in the server, show the next match of that challenge
        instead. If the user's challenge is posted and open, show where it is.

        Raises:
            TableError: The user may not begin a challenge here.
        """
        interaction = clicked.interaction
        game = self._display.tables.games.get(asked.game)
        if game is None or game.duel is None:
            raise unknown_button()
        if interaction.guild_id is None or interaction.channel_id is None or is_guest(interaction):
            raise TableError(
                _(
                    "You can only challenge someone in a server that I'm in. Press this below a "
                    "match there."
                )
            )
        await check_may_start(self._display, interaction)
        await check_may_share(self._display, interaction)
        await self._check_not_barred(interaction.guild_id, clicked.player_id)
        player, channel_id = player_of(interaction.user), interaction.channel_id
        challenge = await self._challenges.begin(
            game, interaction.guild_id, channel_id, player, clicked.clicked_at
        )
        if challenge.posted_at:
            await clicked.answer.send_ephemeral(open_content(challenge))
            return
        await self._show_next(clicked, challenge, is_in_place=False)

    @handles(PlayChallenge)
    async def play(self, clicked: ClickContext, asked: PlayChallenge) -> None:
        """Show the user's next match of a challenge. After the last match, show the results.

        A member of the server who has begun the challenge can continue elsewhere, for example in DMs.
        """
        challenge = await self._challenges.find(asked.challenge)
        if challenge is None:
            raise over_error()
        scores = await self._challenges.scores(challenge, clicked.player_id)
        at = clicked.clicked_at
        if challenge.guild_id != clicked.interaction.guild_id:
            await self._check_may_continue_elsewhere(clicked, challenge, scores)
        if len(scores or "") < challenge.boards:
            await self._check_not_barred(challenge.guild_id, clicked.player_id)
            if challenge.is_over(at):
                raise over_error() if challenge.posted_at else _late_error()
        if scores is None:
            await self._challenges.answer(challenge, player_of(clicked.interaction.user), at)
        await self._show_next(clicked, challenge, is_in_place=clicked.message.flags.ephemeral)

    async def _check_may_continue_elsewhere(
        self, clicked: ClickContext, challenge: Challenge, scores: str | None
    ) -> None:
        if scores is None:
            raise over_error()
        guild = await _find_guild(clicked.interaction.client, challenge.guild_id)
        if guild is None or await _find_member(guild, clicked.player_id) is None:
            raise TableError(_("You aren't in this challenge's server any more, or I'm not."))

    async def _challenge_in_server(self, clicked: ClickContext, number: int) -> Challenge:
        """Return the server's challenge with a given number.

        Raises:
            TableError: The click's server has no such challenge.
        """
        challenge = await self._challenges.find(number)
        if challenge is None or challenge.guild_id != clicked.interaction.guild_id:
            raise over_error()
        return challenge

    async def _check_not_barred(self, guild_id: int, player_id: int) -> None:
        if player_id in (await self._display.database.servers.get(guild_id)).barred:
            raise TableError(_("You can't join tables in this server. Its admins can change that."))

    async def _show_next(
        self, clicked: ClickContext, challenge: Challenge, *, is_in_place: bool
    ) -> None:
        interaction, player_id = clicked.interaction, clicked.player_id
        await self._display.players.record_locale(player_id, str(interaction.locale))

        async def scores() -> str:
            return await self._challenges.scores(challenge, player_id) or ""

        async def count_as_lost(match: Match) -> None:
            await self._challenges.count_as_lost(match, clicked.clicked_at)
            await self._schedule.changed()

        game = challenge.game_as_begun()
        boards = Boards(game, challenge.secret, challenge.day, scores, count_as_lost, challenge.id)
        table = await next_board(self._display, boards, player_of(interaction.user))
        if table is None:
            content = await self._result_screen(clicked, challenge)
            await (clicked.answer.update if is_in_place else clicked.answer.send_ephemeral)(content)
            return
        if is_in_place:
            await clicked.show(table, in_public=False)
        else:
            await open_panel(self._display, clicked.answer, table)
        self._display.refresh(table.match.id)  # the toad may have moved meanwhile

    async def _result_screen(self, clicked: ClickContext, before: Challenge) -> Content:
        """Return the results of a challenge, which may have changed since ``before`` was read."""
        challenge = await self._challenges.find(before.id) or before
        scores = await self._challenges.scores(challenge, clicked.player_id) or ""
        look = await self._display.appearances.of_asker(clicked.interaction)
        ranking = await self._challenges.results(challenge)
        is_host = challenge.player_id == clicked.player_id
        is_over = challenge.is_over(clicked.clicked_at)
        is_here = challenge.guild_id == clicked.interaction.guild_id
        is_open = challenge.posted_at > 0 and not is_over
        can_mention = is_host and is_here and is_open and not challenge.friend_id
        where = _("The challenge is in {channel}.").format(channel=f"<#{challenge.channel_id}>")
        if not challenge.posted_at:
            where = waiting_words(challenge, is_over=is_over)
        elif not self._may_write(challenge):
            where = hidden_words(challenge)
        content = result_content(challenge, ranking, scores, look, where, can_mention=can_mention)
        return adapted_to_reader(content, look)

    def _may_write(self, challenge: Challenge) -> bool:
        """Return whether the bot may write in the challenge's channel, as far as it knows."""
        permissions = self._schedule.channels.permissions
        return permissions.channel_access(challenge.guild_id, challenge.channel_id).sends

    # ---- the post -----------------------------------------------------------------------------------

    async def content(self, post: RegularPost, _settings: PostSettings) -> Content | None:
        challenge = await self._challenge_of_post(post)
        now = self._schedule.clock()
        if challenge is None or (challenge.is_over(now) and post.message_id is None):
            return None
        look = await self._display.appearances.of_channel(post.guild_id, post.channel_id)
        return post_content(challenge, await self._challenges.results(challenge), look, now)

    async def next_edit(self, post: RegularPost) -> int | None:
        challenge = await self._challenge_of_post(post)
        if challenge is None or challenge.is_over(self._schedule.clock()):
            return None
        return challenge.ends_at

    async def follow(self, post: RegularPost) -> None:
        """After the last edit of a challenge's post, post a challenge that has waited for its end."""
        challenge, now = await self._challenge_of_post(post), self._schedule.clock()
        if challenge is not None and challenge.is_over(now):
            await self._challenges.post_waiting(post.guild_id, now)
            await self._schedule.changed()

    async def _challenge_of_post(self, post: RegularPost) -> Challenge | None:
        return await self._challenges.find(number_in(post.slot.partition(" ")[2]) or 0)

    @handles(CloseChallenge)
    async def close(self, clicked: ClickContext, asked: CloseChallenge) -> None:
        challenge = await self._challenge_in_server(clicked, asked.challenge)
        permissions = clicked.interaction.permissions
        is_here = clicked.interaction.channel_id == challenge.channel_id
        is_moderator = permissions.manage_guild or (permissions.manage_messages and is_here)
        if clicked.player_id != challenge.player_id and not is_moderator:
            raise TableError(_("Only moderators and the player who sent a challenge can close it."))
        if challenge.is_over(clicked.clicked_at):
            raise over_error()
        if not (asked.is_sure and clicked.message.flags.ephemeral):
            await clicked.answer.send_ephemeral(close_content(challenge))
            return
        await self._challenges.close(challenge, clicked.clicked_at)
        await self._schedule.changed()
        log.info("challenge closed", challenge=challenge.id, player=clicked.player_id)
        await clicked.answer.update(notice_content(_("The challenge is closed.")))

    # ---- a friend -----------------------------------------------------------------------------------

    @handles(PickFriend, in_private=True)
    async def mention(self, clicked: ClickContext, asked: PickFriend) -> None:
        """Mention a friend, whom the user has picked, in a message in the challenge's channel.

        A challenge may mention one friend, once. The mention is recorded before the message is sent, so
        that a restart never leads to two messages.
        """
        interaction = clicked.interaction
        challenge = await self._challenge_in_server(clicked, asked.challenge)
        friend_id = number_in(asked.friend) or 0
        if clicked.player_id != challenge.player_id or not challenge.posted_at:
            raise unknown_button()
        if challenge.is_over(clicked.clicked_at):
            raise over_error()
        check_may_write(interaction)
        await self._check_not_barred(challenge.guild_id, clicked.player_id)
        friend = await _find_member(interaction.guild, friend_id) if interaction.guild else None
        if friend is None or friend.bot or friend_id == clicked.player_id:
            raise TableError(_("Pick another member of this server."))
        if await self._challenges.scores(challenge, friend_id) is not None:
            raise TableError(_("They already take part in this challenge."))
        if not self._may_write(challenge):
            raise TableError(hidden_words(challenge))
        await self._challenges.mention(challenge, friend_id)
        [name] = written_names([player_of(interaction.user)])
        with speaking(await self._display.plans.language_in(challenge.guild_id)):
            post = message(friend_content(replace(challenge, friend_id=friend_id), str(name)))
        mentions = discord.AllowedMentions(users=[friend], roles=False, everyone=False)
        nonce = nonce_of("challenge", str(challenge.id), friend_id)
        requests = self._display.channels.requests
        try:
            await requests.send(challenge.channel_id, nonce, mentions, view=post.view)
        except (discord.NotFound, discord.Forbidden) as error:
            raise TableError(hidden_words(challenge)) from error
        await clicked.answer.update(await self._result_screen(clicked, challenge))

    @handles(AnswerFriend)
    async def answer_friend(self, clicked: ClickContext, asked: AnswerFriend) -> None:
        challenge = await self._challenges.find(asked.challenge)
        if challenge is None or asked.custom_id not in custom_ids(clicked.message.components):
            raise unknown_button()
        if clicked.player_id != challenge.friend_id:
            raise TableError(_("This button is only for the player I've mentioned."))
        if asked.how == "block":
            await self._challenges.set_blocked(clicked.player_id, is_blocked=True)
        with speaking(await self._display.plans.language_in(challenge.guild_id)):
            content = notice_content(_("The challenge was declined."))
        await clicked.answer.update(content)
        if asked.how == "block":
            await clicked.answer.send_ephemeral(pings_content(is_blocked=True))

    @handles(ChallengePings, in_private=True)
    async def choose_pings(self, clicked: ClickContext, asked: ChallengePings) -> None:
        if asked.how == "open":
            is_blocked = await self._challenges.is_blocked(clicked.player_id)
            await clicked.answer.send_ephemeral(pings_content(is_blocked=is_blocked))
            return
        is_blocked = asked.how == "block"
        await self._challenges.set_blocked(clicked.player_id, is_blocked=is_blocked)
        await clicked.answer.update(pings_content(is_blocked=is_blocked))


def _late_error() -> TableError:
    return TableError(_("You had a day to play these boards. You can begin another challenge."))


async def _find_guild(client: discord.Client, guild_id: int) -> discord.Guild | None:
    """Return a server, or None if the bot is not there. Another process may receive its events."""
    with suppress(discord.NotFound, discord.Forbidden):
        return client.get_guild(guild_id) or await client.fetch_guild(guild_id, with_counts=False)
    return None


async def _find_member(guild: discord.Guild, user_id: int) -> discord.Member | None:
    """Request a member of a server from Discord. Return None if the user is not a member."""
    with suppress(discord.NotFound):
        return await guild.fetch_member(user_id)
    return None


async def setup(bot: Ribit) -> None:
    database = bot.database
    challenges = Challenges(database.writer, database.surveying, bot.games)
    cog = ChallengeButtons(bot.display, challenges, bot.post_schedule)
    await bot.add_feature(
        Feature(
            cog,
            offers=[
                FeatureButton(place, 35, begin_button) for place in (ButtonPlace.END, ButtonPlace.REPLAY)
            ],
            at_end=challenges.record_end,
            in_own_settings=settings_buttons,
            hand=board_content,
            posts=[PostType(POST, cog.content, follow=cog.follow, next_edit=cog.next_edit)],
        )
    )

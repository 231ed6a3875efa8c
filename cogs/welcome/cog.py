"""Greetings for new servers, ``/help``, and a first match against computer players.

The bot greets each server once, in its system channel. If the bot may not write there, the first user
who runs a command in the server sees the greeting instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import handles
from bot.delivery.display import Display
from bot.delivery.name_updates import sitting_down
from bot.delivery.table_opening import TableOpening, options_of
from bot.delivery.table_posting import post_table
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame, Info
from bot.engine.opponent import Strength
from bot.engine.panel import Tone
from bot.engine.scene import FROG
from bot.engine.shuffle import lot, new_seed
from bot.engine.spoken_cards import join_words
from bot.engine.translation import _, speaking
from bot.features import Feature, Occasion, StartButton
from bot.matches.match import NOWHERE
from bot.matches.match_type import kept_private
from bot.messages.button_rows import ButtonPlace, FeatureButton
from bot.messages.components import Button, Content, Text, layout, row
from bot.messages.custom_ids import PlainControl
from bot.messages.table_view import TableView
from bot.requests.answers import Answer, answering
from bot.requests.budget import PrioritizedWork, Priority, request_priority
from bot.requests.channel_permissions import is_guest
from bot.requests.discord_errors import NOT_SENT
from bot.requests.layout_views import message
from bot.sessions.errors import TableTakenError
from bot.sessions.events import Opened
from bot.sessions.match_creation import new_match
from bot.sessions.seating import Seating
from bot.sessions.table_state import Table
from bot.storage.writer import Store

log = structlog.get_logger(__name__)

COMPUTER_PLAYERS = (Strength.FROGLET, Strength.FROGLET)
"""The computer players in a newcomer's first match."""

_MARKS = 2**62


@frozen
class DealMe(PlainControl):
    """A button that starts a private match against computer players.

    If the user already has such a match in progress, the button shows it.
    """

    kind = "deal me"
    form = "hi:{0.game}"

    game: str


def first_game(games: Mapping[str, AnyGame]) -> AnyGame | None:
    """Return the game in which newcomers play their first match, or None if no game is suitable.

    The default game is preferred. ``can_deal`` checks whether a game is suitable.
    """
    candidates = sorted(games.values(), key=lambda game: not game.info.is_default)
    return next(filter(can_deal, candidates), None)


def can_deal(game: AnyGame) -> bool:
    """Return whether a newcomer can play the game in private against ``COMPUTER_PLAYERS``."""
    info = game.info
    fits = info.fewest <= 1 + len(COMPUTER_PLAYERS) <= info.most
    return game.thinking is not None and info.hidden_hands and not info.is_solo and fits


def greeting_content(games: Mapping[str, AnyGame], starts: Iterable[StartButton]) -> Content:
    """Return the greeting that the bot posts in a server after joining it."""
    infos = _default_first(games)
    words = _(
        "### {frog} Hello, I'm Ribit\nI deal card games here: {games}. Play together with "
        "`/{command} start`, or on your own against frogs, my computer players.\n-# **Set up** is "
        "for members with *Manage Server*. `/help` brings the other buttons back."
    )
    names = join_words([info.name for info in infos])
    words = words.format(frog=FROG, games=names, command=infos[0].command)
    return layout(Text(words), row(*start_buttons(games, starts, Occasion.JOINED)))


def help_content(games: Mapping[str, AnyGame], starts: Iterable[StartButton]) -> Content:
    """Return the answer to ``/help``, which lists each game's command and description."""
    title = _("### {frog} I deal card games").format(frog=FROG)
    lines = [f"- `/{info.command} start`: {_(info.about)}" for info in _default_first(games)]
    end = _("-# Use `/settings` to change your notifications, or to get words instead of pictures.")
    return layout(
        Text("\n".join((title, *lines, end))), row(*start_buttons(games, starts, Occasion.HELP))
    )


def _default_first(games: Mapping[str, AnyGame]) -> list[Info]:
    return sorted((game.info for game in games.values()), key=lambda info: not info.is_default)


def start_buttons(
    games: Mapping[str, AnyGame], starts: Iterable[StartButton], occasion: Occasion
) -> list[Button]:
    game = first_game(games)
    if game is None:
        return []
    matching_starts = sorted(
        (start for start in starts if occasion in start.occasions), key=lambda each: each.order
    )
    return list(filter(None, (start.button(game) for start in matching_starts)))


def deal_me_button(game: AnyGame) -> Button:
    return Button(DealMe(game.info.key).custom_id, _("Deal me a game"), Tone.GOOD, emoji=FROG)


def deal_again_button(table: TableView) -> Button | None:
    is_alone = table.match.is_private and table.match.counts and len(table.match.people) == 1
    if not is_alone or table.match.is_lesson or not can_deal(table.game):
        return None
    return deal_me_button(table.game)


class Welcome(commands.Cog, Store):
    """A cog that greets new servers, answers ``/help`` and deals private matches to newcomers.

    Attributes:
        _due: Hashes, as returned by ``_mark``, of the servers that could not be greeted in a channel.
    """

    def __init__(self, bot: Ribit) -> None:
        Store.__init__(self, bot.database.writer, bot.database.reading)
        self._days = bot.database.days
        self._display: Display = bot.display
        self._opening: TableOpening = bot.opening
        self._seating: Seating = bot.seating
        self._games, self._starts = bot.games, bot.starts
        self._due = set[int]()

    # ---- greetings ---------------------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        self._due |= {row["mark"] for row in await self._list("due_greetings")}

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that the bot joins for the first time."""
        mark = await self._mark(guild.id)
        if await self._do("claim_greeting", mark=mark, guild_id=guild.id) is None:
            return
        if await self._post(guild):
            await self._do("greet", mark=mark)
        else:
            self._due.add(mark)

    async def mark_greeted(self, guild_id: int) -> None:
        """Record that a server has been greeted, so that it gets no greeting later."""
        mark = await self._mark(guild_id)
        await self._do("claim_greeting", mark=mark, guild_id=guild_id)
        await self._do("greet", mark=mark)
        self._due.discard(mark)

    async def _mark(self, guild_id: int) -> int:
        """Return a keyed hash of a server's ID.

        The hash is stored even after the server's data is deleted, so that no server is greeted twice.
        """
        return lot(_MARKS, await self._days.secret(), f"greeted server {guild_id}")

    async def _post(self, guild: discord.Guild) -> bool:
        """Post the greeting in the server's system channel, and return whether it was sent."""
        channel, channels = guild.system_channel, self._display.channels
        if channel is None or not channels.permissions.channel_access(guild.id, channel.id).sends:
            return False
        with speaking(await self._display.plans.language_in(guild.id)):
            view = message(greeting_content(self._games, self._starts)).view
        try:
            with request_priority(PrioritizedWork(Priority.UPKEEP)):
                await channels.requests.send(channel.id, f"hello {guild.id}", view=view)
        except NOT_SENT as error:
            log.info("server not greeted", server=guild.id, error=str(error))
            return False
        return True

    @commands.Cog.listener()
    async def on_answered(self, answer: Answer) -> None:
        """Show the greeting to the first user who runs a command in a server without a greeting.

        This listener is called after each interaction that the bot answers.
        """
        interaction = answer.interaction
        is_command = interaction.type is discord.InteractionType.application_command
        if not (self._due and is_command) or interaction.guild_id is None or is_guest(interaction):
            return
        mark = await self._mark(interaction.guild_id)
        if mark not in self._due:
            return
        self._due.discard(mark)
        if await self._do("greet", mark=mark):
            with speaking(str(interaction.locale)):
                await answer.try_to_send_ephemeral(greeting_content(self._games, self._starts))

    # ---- /help -------------------------------------------------------------------------------------

    @app_commands.command(name="help")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def help(self, interaction: discord.Interaction) -> None:
        """Play, learn a game, or see your games. Only you can see it."""
        async with answering(interaction) as answer:
            guild_id = None if is_guest(interaction) else interaction.guild_id
            if self._due and guild_id is not None:  # the greeting would repeat the answer
                await self.mark_greeted(guild_id)
            await answer.send_ephemeral(help_content(self._games, self._starts))

    # ---- the first match ---------------------------------------------------------------------------

    @handles(DealMe)
    async def deal(self, clicked: ClickContext, asked: DealMe) -> None:
        game = self._games.get(asked.game)
        if game is None or not can_deal(game):
            raise unknown_button()
        await post_table(
            self._display, clicked.answer, await self._deal_match(clicked.interaction, game)
        )

    async def _deal_match(self, interaction: discord.Interaction, game: AnyGame) -> Table:
        await self._display.players.record_locale(interaction.user.id, str(interaction.locale))
        info, player = game.info, sitting_down(interaction)
        options = kept_private(options_of(info, {}))
        match = new_match(info, None, NOWHERE, player, 1 + len(COMPUTER_PLAYERS), options)
        match = replace(match, secret=new_seed(), opened_by=player.interaction)
        place = f"private {info.key} player {player.id}"  # a key instead of a channel
        try:
            async with self._opening.offer_to_end_one():
                table = await self._seating.open_match(match, place, Opened(COMPUTER_PLAYERS, ()))
        except TableTakenError as taken:
            return await self._display.tables.read(taken.match_id)
        log.info("private match dealt", match=match.id, game=info.key, player=player.id)
        return table


async def setup(bot: Ribit) -> None:
    await bot.add_feature(
        Feature(
            Welcome(bot),
            starts=[StartButton(10, frozenset(Occasion), deal_me_button)],
            offers=[FeatureButton(ButtonPlace.END, 12, deal_again_button)],
        )
    )

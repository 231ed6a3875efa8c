"""``/replay``, the message command *Watch this match*, and GIFs of parts of a match.

Worker processes draw the GIFs.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import partial

import discord
import structlog
from discord import app_commands, ui
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, custom_ids, unknown_button
from bot.delivery.click_dispatch import handles, read
from bot.delivery.display import Display
from bot.delivery.match_access import MatchAccess
from bot.delivery.permission_checks import check_may_write, plays_here
from bot.delivery.turn_pings import RecentActivity
from bot.engine.name_sanitizing import inert
from bot.engine.translation import _, language, speaking
from bot.features import Feature
from bot.matches.leaderboard_rules import DAY_SECONDS
from bot.matches.replay import Replay
from bot.messages.button_rows import ButtonPlace, FeatureButton
from bot.messages.channel_access import ATTACH_FILES, elsewhere
from bot.messages.components import Content
from bot.messages.deal_calendar import counts_until, day_of, still_counts
from bot.messages.text_mode import adapted_to_reader
from bot.messages.time_limits import when
from bot.requests.answers import SILENT, Answer, answering
from bot.requests.channel_permissions import is_guest, is_own_dm
from bot.requests.discord_errors import ErrorKind, error_kind
from bot.requests.layout_views import form
from bot.sessions.errors import TableError
from bot.sessions.ports import Opponents
from bot.sessions.replay_reading import replay_of, rules_to_watch
from bot.storage.named_queries import Record
from bot.storage.writer import ReadStore
from cogs.replays.replay_page import (
    LEAP,
    MARK,
    RANGE,
    Share,
    ShareRange,
    TurnTo,
    Watch,
    part_of,
    past_label,
    replay_content,
    watch_button,
)
from cogs.replays.tasks import Film, ReadCourse, moves_of

log = structlog.get_logger(__name__)

SHARING_SECONDS = 60
"""Minimum number of seconds between two GIFs shared by the same player."""

_MOST_CHOICES = 25
"""Discord's limit for the number of autocomplete choices."""


_REFUSED, _TOO_LARGE, _FAILED = 400, 413, 500


class Finished(ReadStore):
    """Database queries for finished matches."""

    async def matches_of(self, player_id: int, guild_id: int | None, most: int = 1) -> list[Record]:
        """Return a player's finished matches, most recent first.

        Args:
            player_id: The player's ID.
            guild_id: The server's ID, or None for matches anywhere.
            most: The maximum number of matches.
        """
        statement = "played_by" if guild_id is None else "played_in"
        return await self._list(statement, player_id=player_id, guild_id=guild_id, limit=most)


@dataclass(eq=False)
class Replays(commands.Cog):
    """A cog that replays finished matches and lets users share parts of them as GIFs.

    Replays show all hands, so a match in progress cannot be replayed.
    """

    _finished: Finished
    _display: Display
    _access: MatchAccess
    _thinkers: Opponents
    _shared: RecentActivity

    # ---- ephemeral replays ---------------------------------------------------------------------------

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(match="The ID of a match (default: your last one here)")
    async def replay(
        self, interaction: discord.Interaction, match: app_commands.Range[str, 1, 16] | None = None
    ) -> None:
        """Watch a finished match, move by move, with all hands open. Only you can see it."""
        async with answering(interaction) as answer:
            match_id = match.strip().lower() if match else await self._last(interaction)
            await answer.send_ephemeral(await self._watched_page(interaction, match_id))

    @replay.autocomplete("match")
    async def own(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        games = self._display.tables.games
        played = await self._finished.matches_of(
            interaction.user.id, interaction.guild_id, _MOST_CHOICES
        )
        with speaking(str(interaction.locale)):
            choices = [
                app_commands.Choice(name=past_label(past, games[past["game"]]), value=past["match_id"])
                for past in played
                if past["game"] in games
            ]
        return [choice for choice in choices if typed.casefold() in choice.name.casefold()]

    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def watch_message(self, interaction: discord.Interaction, message: discord.Message) -> None:
        async with answering(interaction) as answer:
            ours = message.author == interaction.client.user
            controls = [read(one, ()) for one in custom_ids(message.components)] if ours else []
            match_id = next(filter(None, (getattr(one, "match_id", "") for one in controls)), None)
            if match_id is None:
                raise TableError(_("That message doesn't show a match. Pick one of mine with a table."))
            await answer.send_ephemeral(await self._watched_page(interaction, match_id))

    @handles(Watch)
    async def watch(self, clicked: ClickContext, asked: Watch) -> None:
        await clicked.answer.send_ephemeral(
            await self._watched_page(clicked.interaction, asked.match_id)
        )

    @handles(TurnTo, in_private=True)
    async def turn_to(self, clicked: ClickContext, asked: TurnTo) -> None:
        page = await self._watched_page(clicked.interaction, asked.match_id, asked.n)
        await clicked.answer.update(page)

    async def _last(self, interaction: discord.Interaction) -> str:
        played = await self._finished.matches_of(interaction.user.id, interaction.guild_id)
        if not played:
            raise TableError(_("You haven't finished a match here yet, so there's nothing to watch."))
        return str(played[0]["match_id"])

    async def _watched_page(
        self, interaction: discord.Interaction, match_id: str, n: int = 0
    ) -> Content:
        return await self._page(interaction, await self._read_replay(interaction, match_id), n)

    async def _read_replay(self, interaction: discord.Interaction, match_id: str) -> Replay:
        """Load the replay of a match.

        Raises:
            TableError: The match does not exist, is not finished or cannot be read, or the user may not
                watch it.
        """
        tables = self._display.tables
        match = await tables.journal.find(match_id)
        if match is None or match.game not in tables.games:
            words = _("I don't know the match {id}. `/replay` without an ID shows your last one here.")
            raise TableError(words.format(id=inert(match_id)))
        await self._access.check_may_look(interaction, match)
        game, task = rules_to_watch(tables.games, match), ReadCourse(match.game, match_id)
        read = partial(tables.whole, match_id)
        return replay_of(match, game, await self._thinkers.ask(task, who=interaction.user.id, read=read))

    async def _page(
        self, interaction: discord.Interaction, replay: Replay, n: int, note: str = ""
    ) -> Content:
        look = await self._display.appearances.of_asker(interaction)
        return adapted_to_reader(replay_content(replay, n, look, note), look)

    # ---- shared GIFs ---------------------------------------------------------------------------------

    @handles(Share, in_private=True)
    async def share(self, clicked: ClickContext, asked: Share) -> None:
        replay = await self._read_replay(clicked.interaction, asked.match_id)
        n = min(asked.n, replay.last)
        if asked.part == RANGE:
            await self._check_may_share(clicked.interaction, replay)
            at = replay.step_of(n)
            fields = ((_("From"), str(max(at - LEAP, 0))), (_("To"), str(at)))
            asked_by = ShareRange(replay.match.id, n, "", "").custom_id
            if not await clicked.answer.ask(form(_("Share a moment"), asked_by, fields)):
                raise TableError(_("I'm slow right now. Please try again in a moment."))
            return
        if (part := part_of(replay, n, asked.part)) is None:
            raise unknown_button()
        await self._share(clicked.answer, replay, n, moves_of(replay, *part))

    @handles(ShareRange, in_private=True)
    async def share_range(self, clicked: ClickContext, asked: ShareRange) -> None:
        replay = await self._read_replay(clicked.interaction, asked.match_id)
        steps, (first, last) = replay.course.steps, asked.numbers
        if not 0 <= first <= last < len(steps):
            words = _("Enter two numbers between 0 and {n}, smaller one first.")
            raise TableError(words.format(n=len(steps) - 1))
        moves = moves_of(replay, steps[first], steps[last])
        await self._share(clicked.answer, replay, min(asked.n, replay.last), moves)

    async def _check_may_share(self, interaction: discord.Interaction, replay: Replay) -> None:
        """Check that the user may now post a GIF of the match in this channel.

        Raises:
            TableError: The match may not be shown here, a permission is missing, the daily deal still
                counts, or the user shared another GIF less than ``SHARING_SECONDS`` ago.
        """
        access, match = self._access, replay.match
        if not (
            is_own_dm(interaction)
            or await access.may_be_shown_in(match, interaction.guild_id, interaction.user.id)
        ):
            raise TableError(
                _("This match belongs to another server, so I won't show it to everybody here.")
            )
        if not is_guest(interaction) and not await plays_here(self._display, interaction):
            raise TableError(elsewhere(await self._display.database.servers.get(interaction.guild_id)))
        check_may_write(interaction)
        day = match.type.duel or await access.day_of_deal(match)
        if still_counts(day, day_of(interaction.created_at)):
            words = _("Others can still win this deal of the day. You can share it {when}.")
            if match.type.duel:
                words = _("Others can still play these boards. You can share them {when}.")
            raise TableError(words.format(when=when(counts_until(day), DAY_SECONDS)))
        if interaction.guild_id is not None and not interaction.app_permissions.attach_files:
            words = _("I need the permission **{permission}** here to post an animation.")
            raise TableError(words.format(permission=_(ATTACH_FILES)))
        if (until := self._shared.until(interaction.user.id)) is not None:
            words = _("You can only share one animation a minute. Try again {when}.")
            raise TableError(words.format(when=when(until)))

    async def _share(self, answer: Answer, replay: Replay, n: int, moves: tuple[int, ...]) -> None:
        interaction, note = answer.interaction, ""
        await self._check_may_share(interaction, replay)
        self._shared.note(interaction.user.id)
        await answer.acknowledge()
        try:
            await self._post(interaction, replay, moves)
            note = _("Shared! Everybody here can see it.")
        finally:
            await answer.update(await self._page(interaction, replay, n, note))
        log.info("replay shared", match=replay.match.id, pictures=len(moves), player=interaction.user.id)

    async def _post(
        self, interaction: discord.Interaction, replay: Replay, moves: tuple[int, ...]
    ) -> None:
        display, match = self._display, replay.match
        look = await display.appearances.of_table(match, is_solo=replay.game.info.is_solo)
        spoken = (
            await display.plans.language_in(interaction.guild_id) if interaction.guild_id else language()
        )
        with speaking(spoken):
            film = Film(match, replay.course, moves, look.four_colours, language())
            words, result = film.words, film.result
            button = watch_button(match.id)
            watch = ui.View(timeout=None)
            watch.add_item(ui.Button(custom_id=button.custom_id, label=button.label, emoji=button.emoji))
        watch.stop()  # the bot's dispatcher handles the clicks
        picture = await self._thinkers.ask(film, who=interaction.user.id)
        file = discord.File(io.BytesIO(picture), f"ribit-{match.id}.gif", description=words)
        try:
            text = "\n".join(filter(None, (result, f"-# {MARK} {words}")))
            await interaction.followup.send(
                text, file=file, view=watch, allowed_mentions=SILENT, wait=True
            )
        except discord.HTTPException as error:
            if not _REFUSED <= error.status < _FAILED:
                raise
            log.warning("GIF refused", match=match.id, error=str(error))
            raise TableError(_why_refused(error)) from None


def _why_refused(error: discord.HTTPException) -> str:
    """Return a text for the player that explains why Discord rejected a GIF."""
    if error.status == _TOO_LARGE:
        return _("The animation is too large for Discord. Try a shorter part.")
    if error_kind(error) is ErrorKind.BLOCKED:
        return _("This server's filter blocked the animation, perhaps because of a name in it.")
    if error_kind(error) in {ErrorKind.NO_FILES, ErrorKind.SHUT}:
        return _("I'm not allowed to send files here. Ask an admin for **Attach Files**.")
    return _("Discord didn't accept the animation. Try again in a minute.")


async def setup(bot: Ribit) -> None:
    finished, shared = Finished(bot.database.reading), RecentActivity(bot.tables.clock, SHARING_SECONDS)
    cog = Replays(finished, bot.display, bot.access, bot.thinkers, shared)
    menus = [app_commands.ContextMenu(name="Watch this match", callback=cog.watch_message)]
    places = (ButtonPlace.END, ButtonPlace.SHARED)
    offers = [FeatureButton(place, 20, lambda table: watch_button(table.match.id)) for place in places]
    await bot.add_feature(Feature(cog, menus, offers=offers))

"""The command ``/privacy``, with which users download or delete their data.

Members with *Manage Server* can also delete the matches of their server.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord
import structlog
from discord import app_commands
from discord.ext import commands, tasks

from bot.app import LEARNS, Ribit
from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import handles
from bot.delivery.permission_checks import check_is_admin, is_admin
from bot.engine.errors import UnavailableError
from bot.engine.frozen import frozen
from bot.engine.panel import Tone
from bot.engine.translation import _
from bot.features import Feature
from bot.messages.components import Button, Content, File, Separator, Text, layout, notice_content, row
from bot.messages.custom_ids import Control
from bot.requests.answers import answering
from bot.sessions.ports import Opponents
from bot.storage.database_lock import BEAT_SECONDS
from cogs.privacy.forgetting import Forgetting
from cogs.privacy.own_data import OwnData

log = structlog.get_logger(__name__)

FILE = "ribit-data.json"


@frozen
class PrivacyStep(Control):
    """A button in the message that ``/privacy`` shows.

    Attributes:
        step: The action. ``mesure`` confirms ``me``, and ``serversure`` confirms ``server``.
    """

    pattern = re.compile(r"y:(?P<step>download|me|mesure|server|serversure)")
    kind = "privacy"

    step: str


@dataclass(eq=False)
class Privacy(commands.Cog):
    """The ``/privacy`` cog, which also runs the loop that deletes expired data.

    Attributes:
        _policy: The URL of the host's privacy policy, or None if there is none.
    """

    _forgetting: Forgetting
    _thinkers: Opponents
    _policy: str | None
    _is_connected: Callable[[], bool]
    _until_ready: Callable[[], Awaitable[None]]

    @app_commands.command(extras={LEARNS: False})
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def privacy(self, interaction: discord.Interaction) -> None:
        """See what I store about you, download it, or have me forget you."""
        async with answering(interaction) as answer:
            await answer.send_ephemeral(privacy_content(self._policy, manages=is_admin(interaction)))

    @handles(PrivacyStep, in_private=True, learns=False)
    async def step(self, clicked: ClickContext, asked: PrivacyStep) -> None:
        answer = clicked.answer
        match asked.step:
            case "download":
                await self._download(clicked)
            case "me":
                await answer.update(forget_me_content())
            case "mesure":
                await answer.acknowledge()  # updates of tables wait until all clicks are answered
                await self._forgetting.forget_person(clicked.player_id)
                words = _("Done: I've forgotten you. If you play again, you'll start from scratch.")
                await answer.update(notice_content(words))
            case "server":
                check_is_admin(clicked.interaction)
                await answer.update(forget_server_content())
            case "serversure":
                guild = check_is_admin(clicked.interaction)
                await answer.acknowledge()
                await self._forgetting.forget_server(guild.id, is_gone=False)
                words = _("Done: I've forgotten everything that was played in this server.")
                await answer.update(notice_content(words))

    async def _download(self, clicked: ClickContext) -> None:
        """Send the user a file with their data.

        Each click is a separate task, so that each click gets its own file. A click is refused while the
        user's previous file is being prepared.
        """
        click, location = clicked.interaction, self._forgetting.database.location
        task = OwnData(location, clicked.player_id, int(click.created_at.timestamp()), click.id)
        file, is_packed = await self._thinkers.ask(task, who=clicked.player_id)
        words = Text(_("This is what I store about you. Only you can see this message."))
        await clicked.answer.send_ephemeral(
            layout(words, File(f"{FILE}.gz" if is_packed else FILE, file))
        )

    # ---- automatic forgetting -------------------------------------------------------------------

    async def cog_load(self) -> None:
        self._look.start()

    async def cog_unload(self) -> None:
        self._look.cancel()

    @tasks.loop(seconds=BEAT_SECONDS)
    async def _look(self) -> None:
        if not self._is_connected():
            return
        try:
            await self._forgetting.clean_up()
        except UnavailableError:
            log.info("deletion of old data postponed, the database is unreachable")
        except Exception:
            log.exception("deletion of old data failed")

    @_look.before_loop
    async def _wait(self) -> None:
        await self._until_ready()


async def setup(bot: Ribit) -> None:
    database, tables = bot.database, bot.tables
    forgetting = Forgetting(
        database,
        tables,
        bot.seating,
        bot.display,
        bot.names,
        bot.owned,
        bot.get_guild,
        bot.before_forgetting,
    )
    cog = Privacy(forgetting, bot.thinkers, bot.privacy_policy, bot.is_connected, bot.wait_until_ready)
    await bot.add_feature(Feature(cog))


# ---- content of messages -------------------------------------------------------------------------


def privacy_content(policy: str | None, *, manages: bool) -> Content:
    """Return the message that ``/privacy`` shows.

    Args:
        policy: The URL of the host's privacy policy, or None if there is none.
        manages: Whether the user has *Manage Server* and so gets the button that deletes the server's
            matches.
    """
    summary = "\n".join(
        (
            _("### 🔒 What I store about you"),
            _("- **You:** your Discord ID, your language, your settings, and whether I can DM you."),
            _(
                "- **Your matches:** where they took place, who played (ID and name), every move "
                "with its time, and who won."
            ),
            _(
                "- **Your results:** leaderboards, `/profile`, deals of the day you won, lessons "
                "you finished, and daily puzzles you solved."
            ),
            _(
                "- **In servers you manage:** your settings there, and the players you barred or "
                "took off a leaderboard."
            ),
        )
    )
    rest = _(
        "I don't read messages or ask Discord for lists of members. Only you can see your cards. "
        "I keep all this as long as I'm hosted, or until you ask me to forget you. I share it "
        "with nobody but Discord."
    )
    host = (
        _(
            "The [privacy policy]({address}) has the details, and names someone who can delete "
            "your data."
        ).format(address=policy)
        if policy
        else _(
            "My host hasn't added a privacy policy. Ask them, or the person who added me to the server."
        )
    )
    buttons = [Button("y:download", _("Download")), Button("y:me", _("Forget me"), Tone.DANGER)]
    if manages:
        buttons.append(Button("y:server", _("Forget this server's matches"), Tone.DANGER))
    return layout(Text(summary), Separator(), Text(f"{rest}\n{host}"), row(*buttons))


def forget_me_content() -> Content:
    words = _(
        "Forget you? I'll remove your ID and name from everything. You can't undo this. You give "
        "up your seats, and lose your settings, lessons, streaks and places on leaderboards. What "
        "others played with you stays, with a nameless player in your place.\nA server that "
        "barred you, or took you off its leaderboards, keeps your ID. Today's deals still count "
        "until tomorrow is over. Discord keeps its messages. If you play again, you'll start from "
        "scratch."
    )
    return notice_content(words, row(Button("y:mesure", _("Forget me"), Tone.DANGER)))


def forget_server_content() -> Content:
    words = _(
        "Forget everything that was played in this server? This closes its tables, clears its "
        "leaderboards and daily results, and removes the server from its matches. You can't undo "
        "it. Players keep their matches, and can ask me to forget them. Settings stay."
    )
    return notice_content(
        words, row(Button("y:serversure", _("Forget this server's matches"), Tone.DANGER))
    )

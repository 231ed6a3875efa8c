"""Reviews of a player's mistakes in a finished match.

A review is an ephemeral message with one mistake per page. A button on each page continues the match
from there, in private and against computer players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import structlog
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext
from bot.delivery.click_dispatch import action, handles_at_table
from bot.delivery.match_access import MatchAccess
from bot.delivery.table_opening import TableOpening
from bot.delivery.table_posting import open_panel
from bot.engine.frozen import frozen
from bot.engine.opponent import Strength
from bot.engine.panel import Tone
from bot.engine.review import MissedMove
from bot.engine.translation import _
from bot.features import Feature
from bot.matches.match import NOWHERE, Entry, Match, Stage, another_computer_player, fold
from bot.matches.match_type import kept_private
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.button_rows import ButtonPlace, FeatureButton
from bot.messages.components import Button, Content, ScenePicture, Text, layout, notice_content, row
from bot.messages.custom_ids import PlainControl, RepeatableControl, action_id
from bot.messages.table_view import TableView, table_view
from bot.messages.text_mode import adapted_to_reader
from bot.sessions.decision.dealing import rematch
from bot.sessions.errors import TableError, not_seated
from bot.sessions.match_creation import new_match_id
from bot.sessions.ports import Opponents
from bot.sessions.seating import Seating
from bot.sessions.table_state import Table
from cogs.reviews.tasks import ReviewSeat

log = structlog.get_logger(__name__)


@frozen
class MissedPage(RepeatableControl):
    """A button that shows one of the mistakes in a review. Their numbers start at 0."""

    kind = "missed moment"
    form = "mi:{0.match_id}:{0.number}"

    match_id: str
    number: int


@frozen
class PlayFrom(PlainControl):
    """A button that continues a finished match in private, from the position after ``n`` moves."""

    kind = "play from here"
    form = "pf:{0.match_id}:{0.n}"

    match_id: str
    n: int


@dataclass(eq=False)
class Reviews(commands.Cog):
    """A cog that shows players their mistakes in a finished match and lets them play on from there."""

    _access: MatchAccess
    _opening: TableOpening
    _seating: Seating
    _thinkers: Opponents

    @action("missed")
    async def show_missed(self, clicked: ClickContext, table: Table) -> None:
        await clicked.answer.send_ephemeral(await self._content(clicked, table, 0))

    @handles_at_table(MissedPage, in_private=True)
    async def turn_to(self, clicked: ClickContext, table: Table, asked: MissedPage) -> None:
        await clicked.answer.update(await self._content(clicked, table, asked.number))

    @handles_at_table(PlayFrom, in_private=True)
    async def play_from(self, clicked: ClickContext, before: Table, asked: PlayFrom) -> None:
        display, player_id = clicked.display, clicked.player_id
        hosted = await display.tables.journal.hosted_matches(player_id)
        again = [
            hosted_match
            for hosted_match in hosted
            if hosted_match.is_private and hosted_match.seed == before.match.seed
        ]
        if again:
            await self._show(clicked, await display.tables.read(again[0].id))
            return
        await self._access.check_may_look(clicked.interaction, before.match)
        seat = seat_looking_back(before, player_id)
        _match, entries = await display.tables.whole(before.match.id)
        match = continue_match(before, entries, seat, asked.n, display.tables.clock())
        place = f"from match {before.match.id} player {player_id}"  # a key instead of a channel
        async with self._opening.offer_to_end_one():
            table = await self._seating.open_match(match, place, None, entries[: asked.n])
        facts = {"match": match.id, "before": before.match.id, "moves": asked.n, "player": player_id}
        log.info("position of a review played", **facts)
        await self._show(clicked, table)

    async def _show(self, clicked: ClickContext, table: Table) -> None:
        """Show a match that continues from a mistake, in an ephemeral message."""
        interaction = clicked.interaction
        await clicked.display.players.record_locale(interaction.user.id, str(interaction.locale))
        await open_panel(clicked.display, clicked.answer, table)
        clicked.display.refresh(table.match.id)

    async def _content(self, clicked: ClickContext, table: Table, number: int) -> Content:
        player_id, match = clicked.player_id, table.match
        await self._access.check_may_look(clicked.interaction, match)
        seat = seat_looking_back(table, player_id)
        task, read = (
            ReviewSeat(match.game, match.id, seat),
            partial(clicked.display.tables.whole, match.id),
        )
        missed = await self._thinkers.ask(task, who=player_id, read=read)
        positions = [(moment, replace(table, state=state, n=moment.n)) for moment, state in missed]
        look = await clicked.display.appearances.of_own(player_id, match.guild_id, match.channel_id)
        played_on = seat not in table.left | table.handed_over
        return adapted_to_reader(
            missed_content(positions, seat, number, look, played_on=played_on), look
        )


def seat_looking_back(table: Table, player_id: int) -> int:
    """Return the seat of a user who wants to review a match.

    Raises:
        TableError: The user had no seat, or the match is not finished or cannot be reviewed.
    """
    seat = table.match.seat_of(player_id)
    if seat is None:
        raise TableError(not_seated(table))
    if table.match.stage is not Stage.FINISHED:
        raise TableError(_("I can tell you that once the match is over."))
    if table.game.review is None or table.state is None or table.match.is_lesson:
        raise TableError(_("There's no review of this match."))
    return seat


def continue_match(before: Table, entries: Sequence[Entry], seat: int, n: int, now: int) -> Match:
    """Return a new private match that continues a finished match from the position after ``n`` moves.

    The strongest computer players, called toads, replace the player's human opponents. The finished
    match's own computer players remain. The new match counts on no leaderboard.

    Args:
        before: The finished match.
        entries: All moves of the finished match.
        seat: The player's seat.
        n: The number of moves to keep.
        now: The current Unix time.

    Raises:
        TableError: It was not this seat's turn after ``n`` moves.
    """
    match, there = before.match, fold(before.game, before.match, entries[:n])
    if n >= len(entries) or before.game.to_move(there) != seat:
        raise TableError(_("It wasn't your turn then."))
    again = rematch(match, new_match_id(), now)
    players = [
        replace(participant, missed=0, hints=0, bank=0, interaction=0) for participant in match.players
    ]
    players[seat] = replace(players[seat], strength=None)
    for place, player in enumerate(players):
        if place != seat and not player.is_computer_player:
            players[place] = another_computer_player(again.id, players, Strength.TOAD)
    return replace(
        again,
        guild_id=None,
        channel_id=NOWHERE,
        guest=False,
        options=kept_private(again.options),
        host_id=players[seat].id,
        players=tuple(players),
    )


def missed_button(table: TableView) -> Button | None:
    if table.game.review is None:
        return None
    return Button(action_id(table.match.id, "missed"), _("What did I miss?"))


def missed_content(
    found: Sequence[tuple[MissedMove, Table]],
    seat: int | None,
    number: int,
    look: Appearance = PLAIN,
    *,
    played_on: bool = True,
) -> Content:
    """Return the page of a review that shows one mistake.

    Args:
        found: The mistakes. Each is paired with the table as it was before the mistake.
        seat: The player's seat.
        number: The page number, from 0. A number that is too large shows the last page.
        look: The custom emoji and colours.
        played_on: False if the player left the match or a computer player took over the seat.
    """
    if not found:
        return notice_content(
            _("Nothing missed: well played!") if played_on else _("Nothing missed in your own turns.")
        )
    number = min(number, len(found) - 1)
    moment, table = found[number]
    review, match_id = table.game.review, table.match.id
    assert review is not None, "it was reviewed"
    title, where = _("What you missed"), _("{n} of {all}").format(n=number + 1, all=len(found))

    def turn(name: str, label: str, to: int) -> Button:
        return Button(
            MissedPage(match_id, max(to, 0)).custom_id_of(name), label, disabled=not 0 <= to < len(found)
        )

    return layout(
        Text(look.replace_icons(f"### {title} · {where}\n{review.miss_text(table.state, moment)}")),
        ScenePicture(look.recolour(table_view(table, seat).scene())),
        row(
            *((turn("back", "◀", number - 1), turn("on", "▶", number + 1)) if found[1:] else ()),
            Button(PlayFrom(match_id, moment.n).custom_id, _("Play from here"), Tone.GOOD),
        ),
        Text("-# " + _("From here on, you play against frogs, and it doesn't count anywhere.")),
    )


async def setup(bot: Ribit) -> None:
    cog = Reviews(bot.access, bot.opening, bot.seating, bot.thinkers)
    await bot.add_feature(Feature(cog, offers=[FeatureButton(ButtonPlace.END, 30, missed_button)]))

"""Interactive lessons that teach a user, the pupil, how to play a game.

A lesson is a private match against a tadpole, the weakest computer player, or a solitaire. A coach
comments on each step. The match is in an ephemeral message, so the pupil need not allow DMs. A click's
token can edit the message for 15 minutes, which is enough because the tadpole answers within seconds and
each click brings a new token. The buttons still work after a restart. If the message is gone, the
command shows the lesson again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.app import Ribit
from bot.delivery.click_context import ClickContext, unknown_button
from bot.delivery.click_dispatch import action, handles
from bot.delivery.display import Display
from bot.delivery.name_updates import player_of
from bot.delivery.permission_checks import check_may_start
from bot.delivery.table_opening import TableOpening, options_of
from bot.delivery.table_posting import open_panel, post_table
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.lesson import PUPIL, SEATS, AnyLesson, Progress, remarks
from bot.engine.opponent import Strength
from bot.engine.panel import HINT, Panel, Tone
from bot.engine.scene import FROG
from bot.engine.translation import _
from bot.features import Command, Feature, Occasion, StartButton
from bot.matches.match import NOWHERE, Player
from bot.matches.match_type import HINTS, LESSON
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.button_rows import mark_choice, panel_rows, rules_button
from bot.messages.components import (
    GOLD,
    POND,
    STONE,
    Button,
    Content,
    Row,
    ScenePicture,
    Text,
    layout,
    notice_content,
    row,
)
from bot.messages.custom_ids import PlainControl, action_id
from bot.messages.table_view import TableView, table_view
from bot.requests.answers import Answer, answering
from bot.requests.channel_permissions import is_guest
from bot.sessions import events
from bot.sessions.errors import TableError, TableTakenError, not_seated
from bot.sessions.match_creation import Opening, new_match
from bot.sessions.table_state import Table

COACH = "🎓"
_STORY_LINES = 2

BRIEF_WORDS = 21
"""Maximum number of words that the coach says in one step of a lesson.

Together with its title, a step then has at most 25 words.
"""

_SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?]\*\*))\s(?=[A-ZÄÖÜ*])")


@frozen
class Learn(PlainControl):
    """A button that starts or resumes a game's lesson."""

    kind = "lesson"
    form = "l:{0.game}"

    game: str


@frozen
class PlayAfter(PlainControl):
    """A button that starts a full match of a game after its lesson.

    The match is against two computer players, or a solitaire.
    """

    kind = "play after lesson"
    form = "l:{0.game}:play"

    game: str


def lesson_content(
    table: TableView, path: tuple[str, ...] = (), look: Appearance = PLAIN
) -> Content | None:
    """Return the content of a lesson's message, or None if the match is not a lesson.

    Args:
        table: The match with its current state.
        path: The choices that the pupil has already picked for the next move.
        look: The custom emoji and colours.
    """
    if not table.match.is_lesson:
        return None
    lesson, far = table.game.lesson, table.progress
    if lesson is None or far is None or not (table.is_playing or table.outcome):
        return _left_content(table)
    is_own = table.is_playing and table.to_move == PUPIL
    remark, why = _in_brief(table, lesson, far)
    lines, rows = [f"{COACH} {remark}" if remark else ""], list[Row]()
    head = f"### {COACH} {_title(table)}"
    if table.is_learned and not (table.is_playing and lesson.is_done(far.before)):
        lines, why = [_farewell(table, lesson, far)], ""  # shown once, and again at the end of the match
    if is_own:
        panel, way = mark_choice(table, lesson.tip(far.view, far.met).move, path)
        rows, note = panel_rows(table, _highlight_choice(panel), path, look)
        if note:  # the panel asks a question, which needs no further text
            lines, why = [], ""
        lines += [f"{HINT} **{way}**" if way else "", f"➡️ {why}" if why else "", note]
    if not table.is_playing:
        lines = [*_story(table), f"{COACH} {remark}", *lines]
        head = f"### {table.words().headline}\n-# {_title(table)}"
    return layout(
        Text(head),
        ScenePicture(look.recolour(table.scene())),
        Text(look.replace_icons("\n".join(list(filter(None, lines)) or _story(table)))),
        *rows,
        row(*_ways_on(table, is_own=is_own)),
        colour=GOLD if table.is_learned else POND if is_own else STONE,
    )


def _lesson_words(table: TableView, words: str) -> str:
    return words.format(game=table.game.info.name, command=table.game.info.command)


def _title(table: TableView) -> str:
    return _lesson_words(table, _("A lesson in {game}"))


def _highlight_choice(panel: Panel) -> Panel:
    """Return a copy of the panel in which only the button that the coach suggests is highlighted."""
    rows = tuple(
        replace(
            panel_row,
            choices=tuple(
                replace(choice, tone=Tone.MAIN if choice.emoji == HINT else Tone.PLAIN)
                for choice in panel_row.choices
            ),
        )
        for panel_row in panel.rows
    )
    return replace(panel, rows=rows)


def _explain_turn(table: TableView, lesson: AnyLesson, far: Progress) -> tuple[str, ...]:
    """Return lines that explain the current step of a lesson.

    They describe the latest events, the coach's remarks and the reason for the suggested move.
    """
    why = [f"➡️ {lesson.tip(far.view, far.met).why}"] if table.to_move == PUPIL else []
    return (*_story(table), *(f"{COACH} {line}" for line in remarks(lesson, far)), *why)


def _story(table: TableView) -> list[str]:
    return [f"-# {line}" for line in table.words().story[-_STORY_LINES:]]


def _in_brief(table: TableView, lesson: AnyLesson, far: Progress) -> tuple[str, str]:
    """Return the coach's remark and the reason for the suggested move, shortened together.

    Together they have at most ``BRIEF_WORDS`` words. Only whole sentences are kept. The reason has
    priority, except in the first step, where the remark states the aim of the game.
    """
    remark = _sentences(remarks(lesson, far)[0])
    why = _sentences(lesson.tip(far.view, far.met).why) if table.to_move == PUPIL else []
    room, sentences = BRIEF_WORDS, {"remark": list[str](), "why": list[str]()}
    lines = {"remark": remark, "why": why}
    order = ("remark", "why") if table.n == 0 else ("why", "remark")
    for place, which in product(range(max(len(remark), len(why))), order):
        line, length = lines[which], len(" ".join(lines[which][place : place + 1]).split())
        if len(sentences[which]) == place < len(line) and length <= room:
            sentences[which].append(line[place])
            room -= length
    return " ".join(sentences["remark"]), " ".join(sentences["why"])


def _sentences(text: str) -> list[str]:
    return _SENTENCE_END.split(text)


def _farewell(table: TableView, lesson: AnyLesson, far: Progress) -> str:
    if table.is_playing:
        words = _(
            "You've seen everything there is to {game}. Play on to the end, or end the lesson here."
        )
        return f"{COACH} **{_lesson_words(table, words)}**"
    words = _("That's it! Now you know how to play {game}.")
    return " ".join(
        (f"{COACH} **{_lesson_words(table, words)}**", *lesson.rest(far.met), _how_to_start(table))
    )


def _how_to_start(table: TableView) -> str:
    if not table.is_solo:
        return _lesson_words(table, _("Use `/{command} start` to open a table for you and others."))
    words = _("Use `/{command} start` for a whole game, or `/{command} daily` for the deal of the day.")
    return _lesson_words(table, words)


def _ways_on(table: TableView, *, is_own: bool) -> list[Button]:
    match_id, key = table.match.id, table.game.info.key
    rules = rules_button(match_id)
    label = _("Play a whole game") if table.is_solo else _("Play two frogs")
    play = Button(PlayAfter(key).custom_id, label, Tone.GOOD, emoji=FROG)
    first = [play] if table.is_learned else []
    if not table.is_playing:
        return [*first, Button(Learn(key).custom_id, _("Once more"), emoji=COACH), rules]
    end = Button(action_id(match_id, "endlesson"), _("End the lesson"))
    look = Button(action_id(match_id, "look"), _("Go on"), Tone.MAIN)
    why = Button(action_id(match_id, "whylesson"), _("Why?"))
    return [*(() if is_own else (look,)), *first, why, rules, end]


def _left_content(table: TableView) -> Content:
    if table.is_learned:
        words = _lesson_words(table, _("The lesson is over. Now you know how to play {game}."))
        words = f"{words} {_how_to_start(table)}"
    else:
        words = _lesson_words(
            table, _("The lesson has ended. Use `/{command} learn` to start it again.")
        )
    return notice_content(f"{COACH} {words}", row(*_ways_on(table, is_own=False)))


def learn_button(game: AnyGame) -> Button | None:
    if game.lesson is None:
        return None
    return Button(Learn(game.info.key).custom_id, _("Learn"), emoji=COACH)


log = structlog.get_logger(__name__)


@dataclass(eq=False)
class Lessons(commands.Cog):
    """A cog that teaches games in interactive lessons, which ``learn`` commands and buttons start."""

    _display: Display
    _opening: TableOpening

    def commands_of(self, game: AnyGame) -> Iterable[Command]:
        if game.lesson is None:
            return
        words = (
            "Learn the game on a small deal, with a coach. Only you can see it."
            if game.info.is_solo
            else "Learn the game by playing against a tadpole, with a coach. Only you can see it."
        )

        @app_commands.command(description=words)
        async def learn(interaction: discord.Interaction) -> None:
            async with answering(interaction) as answer:
                await self._show(answer, game)

        yield learn

    async def row_in_rules(self, game: AnyGame, player_id: int, _match_id: str | None) -> Row | None:
        if game.lesson is None or await self._display.players.has_learned(player_id, game.info.key):
            return None
        learn = Learn(game.info.key).custom_id
        return row(Button(learn, _("Learn it by playing"), Tone.GOOD, emoji=COACH))

    @handles(Learn)
    async def begin(self, clicked: ClickContext, asked: Learn) -> None:
        game = self._display.tables.games.get(asked.game)
        if game is None or game.lesson is None:
            raise unknown_button()
        await self._show(clicked.answer, game)

    @action("look", in_private=True)
    async def update(self, clicked: ClickContext, table: Table) -> None:
        if not table.match.is_lesson:
            raise unknown_button()
        await clicked.show_changed(table.match.id, in_public=False)

    @action("whylesson", in_private=True)
    async def explain(self, clicked: ClickContext, table: Table) -> None:
        lesson, far, match = table.game.lesson, table.progress, table.match
        if lesson is None or far is None or match.host_id != clicked.player_id:
            raise unknown_button()
        words = _("You can leave the lesson any time. `/{command} learn` picks up where you left off.")
        view = table_view(table, PUPIL)
        text = "\n".join((*_explain_turn(view, lesson, far), f"-# {_lesson_words(view, words)}"))
        await clicked.answer.send_ephemeral(notice_content(text, row(rules_button(match.id))))

    @action("endlesson", in_private=True)
    async def end(self, clicked: ClickContext, table: Table) -> None:
        match = table.match
        if not match.is_lesson or match.host_id != clicked.player_id:
            raise TableError(not_seated(table))
        log.info("lesson ended", match=match.id, player=clicked.player_id)
        await self._display.tables.stop(match.id)
        await clicked.show_changed(match.id, in_public=False)

    @handles(PlayAfter)
    async def play(self, clicked: ClickContext, asked: PlayAfter) -> None:
        game = self._display.tables.games.get(asked.game)
        if game is None:
            raise unknown_button()
        if game.info.is_solo:
            table = await self._opening.deal_for(clicked.interaction, game, {})
        else:
            table = await self._open_first_match(clicked.interaction, game)
        await post_table(self._display, clicked.answer, table)

    async def _open_first_match(self, interaction: discord.Interaction, game: AnyGame) -> Table:
        info = game.info
        if interaction.guild_id is None or interaction.channel_id is None or is_guest(interaction):
            words = _("Tables are in server channels. Use `/{command} start frogs:2` in one of them.")
            raise TableError(words.format(command=info.command))
        await check_may_start(self._display, interaction)
        servers = self._display.database.servers
        turn = (await servers.get(interaction.guild_id)).turn_seconds if game.has_clock else 0
        computer_players = (Strength.FROGLET, Strength.FROGLET)
        opening = Opening(
            info.key, 1 + len(computer_players), options_of(info, {}), turn, computer_players
        )
        return await self._opening.open_table(interaction, opening, interaction.channel_id)

    async def _show(self, answer: Answer, game: AnyGame) -> None:
        interaction = answer.interaction
        await self._display.players.record_locale(interaction.user.id, str(interaction.locale))
        table = await self._begun(game, player_of(interaction.user))
        await open_panel(self._display, answer, table)
        self._display.refresh(table.match.id)  # the tadpole may have moved meanwhile

    async def _begun(self, game: AnyGame, pupil: Player) -> Table:
        info, lesson = game.info, game.lesson
        assert lesson is not None, "it is offered"
        options = {option.key: option.default for option in info.options}
        options |= {**lesson.options, HINTS: 0, LESSON: 1}
        match = new_match(info, None, NOWHERE, pupil, min(SEATS, info.most), options)
        place = f"lesson {info.key} player {pupil.id}"  # a key instead of a channel
        try:
            table = await self._display.tables.open(match, place, events.Dealt(lesson.seed))
        except TableTakenError as taken:
            return await self._display.tables.read(taken.match_id)
        log.info("lesson started", match=match.id, game=info.key, player=pupil.id)
        return table


async def setup(bot: Ribit) -> None:
    cog = Lessons(bot.display, bot.opening)
    await bot.add_feature(
        Feature(
            cog,
            of_game=cog.commands_of,
            in_rules=cog.row_in_rules,
            hand=lesson_content,
            starts=[StartButton(20, frozenset(Occasion), learn_button)],
        )
    )

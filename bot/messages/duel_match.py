"""Content of the short matches against one toad in daily duels and challenges, called boards."""

from __future__ import annotations

from bot.engine.translation import N_, _
from bot.matches.duels import DRAWN, LOST, WON, count_in, score_of, symbols
from bot.matches.match import Stage
from bot.messages.appearance import Appearance, story_text
from bot.messages.components import (
    GOLD,
    Button,
    Content,
    ScenePicture,
    Text,
    layout,
    notice_content,
    row,
)
from bot.messages.hand_message import hand_content
from bot.messages.table_view import TableView

SCORE_WORDS = {WON: N_("won"), DRAWN: N_("drawn"), LOST: N_("lost")}


def in_words(scores: str) -> str:
    return ", ".join(_(SCORE_WORDS[score]) for score in scores)


def board_content(
    table: TableView, path: tuple[str, ...], look: Appearance, explanation: str, go_on: Button
) -> Content:
    """Return the content of one match of a duel or challenge for its player.

    Args:
        table: The player's view of the board.
        path: The keys of the choices that the player has made so far.
        look: The custom emoji and colours.
        explanation: A text that is shown until the player's first move, or empty.
        go_on: The button that is shown when the board is finished.
    """
    seat = table.viewer
    if seat is None or table.view is None:
        return notice_content(_("I no longer know this table. Start a new one."))
    if not table.is_playing:
        return _finished_content(table, seat, look, go_on)
    content = hand_content(table, path, look=look)
    if not explanation or not table.is_new:
        return content
    first, *rest = content.parts
    return Content((first, Text(explanation), *rest), content.colour)


def _finished_content(table: TableView, seat: int, look: Appearance, go_on: Button) -> Content:
    match, game = table.match, table.game
    boards, number = count_in(game, match), match.type.board + 1
    words, score = table.words(), LOST
    if match.stage is Stage.FINISHED and table.outcome is not None:
        score = score_of(table.outcome.winners, seat)
    title = _("Board {n} of {all}: {result}").format(n=number, all=boards, result=_(SCORE_WORDS[score]))
    return layout(
        Text(look.replace_icons(f"### {symbols(score)} {title}\n{words.headline}")),
        ScenePicture(look.recolour(table.scene())),
        Text(story_text(words.story, look)),
        row(go_on),
        colour=GOLD,
    )

"""What a button carries: a custom_id says which match, as seen at which move, and which choice.

Nothing here is secret: a choice's key names a place, never a card that is not public.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from bot.engine.thinking import Strength
from bot.engine.values import frozen
from bot.sessions.click import Click
from bot.sessions.opening import Opening

_MATCH = r"(?P<match>[0-9a-z]{4,16})"
_MOVE = re.compile(
    rf"m:{_MATCH}:(?P<seen>\d{{1,6}}):(?P<where>[th]):(?P<path>\w{{0,20}}(\.\w{{1,20}}){{0,3}})"
)
_ACTION = re.compile(rf"a:{_MATCH}:(?P<action>[a-z]{{2,12}})")
_FROG = re.compile(rf"f:{_MATCH}(:(?P<seat>\d))?")
_ASK = re.compile(rf"q:{_MATCH}:(?P<question>[a-z]{{2,12}})")
_GO_BACK = re.compile(rf"w:{_MATCH}:(?P<moves>\d{{1,5}})")
_SHOW_HOW = re.compile(rf"l:{_MATCH}:(?P<moves>\d{{1,5}}):(?P<step>\d{{1,4}})(:[a-z]+)?")
_BOARD = re.compile(r"b:(?P<board>[a-z_]{2,24}):(?P<page>\d{1,5}):(back|on)")
_RULES = re.compile(r"r:(?P<game>[a-z_]{2,24}):(?P<page>\d{1,2})")
_THREAD = re.compile(
    rf"t:{_MATCH}:(?P<game>[a-z_]{{2,24}}):(?P<limit>\d{{1,2}}):(?P<turn>\d{{1,6}})"
    r":(?P<frogs>[0-2]{0,9}):(?P<options>([a-z]+=\d{1,4}(\.[a-z]+=\d{1,4})*)?)"
)
_LESSON = re.compile(r"l:(?P<game>[a-z_]{2,24})")
_CLOSE = re.compile(rf"c(:{_MATCH})?")
_SETTING = re.compile(r"s:(?P<setting>[a-z]{2,12})")

TABLE, HAND = "t", "h"
"""Where a choice is offered: on the public table, or with the player's hand."""


@frozen
class Action:
    """Something to do with a match that is not a move: join, leave, start, hand and so on."""

    match_id: str
    name: str


@frozen
class FrogPick:
    """What the host of a lobby picked: a strength, to add a frog, or the number of one to take away."""

    match_id: str
    pick: str


@frozen
class StandIn:
    """A frog is to play for a seat."""

    match_id: str
    seat: int


@frozen
class Ask:
    """Something that the player of a game for one asks, by the key of the question."""

    match_id: str
    question: str


@frozen
class GoBack:
    """A match that was given up is to go on from how it was after so many moves."""

    match_id: str
    moves: int


@frozen
class ShowHow:
    """How a match could have been won after so many moves: a step of that line, counted from 0."""

    match_id: str
    moves: int
    step: int


@frozen
class BoardPage:
    """A page of a leaderboard (a game's, or the day's), counted from 0."""

    board: str
    page: int


@frozen
class RulesPage:
    """A page of a game's rules, counted from 0."""

    game: str
    page: int


@frozen
class InThread:
    """A table is to be opened in a thread of its own: the id of its match to be, and what was chosen."""

    match_id: str
    opening: Opening


@frozen
class Learn:
    """A lesson in a game."""

    game: str


@frozen
class CloseOwn:
    """Somebody's own match is to be ended, from wherever they are; ``is_sure``: they were asked."""

    match_id: str
    is_sure: bool


@frozen
class SettingPick:
    """What somebody picked for a setting of the server."""

    setting: str
    values: tuple[str, ...]


Asked: TypeAlias = (
    Click
    | Action
    | FrogPick
    | StandIn
    | Ask
    | GoBack
    | ShowHow
    | BoardPage
    | RulesPage
    | InThread
    | Learn
    | CloseOwn
    | SettingPick
)
"""Whatever a button or a menu asks for."""


def move_id(match_id: str, seen: int, where: str, path: tuple[str, ...]) -> str:
    """Return the custom_id of a choice; for a menu the path without the choice's own key."""
    return f"m:{match_id}:{seen}:{where}:{'.'.join(path)}"


def action_id(match_id: str, name: str) -> str:
    """Return the custom_id of an action."""
    return f"a:{match_id}:{name}"


def frog_id(match_id: str, seat: int | None = None) -> str:
    """Return the custom_id of a lobby's menu of frogs, or of a frog that is to play for a seat."""
    return f"f:{match_id}" if seat is None else f"f:{match_id}:{seat}"


def ask_id(match_id: str, question: str) -> str:
    """Return the custom_id of a question."""
    return f"q:{match_id}:{question}"


def go_back_id(match_id: str, moves: int) -> str:
    """Return the custom_id of the way back to how a match was after so many moves."""
    return f"w:{match_id}:{moves}"


def show_how_id(match_id: str, moves: int, step: int, button: str) -> str:
    """Return the custom_id of a button, such as ``on``, that leads to a step of a winning line."""
    return f"l:{match_id}:{moves}:{step}:{button}"


def board_id(board: str, page: int, button: str) -> str:
    """Return the custom_id of the button, ``back`` or ``on``, that turns to a page of a board."""
    return f"b:{board}:{page}:{button}"


def rules_id(game: str, page: int) -> str:
    """Return the custom_id of the button that turns to a page of a game's rules."""
    return f"r:{game}:{page}"


def thread_id(asked: InThread) -> str:
    """Return the custom_id of the button that opens a table in a thread."""
    opening, strengths = asked.opening, tuple(Strength)
    frogs = "".join(str(strengths.index(frog)) for frog in opening.frogs)
    options = ".".join(f"{key}={value}" for key, value in opening.options.items())
    where = f"{opening.game}:{opening.limit}:{opening.turn_seconds}"
    return f"t:{asked.match_id}:{where}:{frogs}:{options}"


def _opening(found: re.Match[str]) -> Opening:
    strengths = tuple(Strength)
    options = (option.split("=") for option in filter(None, found["options"].split(".")))
    return Opening(
        game=found["game"],
        limit=int(found["limit"]),
        options={key: int(value) for key, value in options},
        turn_seconds=int(found["turn"]),
        frogs=tuple(strengths[int(digit)] for digit in found["frogs"]),
    )


def lesson_id(game: str) -> str:
    """Return the custom_id of the button that begins a lesson in a game, or goes on with it."""
    return f"l:{game}"


def close_id(match_id: str | None = None) -> str:
    """Return the custom_id of the menu of a host's own matches, or of the button that ends one."""
    return "c" if match_id is None else f"c:{match_id}"


def setting_id(setting: str) -> str:
    """Return the custom_id of the menu of a server's setting."""
    return f"s:{setting}"


def read_id(custom_id: str, values: list[str]) -> Asked | None:
    """Return what a custom_id, and the values picked where it is a menu, ask for.

    Returns None for anything that this bot does not send.
    """
    if found := _MOVE.fullmatch(custom_id):
        path = (*filter(None, found["path"].split(".")), *values)
        in_public = found["where"] == TABLE
        return Click(found["match"], int(found["seen"]), in_public, path) if path else None
    if found := _ACTION.fullmatch(custom_id):
        return Action(found["match"], found["action"])
    if found := _FROG.fullmatch(custom_id):
        if found["seat"] is not None:
            return StandIn(found["match"], int(found["seat"]))
        return FrogPick(found["match"], values[0]) if values else None
    if found := _ASK.fullmatch(custom_id):
        return Ask(found["match"], found["question"])
    if found := _GO_BACK.fullmatch(custom_id):
        return GoBack(found["match"], int(found["moves"]))
    if found := _SHOW_HOW.fullmatch(custom_id):
        return ShowHow(found["match"], int(found["moves"]), int(found["step"]))
    if found := _BOARD.fullmatch(custom_id):
        return BoardPage(found["board"], int(found["page"]))
    if found := _RULES.fullmatch(custom_id):
        return RulesPage(found["game"], int(found["page"]))
    if found := _THREAD.fullmatch(custom_id):
        return InThread(found["match"], _opening(found))
    if found := _LESSON.fullmatch(custom_id):
        return Learn(found["game"])
    if found := _CLOSE.fullmatch(custom_id):
        if found["match"] is not None:
            return CloseOwn(found["match"], is_sure=True)
        return CloseOwn(values[0], is_sure=False) if values else None
    if found := _SETTING.fullmatch(custom_id):
        return SettingPick(found["setting"], tuple(values))
    return None

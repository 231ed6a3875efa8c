"""The offer of a table in a thread of its own, where its channel has one already."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

from bot.engine.thinking import Strength
from bot.engine.values import frozen
from bot.engine.words import _
from bot.messages.components import Button, Content, notice_content, row
from bot.messages.custom_ids import GAME, MATCH, Control
from bot.sessions.lobby import Opening, new_match_id


@frozen
class InThread(Control):
    """A table is to be opened in a thread of its own: the id of its match to be, and what was chosen."""

    pattern = re.compile(
        rf"t:{MATCH}:{GAME}:(?P<limit>\d{{1,2}}):(?P<turn>\d{{1,6}})"
        r":(?P<frogs>[0-2]{0,9}):(?P<options>([a-z]+=\d{1,5}(\.[a-z]+=\d{1,5})*)?)"
    )
    kind = "thread"

    match_id: str
    opening: Opening

    @property
    def custom_id(self) -> str:
        """The custom_id."""
        opening, strengths = self.opening, tuple(Strength)
        frogs = "".join(str(strengths.index(frog)) for frog in opening.frogs)
        options = ".".join(f"{key}={value}" for key, value in opening.options.items())
        where = f"{opening.game}:{opening.limit}:{opening.turn_seconds}"
        return f"t:{self.match_id}:{where}:{frogs}:{options}"

    @classmethod
    def read(cls, found: re.Match[str], _values: Sequence[str]) -> Self | None:
        """Return what was offered."""
        strengths = tuple(Strength)
        options = (option.split("=") for option in filter(None, found["options"].split(".")))
        opening = Opening(
            game=found["game"],
            limit=int(found["limit"]),
            options={key: int(value) for key, value in options},
            turn_seconds=int(found["turn"]),
            frogs=tuple(strengths[int(digit)] for digit in found["frogs"]),
        )
        return cls(found["match_id"], opening)


def offer_content(sentence: str, opening: Opening) -> Content:
    """Return why a table was not opened in the channel, and the button that opens it in a thread."""
    asked = InThread(new_match_id(), opening)
    return notice_content(
        f"{sentence}\n" + _("You can open yours in a thread of its own."),
        row(Button(asked.custom_id, _("Open it in a thread"))),
    )

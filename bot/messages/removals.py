"""What is taken off a server's leaderboards: what can be chosen, and the question before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Self

from bot.engine.leaderboard import Kind
from bot.engine.match import Match
from bot.engine.names import inert
from bot.engine.panel import Tone
from bot.engine.values import frozen
from bot.engine.words import N_, _
from bot.messages.components import Button, Content, Menu, Option, Row, notice_content, row
from bot.messages.custom_ids import MATCH, Control
from bot.messages.player_names import written_names

_QUESTIONS = {
    Kind.MATCH: (
        N_("Take {what} off this server's leaderboards? It counts for nobody here then."),
        N_("{what} is off this server's leaderboards. Put it back?"),
    ),
    Kind.PLAYER: (
        N_("Take {what} off this server's leaderboards, with all they play here? Others' results stay."),
        N_("{what} is off this server's leaderboards. Put them back, with all they have played here?"),
    ),
    Kind.NAME: (
        N_("Take the name of {what} off this server's leaderboards? Their place stays, without a name."),
        N_("The name of {what} is off this server's leaderboards. Put it back?"),
    ),
}
"""What is asked before something is taken off, and where it is off already."""


@frozen
class Correction(Control):
    """Something that is to be taken off, or put back."""

    pattern = re.compile(
        r"o:(?P<act>off|back):(?P<what>match|(?:player|name)(?=:[0-8]?\d{1,18}$)):(?P<subject>[0-9a-z]+)"
    )
    kind = "correction"

    act: str
    what: str
    subject: str


@frozen
class MatchPick(Control):
    """A match that somebody picked to be asked about."""

    pattern = re.compile(r"o:pick")
    kind = "match to correct"

    match_id: str

    @classmethod
    def read(cls, _found: re.Match[str], values: Sequence[str]) -> Self | None:
        """Return what was picked."""
        return cls(values[0]) if values and re.fullmatch(MATCH, values[0]) else None


def matches_content(matches: Sequence[Match], names: dict[str, str]) -> Content:
    """Return a player's matches to pick one from; ``names`` are the games' by their keys."""
    if not matches:
        return notice_content(_("They have not finished any match here."))
    options = tuple(
        Option(
            f"{names.get(match.game, match.game)}: {', '.join(written_names(match.players))}"[:100],
            match.id,
            datetime.fromtimestamp(match.ended_at or 0, UTC).strftime("%Y-%m-%d %H:%M UTC"),
        )
        for match in matches
    )
    prompt = _("Which match?")
    return notice_content(prompt, Row((Menu("o:pick", prompt, options),)))


def question_content(kind: Kind, subject: str, what: str, *, is_off: bool) -> Content:
    """Return the question before something is taken off, or put back where it ``is_off``."""
    words = _(_QUESTIONS[kind][is_off]).format(what=what)
    custom_id = f"o:{'back' if is_off else 'off'}:{kind.value}:{subject}"
    label = _("Put it back") if is_off else _("Take it off")
    return notice_content(words, row(Button(custom_id, label, Tone.GOOD if is_off else Tone.DANGER)))


def match_words(match: Match, game: str) -> str:
    """Return a match as it is asked about."""
    return f"**{inert(game)}** ({', '.join(map(inert, written_names(match.players)))})"


def done_content(*, is_back: bool) -> Content:
    """Return what is said when it is done."""
    if is_back:
        return notice_content(_("Done: it is on this server's leaderboards again."))
    return notice_content(_("Done: it is off this server's leaderboards. `/correct` can put it back."))

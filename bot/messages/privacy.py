"""What ``/privacy`` says: what is kept of who asks, how to get it and to have it forgotten.

Where the host's whole policy is stands there, too.
"""

from __future__ import annotations

import re
from enum import Enum

from bot.engine.panel import Tone
from bot.engine.values import frozen
from bot.engine.words import _
from bot.messages.components import Button, Content, File, Separator, Text, layout, notice_content, row
from bot.messages.custom_ids import Control

FILE = "ribit-data.json"


class Step(Enum):
    """What a button of it asks for; the last of each is the answer to a question."""

    DOWNLOAD = "download"
    ME = "me"
    ME_SURELY = "mesure"
    SERVER = "server"
    SERVER_SURELY = "serversure"


@frozen
class PrivacyStep(Control):
    """Something that is asked of what is kept."""

    pattern = re.compile(rf"y:(?P<step>{'|'.join(step.value for step in Step)})")
    kind = "privacy"

    step: str


def _button(step: Step, label: str, tone: Tone = Tone.PLAIN) -> Button:
    return Button(f"y:{step.value}", label, tone)


def privacy_content(policy: str | None, *, manages: bool) -> Content:
    """Return in words what is kept of a player; ``policy`` is the address of the host's, or None.

    Who ``manages`` a server can have that forgotten, too.
    """
    kept = "\n".join(
        (
            _("### 🔒 What I keep of you"),
            _(
                "- **You:** your Discord id, your language, whether I can send you DMs, and "
                "what you set."
            ),
            _(
                "- **Your matches:** where they were, who sat at the table, by id and name, and each "
                "move and its time. Of those that have ended, who won."
            ),
            _(
                "- **What I count from them:** leaderboards, `/profile`, your wins of deals of the day. "
                "Which lessons you have finished, and whether you solved the puzzles of days, too."
            ),
            _(
                "- **In servers you manage:** what you set there, and whom you barred or took "
                "off a board."
            ),
        )
    )
    rest = _(
        "I read no messages and ask Discord for no list of members. Your cards are for you alone. I "
        "keep this for as long as I am hosted, or until you have me forget you; nobody but Discord is "
        "given it."
    )
    host = (
        _("[The whole privacy policy]({address}) says more, and whom to ask to have it deleted.").format(
            address=policy
        )
        if policy
        else _("Who hosts me has put no privacy policy here. Ask them, or who added me to the server.")
    )
    buttons = [_button(Step.DOWNLOAD, _("Download")), _button(Step.ME, _("Forget me"), Tone.DANGER)]
    if manages:
        buttons.append(_button(Step.SERVER, _("Forget this server's matches"), Tone.DANGER))
    return layout(Text(kept), Separator(), Text(f"{rest}\n{host}"), row(*buttons))


def download_content(name: str, data: bytes) -> Content:
    """Return the file of what is kept of a player."""
    return layout(
        Text(_("This is what I keep of you. Nobody else sees this message.")), File(name, data)
    )


def forget_me_content() -> Content:
    """Return the question before somebody is forgotten."""
    words = _(
        "Forget you? I take your id and name out of everything, and nobody can undo that. You give up "
        "your seats at tables; your settings, lessons, streaks and places on leaderboards are yours no "
        "more. What others have played with you stays as it is, with somebody nameless in your place.\n"
        "A server that has barred you, or taken you off its leaderboards, goes on knowing your id. "
        "Deals of today, and how often you met whom, stay counted until tomorrow is over. Messages that "
        "Discord has stay there. If you play again, you are new here."
    )
    return notice_content(words, row(_button(Step.ME_SURELY, _("Forget me"), Tone.DANGER)))


def forget_server_content() -> Content:
    """Return the question before what was played in a server is forgotten."""
    words = _(
        "Forget what was played in this server? Its tables are closed, its leaderboards and boards of "
        "the day are empty then, and no match says any more that it was here; nobody can undo that. The "
        "matches stay with those who played them: each can have themselves forgotten. Settings stay."
    )
    return notice_content(
        words, row(_button(Step.SERVER_SURELY, _("Forget this server's matches"), Tone.DANGER))
    )

"""What ``/privacy`` says: what is kept of who asks, and where the host's whole policy is."""

from __future__ import annotations

from bot.engine.words import _
from bot.messages.components import Content, Separator, Text, layout


def privacy_content(policy: str | None) -> Content:
    """Return in words what is kept of a player; ``policy`` is the address of the host's, or None."""
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
                "Which lessons you have finished, too."
            ),
            _(
                "- **In servers you manage:** what you set there, and whom you barred or took "
                "off a board."
            ),
        )
    )
    rest = _(
        "I read no messages and ask Discord for no list of members. Your cards are for you alone. I "
        "keep this for as long as I am hosted; nobody but Discord is given it."
    )
    host = (
        _("[The whole privacy policy]({address}) says more, and whom to ask to have it deleted.").format(
            address=policy
        )
        if policy
        else _("Who hosts me has put no privacy policy here. Ask them, or who added me to the server.")
    )
    return layout(Text(kept), Separator(), Text(f"{rest}\n{host}"))

"""What a check found."""

from __future__ import annotations

from bot.engine.values import frozen

MEND = "Install Ribit anew: pip install -e . where you run it from its folder, else pip install . there."


@frozen
class Finding:
    """Whether something is well, and a sentence; where it is not, the sentence says what to do."""

    is_well: bool
    sentence: str

    def __str__(self) -> str:
        return f"{'ok' if self.is_well else 'problem':<8} {self.sentence}"


def well(sentence: str) -> Finding:
    """Return that something is as it should be."""
    return Finding(True, sentence)  # noqa: FBT003 — named by the function


def problem(sentence: str) -> Finding:
    """Return that something would keep the bot from working."""
    return Finding(False, sentence)  # noqa: FBT003 — named by the function

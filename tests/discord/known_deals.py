"""Winnable solitaire deals with their solutions, for tests that are not about the search for deals.

``tests/games/american_toad/test_deals.py`` checks the solutions.
"""

from __future__ import annotations

WINNING_LINES = {
    640811634: (
        "turn on, up; waste to 8; turn on, up; 8 to 1 x2; turn on, up; waste to 6; turn on, up; "
        "waste to 4; turn on, up; waste to 4; turn on, up; waste to 4; turn on, up; waste to 3; "
        "turn on, up; waste to 6; 5 to 3 x1; turn on, up; waste to 3; turn on, up; waste to 1; "
        "turn on, up; waste to 5; 2 to 3 x1; 4 to 2 x1; 7 to 2 x1; turn on, up; redeal; turn "
        "on, up; waste to 6; waste to 7; turn on, up; waste to 3; turn on, up; waste to 5; "
        "waste to 1; waste to 2; waste to 3; waste to 4; waste to 6; waste to 7; waste to 8; "
        "turn on, up; waste to 2; turn on, up; turn on, up; waste to 4; waste to 3; turn on, up"
    ),
    266050616: (
        "turn on, up; waste to 6; turn on, up; waste to 4; turn on, up; waste to 4; turn on, "
        "up; waste to 3; turn on, up; waste to 5; turn on, up; waste to 3; turn on, up; waste "
        "to 4; turn on, up; turn on, up; waste to 1; 8 to 7 x1; turn on, up; waste to 8; turn "
        "on, up; waste to 8; turn on, up; waste to 5; turn on, up; waste to 6; turn on, up; "
        "redeal; turn on, up; turn on, up; turn on, up; turn on, up; waste to 7; turn on, up; "
        "waste to 2; 4 to 5 x1; turn on, up; waste to 1; waste to 2; waste to 3; waste to 4; "
        "all up; waste to 5; waste to 6; waste to 3; waste to 5; waste to 4; all up; waste to "
        "7; all up; waste to 2; waste to 1; waste to 8; all up"
    ),
    630643020: (
        "8 to 6 x1; turn on, up; 1 to 4 x1; turn on, up; waste to 6; 1 to 3 x1; 5 to 6 x1; 5 to "
        "1 x1; waste to 5; waste to 5; turn on, up; waste to 3; turn on, up; turn on, up; 4 to "
        "8 x1; 2 to 4 x1; 4 to 5 x2; all up; 8 to 6 x2; turn on, up; waste to 3; turn on, up; 6 "
        "to 3 x3; 8 to 4 x1; waste to 1; waste to 2; waste to 6; redeal; turn on, up; waste to "
        "5; waste to 7; turn on, up; waste to 6; turn on, up; turn on, up; waste to 5; waste to "
        "1; waste to 2; all up; waste to 4; waste to 4; waste to 7; all up; waste to 2; waste "
        "to 8; turn on, up; waste to 1; turn on, up; waste to 3; waste to 5; waste to 6; all "
        "up; waste to 2; all up"
    ),
    701792197: (
        "turn on, up; turn on, up; waste to 3; 1 to 4 x1; 1 to 8 x1; turn on, up; turn on, up; "
        "turn on, up; waste to 1; 1 to 7 x2; waste to 1; 1 to 7 x2; 5 to 4 x1; 8 to 5 x2; waste "
        "to 8; turn on, up; waste to 4; turn on, up; waste to 6; 5 to 6 x3; turn on, up; waste "
        "to 7; turn on, up; waste to 8; turn on, up; waste to 8; turn on, up; turn on, up; turn "
        "on, up; turn on, up; waste to 3; waste to 7; 1 to 2 x1; waste to 1; redeal; turn on, "
        "up; waste to 5; turn on, up; waste to 1; waste to 2; turn on, up; waste to 5; waste to "
        "1; waste to 2; waste to 3; waste to 1; waste to 4; waste to 6; waste to 7; waste to 6; "
        "waste to 8; waste to 1; waste to 3; turn on, up; waste to 8; waste to 6; turn on, up"
    ),
    416160660: (
        "turn on, up; waste to 6; turn on, up; waste to 4; turn on, up; waste to 7; turn on, "
        "up; waste to 3; 3 to 8 x2; turn on, up; waste to 5; 3 to 8 x1; 5 to 2 x2; 1 to 5 x1; 1 "
        "to 6 x1; 7 to 8 x2; turn on, up; turn on, up; turn on, up; waste to 3; turn on, up; "
        "waste to 8; turn on, up; waste to 1; turn on, up; 6 to 7 x3; turn on, up; waste to 8; "
        "6 to 4 x1; waste to 2; waste to 6; turn on, up; turn on, up; turn on, up; redeal; turn "
        "on, up; waste to 5; turn on, up; turn on, up; waste to 6; turn on, up; waste to 7; "
        "turn on, up; waste to 8; waste to 1; waste to 2; waste to 3; waste to 4; waste to 6; "
        "turn on, up; waste to 8; waste to 2; all up; waste to 1; waste to 4; waste to 5; waste "
        "to 5; waste to 4; turn on, up"
    ),
    25: (
        "turn on, up; waste to 3; turn on, up; waste to 8; 3 to 1 x2; turn on, up; turn on, up; "
        "turn on, up; waste to 7; 5 to 7 x1; 7 to 8 x3; turn on, up; redeal; turn on, up; waste "
        "to 3; waste to 3; waste to 5; turn on, up; waste to 8; turn on, up; waste to 5; turn "
        "on, up; waste to 5; waste to 1; waste to 2; waste to 3; waste to 3; all up; waste to 5; "
        "turn on, up; waste to 1; all up; waste to 4; waste to 1; waste to 5; waste to 4; all up"
    ),
}
"""The moves of the shortest solution that the solver has found, by deal number."""

dealt: dict[int, int] | None = None
"""Deal numbers that the test has used, by the number with which the bot's search would start.

None in a test that searches for deals.
"""


def winning_line(number: int) -> list[str]:
    """Return the moves that win a known deal."""
    return WINNING_LINES[number].split("; ")


def known_deal_options(lot: int, dealt: dict[int, int]) -> dict[str, int]:
    """Return the options of a known deal: its number and its par in moves.

    A search that starts with the same ``lot`` gets the same deal again. Otherwise, the next known deal
    is used.
    """
    number = dealt.setdefault(lot, list(WINNING_LINES)[len(dealt) % len(WINNING_LINES)])
    return {"deal": number, "par": len(winning_line(number))}

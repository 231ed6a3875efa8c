"""Texts about time limits, for command options, lobbies and turns in progress."""

from __future__ import annotations

from bot.engine.translation import _, ngettext
from bot.matches.match import Match
from bot.matches.server_settings import LONGEST_TURN, SHORTEST_TURN
from bot.messages.table_view import TableView
from bot.sessions.turn_clock import REST_SECONDS

_MINUTE, _HOUR, _DAY = 60, 60 * 60, 24 * 60 * 60

TURN_LIMITS = {
    0: "no limit",
    SHORTEST_TURN: "1 minute",
    5 * _MINUTE: "5 minutes",
    15 * _MINUTE: "15 minutes",
    _HOUR: "1 hour",
    6 * _HOUR: "6 hours",
    _DAY: "1 day",
    LONGEST_TURN: "3 days",
}
"""Time limits per turn in seconds, with their names in the slash command."""

BANKS = {0: "none", 10 * _MINUTE: "10 minutes", _HOUR: "1 hour", _DAY: "1 day"}
"""Time banks in seconds, with their names in the slash command.

A time bank is extra time that each player has for the whole match, in addition to the time per turn.
"""


def limit_words(seconds: int) -> str:
    if not seconds:
        return _("no time limit")
    if seconds % _DAY == 0:
        n = seconds // _DAY
        return ngettext("{n} day per turn", "{n} days per turn", n).format(n=n)
    if seconds % _HOUR == 0:
        n = seconds // _HOUR
        return ngettext("{n} hour per turn", "{n} hours per turn", n).format(n=n)
    n = seconds // _MINUTE
    return ngettext("{n} minute per turn", "{n} minutes per turn", n).format(n=n)


def bank_words(seconds: int) -> str:
    if not seconds:
        return ""
    if seconds % _HOUR == 0:
        n = seconds // _HOUR
        return ngettext("time bank of {n} hour", "time bank of {n} hours", n).format(n=n)
    n = max(1, seconds // _MINUTE)
    return ngettext("time bank of {n} minute", "time bank of {n} minutes", n).format(n=n)


RELATIVE_SECONDS = 6 * _HOUR


def when(at: int, within: int = 0) -> str:
    """Return a time in Discord's timestamp format, relative or as date and time.

    It is relative if the time is at most six hours ahead. Otherwise, it consists of date and time,
    because Discord rounds long relative times, for example to "tomorrow" or "in 24 hours".

    Args:
        at: The Unix time.
        within: The maximum number of seconds from the message to ``at``.
    """
    return f"<t:{at}:{'R' if within <= RELATIVE_SECONDS else 'f'}>"


def turn_end(match: Match) -> str:
    """Return the time at which a match's current turn ends, in Discord's timestamp format."""
    return when(match.turn_ends_at or 0, match.turn_seconds + match.type.bank)


def clock_lines(table: TableView) -> list[str]:
    """Return lines of text about a turn's time limit, pauses and inactive players."""
    viewer, names, away = table.viewer, table.names, table.inactive_seats
    ends_at = table.match.turn_ends_at
    if table.rests and table.closes_at is not None:
        words = _(
            "💤 Everybody is away, so the table is paused. Press **Wake** to play on. Otherwise, "
            "it closes {when}."
        )
        return [words.format(when=when(table.closes_at, REST_SECONDS))]
    lines = []
    if table.pauses and table.match.wakes_at is not None:
        lines.append(_("⏱️ The next round starts {when}.").format(when=when(table.match.wakes_at)))
    if table.shows_standing:
        words = _(
            "⏸️ The clock is stopped, because nobody can play at this table right now. Nobody loses time."
        )
        lines.append(words)
    elif ends_at is not None and table.to_move not in away and table.computer is None:
        if viewer is None or viewer != table.to_move:
            lines.append(_("⏳ The turn ends {when}.").format(when=turn_end(table.match)))
        else:
            bank = bank_words(table.match.players[viewer].bank)
            line = _("⏳ Your turn ends {when}.").format(when=turn_end(table.match))
            lines.append(f"{line} ({bank})" if bank else line)
    if table.is_left_to_computer_players:
        return lines  # the match ends in a moment, so no player can take a seat back
    stood_in = [seat for seat in away if seat in table.match.computer_seats]
    away = tuple(seat for seat in away if seat not in stood_in)
    if viewer in stood_in:
        lines.append(_("🐸 A frog is playing for you. Press **Join** to take your seat back."))
    elif viewer is None and stood_in:
        words = _("{names}: a frog is playing for you. Press **Join** to take your seat back.")
        lines.append(words.format(names=", ".join(names[seat] for seat in stood_in)))
    if viewer in away:
        line = _("💤 You're away, so I pass your turns. Press **Join** to come back.")
        silent = _("💤 You're away, so a frog may take over. Press **Join** to come back.")
        lines.append(line if table.match.turn_seconds else silent)
    elif viewer is None and away:
        away_names = ", ".join(names[seat] for seat in away)
        if table.match.turn_seconds:
            words = _("💤 Away: {names}. I pass their turns. Press **Join** to come back.")
            lines.append(words.format(names=away_names))
        elif table.closable_at is not None:
            words = _(
                "💤 Away: {names}. Press **Join** to come back. The others can let a frog play. "
                "From {when}, they can close the match with `/{game} stop`."
            )
            at = when(table.closable_at, _DAY)
            lines.append(words.format(names=away_names, game=table.game.info.command, when=at))
    return lines

"""Content of a lobby, the message in which players take seats before a match starts."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.game import GameOption
from bot.engine.panel import Tone
from bot.engine.scene import FROG
from bot.engine.translation import _, ngettext
from bot.matches.leaderboard_rules import MOST_WINS, MOST_WINS_OVER
from bot.matches.match import Match, Player
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.button_rows import ButtonPlace, feature_buttons, rules_button
from bot.messages.components import Button, Content, Separator, Text, fine_print, layout, row
from bot.messages.computer_player_controls import computer_player_rows, plain_name_of
from bot.messages.custom_ids import action_id
from bot.messages.deal_calendar import commitment_line
from bot.messages.table_view import AIM, TableView
from bot.messages.time_limits import bank_words, limit_words
from bot.sessions.lobby import KEPT_SECONDS, bank_of, host_absent_at, kept_seats


def lobby_content(
    table: TableView, look: Appearance = PLAIN, capped_players: Sequence[Player] = ()
) -> Content:
    match, info = table.match, table.game.info
    option_words = (
        _option_words(option, match.options.get(option.key, option.default)) for option in info.options
    )
    times = (limit_words(match.turn_seconds), bank_words(bank_of(match)))
    options = ", ".join(filter(None, (*option_words, *times, _hint_words(match))))
    hosts = _(" — host")
    seats = "\n".join(
        f"{number}. {plain_name_of(player)}{hosts if player.id == match.host_id else ''}"
        for number, player in enumerate(match.players, 1)
    )
    free = match.limit - len(match.players)
    room = ngettext("{n} free seat", "{n} free seats", free).format(n=free) if free else _("table full")
    missing = info.fewest - len(match.players)
    ready = (
        ngettext("{n} more player is needed.", "{n} more players are needed.", missing).format(n=missing)
        if missing > 0
        else _("Ready: the host can start.")
    )
    away = match.roster.removed  # *Start* stays enabled, so that a click tells the host why it fails
    below = (*_until(match), *_limit_lines(capped_players))
    return layout(
        Text(look.replace_icons(f"## {FROG} {info.name}\n{AIM} {_(info.aim)}")),
        Separator(),
        Text(look.replace_icons("\n-# ".join((seats, " · ".join((room, options, ready)), *below)))),
        row(
            Button(action_id(match.id, "join"), _("Join"), Tone.GOOD, disabled=not free),
            Button(action_id(match.id, "leave"), _("Leave")),
            Button(
                action_id(match.id, "start"), _("Start"), Tone.MAIN, disabled=missing > 0 and not away
            ),
            rules_button(match.id),
            *feature_buttons(ButtonPlace.LOBBY, table),
        ),
        *computer_player_rows(match, table.game, look),
        *commitment_parts(match),
    )


def commitment_parts(match: Match) -> tuple[Text, ...]:
    """Return the small print with a match's commitment, which lets players verify the shuffle.

    It is shown below the buttons.
    """
    return fine_print(commitment_line(match))


def _hint_words(match: Match) -> str:
    if not match.allows_hints:
        return _("no hints")
    return "" if match.type.hints is None else _("hints allowed")


def _until(match: Match) -> list[str]:
    waited = [f"<@{player_id}>" for player_id in kept_seats(match, match.opened_at or 0)]
    words = []
    if waited and len(match.players) < match.limit:
        until = f"<t:{(match.opened_at or 0) + KEPT_SECONDS}:t>"
        template = _("Seats for {names} are kept until {when}.")
        words.append(template.format(when=until, names=", ".join(waited)))
    if match.people[1:]:
        template = _("Anybody here can start from {when}.")
        words.append(template.format(when=f"<t:{host_absent_at(match)}:t>"))
    if away := len(match.roster.removed):
        template = ngettext("{n} player was removed.", "{n} players were removed.", away)
        words.append(template.format(n=away))
    return words


def _limit_lines(capped_players: Sequence[Player]) -> list[str]:
    if not capped_players:
        return []
    words = _(
        "A win for {names} only counts on this server's leaderboard. Elsewhere, only {n} wins a "
        "day over the same player count, and {most} in total."
    )
    names = ", ".join(map(plain_name_of, capped_players))
    return [words.format(names=names, n=MOST_WINS_OVER, most=MOST_WINS)]


def _option_words(option: GameOption, value: int) -> str:
    if option.is_yes_or_no:
        return _(option.one if value else option.many)
    return ngettext(option.one, option.many, value).format(n=value)

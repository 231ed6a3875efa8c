"""Content about the end of a match: results and rematch buttons."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

from bot.engine.frozen import frozen
from bot.engine.game import Words
from bot.engine.opponent import Strength
from bot.engine.panel import HINT, Tone
from bot.engine.scene import FROG
from bot.engine.spoken_cards import join_words
from bot.engine.translation import N_, _, ngettext
from bot.matches.leaderboard_rules import (
    FREE_HELP,
    MOST_WINS,
    MOST_WINS_OVER,
    Ending,
    Uncounted,
    stronger,
)
from bot.messages.appearance import Appearance
from bot.messages.button_rows import ButtonPlace, feature_buttons, with_last
from bot.messages.components import (
    Button,
    Row,
)
from bot.messages.computer_player_controls import plain_name_of
from bot.messages.custom_ids import Ask, action_id
from bot.messages.deal_calendar import duration, number_line
from bot.messages.table_view import TableView
from bot.sessions.table_state import MOST_SOLO_MOVES

NOTHING_STORED = Ending()
_SIGNS = ("🥇", "🥈", "🥉", "4️⃣", "5️⃣", "6️⃣")
"""Icons of the ranks, from the first."""


@frozen
class EndLines:
    """Additional lines that a feature shows below a finished match.

    Attributes:
        order: The position of these lines, lowest first. The position of the line about the match's
            duration is ``TOOK``.
        lines: Returns the lines for a table and its stored ending.
        is_shared: True if a post with which a player shares the match also shows the lines.
    """

    order: int
    lines: Callable[[TableView, Ending], Awaitable[Iterable[str]]]
    is_shared: bool = False


TOOK = 20


def end_lines(
    table: TableView, points: Words, ending: Ending, feature_lines: Sequence[tuple[int, str]], today: int
) -> Iterator[str]:
    """Yield the lines of text below a finished match.

    Args:
        table: The table.
        points: The game's description of the match, with its turning points.
        ending: The stored ending of the match.
        feature_lines: The features' lines, each with its order.
        today: The current day, such as 20261121.
    """
    yield from uncounted_lines(table, ending.why)
    if table.is_solo and table.left and table.n > MOST_SOLO_MOVES:
        why = _(
            "A deal has at most {n} moves, including undos, hints and peeks. You've used them "
            "all, so this deal counts as given up."
        )
        yield why.format(n=MOST_SOLO_MOVES)
    if not table.is_solo:
        yield from _standings(table, ending)
        names = [plain_name_of(table.match.players[seat]) for seat in table.substituted]
        if names:
            words = ngettext(
                "A frog finished for {names}, so it's not {names}'s win.",
                "A frog finished for {names}, so it's not a win for them.",
                len(names),
            )
            yield f"{FROG} {words.format(names=join_words(names))}"
    yield from point_lines(points)
    yield from (line for order, line in feature_lines if order < TOOK)
    if table.match.seconds is not None:
        took = _("It took {time}.").format(time=duration(table.match.seconds))
        parts = (took, number_line(table.match, today))
        yield "-# " + " ".join(filter(None, parts))
    yield from (line for order, line in feature_lines if order > TOOK)


def point_lines(words: Words) -> list[str]:
    return [f"🔸 {point}" for point in words.turning_points]


_STEP_UP = {Strength.FROGLET: N_("Now froglets"), Strength.TOAD: N_("Now toads")}


def rematch_rows(table: TableView, look: Appearance, ending: Ending = NOTHING_STORED) -> list[Row]:
    match_id, frog = table.match.id, look.emoji(FROG)
    if table.is_solo:
        own = [
            Button(action_id(match_id, "new"), _("New deal"), Tone.GOOD, emoji=frog),
            Button(action_id(match_id, "same"), _("Same deal again (practice)")),
            *questions(table),
        ]
    elif table.match.is_private:
        own = []
    else:
        own = [Button(action_id(match_id, "rematch"), _("Rematch"), Tone.GOOD, emoji=frog)]
        if (strength := stronger(table.match.players, ending.facts)) is not None:
            own.append(Button(action_id(match_id, "stepup"), _(_STEP_UP[strength]), Tone.GOOD))
    return with_last([], *own, *feature_buttons(ButtonPlace.END, table))


def questions(table: TableView) -> list[Button]:
    return [
        Button(Ask(table.match.id, question.key).custom_id, _(question.label))
        for question in table.game.questions
        if question.fits(table.view)
    ]


def _standings(table: TableView, ending: Ending) -> Iterator[str]:
    """Yield a line with the result of each seat, best first.

    If the game has no ranks, winners come first.
    """
    players, places = table.match.players, table.places
    winners = table.outcome.winners if table.outcome else ()
    order = places or [seat not in winners for seat in range(len(players))]
    for seat in sorted(range(len(players)), key=order.__getitem__):
        tally = {} if seat in table.substituted else table.tally[seat]
        figures = [
            f"{_(figure.name)} {tally[figure.key]}"
            for figure in table.game.info.figures
            if figure.is_on_boards and tally.get(figure.key)
        ]
        if used := ending.hints.get(seat, 0):
            figures.append(f"{HINT} " + ngettext("{n} hint used", "{n} hints used", used).format(n=used))
        if seat in table.left:
            figures.append(_("gave up"))
        sign = _SIGNS[places[seat] - 1] if places else "▫️"
        yield " · ".join((f"{sign} {plain_name_of(players[seat])}", *figures))


def from_the_middle() -> str:
    return _(
        "This picks up from the middle of another match, so it doesn't count on any leaderboard "
        "or profile."
    )


def uncounted_lines(table: TableView, why: Uncounted | None) -> tuple[str, ...]:
    """Return a line that explains why a match does not count on some or all leaderboards.

    If the match counts, return no line.
    """
    match why:
        case Uncounted.AGAIN if not table.is_solo:
            words = from_the_middle()
        # If the match never counted, its messages have said so since it began.
        case Uncounted.AGAIN if table.match.counts:
            words = _("You've had this deal before, so it doesn't count on any leaderboard or profile.")
        case Uncounted.UNPLAYED:
            words = _("This match doesn't count on any leaderboard, because no loser played to the end.")
        case Uncounted.HELPED:
            words = _(
                "🛟 Won with help. To get a trophy, a place, badges and streaks, use at most {n} "
                "hints and peeks."
            ).format(n=FREE_HELP)
        case Uncounted.OFTEN:
            words = _(
                "This match only counts on this server's leaderboard. Elsewhere, only {n} wins a "
                "day over the same player count, and {most} in total."
            ).format(n=MOST_WINS_OVER, most=MOST_WINS)
        case _:
            return ()
    return (f"-# {words}",)

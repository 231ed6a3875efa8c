"""Content of messages about daily duels: boards, a day's results, and shared results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.panel import Tone
from bot.engine.scene import Chart, Scene
from bot.engine.translation import _, ngettext
from bot.matches.commitment import SHORT
from bot.matches.duels import (
    DRAWN,
    FIELD,
    LOST,
    WON,
    count_in,
    duel_of,
    symbols,
)
from bot.matches.leaderboard_rules import DAY_SECONDS, LeaderboardRow
from bot.messages import duel_match
from bot.messages.appearance import PLAIN, Appearance
from bot.messages.components import (
    GOLD,
    Button,
    Content,
    Part,
    ScenePicture,
    Text,
    fine_print,
    layout,
    row,
)
from bot.messages.custom_ids import PlainControl, action_id
from bot.messages.deal_calendar import as_date, counts_until
from bot.messages.duel_match import in_words
from bot.messages.player_names import drawn_names
from bot.messages.table_view import TableView
from bot.messages.time_limits import when

_WIDTH, _MARGIN = 7.4, 0.15

MOST_IN_ROW = 5
"""Maximum number of board buttons in a row.

With eight boards, the results of a past day have 40 components, the most that Discord allows.
"""


@frozen
class PlayDuels(PlainControl):
    """A button that shows the user's next match of a day's duels.

    After the last one, it shows the results.

    If the user never began that day's duels, it shows the current ones instead.
    """

    kind = "play duels"
    form = "du:{0.game}:{0.day}"

    game: str
    day: int


@frozen
class PractiseDuel(PlainControl):
    """A button that opens a practice match with the cards of a past duel.

    The result does not count. ``number`` is the duel's number in its day, from 0.
    """

    kind = "practise a duel"
    form = "dq:{0.game}:{0.day}:{0.number}"

    game: str
    day: int
    number: int


@frozen
class ShareDuels(PlainControl):
    """A button that posts the user's own result of a day's duels in the channel."""

    kind = "share duels"
    form = "ds:{0.game}:{0.day}"

    game: str
    day: int


def _points(scores: str) -> list[str]:
    """Return the score of each duel as a number. The picture's font has no symbols for win and loss."""
    return [{WON: "1", DRAWN: "½", LOST: "0"}[score] for score in scores]


def percent(points: int) -> str:
    return _("{n}%").format(n=(points + 50) // 100)


def explanation(game: AnyGame) -> str:
    """Return the text that explains daily duels. Players see it in their first match of the day."""
    duel = duel_of(game)
    words = _(
        "{n} boards against the strongest frog ({limits}). Everybody gets the same cards. One try "
        "counts. Your score is the percentage of other tries that did worse."
    )
    return words.format(n=duel.boards, limits=_(duel.limits))


def board_content(
    table: TableView, path: tuple[str, ...] = (), look: Appearance = PLAIN
) -> Content | None:
    """Return the content of one match of a daily duel. Return None for any other match."""
    match, match_type = table.match, table.match.type
    if not match_type.is_duel or not match_type.duel or match_type.challenge:
        return None
    is_last = match_type.board + 1 == count_in(table.game, match)
    label = _("See how the day went") if is_last else _("Next board")
    go_on = Button(PlayDuels(match.game, match_type.duel).custom_id, label, Tone.GOOD)
    explanation_line = "" if match_type.board else f"-# {explanation(table.game)}"
    return duel_match.board_content(table, path, look, explanation_line, go_on)


@frozen
class DuelResults:
    """A player's results for one day's duels. The player has finished all of them.

    A percentage compares the player with the field, which is all tries at the same boards. Computer
    players fill the field while few people have played.

    Attributes:
        game: The game.
        day: The day, such as 20261121.
        own: The player's scores, one character per board.
        points: The player's percentage times 100.
        boards: The player's percentage times 100 for each board.
        here: The server's best players, best first, each with scores and percentage times 100.
        rank_here: The player's rank in the server and the number of players there. None if the player
            was taken off the server's boards, or outside the server where the try began.
        rank: The player's rank in all servers and the number of players.
        toad: The scores of a toad, the strongest computer player. Empty until they have been computed.
        computers: The number of computer players in the field.
        streak: The length in days of the player's current streak.
        is_final: True if the day no longer counts, so the results can no longer change.
        matches: The IDs of the player's matches, by board.
        best: Buttons that show the server's best match at each board. Empty until the results are final,
            and outside the server where the try began.
        earlier: The latest day with final results, to link to them. 0 if the player did not finish that
            day or if the shown results are final.
        tomorrow: The commitment to the next day's boards.
    """

    game: AnyGame
    day: int
    own: str
    points: int
    boards: Sequence[int]
    here: Sequence[tuple[LeaderboardRow, str, int]]
    rank_here: tuple[int, int] | None
    rank: tuple[int, int]
    toad: str
    computers: int
    streak: int
    is_final: bool
    matches: Sequence[str]
    best: Sequence[Button]
    earlier: int
    tomorrow: str


def title_of(game: AnyGame, day: int) -> str:
    return _("{game}: duels of {day}").format(game=game.info.name, day=as_date(day).isoformat())


def results_content(results: DuelResults, player_id: int) -> Content:
    head = [
        f"### 🐸 {title_of(results.game, results.day)}",
        f"**{percent(results.points)}** · {_places(results)}",
    ]
    key, day = results.game.info.key, results.day
    buttons = [Button(ShareDuels(key, day).custom_id, _("Share"), emoji="📣")]
    if results.earlier:
        label = _("Results of {day}").format(day=as_date(results.earlier).isoformat())
        buttons.append(Button(PlayDuels(key, results.earlier).custom_id, label))
    labels = [str(number) for number in range(1, len(results.own) + 1)]  # the picture's columns
    missed = [
        Button(action_id(match_id, "missed"), label)
        for match_id, label in zip(results.matches, labels, strict=False)
    ]
    practice = [
        Button(PractiseDuel(key, day, board).custom_id, label)
        for board, label in enumerate(labels if results.is_final else ())
    ]
    review: list[Part] = [
        *_board_rows(_("What did I miss?"), missed),
        *_board_rows(_("Watch the best"), results.best),
        *_board_rows(_("Practise"), practice),
    ]
    commitment = results.tomorrow[:SHORT]
    return layout(
        Text("\n".join(head)),
        ScenePicture(results_scene(results, player_id)),
        Text("\n".join(_lines(results))),
        row(*buttons),
        *review,
        *fine_print(_("🔏 tomorrow's boards: `{commitment}`").format(commitment=commitment)),
        colour=GOLD,
    )


def _board_rows(title: str, buttons: Sequence[Button]) -> Sequence[Part]:
    """Return a title, and the buttons in as few rows of equal length as possible."""
    if not buttons:
        return ()
    length = ceil(len(buttons) / ceil(len(buttons) / MOST_IN_ROW))
    return Text(title), *(row(*buttons[at : at + length]) for at in range(0, len(buttons), length))


def _places(results: DuelResults) -> str:
    parts = []
    place = _("place {rank} of {players}")
    if results.rank_here is not None:
        rank, players = results.rank_here
        parts.append(_("place {rank} of {players} in this server").format(rank=rank, players=players))
        place = _("place {rank} of {players} in all servers")
    parts.append(place.format(rank=results.rank[0], players=results.rank[1]))
    if results.streak:
        parts.append(_("{n} in a row").format(n=results.streak))
    return " · ".join(parts)


def _lines(results: DuelResults) -> Iterator[str]:
    percentages = ", ".join(map(percent, results.boards))
    words = _("A win counts 1, a draw ½ and a loss 0. Your boards: {each}.")
    yield "-# " + words.format(each=percentages)
    yield "-# " + _("The percentages show how many of the other tries did worse. A tie counts half.")
    if results.computers:
        words = ngettext(
            "{n} frog fills in until {all} people have played.",
            "{n} frogs fill in until {all} people have played.",
            results.computers,
        )
        yield "-# " + words.format(n=results.computers, all=FIELD)
    elif not results.toad:
        yield "-# " + _("The frogs are still playing their boards. Look again in a minute.")
    if not results.is_final:
        words = _("These results can still change until {when}.")
        yield "-# " + words.format(when=when(counts_until(results.day), DAY_SECONDS))


def profile_line(game: AnyGame, days: int, streak: int) -> str:
    """Return the line about a game's daily duels in a player's profile.

    Args:
        game: The game.
        days: The number of days whose duels the player has finished.
        streak: The length in days of the player's current streak.
    """
    words = ngettext("{game}: duels of {n} day", "{game}: duels of {n} days", days)
    in_a_row = _("{n} in a row").format(n=streak)
    return f"🐸 {words.format(game=game.info.name, n=days)}, **{in_a_row}**"


def results_scene(results: DuelResults, player_id: int) -> Scene:
    """Return the picture of a day's duel results.

    It is a chart with one column per duel. The rows are the server's best players, the user, and a toad.
    """
    rows, own_row = list[tuple[str, ...]](), None
    names = drawn_names([place.player for place, _scores, _points in results.here])
    for name, (place, scores, points) in zip(names, results.here, strict=True):
        if place.player_id == player_id:
            own_row = len(rows)
        rows.append((str(place.rank), name, *_points(scores), percent(points)))
    if own_row is None:
        own_row = len(rows)
        rows.append(("–", _("You"), *_points(results.own), percent(results.points)))
    if results.toad:
        rows.append(("–", _("A toad"), *_points(results.toad), "–"))
    boards = [str(number) for number in range(1, len(results.own) + 1)]
    chart = Chart(
        x=_MARGIN,
        y=_MARGIN,
        width=_WIDTH - 2 * _MARGIN,
        headings=("#", _("Player"), *boards, _("Day")),
        rows=tuple(rows),
        own=own_row,
    )
    return Scene(_WIDTH, 2 * _MARGIN + chart.height, (chart,))


def shared_content(
    game: AnyGame, day: int, name: str, own: str, points: int, look: Appearance
) -> Content:
    """Return the content of a post with which a player shares the result of a day's duels.

    It shows no cards.

    Args:
        game: The game.
        day: The day, such as 20261121.
        name: The player's name.
        own: The player's scores, one character per board.
        points: The player's percentage times 100.
        look: The reader's settings. In text mode, the scores are written in words.
    """
    scores = in_words(own) if look.as_text else symbols(own)
    head = _("### 🐸 {name} · {title}").format(name=name, title=title_of(game, day))
    play = Button(PlayDuels(game.info.key, day).custom_id, _("Play these boards"), Tone.GOOD)
    return layout(Text(f"{head}\n{scores} · **{percent(points)}**"), row(play), colour=GOLD)

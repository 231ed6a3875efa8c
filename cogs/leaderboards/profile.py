"""Messages and pictures for ``/profile`` and for the comparison of two players."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.opponent import Strength
from bot.engine.scene import CHART_HEAD, FROG, Bars, Caption, Chart, Item, Medal, Medals, Scene, Weeks
from bot.engine.translation import _, ngettext
from bot.matches.leaderboard_rules import LeaderboardRow
from bot.matches.match import Player
from bot.matches.match_type import HINTS
from bot.messages.components import GOLD, Button, Content, ScenePicture, Text, layout, row
from bot.messages.custom_ids import Control
from bot.messages.player_names import drawn_names, written_names
from bot.messages.streaks import longest_row, row_lately, saved_days
from cogs.leaderboards.badges import DEALS, Career, Results, computer_player_figures, medals
from cogs.leaderboards.content import AGAINST


@frozen
class Compare(Control):
    """A button below a profile that compares the profile's player with the user who clicks."""

    pattern = re.compile(r"pc:(?P<player_id>\d{1,20})")
    kind = "compare"

    player_id: int

    @property
    def custom_id(self) -> str:
        return f"pc:{self.player_id}"


@frozen
class Profile:
    """The data shown in a player's profile.

    Attributes:
        player: The player.
        career: The player's totals.
        results: Statistics from single matches.
        lines: Additional lines of text from other features.
    """

    player: Player
    career: Career
    results: Results
    lines: Sequence[str] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.career.rows or self.career.days)


def profile_content(
    games: Mapping[str, AnyGame], profile: Profile, today: date, *, may_compare: bool
) -> Content:
    title = Text(f"## {FROG} {written_names([profile.player])[0]}\n")
    if profile.is_empty:
        lines = "\n".join(f"-# {line}" for line in profile.lines)
        return layout(Text(title.words + (lines or _("No finished matches yet."))), colour=GOLD)
    details = "\n".join(f"-# {line}" for line in _details(games, profile))
    compare = Button(Compare(profile.player.id).custom_id, _("Compare with me"))
    return layout(
        title,
        ScenePicture(profile_scene(games, profile, today)),
        *([Text(details)] if details else []),
        *([row(compare)] if may_compare else []),
        colour=GOLD,
    )


def _details(games: Mapping[str, AnyGame], profile: Profile) -> Iterator[str]:
    """Yield the lines of text below a profile's picture, such as leaderboard places and hints used."""
    hints = sum(place.figures.get(HINTS, 0) for place in profile.career.rows.values())
    used = " · 💡 " + ngettext("{n} hint used", "{n} hints used", hints).format(n=hints) if hints else ""
    for key, game in games.items():
        place = profile.career.rows.get(key)
        if place is not None and place.matches:
            matches = ngettext("{n} match", "{n} matches", place.matches).format(n=place.matches)
            wins = ngettext("{n} win", "{n} wins", place.wins).format(n=place.wins)
            where = _("place {rank}").format(rank=place.rank)
            yield f"{game.info.name}: {matches}, **{wins}**, {where}"
    if profile.career.pars:
        yield par_line(profile.career.pars)
    sums = {strength: profile.career.against(strength) for strength in Strength}
    against = [
        _(AGAINST[strength]).format(wins=won, matches=matches)
        for strength, (matches, won) in sums.items()
        if matches
    ]
    if against:
        yield _("Against frogs") + f": {', '.join(against)}{used}"
    yield from profile.lines
    if used and not against:
        yield used.removeprefix(" · ")


def par_line(pars: Mapping[int, int]) -> str:
    """Return a line with the player's best and average result against par.

    Par is the number of moves in the solver's best solution. ``pars`` maps the number of moves over
    par to the number of deals won with that result.
    """
    deals = sum(pars.values())
    mean = sum(difference * count for difference, count in pars.items()) / deals
    words = ngettext(
        "Against par: best **{best}**, average **{mean}**, over {n} deal won",
        "Against par: best **{best}**, average **{mean}**, over {n} deals won",
        deals,
    )
    return words.format(best=_with_sign(min(pars)), mean=_with_sign(round(mean, 1)), n=deals)


_WIDTH, _MARGIN, _GAP, _TEXT, _LINE, _NAME = 7.4, 0.2, 0.18, 0.3, 0.45, 0.5
_INNER = _WIDTH - 2 * _MARGIN
_HALF = (_INNER - _GAP) / 2
RIVALS = 4
UNBROKEN = 2
"""Maximum number of columns whose headings, such as *2 players*, fit on one line."""


def profile_scene(games: Mapping[str, AnyGame], profile: Profile, today: date) -> Scene:
    """Draw the picture of a profile. Sections without data are left out."""
    (name,) = drawn_names([profile.player])
    items: list[Item] = [Caption(name, _MARGIN, _MARGIN / 2, _NAME)]
    y = _MARGIN / 2 + 0.75
    if counted := _earned_medals(profile.career):
        grid = Medals(_MARGIN, y, _INNER, counted)
        items.append(grid)
        y += grid.height + _GAP / 2
    if profile.results.quickest:
        words = ngettext(
            "Quickest toad: in {n} turn", "Quickest toad: in {n} turns", profile.results.quickest
        )
        items.append(Caption(words.format(n=profile.results.quickest), _MARGIN, y, _TEXT))
        y += _LINE
    if chart := _sizes(games, profile.results, y):
        heading = Caption(_("Matches won"), _MARGIN, y + CHART_HEAD - _LINE, _TEXT, room=_HALF)
        items += [heading, chart]
        y += chart.height + _GAP
    if against := _computer_player_medals(profile):
        grid = Medals(_MARGIN, y + _LINE, _INNER, against)
        items += [Caption(_("Against frogs"), _MARGIN, y, _TEXT), grid]
        y += _LINE + grid.height + _GAP
    if weeks := _calendars(games, profile.career, today, y):
        items += weeks
        y += max(calendar.height for calendar in weeks) + _GAP
    pars, met = _par_bars(profile.career.pars, y), _met(profile, y)
    items += [*pars, *met]
    ends = (item.y + item.height + _GAP for item in (*pars, *met) if not isinstance(item, Caption))
    return Scene(_WIDTH, max(y, *ends, 0.0) - _GAP + _MARGIN, tuple(items))


def _earned_medals(career: Career) -> tuple[Medal, ...]:
    return tuple(medal for medal in medals(career) if int(medal.value) and not medal.is_against_computer)


def _computer_player_medals(profile: Profile) -> tuple[Medal, ...]:
    """Return the badges and statistics from matches against computer players."""
    all_medals = (*medals(profile.career), *computer_player_figures(profile.results))
    return tuple(medal for medal in all_medals if int(medal.value) and medal.is_against_computer)


def _sizes(games: Mapping[str, AnyGame], results: Results, y: float) -> Chart | None:
    seats = sorted({number for _game, number in results.sizes})
    rows = []
    for key, game in games.items():
        totals = [results.sizes.get((key, number)) for number in seats]
        if any(totals):
            cells = ("–" if total is None else f"{total[1]}/{total[0]}" for total in totals)
            rows.append(("", game.info.name, *cells))
    players = [ngettext("{n} player", "{n} players", number).format(n=number) for number in seats]
    if len(seats) <= UNBROKEN:
        players = [words.replace(" ", "\N{NO-BREAK SPACE}") for words in players]
    headings = ("", "", *players)
    return Chart(_MARGIN, y, _INNER, headings, tuple(rows)) if rows else None


WEEKS = 10


def _calendars(games: Mapping[str, AnyGame], career: Career, today: date, y: float) -> list[Weeks]:
    titles = {DEALS: _("Deal of the day")} | {
        key: _("{game} puzzle").format(game=game.info.name.partition(" (")[0])
        for key, game in games.items()
    }
    keys = [key for key in titles if career.days.get(key)]
    width = (_INNER - 2 * _GAP) / 3
    span = [today - timedelta(days=back) for back in reversed(range(7 * WEEKS))]
    words = _("{n} in a row, best {most}")
    good, off_days = {key: career.good_days(key) for key in keys}, career.off_days
    return [
        Weeks(
            _MARGIN + (width + _GAP) * place,
            y,
            width,
            titles[key],
            tuple(career.days[key].get(day) for day in span),
            words.format(
                n=row_lately(good[key], today, off_days), most=longest_row(good[key], off_days)
            ),
            frozenset(map(span.index, saved_days(good[key], today, off_days).intersection(span))),
        )
        for place, key in enumerate(keys)
    ]


_LEAST, _MOST = -1, 30
_BETWEEN = ((0, 0), (1, 9), (10, 29))
"""Ranges of the inner bars. Lower results share the first bar, and higher results share the last bar."""


def _par_bars(pars: Mapping[int, int], y: float) -> tuple[Caption, Bars] | tuple[()]:
    if not pars:
        return ()

    def between(least: int, most: int) -> int:
        return sum(count for difference, count in pars.items() if least <= difference <= most)

    rows = (
        (f"… {_with_sign(_LEAST)}", between(min(*pars, _LEAST), _LEAST)),
        *(
            (
                _("par") if least == most else f"{_with_sign(least)} … {_with_sign(most)}",
                between(least, most),
            )
            for least, most in _BETWEEN
        ),
        (f"{_with_sign(_MOST)} …", between(_MOST, max(*pars, _MOST))),
    )
    title = Caption(_("Moves against par"), _MARGIN, y, _TEXT, room=_HALF)
    return title, Bars(_MARGIN, y + _LINE, _HALF, rows)


def _met(profile: Profile, y: float) -> tuple[Caption, Chart] | tuple[()]:
    """Return a table of the player's wins against the opponents they meet most often."""
    rivals = profile.results.rivals[:RIVALS]
    names = drawn_names([rival.player for rival in rivals])
    rows = [
        ("", name, f"{rival.wins}/{rival.matches}") for name, rival in zip(names, rivals, strict=True)
    ]
    if not rows:
        return ()
    left = _MARGIN + (_HALF + _GAP if profile.career.pars else 0)
    title = Caption(_("Wins against"), left, y, _TEXT, room=_HALF)
    return title, Chart(left, y + _LINE - CHART_HEAD, _HALF, ("", "", ""), tuple(rows))


def compare_content(own: Profile, other: Profile) -> Content:
    names = written_names([own.player, other.player])
    title = _("## {name} and {other}").format(name=names[0], other=names[1])
    return layout(Text(title), ScenePicture(compare_scene(own, other)), colour=GOLD)


def compare_scene(own: Profile, other: Profile) -> Scene:
    """Draw a table that compares two players' badges and results. A dot marks the better number."""
    rows: list[tuple[str, ...]] = []
    for one, two in zip(medals(own.career), medals(other.career), strict=True):
        ahead = int(one.value) - int(two.value)
        if one.value == two.value == "0":
            continue
        rows.append(
            (
                "",
                one.label,
                _mark_leader(one.value, is_ahead=ahead > 0),
                _mark_leader(two.value, is_ahead=ahead < 0),
            )
        )
    quickest = [profile.results.quickest for profile in (own, other)]
    if all(quickest):
        cells = (_mark_leader(str(turns), is_ahead=turns < max(quickest)) for turns in quickest)
        rows.append(("", _("Turns to the quickest toad"), *cells))
    met = [_against(own, other.player), _against(other, own.player)]
    if all(met):
        n = max(rival.matches for rival in filter(None, met))
        wins = (str(rival.wins) for rival in filter(None, met))
        rows.append(("", _("Head to head, out of {n}").format(n=n), *wins))
    headings = ("", "", *drawn_names([own.player, other.player]))
    chart = Chart(_MARGIN, _MARGIN, _INNER, headings, tuple(rows))
    return Scene(_WIDTH, 2 * _MARGIN + chart.height, (chart,))


def _against(profile: Profile, player: Player) -> LeaderboardRow | None:
    return next((rival for rival in profile.results.rivals if rival.player_id == player.id), None)


def _mark_leader(value: str, *, is_ahead: bool) -> str:
    return f"• {value}" if is_ahead else value


def badge_line(told: Iterable[tuple[str, Iterable[str]]]) -> Iterator[str]:
    """Yield one line that lists the badges gained in a match, or no line if there are none.

    ``told`` has a pair for each player who gained badges: the player's name and the badges' texts.
    """
    entries = [f"{name}: {', '.join(badges)}" for name, badges in told]
    if entries:
        yield "🏅 " + " · ".join(entries)


def _with_sign(difference: float) -> str:
    if not difference:
        return "±0"
    return f"{difference:+}".replace("-", "−").removesuffix(".0")

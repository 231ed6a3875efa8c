"""``/solitaire`` as its players see it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.engine.match import Entry, Match, Player, Result
from bot.games import games
from bot.games.american_toad.deals import NODES
from bot.games.american_toad.lines import best_line
from bot.games.american_toad.moves import write
from bot.games.american_toad.offers import offered
from bot.games.american_toad.rules import open_deal
from bot.games.american_toad.solver import Verdict, solve
from bot.games.american_toad.state import AllUp, Turn
from bot.messages.daily import duration
from tests.discord.pond import Person, Pond, Seen, pond, shown, told

SOLITAIRE = games()["american_toad"]
EASY_DEAL = 8
STUCK_DEAL = 14
FINISHED_AT_ONCE = 25
WASTING = ("Turn until something fits", "Redeal")
"""What somebody presses who does not look, until nothing fits any more."""
DAY = 24 * 60 * 60
PASSING = 60
"""Seconds between the pictures of a finish: further ahead than SimCord waits for timers by itself."""


def winning_moves(number: int) -> list[str]:
    """Return moves that win a deal, found by always taking the best of the menu."""
    state = SOLITAIRE.deal(1, {"deal": number, "daily": 0}, b"")
    written = []
    while SOLITAIRE.outcome(state) is None:
        view = SOLITAIRE.view(state, 0)
        useful = [move for move in offered(view) if _is_useful(SOLITAIRE.write(move))]
        plain = [move for move in view.legal if isinstance(move, AllUp | Turn)]
        redeal = [move for move in view.legal if SOLITAIRE.write(move) == "redeal"]
        options = [*(move for move in plain if isinstance(move, AllUp)), *useful, *plain, *redeal]
        move = options[0]
        written.append(SOLITAIRE.write(move))
        state = SOLITAIRE.play(state, move)
        assert len(written) < 600
    return written


def _is_useful(text: str) -> bool:
    """Return whether a move helps for sure: not a part of a run, not into a gap from a column."""
    return text.startswith(("reserve", "waste")) or text.endswith(" up")


async def play(place: Pond, person: Person, text: str) -> None:
    """Make a move as a person would: by its button, or out of the menu."""
    table = place.table
    match_id = table.custom_ids[0].split(":")[1]
    live = await place.bot._desk.tables.look(match_id)
    choices = SOLITAIRE.panel(SOLITAIRE.view(live.state, 0)).choices()
    choice = next(choice for choice in choices if SOLITAIRE.write(choice.move) == text)
    if choice.label in table.labels:
        await person.press(choice.label)
        return
    menu = next(custom_id for custom_id in table.custom_ids if custom_id.endswith(":t:"))
    result = await person.actor.select(table.message, [choice.key], custom_id=menu)
    assert result.acknowledged


HINT_MARK = re.compile(r"(, | \()hint: [^,)]*\)?")


def cards_of(place: Pond) -> str:
    """Return how the cards lie."""
    return HINT_MARK.sub("", place.table.alt).replace(")", "")


async def test_a_whole_deal_is_won(tmp_path: Path) -> None:
    """From the deal to the last card up, all by buttons and menus, with a restart on the way."""
    moves = winning_moves(EASY_DEAL)
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=EASY_DEAL)
        for number, text in enumerate(moves):
            if number == len(moves) // 2:
                await place.restart()
            await play(place, ann, text)
        assert f"wins deal {EASY_DEAL}!" in place.table.text
        assert "Ann wins deal" in place.table.alt
        assert "104 of 104 cards up" in place.table.text
        assert place.table.text.count(f"{len(moves)} moves") == 2, "told once, and once to share"
        to_share = place.table.text.partition("To share:")[2].strip().splitlines()
        assert to_share[1] == f"🐸 Ribit deal {EASY_DEAL}"
        assert to_share[2:6] == ["🟩" * 8] * 4
        assert to_share[6] == f"won 🏆 · {len(moves)} moves · 0 undos"
        assert place.table.labels == ["New deal", "Same deal again"]
        assert "1 Ann: 1, 1, 104," in shown(await ann.slash("leaderboard", board="american_toad")).alt
        await ann.press("Same deal again", next(seen for seen in place.messages if seen.labels))
        assert f"deal {EASY_DEAL}" in place.table.text
        assert place.reminders == [], "nobody has to be told that it is their turn"


async def test_undo_redo_and_watching(tmp_path: Path) -> None:
    """Undo and redo work without end and across restarts; others watch and change nothing."""
    async with pond(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=7)
        before = cards_of(place)
        for _turn in range(3):
            await ann.press("Turn the stock")
        after = cards_of(place)
        assert after != before
        await place.restart()
        for _undo in range(3):
            await ann.press("Undo")
        assert cards_of(place) == before
        refused = await ben.press("Redo")
        assert refused.ephemeral
        assert cards_of(place) == before
        for _redo in range(3):
            await ann.press("Redo")
        assert cards_of(place) == after
        assert "3 undos" in place.table.text


async def test_one_deal_a_player_and_channel(tmp_path: Path) -> None:
    """Several play side by side; a second start points to the first; ``table`` brings one's own down."""
    async with pond(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=1)
        await ben.slash("solitaire start", deal=2)
        again = await ann.slash("solitaire start")
        assert again.ephemeral
        assert "already" in shown(again).text
        assert "deal 2" in place.table.text
        await ann.slash("solitaire table")
        assert "deal 1" in place.table.text
        assert sum("deal 1" in seen.text for seen in place.messages) == 1
        nothing = await place.person("Cleo").slash("solitaire table")
        assert "/solitaire start" in shown(nothing).text


async def test_giving_up(tmp_path: Path) -> None:
    """``stop`` asks first, counts as lost, and offers the next deal."""
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=9)
        question = shown(await ann.slash("solitaire stop"))
        await ann.press("No, go on playing", question)
        assert "Turn the stock" in place.table.labels
        stranger = await place.person("Ben").press("Give up")
        assert "not at this table" in shown(stranger).text
        await ann.press("Give up", shown(await ann.press("Give up")))
        assert "gave up deal 9" in place.table.text
        await ann.press("New deal")
        assert "Turn the stock" in place.table.labels
        assert "deal 9." not in place.table.text


async def test_in_the_dms(tmp_path: Path) -> None:
    """Solitaire can be dealt in the DMs with the bot too."""
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        result = await ann.actor.user.slash("solitaire start", deal=3)
        assert "deal 3" in shown(result).text
        await ann.press_dm("Turn the stock")
        assert "1 move" in ann.dm.text


async def deal_of(place: Pond) -> tuple[int, int]:
    """Return the number and par of the deal at the table."""
    options = (await place.bot._desk.tables.look(place.table.match_id)).match.options
    return options["deal"], options["par"]


async def test_the_deal_of_the_day(tmp_path: Path) -> None:
    """One try a day that counts, the same deal for all, winnable, a board, and a row of days."""
    async with pond(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        number, par = await deal_of(place)
        assert f"0 moves · par {par}" in place.table.text
        assert "Deal of the day 2026-01-01" in place.table.alt
        assert f"par {par}" in place.table.alt
        again = await ann.slash("solitaire daily")
        assert "already playing today's deal" in shown(again).text
        practice = await ben.slash("solitaire start", deal=number)
        assert "deal of the day" in shown(practice).text
        await place.env.advance_time(754)
        line = best_line(open_deal(number).position, nodes=NODES)
        for at, move in enumerate(line):
            if at == len(line) // 2:
                await place.restart()
            await play(place, ann, write(move))
        assert f"{par} moves" in place.table.text
        seconds = (await place.bot._desk.tables.look(place.table.match_id)).match.seconds
        assert seconds is not None
        assert seconds >= 754
        to_share = place.table.text.partition("To share:")[2].strip().splitlines()
        assert to_share == [
            "```",
            "🐸 Ribit deal of 2026-01-01",
            *["🟩" * 8] * 4,
            f"won 🏆 · {par} moves (par {par}, ±0) · 0 undos",
            f"time {duration(seconds)} · 1 in a row",
            "```",
        ]
        assert "have already played today's deal" in shown(await ann.slash("solitaire daily")).text
        board = shown(await ann.slash("leaderboard", board="daily"))
        assert "Deal of 2026-01-01" in board.text
        assert "1 Ann: " in board.alt
        profile = shown(await ann.slash("profile"))
        assert "1 deal of the day won, **1 in a row**, at most 1 in a row" in profile.text
        assert "Against par: best **±0**, mean **±0**, in 1 deal won" in profile.text
        assert profile.alt.startswith("Ann: moves against par. ")
        assert "par: 1; +1 … +9: 0" in profile.alt
        await place.wait(DAY)
        empty = shown(await ann.slash("leaderboard", board="daily"))
        assert "Nobody has won today's deal yet" in empty.text
        await ann.slash("solitaire daily")
        assert "Turn the stock" in place.table.labels


async def won_on(place: Pond, person: Person, days: list[int]) -> None:
    """Keep that somebody has won the deals of some days, elsewhere, in 7 moves more than par."""
    player, journal = Player(person.id, person.name), place.bot.database.journal
    for day in days:
        options = {"deal": 1, "daily": day, "par": 80}
        match = Match(f"day{day}", "american_toad", 1, None, 5, player.id, (player,), 1, options)
        assert await journal.open(match, match.id) is None
        await journal.begin(match.id, bytes(32))
        result = Result(0, True, {"up": 104, "moves": 87, "undos": 0})
        assert await journal.append(match.id, Entry(0, 0, "all up"), (result,))


async def test_days_in_a_row(tmp_path: Path) -> None:
    """What is shared tells how many days up to this one were won, the profile also the longest row."""
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        await won_on(place, ann, [20251231, 20251230, *range(20251201, 20251206)])
        await ann.slash("solitaire daily")
        number, _par = await deal_of(place)
        for move in best_line(open_deal(number).position, nodes=NODES):
            await play(place, ann, write(move))
        assert " · 3 in a row\n" in place.table.text
        profile = shown(await ann.slash("profile"))
        assert "8 deals of the day won, **3 in a row**, at most 5 in a row" in profile.text
        await place.restart()
        await place.forget_clicks()
        assert [" · 3 in a row\n" in seen.text for seen in place.messages] == [True, False]


async def test_a_day_given_up_is_shared_too(tmp_path: Path) -> None:
    """What is shared tells how far each foundation came, and the help that was asked for; no card."""
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        number, _par = await deal_of(place)
        for move in best_line(open_deal(number).position, nodes=NODES)[:25]:
            await play(place, ann, write(move))
        await ann.press("Hint")
        state = (await place.bot._desk.tables.look(place.table.match_id)).state
        await ann.press("Give up", shown(await ann.press("Give up")))
        to_share = place.table.text.partition("To share:")[2].strip().splitlines()
        heights = state.position.heights
        for level, bars in zip((4, 3, 2, 1), to_share[2:6], strict=True):
            assert bars == "".join("🟩" if 4 * up >= 13 * level else "⬛" for up in heights)
        assert to_share[6] == f"{sum(heights)} of 104 cards up · 25 moves · 0 undos · 1 hint"
        assert not set("♠♥♦♣") & set("".join(to_share)), "no card is given away"


async def test_a_deal_that_can_be_won(tmp_path: Path) -> None:
    """``start`` deals what the solver wins and tells par; with ``any`` it takes what comes."""
    async with pond(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start")
        number, par = await deal_of(place)
        assert solve(open_deal(number).position).verdict is Verdict.WON
        assert f"deal {number}" in place.table.text
        assert f"par {par}" in place.table.text
        await ann.press("Give up", shown(await ann.press("Give up")))
        await ann.press("Same deal again")
        assert await deal_of(place) == (number, par)
        await ben.slash("solitaire start", any=1)
        assert "par" not in place.table.text
        await ben.press("Give up", shown(await ben.press("Give up")))
        await ben.press("New deal")
        assert "par" not in place.table.text


def told_at(place: Pond) -> str:
    """Return what the player was told who asked."""
    return next(line for line in place.table.text.split("\n") if "💡" in line).partition("💡 ")[2]


async def test_hints_and_peeks(tmp_path: Path) -> None:
    """A hint is told at the table and marked in the picture, counted once, kept over a restart."""
    async with pond(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=EASY_DEAL)
        assert "not at this table" in shown(await ben.press("Hint")).text
        before = cards_of(place)
        await ann.press("Hint")
        told = told_at(place)
        assert told.startswith("Hint: ")
        assert cards_of(place) == before, "to be told a move is no move"
        assert "hint: take this" in place.table.alt
        assert "hint: to here" in place.table.alt
        await place.restart()
        await ann.press("Hint")
        assert told_at(place) == told
        assert "0 moves · 0 undos · 1 hint" in place.table.text
        await ann.press(told.removeprefix("Hint: ").removesuffix("."))
        assert "💡" not in place.table.text, "it was told of the position before"
        assert "hint:" not in place.table.alt
        await ann.press("Peek")
        await ann.press(told_at(place).removeprefix("Peek: ").removesuffix("."))
        await ann.press("Give up", shown(await ann.press("Give up")))
        assert "2 moves · 0 undos · 1 hint · 1 peek" in place.table.text
        assert place.table.labels == ["New deal", "Same deal again", "Where was it lost?"]
        await place.restart()
        looked = await ann.press("Where was it lost?")
        assert looked.ephemeral
        assert "This deal can still be won from here." in shown(looked).text
        assert "not at this table" in shown(await ben.press("Where was it lost?")).text


async def test_going_back_to_where_it_was_not_lost(tmp_path: Path) -> None:
    """Who is stuck is told until when the deal could be won, and goes back there with one click."""
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=STUCK_DEAL)
        question, moments = "Where was it lost?", await until_stuck(place, ann)
        await ann.press(question)
        await place.restart()
        back = place.table.label("Go back to move")
        moves = int(back.removeprefix("Go back to move "))
        assert f"could still be won until move {moves}." in place.table.text
        assert "1 peek" in place.table.text
        await ann.press(back)
        assert cards_of(place) == moments[moves]
        assert question not in place.table.labels
        await ann.press("Peek")
        assert told_at(place).startswith("Peek: ")
        assert "no way to win" not in told_at(place)


async def until_stuck(place: Pond, person: Person) -> list[str]:
    """Play without looking until nothing is left to do; return how the cards lay after each move."""
    moments = [cards_of(place)]
    while "Where was it lost?" not in place.table.labels:
        wasting = (label for label in place.table.labels if label.startswith(WASTING))
        best = place.table.labels[0]
        await person.press(next(wasting, best))
        moments.append(cards_of(place))
    return moments


async def given_up(place: Pond, person: Person) -> Seen:
    """Give up, ask where it was lost, and return what only this person is told."""
    await person.press("Give up", shown(await person.press("Give up")))
    return told(await person.press("Where was it lost?"))


async def played(person: Person) -> list[str]:
    """Return what the profile says of solitaire."""
    lines = shown(await person.slash("profile")).text.splitlines()
    return [line for line in lines if "match" in line or "📅" in line]


async def test_going_back_after_giving_up(tmp_path: Path) -> None:
    """Who gave up goes back to where it could be won: undos and peeks stay counted, the end does not."""
    async with pond(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=STUCK_DEAL)
        moments = await until_stuck(place, ann)
        lost = await given_up(place, ann)
        before, counted = place.table, await played(ann)
        await place.restart()
        label = lost.label("Go back to move")
        moves = int(label.removeprefix("Go back to move "))
        assert f"could still be won until move {moves}." in lost.text
        assert "not at this table" in told(await ben.send(lost, lost.custom_id(label))).text
        await ann.press(label, lost)
        assert place.table.id > before.id
        assert cards_of(place) == moments[moves]
        undos = len(moments) - 1 - moves
        assert f"{moves} moves · {undos} undos · 1 peek" in place.table.text
        assert "second try" in place.table.text
        doubled = told(await ann.press(label, lost))
        assert "already have a deal in this channel" in doubled.text
        await place.restart()
        await ann.press("Undo")
        assert cards_of(place) == moments[moves - 1]
        again = await given_up(place, ann)
        assert again.label("Go back to move")
        assert await played(ann) == counted, "one deal, one result"


async def test_a_second_try_of_the_day_counts_nothing(tmp_path: Path) -> None:
    """Going back to a deal of the day that was given up, and winning it, is no win of the day."""
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        number, par = await deal_of(place)
        line = best_line(open_deal(number).position, nodes=NODES)
        for move in line[:3]:
            await play(place, ann, write(move))
        lost = await given_up(place, ann)
        await ann.press(lost.label("Go back"), lost)
        assert "Deal of the day" not in place.table.alt
        assert await deal_of(place) == (number, par)
        for move in line[3:]:
            await play(place, ann, write(move))
        assert "wins deal" in place.table.text
        assert "To share" not in place.table.text
        assert "Nobody has won today's deal" in shown(await ann.slash("leaderboard", board="daily")).text
        assert await played(ann) == ["1 match, **0 wins**, place 1"]
        assert "already played" in shown(await ann.slash("solitaire daily")).text
        same = next(seen for seen in reversed(place.messages) if "Same deal again" in seen.labels)
        await ann.press("Same deal again", same)
        assert "second try" not in place.table.text


async def test_show_how(tmp_path: Path) -> None:
    """The solver's line is stepped through in private, in the table's own picture, to its end."""
    async with pond(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=STUCK_DEAL)
        moments = await until_stuck(place, ann)
        assert "Show how" not in place.table.labels
        match_id = place.table.match_id
        early = told(await ann.send(shown(await ann.press("Give up")), f"l:{match_id}:0:0:show"))
        assert "Only a deal that was given up" in early.text, "a live deal keeps its secrets"
        lost = await given_up(place, ann)
        public = place.table
        moves = int(lost.label("Go back to move").removeprefix("Go back to move "))
        how = shown(await ann.press("Show how", lost))
        assert how.message.ephemeral
        assert HINT_MARK.sub("", how.alt).replace(")", "") == moments[moves]
        assert "hint: take this" in how.alt
        assert "step 0 of " in how.text
        last = int(how.text.partition("step 0 of ")[2].split()[0])
        await place.restart()
        how = shown(await ann.press("▶", how))
        assert "step 1 of " in how.text
        back = shown(await ann.press("◀", how))
        assert "step 0 of " in back.text
        assert "◀" not in back.labels
        for _leap in range(last // 10 + 1):
            how = shown(await ann.press("+10", how))
        assert f"step {last} of {last}" in how.text
        assert "The solver wins deal" in how.alt
        assert "▶" not in how.labels
        assert public.alt == place.table.alt
        refused = told(await ben.send(how, f"l:{match_id}:{moves}:0:show"))
        assert "not at this table" in refused.text
        never = told(await ann.send(how, f"l:{match_id}:9999:0:show"))
        assert "did not get that far" in never.text
        forged = told(await ann.send(place.table, f"l:{match_id}:{moves}:0:show"))
        assert "out of date" in forged.text, "nothing of it is shown to all"


async def about_to_finish(place: Pond, person: Person) -> Seen:
    """Play a deal to its last move, which takes up all that is left; return the table."""
    await person.slash("solitaire start", deal=FINISHED_AT_ONCE)
    for move in best_line(open_deal(FINISHED_AT_ONCE).position, nodes=NODES)[:-1]:
        await play(place, person, write(move))
    return place.table


def seen_since(place: Pond, before: int) -> list[int]:
    """Return how many cards were up in each picture of the table that was shown since then."""
    shown_texts = [
        str(request.json) for request in place.env.http_requests[before:] if request.json is not None
    ]
    found = (re.search(r"(\d+) of 104 cards up", each) for each in shown_texts)
    return [int(one[1]) for one in found if one]


async def test_the_finish_is_seen(tmp_path: Path) -> None:
    """*Finish the game* is one stored move, seen in a few pictures with nothing to press in between."""
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        table = await about_to_finish(place, ann)
        moves = len(await place.bot.database.journal.entries(table.match_id))
        asked = len(place.env.http_requests)
        await ann.press("All up")
        counts = seen_since(place, asked)
        assert len(counts) == 4
        assert counts == sorted(set(counts))
        assert counts[-1] == 104
        assert len(await place.bot.database.journal.entries(table.match_id)) == moves + 1
        assert "wins deal" in place.table.text
        assert place.table.labels == ["New deal", "Same deal again"]
        by_the_bot = [one for one in place.env.http_requests[asked:] if one.path.startswith("/channels")]
        assert by_the_bot == [], "what a click's answer shows is asked of nobody's budget"


async def test_a_click_into_the_finish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A click into the finish is told that the game is over; the same again shows the end at once."""
    monkeypatch.setattr("bot.delivery.clicked.PASSING_SECONDS", PASSING)
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        table = await about_to_finish(place, ann)
        await ann.press("All up")
        assert place.table.labels == ["How to play"]
        assert "wins" not in place.table.text
        assert "over" in told(await ann.send(table, table.custom_id("Undo"))).text
        await place.wait(PASSING)
        assert "wins" not in place.table.text
        await ann.send(table, table.custom_id("All up"))
        assert "wins deal" in place.table.text
        asked = len(place.env.http_requests)
        await place.wait(5 * PASSING)
        assert seen_since(place, asked) == []
        assert "wins deal" in place.table.text


async def test_a_restart_in_the_finish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end was stored before the first picture: the next start shows it."""
    monkeypatch.setattr("bot.delivery.clicked.PASSING_SECONDS", PASSING)
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        await about_to_finish(place, ann)
        await ann.press("All up")
        assert "wins" not in place.table.text
        await place.restart()
        assert "wins deal" in place.table.text
        assert place.table.labels == ["New deal", "Same deal again"]

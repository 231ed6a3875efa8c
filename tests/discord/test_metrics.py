"""Tests of the metrics endpoint for Prometheus during play."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from math import inf
from pathlib import Path
from random import Random
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from bot.games import games
from bot.games.american_toad.hints import peek
from bot.metrics import ANSWER_BUCKETS, UNKNOWN, Metrics, serving
from bot.sessions.turn_clock import COMPUTER_PLAYER_SECONDS
from bot.storage.database_address import Server
from tests.discord.bot_harness import BotHarness, Seen, bot_harness, ephemeral_reply
from tests.discord.paused_workers import Pondering, wait_for_tasks
from tests.discord.test_random_play import NAMES, Crowd
from tests.examples import few_or_all
from tests.metrics_reader import metric_value, response_text, scrape_metrics
from tests.postgres import Postgres, shorten_patience

CLICKS = few_or_all(25, 40)
WORDS = re.compile(r"[A-Za-z/_ ]+")
"""Allowed labels of metrics. They contain no digit, so they contain no ID."""


@asynccontextmanager
async def open_with_metrics(folder: Path) -> AsyncIterator[tuple[BotHarness, Metrics]]:
    """Open a bot harness with metrics."""
    async with serving("127.0.0.1:0") as figures, bot_harness(folder, figures=figures) as place:
        yield place, figures


async def test_a_click_is_counted_once_with_its_outcome(tmp_path: Path) -> None:
    """Each click counts once by type and outcome, with its response time and any picture or move."""
    async with open_with_metrics(tmp_path) as (place, figures):
        first, second = await place.start_pair()
        move = await place.old_button_id("end")
        before = await scrape_metrics(figures.port)
        await first.press_dm("Draw")
        await second.send(place.table, move)
        await second.send(place.table, "a:nothing0:levitate")
        await first.slash("leaderboard")
        after = await scrape_metrics(figures.port)

    def more(name: str, **labels: str) -> float:
        return metric_value(after, name, **labels) - metric_value(before, name, **labels)

    assert more("ribit_clicks_total", kind="choice", outcome="done") == 1
    assert more("ribit_clicks_total", kind="choice", outcome="refused") == 1
    assert more("ribit_clicks_total", kind="unknown", outcome="refused") == 1
    assert more("ribit_clicks_total", kind="/leaderboard", outcome="done") == 1
    assert more("ribit_acknowledgement_seconds_count") == 4
    assert more("ribit_picture_seconds_count") == 2
    assert more("ribit_moves_total", game="toad", mover="player") == 1
    assert more("ribit_write_seconds_count") >= 1
    assert metric_value(after, "ribit_live_tables", game="toad") == 1


async def test_computer_players_moves_are_counted_and_timed(tmp_path: Path) -> None:
    """Thinking times are counted by strength, and computer players' moves apart from others."""
    async with open_with_metrics(tmp_path) as (place, figures):
        ann = place.person("Ann")
        await ann.slash("toad start", seats=2, frogs=1, strength=0)
        if place.reminders:  # the cards have chosen who begins
            await ann.press_dm("End turn")
        await place.wait(COMPUTER_PLAYER_SECONDS + 1)
        found = await scrape_metrics(figures.port)
    thoughts = metric_value(found, "ribit_thinking_seconds_count", game="toad", thought="tadpole")
    assert thoughts == metric_value(found, "ribit_moves_total", game="toad", mover="frog") > 0


async def test_a_refused_computation_is_not_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refused request for a computation is not counted as a short thinking time."""
    monkeypatch.setattr(peek, "__kwdefaults__", {"nodes": 100})
    thinkers = Pondering()
    async with (
        serving("127.0.0.1:0") as figures,
        bot_harness(tmp_path, figures=figures, opponents=thinkers) as place,
    ):
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=8)
        table = place.table
        asking = [asyncio.create_task(ann.send(table, table.custom_id("Peek")))]
        await wait_for_tasks()
        asking.append(asyncio.create_task(ann.send(table, table.custom_id("Hint"))))
        await wait_for_tasks()
        thinkers.done.set()
        _peek, hint = await asyncio.gather(*asking)
        assert "still working" in ephemeral_reply(hint).text
        found = await scrape_metrics(figures.port)
    assert (
        metric_value(found, "ribit_thinking_seconds_count", game="american_toad", thought="answer") == 1
    )


async def test_gauges_are_read_when_prometheus_asks(tmp_path: Path) -> None:
    """Shards, waiting requests and writes, and the live tables are read when Prometheus asks."""
    async with open_with_metrics(tmp_path) as (place, figures):
        await place.seat_players("Ann")
        found = await scrape_metrics(figures.port)
        assert metric_value(found, "ribit_live_tables", game="toad") == 1
        names = ("ribit_shards", "ribit_shards_up", "ribit_bot_shards")
        assert [metric_value(found, name) for name in names] == [len(place.bot.shards)] * 3
        assert metric_value(found, "ribit_request_rate") == inf, "this Discord has no limits"
        waiting = {labels for name, labels in found if name == "ribit_waiting_requests"}
        assert waiting == {(("urgency", which),) for which in ("click", "turn", "upkeep")}
        assert metric_value(found, "ribit_waiting_writes") == metric_value(found, "ribit_halted") == 0
        await place.person("Ann").slash("toad leave")
        assert "ribit_live_tables" not in {name for name, _labels in await scrape_metrics(figures.port)}


async def test_metrics_omit_table_counts_during_a_database_outage(
    stopping: Postgres, server: Server
) -> None:
    """Without a database, the metrics show the pause, and leave out the number of tables."""
    async with serving("127.0.0.1:0") as figures, bot_harness(server, figures=figures) as place:
        mover, _other = await place.start_pair()
        await mover.press_dm("Draw")
        await asyncio.to_thread(stopping.stop)
        with shorten_patience():
            await mover.actor.user.click(mover.dm.message, label="End turn")
        found = await scrape_metrics(figures.port)
        assert metric_value(found, "ribit_halted") == metric_value(found, "ribit_shards_up") == 1
        assert "ribit_live_tables" not in {name for name, _labels in found}
        await asyncio.to_thread(stopping.start)
        await mover.press_dm("End turn")
        found = await scrape_metrics(figures.port)
        assert (
            metric_value(found, "ribit_halted"),
            metric_value(found, "ribit_live_tables", game="toad"),
        ) == (0, 1)
        assert [line["event"] for line in place.faults()] == ["storage failed, games are paused"]


async def test_counters_continue_after_a_second_bot_starts(tmp_path: Path) -> None:
    """The counters continue if a bot ends and another starts in the same process."""
    async with open_with_metrics(tmp_path) as (place, figures):
        await place.seat_players("Ann")
        before = await scrape_metrics(figures.port)
        await place.restart()
        await place.person("Ben").press("Join")
        after = await scrape_metrics(figures.port)
    assert metric_value(after, "ribit_clicks_total", kind="join", outcome="done") == 1
    start = {"kind": "/toad start", "outcome": "done"}
    assert (
        metric_value(after, "ribit_clicks_total", **start)
        == metric_value(before, "ribit_clicks_total", **start)
        == 1
    )


@pytest.mark.parametrize("game", sorted(games()))
async def test_metrics_contain_no_ids(tmp_path: Path, game: str) -> None:
    """The metrics contain no ID of a user, server, channel or match."""
    info, random = games()[game].info, Random(5)
    async with open_with_metrics(tmp_path) as (place, figures):
        people = [place.person(name) for name in NAMES]
        await people[0].slash(f"{info.command} start")
        for person in people[1 : info.fewest]:
            await person.press("Join")
        if info.most > 1:
            await people[0].press("Start")
        crowd = Crowd(place, random)
        for _click in range(CLICKS):
            await crowd.click()
        await people[0].slash("profile")
        served = await response_text(figures.port)
        moves = metric_value(
            await scrape_metrics(figures.port), "ribit_moves_total", game=game, mover="player"
        )
        ids = all_ids(place, tmp_path)
    assert len(ids) > CLICKS
    assert not ids.intersection(re.findall(r"\w+", served))
    labels = set(re.findall(r'(\w+)="([^"]*)"', served))
    assert not [one for name, one in labels if name != "le" and not WORDS.fullmatch(one)]
    assert moves > 0, "the crowd should get somewhere"


def all_ids(place: BotHarness, folder: Path) -> set[str]:
    """Return all IDs of users, channels, messages, interactions and matches."""
    backend = place.env.backend
    known = {place.guild.id, *backend.users, *backend.channels, *backend.interactions}
    known |= {Seen(message).id for channel in backend.messages.values() for message in channel.values()}
    with closing(sqlite3.connect(folder / "ribit.sqlite3")) as reading:
        matches = {match_id for (match_id,) in reading.execute("SELECT id FROM matches")}
    assert matches
    return {str(one) for one in known | matches}


async def test_only_the_metrics_page_is_served(tmp_path: Path) -> None:
    """Only the page of metrics is served, and no longer after the bot has ended."""
    async with open_with_metrics(tmp_path) as (_place, figures):
        with pytest.raises(HTTPError, match="404") as refused:
            await asyncio.to_thread(urlopen, f"http://127.0.0.1:{figures.port}/")
        refused.value.close()  # it holds a connection, and Python 3.14 warns of one that nobody closes
    with pytest.raises(OSError, match="refused"):
        await response_text(figures.port)


def test_the_response_histogram_has_a_three_second_bucket() -> None:
    """The histogram of answers has a bucket that ends at Discord's limit of 3 s."""
    assert 3.0 in ANSWER_BUCKETS
    assert list(ANSWER_BUCKETS) == sorted(ANSWER_BUCKETS)


async def test_every_control_has_a_metrics_label(tmp_path: Path) -> None:
    """Each type of control has one handler and a label of its own in the metrics."""
    async with bot_harness(tmp_path) as place:
        handled = [*place.bot.clicks.handlers]
    kinds = [kind for each in handled if (kind := getattr(each, "kind", None))]
    actions = [each for each in handled if isinstance(each, str)]
    assert len(set(kinds)) == len(kinds) > 10
    assert not {*kinds} & {*actions, UNKNOWN}

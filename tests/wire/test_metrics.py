"""Metrics of the real program about its requests to Discord and their results."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.metrics_reader import PATIENCE_SECONDS, Values, metric_value, response_text, scrape_metrics
from tests.wire.environment import World, open_world, wait_until
from tests.wire.injected_faults import Perils
from tests.wire.rest import FailedError, Request

CANNOT_DM = 50007
REFUSED = "ribit_refused_requests_total"
RETRY_SECONDS = 0.05


class OneLimit:
    """Rate-limits the first message to a channel, and leaves other requests to the perils."""

    def __init__(self, perils: Perils) -> None:
        self._perils = perils
        self._is_met = False

    async def before(self, request: Request) -> None:
        if request.kind == "post" and not self._is_met:
            self._is_met = True
            self._perils.of_life.add("limited")
            raise FailedError(429, RETRY_SECONDS)
        await self._perils.before(request)

    async def after(self, request: Request) -> None:
        await self._perils.after(request)


def metrics_port(place: World) -> int:
    """Return the port of the metrics in the program's log."""
    found = re.search(r"serving metrics\s+port=(\d+)", place.program.log.read_text("utf-8"))
    assert found is not None
    return int(found[1])


async def test_metrics_count_requests_refusals_and_rate_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each request counts once, each refusal by its meaning and each limit separately.

    All metrics end with the bot. Discord allows a hundred requests a second, of which the bot uses most.
    """
    monkeypatch.setenv("RIBIT_METRICS", "127.0.0.1:0")
    monkeypatch.setenv("RIBIT_REQUESTS_PER_SECOND", "100")
    async with open_world(tmp_path, seed=7) as place:
        await place.begin()
        assert await place.connected()
        port = metrics_port(place)
        place.server.rest.watch = OneLimit(place.perils)
        people = [place.server.person(name) for name in ("Ann", "Ben")]
        channel = place.server.channel("pond")
        place.server.closed_dms.update(person.id for person in people)
        assert (await place.crowd.slash(people[0], channel.id, "toad start")).acknowledged
        for person, action in ((people[1], "join"), (people[0], "start")):
            controls = place.crowd.seen(person, channel.id)
            control = next(one for one in controls if one.action == action)
            assert (await place.crowd.press(person, control)).acknowledged
        await wait_until(lambda: place.ledger.refused[CANNOT_DM] == len(people))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while request_count(found := await scrape_metrics(port)) != place.server.rest.requests:  # noqa: ASYNC110 — there is no event to wait for
                await asyncio.sleep(RETRY_SECONDS)  # some are in progress
        refused = {
            labels: number for (name, labels), number in found.items() if number and name == REFUSED
        }
        assert refused == {(("meaning", "no DMs"),): len(people)}
        assert metric_value(found, "ribit_rate_limits_total", scope="unknown") == 1
        assert metric_value(found, "ribit_requests_total", limited="no") >= len(place.ledger.clicks)
        assert metric_value(found, "ribit_request_rate") == pytest.approx(75)
        place.program.ask_to_stop()
        assert await place.end(0) == []
        with pytest.raises(OSError, match="refused"):
            await response_text(port)


def request_count(found: Values) -> float:
    """Return the number of counted requests."""
    return sum(number for (name, _labels), number in found.items() if name == "ribit_requests_total")

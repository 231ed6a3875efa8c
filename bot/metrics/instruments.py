"""Every figure there is, by its name and its labels; docs/metrics.md says what each means."""

from __future__ import annotations

from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

ANSWER_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0, 10.0)
"""Discord gives up on a click after 3 seconds."""

THINKING_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0)
WRITE_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0)


class Instruments:
    """What is counted, read and timed; all of it is in one registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        count, gauge = partial(Counter, registry=registry), partial(Gauge, registry=registry)
        times = partial(Histogram, registry=registry)
        answers = partial(times, buckets=ANSWER_BUCKETS)
        self.clicks = count(
            "ribit_clicks", "Clicks and commands, by how they ended", ["kind", "outcome"]
        )
        self.acknowledged = answers(
            "ribit_acknowledgement_seconds", "From a click's arrival until Discord had been answered"
        )
        self.pictured = answers(
            "ribit_picture_seconds", "From a click's arrival until its answer showed a picture"
        )
        self.moves = count("ribit_moves", "Moves that were stored", ["game", "mover"])
        self.tables = gauge("ribit_live_tables", "Live matches in the database", ["game"])
        self.thinking = times(
            "ribit_thinking_seconds",
            "How long a thought was waited for",
            ["game", "thought"],
            buckets=THINKING_BUCKETS,
        )
        self.writing = gauge("ribit_waiting_writes", "Writes that wait to be committed")
        self.written = times(
            "ribit_write_seconds", "From a write until it was committed", buckets=WRITE_BUCKETS
        )
        self.halted = gauge("ribit_halted", "1 while nothing can be stored and play has paused")
        self.requests = count("ribit_requests", "Requests that Discord answered", ["limited"])
        self.refused = count(
            "ribit_refused_requests", "Requests that failed, save by limits", ["meaning"]
        )
        self.limits = count("ribit_rate_limits", "Requests that met a rate limit (429)", ["scope"])
        self.waiting = gauge("ribit_waiting_requests", "Requests that wait for their turn", ["urgency"])
        self.rate = gauge("ribit_request_rate", "Limited requests a second that this process may make")
        self.shards = gauge("ribit_shards", "Shards that this process runs")
        self.shards_up = gauge("ribit_shards_up", "Shards of this process that are connected")
        self.bot_shards = gauge("ribit_bot_shards", "Shards that the whole bot has")

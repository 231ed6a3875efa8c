"""Files for Prometheus and Grafana name only existing metrics."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import promql_parser
import pytest
import yaml
from prometheus_client import CollectorRegistry
from promql_parser import Expr, MatrixSelector, VectorSelector

from bot.engine.opponent import Mover, Strength
from bot.games import games
from bot.metrics import ANSWER_BUCKETS, SCOPES, UNKNOWN, Instruments
from bot.requests.answers import AnswerOutcome
from bot.requests.budget import Priority
from bot.requests.discord_errors import ErrorKind

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGE = (DOCS / "metrics.md").read_text("utf-8")

SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
BY_PROMETHEUS = {"job", "instance"}
OF_EVERY_PROGRAM = {
    "up",
    "process_cpu_seconds_total",
    "process_resident_memory_bytes",
    "process_start_time_seconds",
}
VALUES: Mapping[str, set[str]] = {
    "outcome": {one.value for one in AnswerOutcome},
    "meaning": {one.value for one in ErrorKind},
    "mover": {one.value for one in Mover},
    "urgency": {one.name.lower() for one in Priority},
    "scope": {*SCOPES, UNKNOWN},
    "thought": {*(one.value for one in Strength), "deal", "answer", "line", "puzzle", "whole"},
    "limited": {"yes", "no"},
    "game": set(games()),
    "le": {str(edge) for edge in ANSWER_BUCKETS},
}
"""The values of the labels, except those with many words."""


def _metric_families() -> Iterator[tuple[str, str, set[str]]]:
    """Yield the name, the type and the labels of each metric that is created."""
    for instrument in vars(Instruments(CollectorRegistry())).values():
        [family] = instrument.describe()
        yield family.name, family.type, set(instrument._labelnames)


FIGURES = {
    f"{name}{suffix}": labels | ({"le"} if suffix == "_bucket" else set())
    for name, kind, labels in _metric_families()
    for suffix in SUFFIXES[kind]
}
"""Each name that is served, with its labels."""

ALERTS = [
    rule
    for group in yaml.safe_load((DOCS / "alerts.yaml").read_text("utf-8"))["groups"]
    for rule in group["rules"]
]
DASHBOARD = json.loads((DOCS / "grafana.json").read_text("utf-8"))
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
QUERIES = {
    **{rule["alert"]: rule["expr"] for rule in ALERTS},
    **{
        f"{panel['title']} {target['refId']}": target["expr"]
        for panel in PANELS
        for target in panel["targets"]
    },
}


def query_selectors(query: str) -> list[VectorSelector]:
    """Return the figures that a query asks for, as Prometheus reads it."""
    found: list[VectorSelector] = []

    def visit(expression: Expr) -> None:
        if isinstance(expression, MatrixSelector):
            found.append(expression.vector_selector)
        elif isinstance(expression, VectorSelector):
            found.append(expression)

    promql_parser.walk(promql_parser.parse(query.replace("$__rate_interval", "5m")), visit)
    return found


def unknown_metrics(query: str) -> Iterator[str]:
    """Yield the metrics in a query that do not exist."""
    found = query_selectors(query)
    if not found:
        yield "it asks for no figure"
    for selector in found:
        name = str(selector.name)
        if name not in FIGURES and name not in OF_EVERY_PROGRAM:
            yield f"there is no {name}"
        labels = FIGURES.get(name, set())
        for matcher in selector.matchers.matchers:
            if matcher.name not in labels | BY_PROMETHEUS:
                yield f"{name} has no label {matcher.name}"
            elif matcher.name in VALUES and not set(matcher.value.split("|")) <= VALUES[matcher.name]:
                yield f"{matcher.name} is never {matcher.value}"


@pytest.mark.parametrize("what", QUERIES)
def test_queries_use_only_existing_metrics_and_labels(what: str) -> None:
    """Queries of alerts and panels name only metrics and labels of Ribit or Prometheus."""
    assert list(unknown_metrics(QUERIES[what])) == []
    grouped = re.findall(r"\b(?:by|without) \(([^)]*)\)", QUERIES[what])
    named = {name.strip() for names in grouped for name in names.split(",")}
    assert named <= BY_PROMETHEUS.union(
        *(FIGURES.get(str(one.name), ()) for one in query_selectors(QUERIES[what]))
    )


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("rate(ribit_jumps_total[5m])", "no ribit_jumps_total"),
        ('ribit_moves_total{player="7"}', "no label player"),
        ('ribit_clicks_total{outcome=~"done|lost"}', "never done|lost"),
        ("1 + 1", "no figure"),
    ],
)
def test_invalid_queries_are_detected(query: str, words: str) -> None:
    """The checks above detect an unknown metric, label or value."""
    assert any(words in complaint for complaint in unknown_metrics(query))


def test_every_metric_is_documented_and_shown() -> None:
    """docs/metrics.md has an entry for each metric and no other. The dashboard shows all but one."""
    served = {
        name + ("_total" if kind == "counter" else ""): kind
        for name, kind, _labels in _metric_families()
    }
    assert set(re.findall(r"^- `(\w+)`: ", PAGE, re.MULTILINE)) == set(served)
    asked = {
        str(one.name)
        for panel in PANELS
        for each in panel["targets"]
        for one in query_selectors(each["expr"])
    }
    shown = {re.sub("_(bucket|sum|count)$", "", name) for name in asked}
    assert set(served) - shown == {"ribit_shards"}


def test_every_alert_has_a_summary_and_an_action() -> None:
    """Each alert has a line that says what has happened, and a description with the action."""
    for rule in ALERTS:
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["description"].endswith(".")
        assert rule["labels"]["severity"] in {"critical", "warning"}


def test_the_dashboard_is_valid() -> None:
    """Grafana 10 accepts the dashboard: unique IDs, no overlapping panels, selectable data source."""
    assert DASHBOARD["schemaVersion"] >= 38
    for key in ("id", "title"):
        named = [panel[key] for panel in DASHBOARD["panels"]]
        assert len(named) == len(set(named))
    places = [panel["gridPos"] for panel in DASHBOARD["panels"]]
    cells = [
        (x, y)
        for at in places
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _y in cells) < 24
    source = {"type": "prometheus", "uid": "${datasource}"}
    assert all(each["datasource"] == source for panel in PANELS for each in (panel, *panel["targets"]))
    assert {one["name"] for one in DASHBOARD["templating"]["list"]} == {"datasource", "job"}

"""Tests of the time zone of a player's quiet hours, given as a zone, a city or a suggestion."""

from __future__ import annotations

import pytest

from bot.sessions.errors import TableError
from cogs.settings.time_zones import zone_named, zones, zones_like


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("Zürich", "Europe/Zurich"),
        ("SÃO  PAULO", "America/Sao_Paulo"),
        ("St. John's", "America/St_Johns"),
        ("Port au Prince", "America/Port-au-Prince"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("utc", "UTC"),
    ],
)
def test_a_city_is_found_despite_case_accents_and_spaces(typed: str, zone: str) -> None:
    """Case, accents, spaces and dots don't matter, and neither do former names of the same zone."""
    assert zone_named(typed) == zone
    assert zones_like(typed)[0] == zone


@pytest.mark.parametrize(
    ("typed", "suggested"),
    [
        ("Iran", "Europe/Tirane"),
        ("Rom", "Europe/Rome"),
        ("Eastern", "Canada/Eastern, US/Eastern"),
        ("Köln", "Europe/Berlin"),
        ("", "Europe/Berlin"),
        ("🐸", "Europe/Berlin"),
    ],
)
def test_a_partial_city_name_is_refused(typed: str, suggested: str) -> None:
    """A partial or unknown name is refused with a suggestion, even if only one zone contains it."""
    with pytest.raises(TableError) as refused:
        zone_named(typed)
    assert refused.value.sentence.endswith(f"such as {suggested}.")


def test_every_suggested_time_zone_is_accepted() -> None:
    """Every suggested time zone is accepted."""
    assert [zone_named(zone) for zone in zones()] == list(zones())

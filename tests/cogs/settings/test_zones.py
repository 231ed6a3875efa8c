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
def test_a_city_is_named_as_people_write_it(typed: str, zone: str) -> None:
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
def test_a_part_of_a_name_is_no_city(typed: str, suggested: str) -> None:
    """It sets no zone, also if one zone alone has it in its name."""
    with pytest.raises(TableError) as refused:
        zone_named(typed)
    assert refused.value.sentence.endswith(f"such as {suggested}.")


def test_every_zone_is_known_by_its_name() -> None:
    """Every suggested time zone is accepted."""
    assert [zone_named(zone) for zone in zones()] == list(zones())

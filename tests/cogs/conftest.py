"""Fixtures for randomness and databases in the tests of features."""

from tests.discord.conftest import _chance
from tests.storage.conftest import database, location, other, path

__all__ = ["_chance", "database", "location", "other", "path"]

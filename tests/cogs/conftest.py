"""What chance does in the tests of features, and the databases that they are given."""

from tests.discord.conftest import _chance
from tests.storage.conftest import database, location, other, path

__all__ = ["_chance", "database", "location", "other", "path"]

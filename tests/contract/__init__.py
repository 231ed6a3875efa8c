"""Contract tests of all games, which are found automatically."""

"""``/leaderboard`` with its pages, and the lines about places at the end of a match."""

"""Puzzles, as ``/toad puzzle``: one per day for all players, and others, all in private."""

"""Replays of finished matches, and GIFs that show parts of a match."""

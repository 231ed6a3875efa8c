"""Replays of finished matches, and GIFs of parts of them."""

"""Tests of the parts of all games, such as cards, shuffling, panels and words."""

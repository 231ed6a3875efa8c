"""Recorded matches of every game, which must not change unnoticed."""

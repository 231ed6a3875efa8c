"""Tests of corrections to leaderboards."""

"""Leaderboards, profiles and badges."""

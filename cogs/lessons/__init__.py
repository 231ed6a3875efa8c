"""Lessons of a game for one pupil."""

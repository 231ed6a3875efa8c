"""Frogger: its rules, panels, words and secrets."""

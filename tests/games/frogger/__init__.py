"""Tests of Frogger's rules, panels, words and secrets."""

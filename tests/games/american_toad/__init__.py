"""Tests of American Toad Solitaire."""

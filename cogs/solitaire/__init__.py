"""Solitaire games: their commands, buttons and solver."""

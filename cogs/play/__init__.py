"""Buttons and menus that all games share: moves, the table in words, and ending a match."""

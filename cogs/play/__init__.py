"""Buttons and menus of all games: playing moves, showing the table in words, and ending a match."""

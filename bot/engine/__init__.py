"""The interface of a game: pure data and functions without Discord, pixels, SQL or the clock."""

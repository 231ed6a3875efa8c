"""The contract of a game as pure data and functions, without Discord, pixels, SQL or the clock."""

"""What a game is: pure data and functions. Nothing here knows Discord, pixels, SQL or the clock."""

"""Interactive lessons that teach a user how to play a game."""

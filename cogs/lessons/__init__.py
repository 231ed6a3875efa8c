"""Interactive lessons that teach one user a game."""

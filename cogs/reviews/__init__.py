"""Reviews of a player's mistakes in a finished match."""

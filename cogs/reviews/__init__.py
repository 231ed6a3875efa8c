"""Reviews of a player's mistakes in a finished match, and matches continued from there."""

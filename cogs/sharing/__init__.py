"""*Share*, with which a player posts the end of a match once in its channel."""

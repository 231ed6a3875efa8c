"""What is set in a server, or by a player."""

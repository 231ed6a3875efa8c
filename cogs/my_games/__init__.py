"""``/games``: a user's open matches in all servers and DMs."""

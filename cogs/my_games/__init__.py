"""``/games``, which lists the user's open matches in all servers and DMs."""

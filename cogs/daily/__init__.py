"""The deal of the day: one solitaire deal that is the same for all players, with leaderboards."""

"""The command ``/correct``, which removes a match, a player or a name from a server's leaderboards."""

"""The command ``/correct``, which takes matches, players or names off a server's leaderboards."""

"""*Notify me*, with which players are mentioned once when a table of a game opens in a server."""

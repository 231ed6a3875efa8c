"""*Notify me*, which mentions a player when a table of a chosen game opens in the server."""

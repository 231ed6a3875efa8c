"""A server's daily post, and the settings screen for all regular posts of the server."""

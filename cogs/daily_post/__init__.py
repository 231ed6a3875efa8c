"""The daily post of a server, and the screen on which admins configure all regular posts."""

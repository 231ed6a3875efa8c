"""The weekly report of a server: the points of the week, and its remarkable matches."""

"""The weekly report of a server, with the week's ranking and its most remarkable matches."""

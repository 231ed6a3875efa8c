"""A server's weekly report, with the week's ranking and its most remarkable matches."""

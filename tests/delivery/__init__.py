"""The writer of a message, and the hours in which no player is called, without a bot."""

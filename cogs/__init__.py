"""Features of the bot.

Each feature is a package with its own commands, buttons, message content and stored data. Features are
independent of each other.
"""

"""``/doctor``, which checks whether the bot can work in the channel and send the user DMs."""

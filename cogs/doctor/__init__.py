"""``/doctor``, which checks the channel and the user's DMs."""

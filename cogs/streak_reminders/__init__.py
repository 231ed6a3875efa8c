"""*Remind me*, which reminds players before a streak ends."""

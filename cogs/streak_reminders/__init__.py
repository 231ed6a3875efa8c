"""The *Remind me* button, and the reminders that players get before a streak ends."""

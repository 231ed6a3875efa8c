"""*Remind me*, a direct message in the last hour of a day on which a streak would end."""

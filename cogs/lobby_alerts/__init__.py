"""The *Notify me* button, and the alerts that mention players when a table opens."""

"""The *What happened?* button, which shows the events of a match so far."""

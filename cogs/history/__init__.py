"""*What happened?*, a button that shows the events of a match so far."""

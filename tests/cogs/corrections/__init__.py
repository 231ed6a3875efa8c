"""What is taken off leaderboards."""

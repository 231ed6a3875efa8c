"""What is kept: SQL in files, migrations, the journal of moves, players, standings."""

"""Database access, SQL files, migrations, backups, locks, and one store per type of data."""

"""Storage: database drivers, SQL files, migrations, backups, locks, and stores for each type of data."""

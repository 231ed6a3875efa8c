"""What several processes of one bot share on a PostgreSQL: who runs which shards, and who is told."""

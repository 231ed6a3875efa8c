"""What several processes of one bot share on a PostgreSQL: who owns what, who is told, and the rate."""

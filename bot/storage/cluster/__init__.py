"""Communication between several processes of one bot through PostgreSQL."""

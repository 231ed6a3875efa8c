"""Communication between the processes of one bot, through their PostgreSQL database."""

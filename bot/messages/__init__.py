"""What a Discord message shows, made from tables and views. Requests nothing."""

"""Content of Discord messages, made from tables and views. Sends no requests."""

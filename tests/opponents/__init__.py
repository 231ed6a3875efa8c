"""Seats that think: in their worker processes, and what the games give them."""

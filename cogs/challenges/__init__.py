"""Challenges: a player's result on four boards against a toad, which others in the server can beat."""

"""Ribit: toad and frog card games, dealt in a Discord channel."""

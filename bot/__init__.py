"""Ribit: toad and frog card games, dealt in a Discord channel."""

__version__ = "1.0.0"

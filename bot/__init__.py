"""Ribit, a Discord bot that deals toad and frog card games in a channel."""

__version__ = "2.1.0.dev0"

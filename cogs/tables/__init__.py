"""Slash commands of the games for several players, such as ``/toad``."""

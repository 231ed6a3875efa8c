"""Slash commands and components: Discord in, Discord out, and no rules."""

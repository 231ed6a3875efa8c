"""Sends and edits all Discord messages about matches. Game rules and layouts are in other packages."""

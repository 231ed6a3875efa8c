"""Builders of Discord message content. This package sends no requests."""

"""``/settings`` and its controls."""

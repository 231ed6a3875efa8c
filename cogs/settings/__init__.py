"""The command ``/settings``, with which players and admins choose their settings."""

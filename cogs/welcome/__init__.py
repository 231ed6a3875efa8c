"""Greetings for new servers, ``/help``, and a first match against computer players."""

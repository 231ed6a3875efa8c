"""A greeting for a new server, ``/help``, and a first match against computer players."""

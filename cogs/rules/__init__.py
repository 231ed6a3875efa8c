"""The rules of a game in pages: ``/toad rules``, and *How to play* at a table."""

"""The rules of each game: ``/toad rules``, and *How to play* at a table."""

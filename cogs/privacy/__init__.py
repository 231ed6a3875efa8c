"""The command ``/privacy``, with which users download or delete their data."""

"""Card puzzles, for example ``/toad puzzle``: one per day that counts, and random ones for practice."""

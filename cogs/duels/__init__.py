"""``/toad daily`` and ``/frogger daily``: the same short duels against a toad for all players."""

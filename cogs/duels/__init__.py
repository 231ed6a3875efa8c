"""Daily duels, which players start with ``/toad daily`` and ``/frogger daily``.

A duel is a short match against a toad, the strongest computer player. All players get the same duels.
"""

"""Challenges, in which members of a server play the same four short matches and compare results.

Each match is against a toad, the strongest computer player.
"""

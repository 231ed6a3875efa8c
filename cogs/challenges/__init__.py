"""Challenges: members of a server play the same four short matches and compare their results.

Each match is against a toad, the strongest computer player.
"""

"""Data of matches: players, deals, results and settings.

This package accesses neither storage nor Discord.
"""

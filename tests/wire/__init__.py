"""The real program against a Discord on loopback: a real socket, real HTTP, and ``kill -9``.

``python -m tests.wire --kills 300`` plays every game that the bot offers and kills it on the way.
"""

"""Tests of the real program against a local Discord, with a real socket, real HTTP and ``kill -9``.

``python -m tests.wire --kills 300`` plays every game of the bot and kills the process meanwhile.
"""

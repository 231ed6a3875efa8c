"""Starts the bot like the launcher, with shorter pauses for tests."""

from __future__ import annotations

import sys

from bot import running
from bot.__main__ import main
from bot.delivery import match_messages
from bot.requests import emojis, gateway_sessions
from tests.wire.launcher import connect_to

HASTY = __name__

if __name__ == "__main__":
    emojis.FIRST_PAUSE = 1.0
    running.PAUSE_SECONDS = (0.2, running.PAUSE_SECONDS[1])
    gateway_sessions.PAUSE_SECONDS = (0.2, gateway_sessions.PAUSE_SECONDS[1])
    match_messages.RETRY_SECONDS = (1, 120, 600, 3600)
    connect_to(*sys.argv[1:])
    sys.exit(main(["run"]))

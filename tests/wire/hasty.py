"""Starts the bot as the launcher does, with pauses cut short through which a test would only sit."""

from __future__ import annotations

import sys

from bot import running
from bot.__main__ import main
from bot.delivery import scheduler
from bot.requests import emojis
from tests.wire.launcher import connect_to

HASTY = __name__

if __name__ == "__main__":
    emojis.FIRST_PAUSE = 1.0
    running.FIRST_PAUSE_SECONDS = 0.2
    scheduler.RETRY_SECONDS = (2, 120)
    connect_to(*sys.argv[1:])
    sys.exit(main(["run"]))

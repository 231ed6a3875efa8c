"""Starts the bot as ``python -m bot run`` does, with Discord at the address that is given."""

from __future__ import annotations

import signal
import sys
import time
from datetime import timedelta

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.__main__ import main


def set_clock(seconds: int) -> None:
    """Have the machine's clock, as this process sees it, be set forward, or back."""
    told, utcnow = time.time, discord.utils.utcnow
    time.time = lambda: told() + seconds
    discord.utils.utcnow = lambda: utcnow() + timedelta(seconds=seconds)


if __name__ == "__main__":
    address, when, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if when == "later":
        signal.signal(signal.SIGUSR1, lambda _number, _frame: set_clock(seconds))
    elif when == "before":
        set_clock(seconds)
    Route.BASE = f"http://{address}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/gateway")
    sys.exit(main(["run"]))

"""Starts the bot like ``python -m bot run``, with Discord at a given address."""

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
    """Set the machine's clock, as this process sees it, forward or back."""
    told, utcnow = time.time, discord.utils.utcnow
    time.time = lambda: told() + seconds
    discord.utils.utcnow = lambda: utcnow() + timedelta(seconds=seconds)


def connect_to(address: str, when: str, seconds: str) -> None:
    """Set Discord's address, and set the clock by some seconds ``before``, ``later`` or never."""
    if when == "later":
        signal.signal(signal.SIGUSR1, lambda _number, _frame: set_clock(int(seconds)))
    elif when == "before":
        set_clock(int(seconds))
    Route.BASE = f"http://{address}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/gateway")


if __name__ == "__main__":
    connect_to(*sys.argv[1:])
    sys.exit(main(["run"]))

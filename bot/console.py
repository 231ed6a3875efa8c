"""The console: how commands answer on the command line."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import asyncio

Verb: TypeAlias = Callable[[argparse.Namespace], int]
"""Carries out what is named like it, and returns the exit code."""

Add: TypeAlias = Callable[[Verb, str], argparse.ArgumentParser]
STDOUT = STDIN = "-"  # the name of a file that stands for standard output, or input
FAILED = 1


def say(sentence: str) -> None:
    if not (sentence.isascii() and sentence.isprintable()):
        from bot.engine.name_sanitizing import visible  # noqa: PLC0415 — health does without

        sentence = visible(sentence)
    print_text(sentence)


def print_text(text: str) -> None:
    """Print something; who reads it may have what they wanted before its end."""
    try:
        print(text, flush=True)  # noqa: T201 — this is the answer to a command line
    except BrokenPipeError:  # as by head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def told_to_stop() -> asyncio.Event:
    """Return what is set when the program is told to stop, by Ctrl-C or by a service manager."""
    import asyncio  # noqa: PLC0415 — health, which is asked often, does without

    stop = asyncio.Event()
    with suppress(NotImplementedError):  # Windows has no such handlers; Ctrl-C ends the program there
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def complain(sentence: str, code: int = FAILED) -> int:
    from bot.logs import write_sentence  # noqa: PLC0415 — also where packages are missing

    write_sentence(sentence)
    return code

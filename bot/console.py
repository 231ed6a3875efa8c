"""Helpers for the input and output of command-line commands."""

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
"""A function that runs the command with the same name and returns the exit code."""

Add: TypeAlias = Callable[[Verb, str], argparse.ArgumentParser]
STDOUT = STDIN = "-"  # the file name that means standard output or input
FAILED = 1


def say(sentence: str) -> None:
    """Print a sentence to standard output, with control characters and line breaks escaped."""
    if not (sentence.isascii() and sentence.isprintable()):
        from bot.engine.name_sanitizing import visible  # noqa: PLC0415 — not needed by health

        sentence = visible(sentence)
    print_text(sentence)


def print_text(text: str) -> None:
    """Print a text. If standard output is a pipe whose reader has closed it, discard the text."""
    try:
        print(text, flush=True)  # noqa: T201 — the output of a command
    except BrokenPipeError:  # for example by head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def stop_event() -> asyncio.Event:
    """Return an event that is set when Ctrl-C or a service manager stops the program."""
    import asyncio  # noqa: PLC0415 — not needed by health, which runs often

    stop = asyncio.Event()
    # Windows has no such handlers, and Ctrl-C ends the program there.
    with suppress(NotImplementedError):
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def print_error(sentence: str, code: int = FAILED) -> int:
    """Print an error message to standard error, and return the exit code that the caller passed."""
    from bot.logs import write_sentence  # noqa: PLC0415 — must work without packages

    write_sentence(sentence)
    return code

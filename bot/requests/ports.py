"""What the processes of one bot have among themselves, as requests need it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TypeAlias

Once: TypeAlias = Callable[[str], AbstractAsyncContextManager[None]]
"""Has something to itself among all processes of the bot; it is waited for."""


def by_itself(_what: str) -> AbstractAsyncContextManager[None]:
    """Have something to oneself where there is only one process."""
    return nullcontext()


Share: TypeAlias = Callable[[Callable[[float], object]], object]
"""Has something called with this process's part of the bot's requests, now and when it has changed."""

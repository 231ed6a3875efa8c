"""Looks for garbage while nobody waits for an answer: Python would do it in the middle of a click."""

from __future__ import annotations

import gc
import time

YOUNG = 500
"""How many new objects are worth a look: a click or two make as many."""

PARTS = 10_000
"""A look at all objects takes no more than such a part of the time: it holds everything up."""


class Garbage:
    """Looks at new objects each time, now and then at older ones, and rarely at all of them."""

    def __init__(self) -> None:
        self._all_from = 0.0

    def look(self) -> None:
        """Have what is garbage go, if it is worth it and Python does so at all."""
        young, middle, old = gc.get_count()
        if young < YOUNG or not gc.isenabled():
            return
        _most_young, most_middle, most_old = gc.get_threshold()
        began = time.perf_counter()
        if old <= most_old or began < self._all_from:
            gc.collect(1 if middle > most_middle else 0)
            return
        gc.collect()
        now = time.perf_counter()
        self._all_from = now + PARTS * (now - began)

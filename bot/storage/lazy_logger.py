"""A logger that imports structlog only on first use. Short commands that log nothing start faster."""

from __future__ import annotations

from typing import Any


class LazyLog:
    """A module's structlog logger, created on first use."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        import structlog  # noqa: PLC0415 — it takes longer than all else that health imports

        return getattr(structlog.get_logger(self._module), name)

"""Logs: readable, one line an event, and what the libraries complain of among them."""

from __future__ import annotations

import logging
import re
import sys

import structlog

OURS = ("bot", "cogs")
"""The packages whose loggers are Ribit's own."""

_INTERACTION_TOKEN = re.compile(r"(/(?:webhooks|interactions)/\d+/)[^/\s?'\"]+")
"""In an address of Discord's: whoever has the token can speak for the bot for 15 minutes."""


def configure_logs(level: str) -> None:
    """Write Ribit's events of this level and above to standard error; of libraries, what is wrong.

    What libraries tell below a warning holds secrets: SQL with its parameters, seeds among them, and
    all that goes to Discord and comes from it.
    """
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=True),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    renderer = structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), pad_event_to=0, exception_formatter=structlog.dev.plain_traceback
    )
    floor = max(logging.WARNING, logging.getLevelNamesMapping()[level])
    handler = logging.StreamHandler()
    handler.addFilter(lambda record: record.levelno >= floor or _is_ours(record.name))
    handler.setFormatter(
        _Formatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    logging.basicConfig(level=floor, handlers=[handler], force=True)
    for name in OURS:
        logging.getLogger(name).setLevel(level)


class _Formatter(structlog.stdlib.ProcessorFormatter):
    """Leaves out the tokens in addresses, which discord.py and aiohttp name in their complaints."""

    def format(self, record: logging.LogRecord) -> str:
        return _INTERACTION_TOKEN.sub(r"\1…", super().format(record))


def _is_ours(name: str) -> bool:
    """Return whether a logger is Ribit's; another may have been given a lower level by its library."""
    return name.partition(".")[0] in OURS

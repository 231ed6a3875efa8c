"""Logging configuration for Ribit and its libraries, with human-readable or JSON output."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from traceback import format_exception
from typing import TextIO

import structlog

from bot.engine.name_sanitizing import ids_as_text, visible

log = structlog.get_logger(__name__)

OURS = ("bot", "cogs")  # loggers of Ribit's own packages
JSON = "json"  # format with one JSON object per line, any other is for people
OF_PEOPLE = ("player", "players", "winners")  # keys of player IDs, logged at DEBUG only
_INTERACTION_TOKEN = re.compile(r"(/(?:webhooks|interactions)/\d+/)[^/\s?'\"]+")
"""Matches the token in a Discord URL. For 15 minutes, anyone with the token can post as the bot."""

_PERSON = re.compile(
    r"(/(?:users|(?:thread-)?members|recipients|bans|voice-states|reactions/[^/\s]+)/|<@!?)\d+"
)
"""Matches a user ID in a URL or a mention."""


def configure_logs(level: str, form: str = "text") -> None:
    """Configure logging to standard error.

    Ribit's own events are logged from the given level. Libraries' events are logged only from WARNING,
    because at lower levels libraries log secrets, such as SQL with seeds and all traffic with Discord.

    Args:
        level: One of ``settings.LEVELS``.
        form: One of ``settings.FORMATS``.
    """
    is_json = form == JSON
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso" if is_json else "%Y-%m-%d %H:%M:%S", utc=True),
    ]
    if level != "DEBUG":
        shared.append(_without_people)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    floor = max(logging.WARNING, logging.getLevelNamesMapping()[level])
    handler = logging.StreamHandler()
    # A library may have set a lower level for its own logger.
    handler.addFilter(lambda one: one.levelno >= floor or one.name.partition(".")[0] in OURS)
    handler.addFilter(_shorten_outage)
    formatter = _Formatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *(_for_programs() if is_json else _for_people()),
        ],
    )
    formatter.is_json = is_json
    handler.setFormatter(formatter)
    logging.basicConfig(level=floor, handlers=[handler], force=True)
    for name in OURS:
        logging.getLogger(name).setLevel(level)


def write_sentence(sentence: str) -> None:
    """Write a sentence to standard error. If the log format is JSON, write it as a log event."""
    formatters = [handler.formatter for handler in logging.getLogger().handlers]
    if any(isinstance(formatter, _Formatter) and formatter.is_json for formatter in formatters):
        log.critical(sentence)
    else:
        print(visible(sentence), file=sys.stderr)  # noqa: T201 — the output of a command


def _shorten_outage(record: logging.LogRecord) -> bool:
    """Shorten discord.py's log records about lost connections to one-line warnings without a traceback.

    Returns:
        False if the record is about a failed start of a shard. Ribit logs these failures itself.
    """
    if record.name == "discord.shard" and record.exc_info:
        error = record.exc_info[1]
        message = f"{record.getMessage()} ({type(error).__name__}: {error})".splitlines()[0]
        record.msg, record.args, record.exc_info = message, (), None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        return not message.startswith("Failed to connect")
    return True


def _for_people() -> Iterator[structlog.typing.Processor]:
    yield _on_one_line
    yield structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), pad_event_to=0, exception_formatter=_write_traceback
    )


def _for_programs() -> Iterator[structlog.typing.Processor]:
    yield structlog.processors.format_exc_info  # without local variables, which contain secrets
    yield lambda _logger, _method, event: ids_as_text(event)
    yield structlog.processors.JSONRenderer()  # escapes all but ASCII


class _Formatter(structlog.stdlib.ProcessorFormatter):
    """A log formatter that removes interaction tokens and user IDs from the output.

    The errors of libraries may contain them.
    """

    is_json = False

    def format(self, record: logging.LogRecord) -> str:
        return _PERSON.sub(r"\1…", _INTERACTION_TOKEN.sub(r"\1…", super().format(record)))


def _without_people(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    for key in OF_PEOPLE:
        event.pop(key, None)
    return event


def _on_one_line(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Escape line breaks and control characters in the values of a log event.

    They may occur in names and in Discord's answers.
    """
    for key, value in event.items():
        text = value if isinstance(value, str) else repr(value)
        if key != "exc_info" and (visible_text := visible(text)) != text:
            event[key] = visible_text
    return event


def _write_traceback(stream: TextIO, raised: structlog.typing.ExcInfo) -> None:
    """Write a traceback with indented lines, so that they cannot be mistaken for log lines."""
    for line in "".join(format_exception(*raised)).splitlines():
        stream.write(f"\n  {visible(line)}")

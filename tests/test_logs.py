"""Tests of the log's content and format, in a process that logs like the bot."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.engine.name_sanitizing import visible

ROOT = Path(__file__).parents[1]
PROGRAM = r"""
import logging, sys
import structlog
from bot.logs import configure_logs, write_sentence

configure_logs(*sys.argv[1:])
log = structlog.get_logger("bot.pond")
hostile = "Frogs\x1b[31m\n2026-01-01 00:00:00 [info     ] forged \u202egorf\u2028\x9b\r\x00"

class Rude:
    def __repr__(self):
        return hostile

log.info("match started", match="m1", channel=14560000000000018,
         players=[4711], player=4711, winners=[4711])
log.debug("move", match="m1", player=4711)
log.warning("Discord refused a request", error=hostile, server=[hostile], thing=Rude())
logging.getLogger("discord").warning("We heard %s", hostile)
logging.getLogger("discord.http").warning(
    "We are being rate limited. GET https://discord.com/api/v10/guilds/12/members/471100000000000001 "
    "responded with 429, as did /users/471100000000000002, /channels/3/recipients/471100000000000003?x "
    "and /reactions/x/471100000000000004: <@!471100000000000005>, "
    "/webhooks/471100000000000006/tok-en/messages"
)
try:
    try:
        raise OSError(hostile)
    except OSError as error:
        secret = "the seed"
        error.add_note(hostile)
        raise ExceptionGroup(hostile, [ValueError(hostile)]) from error
except ExceptionGroup:
    log.exception(hostile, file=hostile)
write_sentence(f"There is no file {hostile}.")
"""


def log_output(*arguments: str) -> str:
    """Return the output of a process with these log settings."""
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", PROGRAM, *arguments],
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        check=True,
        timeout=300,
    )
    return done.stderr.decode()


@pytest.mark.parametrize("form", ["text", "json"])
def test_foreign_text_cannot_forge_log_lines(form: str) -> None:
    """Foreign text starts no line, moves no cursor and reverses no line."""
    log = log_output("INFO", form)
    raw = {letter for letter in log if visible(letter) != letter}
    assert raw == {"\n"}
    assert "forged" in log
    assert [line for line in log.splitlines() if line.startswith("2026-01-01")] == []


def test_console_lines_have_indented_tracebacks() -> None:
    """A line an event, and a traceback below it, every line of which is indented."""
    lines = log_output("INFO").splitlines()
    events = [line for line in lines if re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[\w+ *\] ", line)]
    assert len(events) == 5
    assert "match started" in events[0]
    assert "  Traceback (most recent call last):" in lines
    assert "  OSError: Frogs\\x1b[31m" in lines
    assert lines[-1].startswith("There is no file Frogs")
    assert "the seed" not in "\n".join(lines).replace('secret = "the seed"', "")


def test_every_json_log_line_is_an_object() -> None:
    """Each line is an object with time, level and message, also tracebacks and the last line."""
    objects = [json.loads(line) for line in log_output("INFO", "json").splitlines()]
    assert [each["level"] for each in objects] == [
        "info",
        "warning",
        "warning",
        "warning",
        "error",
        "critical",
    ]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", each["timestamp"]) for each in objects)
    assert objects[0]["event"] == "match started"
    assert (objects[0]["match"], objects[0]["channel"]) == ("m1", "14560000000000018")
    assert "Traceback (most recent call last):" in objects[4]["exception"]
    assert "the seed" not in objects[4]["exception"].replace('secret = "the seed"', "")
    assert objects[5]["event"].startswith("There is no file")


@pytest.mark.parametrize("form", ["text", "json"])
def test_player_ids_are_logged_only_at_debug(form: str) -> None:
    """Ids of players are in the log at DEBUG, and at no other level."""
    assert re.search(r"\b4711\b", log_output("DEBUG", form))
    assert not re.search(r"\b4711\b", log_output("INFO", form))


def test_logged_addresses_contain_no_user_ids_or_tokens() -> None:
    """Addresses in libraries' warnings are logged without user IDs or tokens. The bot's own ID stays."""
    [line] = [line for line in log_output("DEBUG").splitlines() if "rate limited" in line]
    assert re.findall(r"4711\d+|tok-en", line) == ["471100000000000006"], "the bot's own number stays"
    assert "/guilds/12/members/…" in line

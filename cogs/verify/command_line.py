"""The command ``ribit verify FILE``, which checks a match's record without a running bot."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bot.console import STDIN, Add, print_error, say
from bot.games import games
from cogs.verify.check import check_record
from cogs.verify.content import moments, report_words
from cogs.verify.record_file import MOST_BYTES, read


def add(add: Add) -> None:
    checked = add(verify, "check how a match was dealt, from the file that Download gives")
    checked.add_argument("file", metavar="FILE", help="- is standard input")


def verify(given: argparse.Namespace) -> int:
    try:
        with Path(given.file).open("rb") if given.file != STDIN else sys.stdin.buffer as file:
            record = read(file.read(MOST_BYTES + 1))
    except OSError as error:
        return print_error(f"{given.file} cannot be read ({error.strerror}). Name the file of Download.")
    current_game = games().get(record.game)
    game = current_game.by_rules(record.rules_version) if current_game else None
    if game is None:
        return print_error("This Ribit does not know the game or its rules. Verify it with a newer one.")
    report = check_record(game, record)
    words = f"Match {record.match_id}: {report_words(record, report)}"
    if report.fault is not None or record.secret is None:
        return print_error(words)
    for line in (*words.splitlines(), *moments(record)):
        say(line)
    say(f"Its commitment, of which a lobby shows the beginning: {record.commitment}.")
    say(f"It is right only if it showed {record.digest} before the match ended: compare them.")
    return 0

"""Commands of ``ribit`` and ``python -m bot``, such as setup, run, demo, doctor and backup.

Each command imports its modules when it is called. A container runs ``health`` every minute, and
``doctor`` must work even if packages are missing.
"""

from __future__ import annotations

import argparse
import io
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from bot import __version__
from bot.console import FAILED, STDOUT, Add, Verb, print_error, print_text, say
from bot.engine.errors import ConfigurationError, RibitError

if TYPE_CHECKING:
    from bot.storage.database_address import Location

DEMO_PORT = 8765
INTERRUPTED = 130
UNCONFIGURED = 78  # ``EX_CONFIG`` of sysexits.h, an error that the host must fix


def setup(given: argparse.Namespace) -> int:
    """Ask for the bot token, write ``.env``, and start the bot if the host agrees."""
    from bot.setup import has_terminal, is_confirmed, set_up

    set_up()
    if has_terminal() and is_confirmed("Start Ribit now?"):
        return run(given)
    say("To start the bot, run ribit in this folder.")
    return 0


def run(given: argparse.Namespace) -> int:
    try:
        _offer_setup()
        from bot.running import run_bot

        run_bot(is_backed_up=given.backed_up)
    except ConfigurationError as error:
        return print_error(error.sentence, UNCONFIGURED)
    return 0


def _offer_setup() -> None:
    """If no token is set and the command runs in a terminal, offer to set the bot up.

    Raises:
        ConfigurationError: The host declines.
    """
    from bot.settings import read_settings
    from bot.setup import can_ask, is_confirmed, set_up

    if not (can_ask() and read_settings().token is None):
        return
    if not is_confirmed("No token is set. Set Ribit up now?"):
        raise ConfigurationError("Nothing was started: set DISCORD_TOKEN, or run ribit setup.")
    set_up()


def demo(given: argparse.Namespace) -> int:
    import asyncio

    from bot.logs import configure_logs
    from bot.running import StartError

    try:
        from bot.demo import show
    except ModuleNotFoundError as error:
        raise StartError(
            f"The demo needs a package more ({error.name}). Run uvx --from 'ribit[demo]' ribit demo, or "
            "install it in a clone with pip install -e '.[demo]'."
        ) from None
    configure_logs("WARNING")
    asyncio.run(show(given.port, given.game))
    return 0


def doctor(given: argparse.Namespace) -> int:
    from bot.doctor import findings

    is_well = True
    for finding in findings(is_offline=given.offline):
        say(str(finding))
        is_well = is_well and finding.is_well
    return 0 if is_well else FAILED


def health(_given: argparse.Namespace) -> int:
    """Check that the bot is connected and that its database is writable, and print the result."""
    from bot.health import check_health
    from bot.settings import read_settings
    from bot.storage.database_address import locate

    settings = read_settings(is_offline=True)
    for sentence in check_health(locate(settings.database), settings.shards, int(time.time())):
        say(sentence)
    return 0


def backup(given: argparse.Namespace) -> int:
    """Write a copy of the database to a new file or to standard output.

    Standard output then contains only the copy, and messages go to standard error.
    """
    from bot.logs import write_sentence
    from bot.storage.backups import back_up, stream_backup

    if given.file == STDOUT:
        if sys.stdout is None or sys.stdout.isatty():
            return print_error(
                "A backup is nothing for a terminal to show. Send it on, as in ribit backup - | age -r "
                "KEY > FILE, or name a file."
            )
        holding = stream_backup(_database(), sys.stdout.fileno())
        write_sentence(f"Backed up to standard output: {holding}.")
        return 0
    holding = back_up(_database(), Path(given.file))
    say(f"Backed up to {given.file}: {holding}.")
    return 0


def restore(given: argparse.Namespace) -> int:
    from bot.logs import configure_logs
    from bot.storage.backups import restore

    configure_logs("WARNING")
    database = _database()
    holding, before = restore(given.file, database)
    note = f"The database before is kept as {before}. " if before else ""
    say(f"Restored {database}: {holding}. {note}Start the bot.")
    return 0


def move(given: argparse.Namespace) -> int:
    import asyncio

    from bot.logs import configure_logs
    from bot.storage.database_address import locate
    from bot.storage.transfer import move

    configure_logs("WARNING")
    source, target = locate(given.source), locate(given.target)
    holding = asyncio.run(move(source, target))
    say(f"Moved {source} to {target}: {holding}. Set RIBIT_DATABASE to the new one, and start the bot.")
    return 0


def recount(given: argparse.Namespace) -> int:
    import asyncio

    from bot.games import games
    from bot.logs import configure_logs
    from bot.storage.recount import recount

    configure_logs("WARNING")
    counted = asyncio.run(recount(_database(), games(), is_applied=given.apply))
    for sentence in counted.report_lines(is_applied=given.apply):
        say(sentence)
    return 0


def forget(given: argparse.Namespace) -> int:
    import asyncio

    from bot.logs import configure_logs
    from bot.storage.forgetting import forget_by_id

    configure_logs("WARNING")
    matches, names = asyncio.run(forget_by_id(_database(), given.id, is_applied=given.yes))
    called = f" They are called {', '.join(names)}." if names else ""
    say(f"Matches at which {given.id} sat: {matches}.{called}")
    if given.yes:
        say("They are forgotten. The next start gives up their seats at live tables.")
    else:
        say(f"Nobody is forgotten yet: forget {given.id} --yes does that, and it cannot be undone.")
    return 0


def _discord_id(written: str) -> int:
    if not written.isdecimal() or not 0 < int(written) < 2**63:
        raise argparse.ArgumentTypeError("it takes the number that Discord has for a user")
    return int(written)


def replay(given: argparse.Namespace) -> int:
    import asyncio

    from bot.games import games
    from bot.sessions.match_export import as_json, as_lines
    from bot.sessions.replay_reading import read_replay
    from bot.storage.database_lock import stored_match

    record = asyncio.run(stored_match(_database(), given.id))
    match_replay = read_replay(games(), *record)
    if given.json:
        print_text(as_json(match_replay))
        return 0
    for line in as_lines(match_replay):
        say(line)
    return 0


def _database() -> Location:
    from bot.settings import read_settings
    from bot.storage.database_address import locate

    return locate(read_settings(is_offline=True).database)


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    called = "ribit" if Path(sys.argv[0]).stem == "ribit" else "python -m bot"
    parser = argparse.ArgumentParser(prog=called, description="Ribit, a card-game bot for Discord")
    parser.add_argument("--version", action="version", version=f"ribit {__version__}")
    parser.set_defaults(act=run, backed_up=False)
    verbs = parser.add_subparsers(required=False)

    def add(verb: Verb, help_: str) -> argparse.ArgumentParser:
        added = verbs.add_parser(verb.__name__, help=help_)
        added.set_defaults(act=verb)
        return added

    add(setup, "ask for the token, check it, and print the link that invites the bot")
    started = add(run, "run the bot for real (the default); needs DISCORD_TOKEN")
    started.add_argument(
        "--backed-up", action="store_true", help="update an older database without a backup before"
    )
    demo_parser = add(demo, "run the bot in a browser, without a token")
    demo_parser.add_argument("--port", type=int, default=DEMO_PORT, help=f"local port ({DEMO_PORT})")
    demo_parser.add_argument("--game", help="whose table to open, by its slash command, such as frogger")
    subparser = add(doctor, "check everything that a start needs, without starting")
    subparser.add_argument("--offline", action="store_true", help="do not ask Discord about the token")
    add(health, "say whether the bot is connected: exit code 0 or 1")
    copied = add(backup, "copy the database to a new file, also while the bot runs")
    copied.add_argument("file", metavar="FILE", help="it must not exist; - is standard output")
    replaced = add(restore, "check a backup and put it in the database's place")
    replaced.add_argument("file", type=Path, metavar="FILE", help="a backup")
    moved = add(move, "copy the database into an empty one, of SQLite or PostgreSQL; the bot stopped")
    for name, metavar in (("source", "FROM"), ("target", "TO")):
        moved.add_argument(name, metavar=metavar, help="a path, or postgresql://user@host/name")
    counted = add(recount, "compute the leaderboards anew, and say what changes; the bot stopped")
    counted.add_argument("--apply", action="store_true", help="store them; else nothing is changed")
    _add_records(add)
    # For the built-in commands, no feature is imported.
    if not arguments or arguments[0] not in verbs.choices:
        from importlib.resources import files

        for folder in sorted(files("cogs").iterdir(), key=str):
            if folder.joinpath("command_line.py").is_file():
                import_module(f"cogs.{folder.name}.command_line").add(add)
    return parser


def _add_records(add: Add) -> None:
    printed = add(replay, "print a match that is over, a move a line; also while the bot runs")
    printed.add_argument("id", metavar="ID", help="of the match, as /replay takes it")
    printed.add_argument("--json", action="store_true", help="print it as a JSON object")
    left = add(forget, "forget somebody, or say what is kept of them; the bot stopped")
    left.add_argument("id", metavar="ID", type=_discord_id, help="of the Discord user")
    left.add_argument("--yes", action="store_true", help="forget them for good; else nothing is changed")


def main(arguments: list[str] | None = None) -> int:
    """Run a command of the command line and return its exit code.

    Args:
        arguments: The command-line arguments, or None to use ``sys.argv``.
    """
    for console in (sys.stdout, sys.stderr):
        if isinstance(console, io.TextIOWrapper):  # without a console there is none
            # Not every console can print the letters of all names.
            console.reconfigure(errors="backslashreplace")
    typed = sys.argv[1:] if arguments is None else arguments
    args = _parser(typed).parse_args(typed)
    act: Verb = args.act
    try:
        return act(args)
    except RibitError as error:
        return print_error(error.sentence)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())

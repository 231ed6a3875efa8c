"""The installed distribution, and whether its files are all its own.

A migration or a game is found by its file alone. So one that another version left behind would be taken
for this version's, and a database lifted past it.
"""

from __future__ import annotations

import csv
from importlib.metadata import distributions
from pathlib import Path

from bot.engine.errors import RibitError

SHOWN = 3
"""So many of them are named."""

_CODE = Path(__file__).parents[1]


class StrayFilesError(RibitError):
    """Among the files of an install are some that its own list does not name."""


def require_own_files() -> None:
    """Raise StrayFilesError where the install has code or SQL that is not of this version.

    A clone and an editable install have no list: what is there is what is meant.
    """
    found = distributions(name="ribit")  # what setuptools once left in a clone is no install
    install = next((each for each in found if each.read_text("METADATA") is not None), None)
    record = install.read_text("RECORD") if install is not None else None
    if (
        install is None
        or record is None
        or Path(str(install.locate_file(""))).resolve() != _CODE.resolve()
    ):
        return
    own = {row[0] for row in csv.reader(record.splitlines())}
    files = (path for folder in ("bot", "cogs") for path in _CODE.joinpath(folder).rglob("*"))
    names = (path.relative_to(_CODE).as_posix() for path in files if path.suffix in {".py", ".sql"})
    strays = sorted(name for name in names if name not in own)
    if strays:
        raise StrayFilesError(
            f"Not all files in {_CODE} came with this Ribit: {', '.join(strays[:SHOWN])}. Another "
            "version left them: uninstall Ribit, delete the folders bot and cogs there, and install it."
        )

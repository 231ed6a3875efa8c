"""Pages of prose that lie beside a game's modules, one file for each language."""

from __future__ import annotations

from importlib.resources import files

from bot.engine.words import language


def rules_page(package: str) -> str:
    """Return the ``RULES.md`` of a package, or ``RULES.de.md`` and such in the language spoken."""
    folder = files(package)
    translated = folder.joinpath(f"RULES.{language()}.md")
    page = translated if translated.is_file() else folder.joinpath("RULES.md")
    return page.read_text("utf-8")

"""Compiles the catalogues of the languages when Ribit is built: who runs it needs no Babel."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileCatalogues(BuildHookInterface[BuilderConfig]):
    """Puts ``ribit.mo`` beside each ``ribit.po``: in a wheel, or in the clone of an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; for a wheel in a folder of its own, so that a build leaves nothing behind."""
        self._folder = TemporaryDirectory()
        for source in Path(self.root, "bot", "locales").glob("*/ribit.po"):
            language, compiled = source.parent.name, source.with_suffix(".mo")
            made = compiled
            if version != "editable":
                made = Path(self._folder.name, f"{language}.mo")
                build_data["force_include"][str(made)] = compiled.relative_to(self.root).as_posix()
            with source.open("rb") as translated, made.open("wb") as written:
                write_mo(written, read_po(translated, locale=language))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take away what the wheel now has."""
        self._folder.cleanup()

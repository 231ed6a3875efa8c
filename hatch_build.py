"""What building takes: catalogues compiled, and a README that can be read outside the clone."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = re.compile(r"(?P<picture>!?)\[(?P<words>[^]]+)\]\((?!\w+:|#)(?P<path>[^)]+)\)")


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


class ReadmeAnywhere(MetadataHookInterface):
    """Makes the README of the package from the clone's, whose links are to files beside it.

    A package index has no such files, and shows no picture that is part of the text. So links lead to
    the ``Repository`` of ``project.urls``; as long as there is none, a picture is what its text says.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Put in the README."""
        repository = str(metadata.get("urls", {}).get("Repository", "")).rstrip("/")

        def anywhere(link: re.Match[str]) -> str:
            picture, words, path = link["picture"], link["words"], link["path"]
            if not repository:
                return f"*{words}*" if picture else words
            return f"{picture}[{words}]({repository}/{'raw' if picture else 'blob'}/HEAD/{path})"

        written = Path(self.root, "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": _RELATIVE.sub(anywhere, written)}

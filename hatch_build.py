"""Build hooks: compiled translations, and a README whose links work outside the repository."""

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
    """Compiles each ``ribit.po`` to a ``ribit.mo`` in the same folder.

    The folder is in the wheel, or in the clone if the installation is editable.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the translations. For a wheel, write them to a temporary folder."""
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
        """Delete the temporary folder."""
        self._folder.cleanup()


class ReadmeWithAbsoluteLinks(MetadataHookInterface):
    """Replaces the relative links in the README of the package.

    A package index does not have the linked files. Links lead to the ``Repository`` in ``project.urls``.
    If there is none, links and pictures are replaced by their texts.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README to the metadata."""
        repository = str(metadata.get("urls", {}).get("Repository", "")).rstrip("/")

        def absolute(link: re.Match[str]) -> str:
            picture, words, path = link["picture"], link["words"], link["path"]
            if not repository:
                return f"*{words}*" if picture else words
            return f"{picture}[{words}]({repository}/{'raw' if picture else 'blob'}/HEAD/{path})"

        written = Path(self.root, "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": _RELATIVE.sub(absolute, written)}

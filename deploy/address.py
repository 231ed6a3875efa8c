"""Writes the repository's address of pyproject.toml into the files that cannot read it.

These are the templates in this folder and the Compose files, which name the published image.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent
UNRAID = "deploy/unraid.xml"
COMPOSE = ("compose.yaml", "compose.fleet.yaml")
PLACEHOLDER = "https://github.com/OWNER/ribit"
_GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
_PAGE = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+")
_IMAGE = re.compile(r"ghcr\.io/[\w.-]+/[\w.-]+")
_COMPOSE_IMAGE = re.compile(r"(?m)^(  (?:  )?image: )(?:ribit|ghcr\.io/\S+)$")


def repository_in(project: str) -> str | None:
    """Return the repository's address in the text of pyproject.toml, or None if it is not filled in."""
    urls = tomllib.loads(project)["project"].get("urls", {})
    address = urls.get("Repository")
    return None if address is None else str(address)


def image_of(repository: str) -> str:
    """Return the address of the image that the release workflow publishes for a repository.

    Raises:
        ValueError: The repository is not on GitHub.
    """
    found = _GITHUB.fullmatch(repository)
    if found is None:
        files = ", ".join((UNRAID, *COMPOSE))
        raise ValueError(f"{repository} is not on GitHub. Fill in these files by hand: {files}.")
    return f"ghcr.io/{found[1].lower()}"


def fill_in(root: Path) -> None:
    """Write the address of ``root``'s pyproject.toml into the other files there.

    Raises:
        ValueError: The address is not filled in, or not on GitHub.
    """
    repository = repository_in((root / "pyproject.toml").read_text("utf-8"))
    if repository is None:
        raise ValueError("Fill in [project.urls] Repository in pyproject.toml first.")
    page, image = repository.removesuffix("/").removesuffix(".git"), image_of(repository)
    unraid = root / UNRAID
    text = _IMAGE.sub(image, _PAGE.sub(page, unraid.read_text("utf-8")))
    unraid.write_text(text, "utf-8")
    for name in COMPOSE:
        file = root / name
        file.write_text(_COMPOSE_IMAGE.sub(rf"\1{image}", file.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    try:
        fill_in(FOLDER.parent)
    except ValueError as error:
        sys.exit(str(error))

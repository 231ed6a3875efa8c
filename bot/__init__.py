"""Ribit: toad and frog card games, dealt in a Discord channel."""

from importlib import metadata


def installed_version() -> str:
    """Return which version of Ribit is installed; from a folder with no install nobody can say."""
    try:
        return metadata.version("ribit")
    except metadata.PackageNotFoundError:
        return "unknown"

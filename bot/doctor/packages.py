"""Python and the installed packages, against what Ribit's own metadata requires."""

from __future__ import annotations

import operator
import platform
import re
from collections.abc import Callable, Iterator
from importlib import metadata

from bot import __version__
from bot.distribution import StrayFilesError, installed, require_own_files
from bot.doctor.finding import Finding, problem, well
from bot.engine.values import frozen

MEND = "Install Ribit anew: pip install -e . where you run it from its folder, else pip install . there."

_REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)(\[[^]]*\])?\s*\(?(?P<bounds>[^;)]*)\)?\s*(;(?P<marker>.*))?"
)
_RELEASE = re.compile(r"\d+(\.\d+)*")
_COMPARE: dict[str, Callable[[list[int], list[int]], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}


@frozen
class Requirement:
    """A package that Ribit needs, within these bounds, such as ``<3,>=2.18``.

    ``marker`` says where or for what it is needed, such as ``platform_system != "Windows"``.
    """

    name: str
    bounds: str
    marker: str


def package_findings() -> Iterator[Finding]:
    """Check the versions of Ribit, of Python and of every package that the bot needs."""
    install = installed()
    if install is None:
        yield problem(f"Ribit is not installed for this Python ({platform.python_version()}). {MEND}")
        return
    yield _own(install.version)
    required = install.metadata["Requires-Python"]
    requirements = [read_requirement(line) for line in install.requires or ()]
    python = platform.python_version()
    if is_within(python, required):
        yield well(f"Python is {python}, and {required} is needed.")
    else:
        yield problem(f"Python is {python}, but {required} is needed. Use a newer Python.")
    needed = [requirement for requirement in requirements if "extra" not in requirement.marker]
    wrong = [finding for requirement in needed for finding in _wrong(requirement)]
    yield from wrong
    if not wrong:
        yield well(f"The {len(needed)} packages that Ribit needs have the right versions.")


def _own(version: str) -> Finding:
    try:
        require_own_files()
    except StrayFilesError as error:
        return problem(error.sentence)
    if version != __version__:
        return problem(f"Ribit is {__version__}, but {version} was installed. {MEND}")
    return well(f"Ribit is {__version__}.")


def _wrong(requirement: Requirement) -> Iterator[Finding]:
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        if not requirement.marker:  # else it may not be needed here; the start would tell
            yield problem(f"The package {requirement.name} is not installed. {MEND}")
        return
    if not is_within(version, requirement.bounds):
        yield problem(
            f"The package {requirement.name} is {version}, but {requirement.bounds} is needed. {MEND}"
        )


def read_requirement(line: str) -> Requirement:
    """Return what a line of the metadata requires."""
    found = _REQUIREMENT.fullmatch(line)
    if found is None:
        raise ValueError(line)
    return Requirement(found["name"], found["bounds"].strip(), (found["marker"] or "").strip())


def is_within(version: str, bounds: str) -> bool:
    """Return whether a version is within bounds, by its release numbers alone.

    This is the part of PEP 440 that Ribit's own metadata uses; `packaging`, which knows it all, is
    not among what a bot in service needs.
    """
    return all(_is_within_one(version, bound.strip()) for bound in bounds.split(",") if bound.strip())


def _is_within_one(version: str, bound: str) -> bool:
    sign = next(sign for sign in _COMPARE if bound.startswith(sign))
    ours, theirs = _release(version), _release(bound.removeprefix(sign).strip())
    length = max(len(ours), len(theirs))
    return _COMPARE[sign](_padded(ours, length), _padded(theirs, length))


def _release(version: str) -> list[int]:
    found = _RELEASE.match(version)
    if found is None:
        raise ValueError(version)
    return [int(number) for number in found[0].split(".")]


def _padded(release: list[int], length: int) -> list[int]:
    return release + [0] * (length - len(release))

"""Known holes of the locked packages: ``python .ci/audit.py path/of/pip-audit FILE…``.

It ends with 1 where a package has one. Where the advisories cannot be asked (no network, or an index
that has none, which pip-audit takes for packages without holes) it says so and ends with 0: no change is
held up by that. A hole that does not matter here is named in ``IGNORED``, with the reason.
"""

from __future__ import annotations

import json
import subprocess
import sys

SOCKET_SECONDS, ALL_SECONDS = 3, 60

IGNORED: tuple[str, ...] = ()
"""Ids of advisories."""


def asked(program: str, files: list[str]) -> list[dict[str, object]]:
    """Return what pip-audit says of each package of the files; nothing where it cannot ask."""
    named = [word for file in files for word in ("--requirement", file)]
    ignored = [word for one in IGNORED for word in ("--ignore-vuln", one)]
    quick = ["--timeout", str(SOCKET_SECONDS), "--progress-spinner", "off", "--format", "json"]
    command = [program, *named, "--no-deps", "--disable-pip", *quick, *ignored]
    try:
        done = subprocess.run(  # noqa: S603 — what CI has just installed
            command, capture_output=True, text=True, check=False, timeout=ALL_SECONDS
        )
        told: list[dict[str, object]] = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError):
        return []
    return told


def say(line: str) -> None:
    """Write a line of the answer."""
    sys.stdout.write(f"{line}\n")


def main() -> int:
    """Say what is known; returns the exit code."""
    packages = asked(sys.argv[1], sys.argv[2:])
    judged = [package for package in packages if "vulns" in package]
    holes = [package for package in judged if package["vulns"]]
    if not judged:
        say("= the advisories cannot be asked from here: no package is audited")
        return 0
    for package in holes:
        for hole in package["vulns"]:  # type: ignore[attr-defined]
            mended = ", ".join(hole["fix_versions"]) or "nothing yet"
            say(f"{package['name']} {package['version']}: {hole['id']}, mended in {mended}")
    unknown = len(packages) - len(judged)
    say(f"= packages audited: {len(judged)}, with holes: {len(holes)}, unknown there: {unknown}")
    return int(bool(holes))


if __name__ == "__main__":
    sys.exit(main())

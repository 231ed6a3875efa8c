"""Check of the locked packages for known vulnerabilities.

``python .ci/audit.py path/of/pip-audit FILE…`` exits with 1 if a package has a known vulnerability. If
the advisories are not available, it prints that and exits with 0. They are not available without a
network, or if the package index has no advisories, which pip-audit reports like packages without
vulnerabilities.
``IGNORED`` lists vulnerabilities that do not affect Ribit, each with the reason.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

SOCKET_SECONDS, ALL_SECONDS = 3, 60

IGNORED: tuple[str, ...] = ()
"""IDs of advisories."""


def audit(program: str, files: list[str]) -> list[dict[str, Any]]:
    """Return pip-audit's result for each package in the files, or an empty list if the audit failed."""
    requirements = [word for file in files for word in ("--requirement", file)]
    ignored = [word for one in IGNORED for word in ("--ignore-vuln", one)]
    options = ["--timeout", str(SOCKET_SECONDS), "--progress-spinner", "off", "--format", "json"]
    command = [program, *requirements, "--no-deps", "--disable-pip", *options, *ignored]
    try:
        done = subprocess.run(  # noqa: S603 — what CI has just installed
            command, capture_output=True, text=True, check=False, timeout=ALL_SECONDS
        )
        packages: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError):
        return []
    return packages


def say(line: str) -> None:
    """Print a line of the report."""
    sys.stdout.write(f"{line}\n")


def main() -> int:
    """Print the known vulnerabilities, and return the exit code."""
    packages = audit(sys.argv[1], sys.argv[2:])
    audited = [package for package in packages if "vulns" in package]
    vulnerable = [package for package in audited if package["vulns"]]
    if not audited:
        say("= the advisories are not available, so no package was audited")
        return 0
    for package in vulnerable:
        for vulnerability in package["vulns"]:
            fixed_in = ", ".join(vulnerability["fix_versions"]) or "no version yet"
            say(f"{package['name']} {package['version']}: {vulnerability['id']}, fixed in {fixed_in}")
    unknown = len(packages) - len(audited)
    say(f"= packages audited: {len(audited)}, vulnerable: {len(vulnerable)}, unknown: {unknown}")
    return int(bool(vulnerable))


if __name__ == "__main__":
    sys.exit(main())

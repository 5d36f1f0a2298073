"""Makes a release: `make release VERSION=0.2.0 SOURCE=https://forge.example/quaestor`, with DRY_RUN=1 to try it.

In this order: the tree is clean and the version new; the changelog has entries, which get the version and the day; the
gate passes; sdist and wheel are built and checked; commit and tag. Nothing is sent anywhere: the last lines say what to
send. Where a step fails, and after a dry run, the tree is as before.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

VERSION_FILE = Path("src/quaestor/version.py")
CHANGELOG = Path("CHANGELOG.md")
DIST = Path("dist")
_VERSION = re.compile(r'__version__ = "(\d+)\.(\d+)\.(\d+)"')
_UNRELEASED = re.compile(r"^## \[?Unreleased\]?\n(.*?)(?=^## \[?\d|\Z)", re.MULTILINE | re.DOTALL)


class Refused(Exception):
    """A reason why there is no release."""


def run(*words: str, **environment: str) -> str:
    """Run a program; return what it printed. Raises Refused with that when it fails."""
    ran = subprocess.run(  # noqa: S603 -- the words are of this file and of who releases
        words, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    if ran.returncode:
        raise Refused(f"{shlex.join(words)} failed:\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def parse_version(text: str) -> tuple[int, ...]:
    """Return the three numbers of a version. Raises Refused for another form."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", text):
        raise Refused(f"{text!r} is no version; write it as 1.2.3")
    return tuple(map(int, text.split(".")))


def require_new(version: str) -> None:
    """Raise Refused for a dirty tree, and for a version that is not new."""
    if changed := run("git", "status", "--porcelain"):
        raise Refused(f"the tree has changes that are not committed:\n{changed}")
    if run("git", "tag", "--list", f"v{version}"):
        raise Refused(f"there is a tag v{version} already")
    found = _VERSION.search(VERSION_FILE.read_text(encoding="utf-8"))
    if found is None:
        raise Refused(f"{VERSION_FILE} names no version")
    today = tuple(map(int, found.groups()))
    if parse_version(version) < today or (parse_version(version) == today and run("git", "tag", "--list", "v*")):
        raise Refused(f"{version} is not above {'.'.join(found.groups())}")


def dated_changelog(text: str, version: str, day: str) -> str:
    """Return the changelog with its unreleased entries under a version. Raises Refused where there are none."""
    found = _UNRELEASED.search(text)
    if found is None or not re.search(r"^- ", found[1], re.MULTILINE):
        raise Refused(f"{CHANGELOG} has no entries below Unreleased")
    if re.search(rf"^## \[?{re.escape(version)}\]?", text, re.MULTILINE):
        raise Refused(f"{CHANGELOG} has a section {version} already")
    return text.replace(found[0], f"## [Unreleased]\n\n## [{version}] - {day}\n{found[1]}", 1)


def build(source: str) -> Sequence[str]:
    """Build sdist and wheel into `dist`, check them as an index does, and return their paths. Raises Refused."""
    for old in DIST.glob("*"):
        old.unlink()
    run(sys.executable, "-m", "hatchling", "build", "--directory", str(DIST), QUAESTOR_SOURCE=source)
    built = sorted(map(str, DIST.iterdir()))
    run(sys.executable, "-m", "twine", "check", "--strict", *built)
    return built


def release(version: str, source: str, gate: Sequence[str], *, dry_run: bool) -> None:
    """Carry the steps out and print what was done. Raises Refused with the first reason against it."""
    require_new(version)
    before = {path: path.read_text(encoding="utf-8") for path in (VERSION_FILE, CHANGELOG)}
    done = False
    try:
        day = datetime.now(UTC).date().isoformat()
        CHANGELOG.write_text(dated_changelog(before[CHANGELOG], version, day), encoding="utf-8")
        named = _VERSION.sub(f'__version__ = "{version}"', before[VERSION_FILE])
        VERSION_FILE.write_text(named, encoding="utf-8")
        print(f"gate: {shlex.join(gate)}", flush=True)
        run(*gate)
        for built in build(source):
            print(f"built and checked: {built}")
        if not dry_run:
            run("git", "commit", "--quiet", "--all", "--message", f"Release {version}")
            run("git", "tag", "--annotate", f"v{version}", "--message", f"Quaestor {version}")
        done = not dry_run
    finally:
        if not done:
            for path, text in before.items():
                path.write_text(text, encoding="utf-8")
    if dry_run:
        print(f"dry run: {version} can be released; nothing was committed or tagged")
    else:
        print(f"released {version}; now: git push --follow-tags && twine upload {DIST}/*")


def main() -> int:
    """Parse the command line and release; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--source", default="", help="the address of the repository, for links on the package index")
    parser.add_argument("--gate", default="make test", help="the command that has to pass")
    parser.add_argument("--dry-run", action="store_true")
    given = parser.parse_args()
    try:
        release(given.version, given.source, shlex.split(given.gate), dry_run=given.dry_run)
    except Refused as reason:
        print(f"release: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

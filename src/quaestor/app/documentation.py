"""The documentation, as it comes with the program."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import quaestor
from quaestor.contracts.errors import SetupError, UsageError

_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


class Page(NamedTuple):
    """A page of the documentation; `name` is that of its file, without the suffix."""

    name: str
    title: str


def documentation_pages() -> Sequence[Page]:
    """Return all pages in order of their names. Raises SetupError where the program was installed without them."""
    return [Page(file.stem, _title(file)) for file in _files()]


def read_page(name: str) -> str:
    """Return a page as Markdown. Raises UsageError for a name that no page has."""
    files = {file.stem: file for file in _files()}
    known = files.get(name.removesuffix(".md").casefold())
    if known is None:
        similar = get_close_matches(name.casefold(), files, n=3) or sorted(files)
        raise UsageError(f"there is no page {name[:60]!r}; there is {', '.join(similar)}")
    return known.read_text(encoding="utf-8")


def _files() -> Sequence[Path]:
    package = Path(quaestor.__file__).resolve().parent
    for folder in (package / "docs", package.parents[1] / "docs"):  # as installed, or in a checkout
        if files := sorted(folder.glob("*.md"), key=lambda file: file.stem):
            return files
    raise SetupError("the documentation was not installed with the program; install it again from its wheel")


def _title(file: Path) -> str:
    found = _HEADING.search(file.read_text(encoding="utf-8"))
    return found[1] if found else file.stem

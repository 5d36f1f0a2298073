"""Every link of the documentation leads to a file, and to a heading of it, that is there."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "examples" / "README.md"])
_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"(?<!\\)\]\((?!https?:|mailto:)([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)


def links(page: Path) -> Iterator[str]:
    yield from _LINK.findall(_CODE.sub("", _FENCE.sub("", page.read_text(encoding="utf-8"))))


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the names that GitHub gives to the headings of a page."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    plain = (re.sub(r"[^\w\- ]", "", heading.casefold()) for heading in _HEADING.findall(text))
    return frozenset(heading.replace(" ", "-") for heading in plain)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{page.name}: {link}"

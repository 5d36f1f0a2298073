"""The site is built from the documentation; every link and picture of it is there, and nothing comes from elsewhere."""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SITE = ROOT / ".venv" / "site"
_LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*?\bsrc=\"?([^\s\">]+)|<link\b[^>]*?\bhref=\"?([^\s\">]+)")
_LINK = re.compile(r"<a\b[^>]*?\bhref=\"?([^\s\">]*)")
_NAME = re.compile(r"\bid=\"?([^\s\">]+)")


@pytest.fixture(scope="module")
def pages() -> Mapping[str, str]:
    """Build the site; return its pages by the names of their files."""
    shutil.rmtree(SITE, ignore_errors=True)
    ran = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return {file.name: file.read_text(encoding="utf-8") for file in SITE.glob("*.html")}


def test_every_page_of_the_documentation_is_in_the_navigation(pages: Mapping[str, str]) -> None:
    written = {file.stem for file in (ROOT / "docs").glob("*.md")}
    assert written == {name.removesuffix(".html") for name in pages} - {"404"}
    navigation = pages["index.html"].partition("md-nav--primary")[2].partition("</nav>\n")[0]
    assert navigation
    linked = set(_LINK.findall(pages["events.html"]))
    assert {f"./{name}.html" for name in written - {"events"}} <= linked


def test_every_link_leads_to_a_place_that_is_there(pages: Mapping[str, str]) -> None:
    names = {page: set(_NAME.findall(text)) for page, text in pages.items()}
    lost = []
    for page, text in pages.items():
        for link in set(_LINK.findall(text)):
            path, _, anchor = link.partition("#")
            target = path.removeprefix("./") or page
            if ":" in path or page == "404.html":
                continue
            if not (SITE / target).is_file() or (anchor and anchor not in names.get(target, {anchor})):
                lost.append((page, link))
    assert lost == []


def test_no_page_loads_anything_from_another_host(pages: Mapping[str, str]) -> None:
    loaded = {first or second for text in pages.values() for first, second in _LOADED.findall(text)}
    assert [url for url in loaded if ":" in url.partition("?")[0]] == []
    assert [url for url in loaded if not (SITE / url.removeprefix("./").lstrip("/")).exists()] == []
    assert {"./site.css", "./iframe-worker.js"} <= loaded

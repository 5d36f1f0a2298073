import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.tools.engines import load_engines
from quaestor.tools.engines.registry import BUILT_IN_ENGINES, GENERAL_ENGINES

SET_UP = {
    variable: "http://127.0.0.1:8888" if variable.endswith("_URL") else "k" for variable in GENERAL_ENGINES.values()
}


def names(wanted: Sequence[str], environment: dict[str, str]) -> list[str]:
    return [engine.name for engine in load_engines(wanted, environment)]


@pytest.mark.parametrize("name", BUILT_IN_ENGINES)
def test_every_engine_is_given_by_its_name(name: str) -> None:
    if name == "ddgs":
        pytest.importorskip("ddgs")
    assert names([name], SET_UP) == [name]


def test_engines_come_in_the_order_they_are_named_and_once() -> None:
    assert names(["pubmed", "arxiv", "pubmed"], {}) == ["pubmed", "arxiv"]


def test_without_names_the_general_ones_that_are_set_up_are_given() -> None:
    assert names([], SET_UP) == list(GENERAL_ENGINES)


@pytest.mark.parametrize("name", GENERAL_ENGINES)
def test_one_variable_sets_an_engine_up(name: str) -> None:
    assert names([], {GENERAL_ENGINES[name]: SET_UP[GENERAL_ENGINES[name]]}) == [name]


def test_without_names_and_keys_wikipedia_is_given() -> None:
    assert names([], {"TAVILY_API_KEY": "", "SEMANTIC_SCHOLAR_API_KEY": "k"}) == ["wikipedia"]


def test_a_name_that_is_not_known_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"no search engine is called 'gopher'; known are searxng, .*, ddgs"):
        load_engines(["gopher"], {})


@pytest.mark.parametrize("name", GENERAL_ENGINES)
def test_what_is_missing_is_named(name: str) -> None:
    with pytest.raises(SetupError, match=f"{name} needs an? .*: set {GENERAL_ENGINES[name]}"):
        load_engines([name], {})


def others(folder: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Install a package whose metadata name an engine."""
    metadata = folder / "almanac-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: almanac\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[quaestor.engines]\nalmanac = {value}\n")
    monkeypatch.syspath_prepend(folder)


def test_an_engine_that_cannot_be_loaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others(tmp_path, monkeypatch, "no_such_module:Almanac")
    with pytest.raises(SetupError, match=r"'almanac' cannot be loaded from no_such_module:Almanac \(No module"):
        load_engines(["almanac"], {})
    with pytest.raises(UsageError, match=r"ddgs, almanac$"):
        load_engines(["gopher"], {})


def test_naming_engines_imports_only_those() -> None:
    program = (
        "import sys; from quaestor.tools.engines import load_engines; assert 'httpx2' not in sys.modules;"
        "load_engines(['arxiv'], {}); print(*(name for name in sys.modules if 'brave' in name or name == 'ddgs'))"
    )
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == ""

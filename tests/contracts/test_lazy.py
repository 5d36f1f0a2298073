"""Every late import of the program exists where it is written to be."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import quaestor
from quaestor.contracts.lazy import LazyImport

SOURCE = Path(quaestor.__file__).parent
REFERENCES = sorted(
    {
        reference
        for path in SOURCE.rglob("*.py")
        for reference in re.findall(r'LazyImport\(\s*"([\w.]+:\w+)"\s*\)', path.read_text(encoding="utf-8"))
    }
)


def test_there_are_late_imports() -> None:
    assert "quaestor.models.chat.remote:RemoteModel" in REFERENCES


@pytest.mark.parametrize("reference", REFERENCES)
def test_a_late_import_finds_its_attribute(reference: str) -> None:
    if reference.startswith("keyring.") and find_spec("keyring") is None:
        pytest.skip("no extra installs keyring: it is used where a person has it")
    late: LazyImport[object] = LazyImport(reference)
    assert late.load() is not None


def test_an_attribute_that_does_not_exist_is_an_error() -> None:
    missing: LazyImport[object] = LazyImport("quaestor.models.chat.server:Nothing")
    with pytest.raises(AttributeError, match="Nothing"):
        missing.load()

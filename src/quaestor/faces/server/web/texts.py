"""The texts of the pages, in one catalogue."""

import tomllib
from functools import cache
from importlib.resources import files
from types import SimpleNamespace

_CATALOGUE = "english.toml"


@cache
def english_texts() -> SimpleNamespace:
    """Return the catalogue; templates name its texts as `t.home.title`."""
    text = files("quaestor.faces.server.web").joinpath(_CATALOGUE).read_text(encoding="utf-8")
    return _namespace(tomllib.loads(text))


def _namespace(table: dict[str, object]) -> SimpleNamespace:
    return SimpleNamespace(
        **{name: _namespace(value) if isinstance(value, dict) else value for name, value in table.items()}
    )

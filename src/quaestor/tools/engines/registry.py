"""Search engines by name. Each is imported when it is used; those of other packages are found by entry points."""

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import cast

from quaestor.contracts.errors import UsageError
from quaestor.contracts.installed import load_installed
from quaestor.contracts.ports import SearchEngine
from quaestor.contracts.suggestion import suggest

ENTRY_POINT_GROUP = "quaestor.engines"
"""The group of entry points: each is called with the environment and returns a `SearchEngine`."""
DEFAULT_ENGINE = "wikipedia"
"""Used when none is named or configured: it needs no key and allows programs."""

GENERAL_ENGINES: Mapping[str, str] = MappingProxyType(
    {
        "searxng": "SEARXNG_URL",
        "tavily": "TAVILY_API_KEY",
        "brave": "BRAVE_API_KEY",
        "exa": "EXA_API_KEY",
        "serper": "SERPER_API_KEY",
    }
)
"""Engines for the whole web, with the variable whose presence configures them."""

_CLASSES = {
    "searxng": "keyless_web:Searxng",
    "tavily": "commercial_web:Tavily",
    "brave": "commercial_web:Brave",
    "exa": "commercial_web:Exa",
    "serper": "commercial_web:Serper",
    "arxiv": "scholarly_xml:Arxiv",
    "pubmed": "scholarly_xml:Pubmed",
    "openalex": "scholarly_json:Openalex",
    "semantic_scholar": "scholarly_json:SemanticScholar",
    "wikipedia": "keyless_web:Wikipedia",
    "ddgs": "keyless_web:Ddgs",
}
BUILT_IN_ENGINES: Mapping[str, EntryPoint] = MappingProxyType(
    {name: EntryPoint(name, f"quaestor.tools.engines.{place}", ENTRY_POINT_GROUP) for name, place in _CLASSES.items()}
)


def load_engines(names: Sequence[str], environment: Mapping[str, str]) -> Sequence[SearchEngine]:
    """Return the engines of these names, each once; without names the configured general ones, else wikipedia.

    An engine keeps to the rate limit of its service if all searches share it; close it at the end. Raises UsageError
    for an unknown name, SetupError for a key or an address that the environment lacks and for an engine of another
    package that cannot be loaded, MissingExtra for one that needs an extra.
    """
    selected = (
        names or [name for name, variable in GENERAL_ENGINES.items() if environment.get(variable)] or [DEFAULT_ENGINE]
    )
    return tuple(_load_engine(name, environment) for name in dict.fromkeys(selected))


def _load_engine(name: str, environment: Mapping[str, str]) -> SearchEngine:
    return cast("Callable[[Mapping[str, str]], SearchEngine]", _load_class(name))(environment)


def _load_class(name: str) -> object:
    if name in BUILT_IN_ENGINES:
        return BUILT_IN_ENGINES[name].load()
    others = entry_points(group=ENTRY_POINT_GROUP)
    if name not in others.names:
        known = (*BUILT_IN_ENGINES, *sorted(others.names))
        raise UsageError(f"no search engine is called {name!r}; {suggest(name, known)}known are {', '.join(known)}")
    return load_installed(others[name], "engine")

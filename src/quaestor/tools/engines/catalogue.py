"""Engines by name. Each is imported when it is asked for; those of others are found by their entry points."""

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.ports import Engine

GROUP = "quaestor.engines"
"""The entry points that name engines: each is called with the environment and gives an `Engine`."""
FALLBACK = "wikipedia"
"""What is asked when nothing is named and nothing is set up: it needs no key and forbids no program."""

GENERAL: Mapping[str, str] = MappingProxyType(
    {
        "searxng": "SEARXNG_URL",
        "tavily": "TAVILY_API_KEY",
        "brave": "BRAVE_API_KEY",
        "exa": "EXA_API_KEY",
        "serper": "SERPER_API_KEY",
    }
)
"""Engines for the whole web, and the variable that says that one is set up."""

_CLASSES = {
    "searxng": "Searxng",
    "tavily": "Tavily",
    "brave": "Brave",
    "exa": "Exa",
    "serper": "Serper",
    "arxiv": "Arxiv",
    "pubmed": "Pubmed",
    "openalex": "Openalex",
    "semantic_scholar": "SemanticScholar",
    "wikipedia": "Wikipedia",
    "ddgs": "Ddgs",
}
BUILT_IN: Mapping[str, EntryPoint] = MappingProxyType(
    {name: EntryPoint(name, f"quaestor.tools.engines.{name}:{kind}", GROUP) for name, kind in _CLASSES.items()}
)


def engines(names: Sequence[str], environment: Mapping[str, str]) -> Sequence[Engine]:
    """Give the engines of these names, each once; without names the general ones that are set up, else wikipedia.

    An engine keeps to the pace of its service as long as all who search share it; close it at the end. Raises
    UsageError for a name that is not known, SetupError for a key or an address that the environment does not have
    and for an engine of others that cannot be loaded, MissingExtra for one that needs an extra.
    """
    wanted = names or [name for name, variable in GENERAL.items() if environment.get(variable)] or [FALLBACK]
    return tuple(_engine(name, environment) for name in dict.fromkeys(wanted))


def _engine(name: str, environment: Mapping[str, str]) -> Engine:
    make: Callable[[Mapping[str, str]], Engine]
    if name in BUILT_IN:
        make = BUILT_IN[name].load()
        return make(environment)
    others = entry_points(group=GROUP)
    if name not in others.names:
        known = ", ".join((*BUILT_IN, *sorted(others.names)))
        raise UsageError(f"no search engine is called {name!r}; known are {known}")
    try:
        make = others[name].load()
    except (ImportError, AttributeError) as error:
        raise SetupError(
            f"the engine {name!r} cannot be loaded from {others[name].value} ({error}); install its package anew"
        ) from error
    return make(environment)

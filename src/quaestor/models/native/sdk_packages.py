"""Which providers have an API of their own here, and whether the packages for it are installed."""

from collections.abc import Mapping
from importlib.util import find_spec
from types import MappingProxyType
from typing import Literal

from quaestor.contracts.errors import MissingExtra, UsageError

NativeProvider = Literal["anthropic", "bedrock", "google", "mistral", "openai-responses"]
_PACKAGES: Mapping[NativeProvider, str] = MappingProxyType(
    {
        "anthropic": "anthropic",
        "bedrock": "boto3",
        "google": "google.genai",
        "mistral": "mistralai",
        "openai-responses": "openai",
    }
)


def native_provider(provider: str) -> NativeProvider:
    """Return a provider by its name. Raises UsageError for one without a native API, MissingExtra without `llm`."""
    kind = next((kind for kind in _PACKAGES if kind == provider), None)
    if kind is None:
        raise UsageError(
            f"the provider {provider!r} has no API of its own here; native are {', '.join(_PACKAGES)}; "
            'for another one write dialect = "chat" and its base_url'
        )
    if not (_installed("pydantic_ai") and _installed(_PACKAGES[kind])):
        raise missing_extra(kind)
    return kind


def missing_extra(kind: NativeProvider) -> MissingExtra:
    """Return the error with the command that installs the extra."""
    return MissingExtra(f"models of {kind} need an extra", "llm")


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # its parent package is missing too
        return False

"""The APIs that are spoken as their providers made them."""

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
    """Give the API of a provider, by its name. Raises UsageError for one that has none, MissingExtra without `llm`."""
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
    """Give the error that says what to install."""
    return MissingExtra(f"models of {kind} need an extra: pip install 'quaestor[llm]'")


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # not even what the package lies in
        return False

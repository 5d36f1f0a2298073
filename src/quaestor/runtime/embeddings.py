"""The search of passages by nearness of meaning, with the embedding model that the settings name."""

from collections.abc import Mapping

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.library import Library
from quaestor.contracts.model import Provider
from quaestor.contracts.settings import Settings
from quaestor.models.providers import parse_model_name, resolve_api_key, resolve_base_url, resolve_provider
from quaestor.tools.embedding_client import EmbeddingClient, embedding_service
from quaestor.tools.hybrid_search import SemanticSearch
from quaestor.tools.static_vectors import STATIC_MODEL, STATIC_PROVIDER, open_static_vectors


def open_embeddings(
    name: str, settings: Settings, environment: Mapping[str, str], library: Library, seconds: float
) -> SemanticSearch:
    """Return the search by an embedding model.

    Raises UsageError for an unknown model, SetupError for a missing key, MissingExtra for missing static vectors.
    """
    if name.partition(":")[0] == STATIC_PROVIDER:
        if name != STATIC_MODEL:
            raise UsageError(f"there are no static vectors {name}; write embeddings = {STATIC_MODEL!r}")
        return SemanticSearch(library, open_static_vectors(), seconds)
    provider, address = _embedding_provider(name, settings, environment)
    model = parse_model_name(name)
    service = embedding_service(model.provider, provider, address, settings.call_seconds)
    return SemanticSearch(library, EmbeddingClient(name, model.model, service, environment), seconds)


def _embedding_provider(name: str, settings: Settings, environment: Mapping[str, str]) -> tuple[Provider, str]:
    """Return who serves an embedding model, and its address."""
    where = parse_model_name(name).provider
    provider = resolve_provider(name, settings.providers)
    address = resolve_base_url(where, provider, environment)
    if provider.dialect != "chat" or address is None:
        raise UsageError(
            f"{where} cannot be asked for embeddings; name a model of another provider, as ollama:NAME, or write "
            f"dialect chat and the base_url of its API in the manner of OpenAI below [providers.{where}]"
        )
    if resolve_api_key(where, provider, environment) is None and provider.key_env and address == provider.base_url:
        raise SetupError(
            f"the embeddings {name} need a key: set {provider.key_env}, or name a model that needs none, as ollama:NAME"
        )
    return provider, address

"""The built-in providers of models, and model names: `PROVIDER:NAME`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from quaestor.contracts.errors import UsageError
from quaestor.contracts.model import Provider
from quaestor.contracts.suggestion import suggest

KNOWN_PROVIDERS: Mapping[str, Provider] = MappingProxyType(
    {
        "openai": Provider(base_url="https://api.openai.com/v1", key_env="OPENAI_API_KEY"),
        "ollama": Provider(base_url="http://127.0.0.1:11434/v1", in_flight=2, stream=True),
        "lmstudio": Provider(base_url="http://127.0.0.1:1234/v1", in_flight=2, stream=True),
        "llamacpp": Provider(base_url="http://127.0.0.1:8080/v1", in_flight=2, stream=True),
        "vllm": Provider(base_url="http://127.0.0.1:8000/v1", stream=True),
        "openrouter": Provider(base_url="https://openrouter.ai/api/v1", key_env="OPENROUTER_API_KEY"),
        "groq": Provider(base_url="https://api.groq.com/openai/v1", key_env="GROQ_API_KEY"),
        "deepseek": Provider(base_url="https://api.deepseek.com/v1", key_env="DEEPSEEK_API_KEY", output="object"),
        "together": Provider(base_url="https://api.together.xyz/v1", key_env="TOGETHER_API_KEY"),
        "fireworks": Provider(base_url="https://api.fireworks.ai/inference/v1", key_env="FIREWORKS_API_KEY"),
        "cerebras": Provider(base_url="https://api.cerebras.ai/v1", key_env="CEREBRAS_API_KEY"),
        "moonshot": Provider(base_url="https://api.moonshot.ai/v1", key_env="MOONSHOT_API_KEY"),
        "xai": Provider(base_url="https://api.x.ai/v1", key_env="XAI_API_KEY"),
        "anthropic": Provider(dialect="native", key_env="ANTHROPIC_API_KEY"),
        "google": Provider(dialect="native", key_env="GEMINI_API_KEY"),
        "mistral": Provider(dialect="native", key_env="MISTRAL_API_KEY"),
        "bedrock": Provider(dialect="native"),
        "openai-responses": Provider(dialect="native", key_env="OPENAI_API_KEY"),
    }
)

GOOGLE_KEY = "GOOGLE_API_KEY"
"""The other name of the key of google."""
OLLAMA_PORT = "11434"
_WILDCARD_HOSTS: Mapping[str, str] = MappingProxyType({"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "[::]": "[::1]"})  # noqa: S104 -- read, not bound
LOCAL_PROVIDERS = frozenset({"ollama", "lmstudio", "llamacpp", "vllm"})
"""Local servers: a call costs nothing, and the context window cannot be known from outside.

They stream, so that a reply which has gone wrong ends with its connection: else it would keep the machine busy.
"""


class ModelName(NamedTuple):
    """The parts of a model's name."""

    provider: str
    model: str


def parse_model_name(name: str) -> ModelName:
    """Parse a name like openai:gpt-5-mini. Raises UsageError for one without provider or model."""
    provider, _, model = name.partition(":")
    if not provider or not model:
        raise UsageError(
            f"the model {name!r} is not known; use offline, script:FILE, replay:SESSION or PROVIDER:NAME, "
            "as openai:gpt-5-mini or ollama:qwen3"
        )
    return ModelName(provider, model)


def resolve_provider(name: str, configured: Mapping[str, Provider]) -> Provider:
    """Return the provider of a model: as configured in the settings, else the built-in one.

    Raises UsageError for a provider that is neither.
    """
    provider_name = parse_model_name(name).provider
    provider = configured.get(provider_name) or KNOWN_PROVIDERS.get(provider_name)
    if provider is None:
        known = sorted({*KNOWN_PROVIDERS, *configured})
        raise UsageError(
            f"the provider of {name!r} is not known; {suggest(provider_name, known)}known are {', '.join(known)}; "
            f"for another one write its base_url below [providers.{provider_name}] in quaestor.toml"
        )
    standard = KNOWN_PROVIDERS.get(provider_name)
    return _with_defaults(provider, standard) if standard else provider


def _with_defaults(configured: Provider, standard: Provider) -> Provider:
    """Return a provider whose unset fields are those of the built-in one."""
    values = configured.model_dump(exclude_unset=True)
    return Provider.model_validate({**standard.model_dump(exclude_unset=True), **values})


def resolve_api_key(provider_name: str, provider: Provider, environment: Mapping[str, str]) -> str | None:
    """Return the key for a provider, or None where the environment has none."""
    key = environment.get(provider.key_env or "")
    return key or (environment.get(GOOGLE_KEY) if provider_name == "google" else None) or None


def resolve_base_url(provider_name: str, provider: Provider, environment: Mapping[str, str]) -> str | None:
    """Return the base URL of a provider: from its variable, as OPENAI_BASE_URL, else from its description."""
    variable = f"{provider_name.upper().replace('-', '_')}_BASE_URL"
    host = _ollama_base_url(environment.get("OLLAMA_HOST", "")) if provider_name == "ollama" else None
    return environment.get(variable) or host or provider.base_url


def _ollama_base_url(host: str) -> str | None:
    """Parse OLLAMA_HOST as Ollama does: with or without a scheme and a path, a host or a port alone.

    Where Ollama listens on every address, it is reached by loopback.
    """
    if not host.strip():
        return None
    scheme, _, rest = host.strip().rpartition("://")
    place, slash, path = rest.rstrip("/").partition("/")
    name, _, port = place.rpartition(":")
    if not port.isdigit():
        name, port = place, {"https": "443", "http": "80"}.get(scheme, OLLAMA_PORT)
    return f"{scheme or 'http'}://{_WILDCARD_HOSTS.get(name, name)}:{port}{slash}{path}/v1"

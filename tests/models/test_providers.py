import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaestor.contracts.errors import UsageError
from quaestor.contracts.model import Provider
from quaestor.models.providers import (
    KNOWN_PROVIDERS,
    LOCAL_PROVIDERS,
    ModelName,
    parse_model_name,
    resolve_api_key,
    resolve_base_url,
    resolve_provider,
)

LAB = Provider(base_url="http://gpu.lab:8000/v1", key_env="LAB_KEY")
WORDS = st.text(min_size=1)


@pytest.mark.parametrize("name", ["", "gpt-5", ":", ":gpt-5", "openai:", "offline"])
def test_a_name_without_provider_or_model_names_no_model_and_says_what_would(name: str) -> None:
    with pytest.raises(UsageError, match="PROVIDER:NAME, as openai:gpt-5-mini or ollama:qwen3") as caught:
        parse_model_name(name)
    assert repr(name) in str(caught.value)


@example(provider="openrouter", model="meta/llama:free")
@given(provider=WORDS.filter(lambda text: ":" not in text), model=WORDS)
def test_a_name_is_the_provider_and_whatever_follows_the_first_colon(provider: str, model: str) -> None:
    assert parse_model_name(f"{provider}:{model}") == ModelName(provider, model)


@pytest.mark.parametrize("name", KNOWN_PROVIDERS)
def test_a_known_provider_needs_no_description(name: str) -> None:
    assert resolve_provider(f"{name}:large", {"lab": LAB}) == KNOWN_PROVIDERS[name]


def test_a_provider_of_ones_own_is_as_it_is_described() -> None:
    assert resolve_provider("lab:small", {"lab": LAB}) == LAB


def test_an_unknown_provider_is_refused_with_the_known_ones_and_the_place_to_describe_it() -> None:
    with pytest.raises(UsageError, match=r"'lob:small' is not known") as caught:
        resolve_provider("lob:small", {"lab": LAB})
    assert "[providers.lob]" in str(caught.value)
    assert all(name in str(caught.value) for name in (*KNOWN_PROVIDERS, "lab"))


@pytest.mark.parametrize("name", KNOWN_PROVIDERS)
def test_what_is_said_of_a_known_provider_changes_that_and_nothing_else(name: str) -> None:
    own = Provider(in_flight=1, per_minute=30)
    changed = {"in_flight": 1, "per_minute": 30}
    assert resolve_provider(f"{name}:x", {name: own}) == KNOWN_PROVIDERS[name].model_copy(update=changed)


def test_what_is_said_counts_even_where_it_is_the_usual() -> None:
    assert KNOWN_PROVIDERS["ollama"].in_flight != Provider().in_flight
    own = Provider.model_validate({"in_flight": Provider().in_flight, "key_env": None})
    assert resolve_provider("ollama:x", {"ollama": own}).in_flight == Provider().in_flight
    assert resolve_provider("openai:x", {"openai": own}).key_env is None


@pytest.mark.parametrize(
    ("name", "provider", "environment", "key"),
    [
        ("openai", KNOWN_PROVIDERS["openai"], {"OPENAI_API_KEY": "k"}, "k"),
        ("openai", KNOWN_PROVIDERS["openai"], {"GROQ_API_KEY": "k"}, None),
        ("openai", KNOWN_PROVIDERS["openai"], {"OPENAI_API_KEY": ""}, None),
        ("openai-responses", KNOWN_PROVIDERS["openai-responses"], {"OPENAI_API_KEY": "k"}, "k"),
        ("google", KNOWN_PROVIDERS["google"], {"GEMINI_API_KEY": "k", "GOOGLE_API_KEY": "other"}, "k"),
        ("google", KNOWN_PROVIDERS["google"], {"GOOGLE_API_KEY": "k"}, "k"),
        ("groq", KNOWN_PROVIDERS["groq"], {"GOOGLE_API_KEY": "k"}, None),
        ("lab", LAB, {"LAB_KEY": "k"}, "k"),
        ("lab", LAB, {}, None),
        ("lab", Provider(), {"LAB_KEY": "k"}, None),
        ("ollama", KNOWN_PROVIDERS["ollama"], {"OLLAMA_API_KEY": "k"}, None),
    ],
)
def test_a_key_is_what_the_providers_own_variable_holds(
    name: str, provider: Provider, environment: dict[str, str], key: str | None
) -> None:
    assert resolve_api_key(name, provider, environment) == key


@pytest.mark.parametrize(
    ("name", "environment", "address"),
    [
        ("openai", {}, "https://api.openai.com/v1"),
        ("openai", {"OPENAI_BASE_URL": "http://proxy/v1"}, "http://proxy/v1"),
        ("openai", {"OPENAI_BASE_URL": ""}, "https://api.openai.com/v1"),
        ("openai-responses", {"OPENAI_BASE_URL": "http://proxy/v1"}, None),
        ("openai-responses", {"OPENAI_RESPONSES_BASE_URL": "http://proxy/v1"}, "http://proxy/v1"),
        ("anthropic", {}, None),
        ("vllm", {"OLLAMA_HOST": "gpu:11434"}, "http://127.0.0.1:8000/v1"),
        ("ollama", {}, "http://127.0.0.1:11434/v1"),
        ("ollama", {"OLLAMA_HOST": "gpu:11434"}, "http://gpu:11434/v1"),
        ("ollama", {"OLLAMA_HOST": ""}, "http://127.0.0.1:11434/v1"),
        ("ollama", {"OLLAMA_HOST": " "}, "http://127.0.0.1:11434/v1"),
        ("ollama", {"OLLAMA_HOST": "gpu:11434", "OLLAMA_BASE_URL": ""}, "http://gpu:11434/v1"),
        ("ollama", {"OLLAMA_HOST": "gpu:11434", "OLLAMA_BASE_URL": "http://proxy/v1"}, "http://proxy/v1"),
    ],
)
def test_an_address_is_what_the_providers_own_variable_holds_else_the_known_one(
    name: str, environment: dict[str, str], address: str | None
) -> None:
    assert resolve_base_url(name, KNOWN_PROVIDERS[name], environment) == address


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("gpu", "http://gpu:11434/v1"),
        ("gpu:8080", "http://gpu:8080/v1"),
        ("gpu:8080/", "http://gpu:8080/v1"),
        (" gpu:8080 ", "http://gpu:8080/v1"),
        ("10.0.0.7", "http://10.0.0.7:11434/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),  # noqa: S104 -- where it listens
        ("0.0.0.0:8080", "http://127.0.0.1:8080/v1"),
        ("[::]:8080", "http://[::1]:8080/v1"),
        ("[::1]", "http://[::1]:11434/v1"),
        (":8080", "http://127.0.0.1:8080/v1"),
        ("8080", "http://127.0.0.1:8080/v1"),
        ("http://gpu", "http://gpu:80/v1"),
        ("http://gpu:11434/", "http://gpu:11434/v1"),
        ("https://gpu.lab", "https://gpu.lab:443/v1"),
        ("https://gpu.lab/ollama/", "https://gpu.lab:443/ollama/v1"),
    ],
)
def test_the_host_of_ollama_is_read_as_ollama_reads_it(host: str, address: str) -> None:
    assert resolve_base_url("ollama", KNOWN_PROVIDERS["ollama"], {"OLLAMA_HOST": host}) == address


def test_an_address_can_be_described_and_the_environment_beats_it() -> None:
    assert resolve_base_url("lab", LAB, {}) == "http://gpu.lab:8000/v1"
    assert resolve_base_url("lab", LAB, {"LAB_BASE_URL": "http://new.lab/v1"}) == "http://new.lab/v1"


def test_servers_of_ones_own_are_on_this_machine_and_need_no_key() -> None:
    assert {KNOWN_PROVIDERS[name].key_env for name in LOCAL_PROVIDERS} == {None}
    assert all((KNOWN_PROVIDERS[name].base_url or "").startswith("http://127.0.0.1:") for name in LOCAL_PROVIDERS)


def test_who_is_reached_over_the_network_is_reached_safely() -> None:
    far = [
        provider.base_url
        for name, provider in KNOWN_PROVIDERS.items()
        if name not in LOCAL_PROVIDERS and provider.dialect == "chat"
    ]
    assert all((address or "").startswith("https://") for address in far)

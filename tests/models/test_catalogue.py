import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from fakes.chat import CLEAR, KEY, output_request
from fakes.openai_server import OpenAIServer
from fakes.openai_wire import Slow
from fakes.prompts import PlainPrompts
from quaestor.contracts.cost import Price
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.model import Provider
from quaestor.contracts.ports import Model
from quaestor.models.catalogue import DEFAULT_CONTEXT_WINDOW, LOCAL_CONTEXT_WINDOW, ModelCatalogue
from quaestor.models.chat.remote import RemoteModel
from quaestor.models.offline import OfflineModel
from quaestor.models.scripted import ScriptedModel, open_script

FILE_MODELS = {"script": open_script, "trial": open_script}
DAY = date(2026, 1, 1)
OWN = Price(input=Decimal(1), output=Decimal(2))
LAB = Provider(base_url="http://127.0.0.1:9/v1")


def catalogue(own: Mapping[str, Provider] | None = None, **environment: str) -> ModelCatalogue:
    return ModelCatalogue(own or {}, environment, 5, FILE_MODELS)


@pytest.mark.parametrize("name", ["offline", "script:a.yaml", "script:", "trial:a.yaml"])
def test_what_needs_no_provider_is_local(name: str) -> None:
    assert catalogue().is_local(name)


@pytest.mark.parametrize(
    "name", ["", "offline:x", "Offline", "ollama:qwen3", "openai:gpt-5", "replay:s1", "scripts:a", "trials:a"]
)
def test_whatever_else_is_not(name: str) -> None:
    assert not catalogue().is_local(name)


@pytest.mark.parametrize("kind", FILE_MODELS)
def test_a_file_is_located_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    (tmp_path / "trial.yaml").write_text("reader: []")
    monkeypatch.chdir(tmp_path)
    assert catalogue().resolve_name(f"{kind}:trial.yaml") == f"{kind}:{tmp_path / 'trial.yaml'}"


@pytest.mark.parametrize("name", ["offline", "ollama:qwen3", "bedrock:nova", "openrouter:meta/llama:free", "lab:x"])
def test_a_model_that_can_be_used_is_located_by_its_name(name: str) -> None:
    assert catalogue({"lab": LAB}, OPENROUTER_API_KEY=KEY).resolve_name(name) == name


@pytest.mark.parametrize(
    "name", ["", "gpt-5", "openai:", "lob:x", "offline:x", "replay:s1", "script:none.yaml", "trial:none.yaml"]
)
def test_what_is_no_model_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        catalogue({"lab": LAB}).resolve_name(name)


@pytest.mark.parametrize(
    ("name", "variable"), [("openai:x", "OPENAI_API_KEY"), ("anthropic:x", "ANTHROPIC_API_KEY"), ("lab:x", "LAB_KEY")]
)
def test_a_missing_key_is_named_by_its_variable(name: str, variable: str) -> None:
    own = {"lab": LAB.model_copy(update={"key_env": "LAB_KEY"})}
    with pytest.raises(SetupError, match=f"{name} needs a key: set {variable}"):
        catalogue(own).resolve_name(name)
    assert catalogue(own, **{variable: KEY}).resolve_name(name) == name


def test_at_another_address_a_key_is_not_called_for() -> None:
    assert catalogue(OPENAI_BASE_URL="http://proxy/v1").resolve_name("openai:x") == "openai:x"
    with pytest.raises(SetupError):
        catalogue(OPENAI_BASE_URL="https://api.openai.com/v1").resolve_name("openai:x")


def test_a_price_in_the_settings_beats_every_other() -> None:
    listed = dict.fromkeys(("openai:gpt-5-mini", "ollama:qwen3", "lab:x"), OWN)
    assert [catalogue().price(name, listed, DAY) for name in listed] == [OWN, OWN, OWN]


def test_a_server_of_ones_own_costs_nothing_and_anybody_else_what_is_published() -> None:
    free = catalogue().price("ollama:qwen3", {}, DAY)
    assert free
    assert free.most(10**6, 10**6) == 0
    published = catalogue().price("openai:gpt-5-mini", {"openai:gpt-5": OWN}, DAY)
    assert published
    assert published.most(10**6, 10**6) > 0
    assert catalogue({"lab": LAB}).price("lab:x", {}, DAY) is None


def test_the_window_is_that_of_the_price_list_or_a_careful_guess() -> None:
    roomy = OWN.model_copy(update={"window": 400_000})
    assert catalogue().window("ollama:qwen3", roomy) == 400_000
    assert catalogue().window("ollama:qwen3", OWN) == LOCAL_CONTEXT_WINDOW
    assert catalogue().window("openai:gpt-5", OWN) == catalogue().window("openai:gpt-5", None) == DEFAULT_CONTEXT_WINDOW


def made(catalogue: ModelCatalogue, name: str) -> Model:
    return catalogue.model(name, PlainPrompts(), OWN, None, tuple)


def test_models_at_hand_are_made_without_a_provider(tmp_path: Path) -> None:
    script = tmp_path / "trial.yaml"
    script.write_text("reader: []")
    assert isinstance(made(catalogue(), "offline"), OfflineModel)
    scripted = made(catalogue(), f"script:{script}")
    assert isinstance(scripted, ScriptedModel)
    assert scripted.name == "script:trial.yaml"


def test_a_file_that_is_no_script_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "trial.yaml"
    file.write_text("- {say: Done., done: Done.}")
    with pytest.raises(UsageError, match=f"the script {file}"):
        catalogue().resolve_name(f"script:{file}")


def test_a_script_costs_nothing_and_needs_no_price(tmp_path: Path) -> None:
    file = tmp_path / "trial.yaml"
    file.write_text("reader: []")
    assert made(catalogue(), f"script:{file}").prepare(output_request()).ceiling.dollars == 0


@pytest.mark.parametrize("name", ["gpt-5", "lob:x", "openai:x"])
def test_what_cannot_be_located_is_not_made(name: str) -> None:
    with pytest.raises((UsageError, SetupError)):
        made(catalogue(), name)


def test_a_provider_without_an_address_is_refused_with_the_field_that_is_missing() -> None:
    nowhere = catalogue({"lab": Provider()})
    for asking in (nowhere.resolve_name, partial(made, nowhere)):
        with pytest.raises(UsageError, match=r"'lab:x' has no base_url; write it below \[providers.lab\]"):
            asking("lab:x")
    assert catalogue({"lab": Provider()}, LAB_BASE_URL="http://gpu.lab/v1").resolve_name("lab:x") == "lab:x"


@pytest.mark.parametrize(
    "address", ["notaurl", "ftp://x/v1", "http://[::1/v1", "http://gpu.lab:abc/v1", "http://x:92511/v1"]
)
def test_an_address_that_is_none_is_refused_before_a_model_of_it_is_opened(address: str) -> None:
    with pytest.raises(UsageError, match="the base_url of a provider is no address"):
        catalogue(OPENAI_BASE_URL=address).resolve_name("openai:x")
    with pytest.raises(UsageError, match="the base_url of a provider is no address"):
        catalogue({"lab": LAB.model_copy(update={"base_url": address})}).resolve_name("lab:x")


def test_a_key_that_is_none_is_refused_before_a_model_is_opened_with_it() -> None:
    with pytest.raises(UsageError, match=r"the key for http://127\.0\.0\.1:9/v1 is empty"):
        catalogue({"lab": LAB.model_copy(update={"key_env": "LAB_KEY"})}, LAB_KEY="two words").resolve_name("lab:x")


def test_only_a_provider_that_is_known_can_have_an_api_of_its_own() -> None:
    native = catalogue({"lab": LAB.model_copy(update={"dialect": "native"})})
    for asking in (native.resolve_name, partial(made, native)):
        with pytest.raises(UsageError, match="'lab:x' has no API of its own; give it dialect chat and a base_url"):
            asking("lab:x")
    plain = Provider.model_validate({"dialect": "chat"})
    with pytest.raises(UsageError, match="'mistral:x' has no base_url"):
        catalogue({"mistral": plain}, MISTRAL_API_KEY=KEY).resolve_name("mistral:x")


@asynccontextmanager
async def serving(reply: str | Slow = CLEAR) -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(lambda _: reply) as server:
        yield server


async def ask(model: Model) -> str:
    request = output_request()
    return (await model.answer(request, model.prepare(request))).text


async def test_a_model_is_asked_by_its_own_name_at_its_address_with_its_key() -> None:
    async with serving() as server:
        here = catalogue(GROQ_API_KEY=KEY, GROQ_BASE_URL=server.url)
        model = here.model("groq:meta/llama:8b", PlainPrompts(), OWN, 50, tuple)
        assert isinstance(model, RemoteModel)
        assert await ask(model) == CLEAR
        await here.close()
    [received] = server.requests
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.asked
    assert (received.asked.model, received.asked.max_tokens) == ("meta/llama:8b", 50)


async def test_closing_it_ends_every_connection() -> None:
    async with serving() as server:
        own = Provider(base_url=server.url)
        here = catalogue({"lab": own, "lob": own})
        for name in ("lab:a", "lob:a"):
            await ask(made(here, name))
        assert len(server._open) == 2
        await here.close()
        async with asyncio.timeout(300):
            await asyncio.gather(*server._open)


async def test_a_price_reaches_what_is_reserved() -> None:
    here = catalogue({"lab": LAB})
    priced, unpriced = (here.model("lab:x", PlainPrompts(), price, None, tuple) for price in (OWN, None))
    assert priced.prepare(output_request()).ceiling.dollars > 0
    assert unpriced.prepare(output_request()).ceiling.dollars == 0
    await here.close()


@pytest.mark.parametrize(("names", "most"), [(("lab:a", "lab:b", "lab:a"), 1), (("lab:a", "lob:a"), 2)])
async def test_the_limits_of_a_provider_hold_for_all_its_models_together(names: tuple[str, ...], most: int) -> None:
    async with serving(Slow(seconds=0.05, then=CLEAR)) as server:
        one = Provider(base_url=server.url, in_flight=1)
        here = catalogue({"lab": one, "lob": one})
        await asyncio.gather(*(ask(made(here, name)) for name in names))
        await here.close()
    assert (server.busiest, len(server.requests)) == (most, len(names))


def test_what_works_offline_imports_neither_an_http_client_nor_prices() -> None:
    code = (
        "import sys; from quaestor.models.catalogue import ModelCatalogue; c = ModelCatalogue({}, {}, 5, {}); "
        "c.resolve_name('offline'); c.model('offline', None, None, None, tuple); "
        "print(sorted({'httpx2', 'httpcore2', 'genai_prices', 'pydantic_ai'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"

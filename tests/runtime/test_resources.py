from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import JsonValue

from fakes.time import ManualClock
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.cost import Price
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.event import Event, ToolRequested
from quaestor.contracts.library import CorpusState
from quaestor.contracts.tools import SearchInput
from quaestor.kernel.model_calls import MAX_TRIES
from quaestor.research.options import ResearchOptions
from quaestor.research.plugin import PLUGIN
from quaestor.research.state import ResearchState
from quaestor.runtime.resources import Resources
from quaestor.runtime.settings import resolve_settings
from quaestor.storage.sqlite import open_store
from quaestor.tools.recorded_tools import RecordedTool

CORPUS = CorpusState(corpus="corpus_1", roots=("/papers",), documents=5, passages=7)
LAB: dict[str, JsonValue] = {"lab": {"base_url": "http://127.0.0.1:9/v1"}}
PRICE: dict[str, JsonValue] = {"input": 2, "output": 8}
AGENT = """---
description: Plans in its own way.
model: {model}
input: {{schema: PlanInput}}
output: {{schema: PlanDraft}}
---
{{{{role "system"}}}}
You plan.
{{{{role "user"}}}}
{{{{data "question"}}}}
"""

CLERK = """---
description: Operates.
delegate: true
tools: [consult, operate]
input: {schema: [DelegateToolInput, ReadInput]}
output: {schema: Reading}
---
{{role "system"}}
You operate.
{{role "user"}}
{{data "offers"}}
"""

Make = Callable[..., Resources]


@pytest.fixture
async def make() -> AsyncIterator[Make]:
    """Return what makes resources with these settings and the one provider that is known to it alone."""
    store = open_store(":memory:")

    def resources(environment: dict[str, str] | None = None, **options: JsonValue) -> Resources:
        settings = resolve_settings({"providers": LAB, **options}, {})
        return Resources(store.library, store.replies, settings, environment or {}, ManualClock(), home=Path("/home"))

    yield resources
    await store.close()


def options(resources: Resources) -> ResearchOptions:
    return configured(resources, corpus=CORPUS)


def configured(resources: Resources, **request: object) -> ResearchOptions:
    asked = SessionRequest.model_validate({"text": "Who?", **request})
    return ResearchOptions.model_validate(resources.configure(PLUGIN, asked, resources.settings))


def test_a_session_starts_with_what_is_set_and_with_what_was_indexed(make: Make) -> None:
    said = options(make(effort="high", max_dollars="0.50"))
    assert (said.corpus, said.roots, said.documents) == ("corpus_1", ("/papers",), 5)
    assert (said.model, said.queries, said.budget.dollars) == ("offline", 5, Decimal("0.50"))
    assert (said.models, said.fallback, said.prices, said.agents, said.replays) == ({}, (), {}, (), None)


def test_every_model_is_located_when_a_session_starts(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trial.yaml").write_text("reader: []")
    monkeypatch.chdir(tmp_path)
    whole = f"script:{tmp_path / 'trial.yaml'}"
    name = "script:trial.yaml"
    said = options(make(model=name, models={"reader": name}, fallback=[name]))
    assert (said.model, said.models, said.fallback) == (whole, {"reader": whole}, (whole,))


@pytest.mark.parametrize("place", ["model", "models", "fallback"])
@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("gpt-5", UsageError, "'gpt-5' is not known"),
        ("lob:x", UsageError, r"\[providers.lob\]"),
        ("bare:x", UsageError, "base_url"),
        ("openai:x", SetupError, "OPENAI_API_KEY"),
        ("script:none.yaml", UsageError, "none.yaml cannot be read"),
    ],
)
def test_a_model_that_cannot_be_used_is_refused_before_there_is_a_session(
    make: Make, place: str, name: str, error: type[Exception], says: str
) -> None:
    places: dict[str, JsonValue] = {"model": name, "models": {"planner": name}, "fallback": [name]}
    resources = make(**{place: places[place], "providers": {**LAB, "bare": {}}})
    with pytest.raises(error, match=says):
        options(resources)
    with pytest.raises(error, match=says):
        configured(resources)


def agents(folder: Path, model: str) -> str:
    (folder / "planner.prompt").write_text(AGENT.format(model=model))
    return str(folder)


def test_an_agents_own_model_answers_its_role_and_the_settings_beat_it(make: Make, tmp_path: Path) -> None:
    own = agents(tmp_path, "lab:own")
    assert options(make(agents=own)).models == {"planner": "lab:own"}
    both = options(make(agents=own, models={"planner": "lab:said", "reader": "offline"}))
    assert both.models == {"planner": "lab:said", "reader": "offline"}


def test_an_agents_own_model_must_be_usable_too(make: Make, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\[providers.lob\]"):
        options(make(agents=agents(tmp_path, "lob:own")))


@pytest.mark.parametrize("model", ["offline", "lab:x"])
def test_a_model_for_a_role_that_no_agent_has_is_refused_with_the_roles_there_are(make: Make, model: str) -> None:
    resources = make(models={"plannr": model, "reader": "offline"})
    with pytest.raises(UsageError, match=r"no agent has the role plannr.*roles are .*planner.*reader"):
        options(resources)
    with pytest.raises(UsageError, match="plannr"):
        configured(resources)


def test_an_agent_of_ones_own_is_a_role_like_any_other(make: Make, tmp_path: Path) -> None:
    own = {"agents": agents(tmp_path, "lab:own"), "models": {"archivist": "offline"}}
    with pytest.raises(UsageError, match="no agent has the role archivist"):
        options(make(**own))
    (tmp_path / "planner.prompt").rename(tmp_path / "archivist.prompt")
    assert options(make(**own)).models == {"archivist": "offline"}


def test_agents_are_known_to_a_plan_only_where_todos_are_delegated(make: Make) -> None:
    assert options(make(model="lab:x")).agents == ()
    delegates = {card.name: card.tools for card in options(make(orchestrate=True)).agents}
    assert delegates["researcher"] == ("search",)
    assert "planner" not in delegates


MCP: dict[str, JsonValue] = {"notes": {"command": "notes-server"}, "club": {"command": "club", "allow": ["book"]}}


def test_servers_are_named_when_a_session_starts_that_delegates_and_offered_to_who_declares_them(
    make: Make, tmp_path: Path
) -> None:
    assert options(make(mcp=MCP)).servers == ()
    said = options(make(mcp=MCP, orchestrate=True))
    assert said.servers == ("notes", "club")
    delegates = {card.name: card.tools for card in said.agents}
    assert delegates["researcher"] == delegates["fact_verifier"] == ("search", "consult")
    (tmp_path / "clerk.prompt").write_text(CLERK, encoding="utf-8")
    own = {"orchestrate": True, "agents": str(tmp_path)}
    operating = {card.name: card.tools for card in options(make(mcp=MCP, **own)).agents}
    assert operating["clerk"] == ("consult", "operate")
    reading: JsonValue = {"notes": {"command": "notes-server"}}
    assert {card.name: card.tools for card in options(make(mcp=reading, **own)).agents}["clerk"] == ("consult",)
    with pytest.raises(UsageError, match=r"the agent clerk .* uses consult, operate, but this run has search"):
        options(make(**own))


def test_pages_may_be_chosen_where_some_can_be_reached(make: Make) -> None:
    resources = make(orchestrate=True)
    said = configured(resources, corpus=CORPUS, urls=("https://example.org",))
    assert {card.name: card.tools for card in said.agents}["researcher"] == ("search", "fetch")


async def test_a_price_is_kept_as_it_was_when_the_session_started(make: Make) -> None:
    said = options(make({"OPENAI_API_KEY": "k"}, model="openai:gpt-5-mini", prices={"openai:gpt-5-mini": PRICE}))
    assert said.prices == {"openai:gpt-5-mini": Price.model_validate(PRICE)}
    later = await make({"OPENAI_API_KEY": "k"}).performer("s1", PLUGIN, said, None, ResearchState())
    assert later.model.name == "openai:gpt-5-mini"


@pytest.mark.parametrize(
    "named",
    [
        {"model": "lab:dear"},
        {"models": {"planner": "lab:dear"}},
        {"fallback": ["lab:dear"]},
        {"model": "lab:known", "prices": {"lab:known": PRICE}, "fallback": ["lab:dear"]},
    ],
)
def test_dollars_are_no_wall_for_a_model_whose_price_is_not_known(make: Make, named: dict[str, JsonValue]) -> None:
    with pytest.raises(UsageError, match=r"the price of lab:dear is not known, so 0.5 dollars are no wall") as caught:
        options(make(max_dollars="0.5", **named))
    assert '[prices."lab:dear"] in quaestor.toml' in str(caught.value)
    unlimited = make(**named)
    assert unlimited.unpriced(options(unlimited)) == ("lab:dear",)
    priced = make(max_dollars="0.5", **{**named, "prices": {"lab:dear": PRICE, "lab:known": PRICE}})
    assert priced.unpriced(options(priced)) == ()


def test_the_prices_of_today_are_those_of_the_remote_models_of_all_roles(make: Make) -> None:
    models: JsonValue = {"planner": "lab:dear", "writer": "ollama:qwen3", "reader": "offline"}
    made = make(model="lab:known", models=models, prices={"lab:known": PRICE})
    assert made.current_prices(made.settings) == {
        "lab:known": Price.model_validate(PRICE),
        "lab:dear": None,
        "ollama:qwen3": Price(input=Decimal(0), output=Decimal(0)),
    }


@pytest.mark.parametrize("name", ["offline", "ollama:qwen3"])
def test_what_costs_nothing_runs_under_any_wall_of_dollars(make: Make, name: str) -> None:
    free = make(model=name, max_dollars=0)
    assert free.unpriced(options(free)) == ()


def test_prompts_fit_the_narrowest_model_of_a_run(make: Make) -> None:
    def shown(**models: JsonValue) -> int:
        prices: JsonValue = {"lab:wide": {**PRICE, "window": 400_000}, "lab:narrow": {**PRICE, "window": 4_000}}
        return options(make(prices=prices, **models)).reading_characters

    assert shown(model="lab:wide") == ResearchOptions().reading_characters
    narrow = shown(model="lab:narrow")
    assert narrow < shown(model="ollama:qwen3") < ResearchOptions().reading_characters
    assert shown(model="lab:wide", models={"reader": "lab:narrow"}) == narrow
    assert shown(model="lab:wide", fallback=["lab:narrow"]) == narrow
    assert shown(model="lab:wide", window=4_000) == narrow
    assert shown(model="lab:narrow", window=400_000) == ResearchOptions().reading_characters


@pytest.mark.parametrize(("spares", "tries"), [(0, MAX_TRIES), (2, MAX_TRIES), (3, MAX_TRIES + 1), (5, MAX_TRIES + 3)])
async def test_a_call_is_made_once_for_each_model_that_may_answer_it(make: Make, spares: int, tries: int) -> None:
    resources = make(model="lab:a", fallback=[f"lab:spare{number}" for number in range(spares)])
    assert (await resources.performer("s1", PLUGIN, options(resources), None, ResearchState())).tries == tries


async def test_a_run_over_documents_has_no_tool_that_reaches_the_web_or_changes_anything(make: Make) -> None:
    resources = make()
    tools = (await resources.performer("s1", PLUGIN, options(resources), None, ResearchState())).tools
    assert {"search", "prove", "verify"} <= tools.keys()
    assert tools.keys().isdisjoint({"search_web", "fetch"})
    assert all(tool.repeatable for tool in tools.values())


async def test_a_replay_asks_and_searches_the_log_alone(make: Make) -> None:
    resources = make(cache=True)
    said = options(resources).model_copy(update={"replays": "s1", "model": "gone:x", "fallback": ("gone:y",)})
    query = SearchInput(query="lights")
    payload = ToolRequested(key="a", tool="search", repeatable=True, given=query.model_dump(mode="json"))
    log = [Event(session_id="s1", seq=1, cycle=1, at=datetime(2026, 1, 1, tzinfo=UTC), state="S", payload=payload)]
    performer = await resources.performer("s1", PLUGIN, said, log, ResearchState())
    assert performer.model.name == "replay:s1"
    outside = {name: tool for name, tool in performer.tools.items() if tool.spend.tool_calls}
    assert all(isinstance(tool, RecordedTool) for tool in outside.values()), outside
    with pytest.raises(SetupError, match="log of session s1 has no search"):
        await performer.tools["search"].run(query)

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from faces.cli.conftest import Ended, Quaestor
from fakes.openai_server import OpenAIServer
from fakes.papers import QUESTION
from fakes.researcher import Researcher
from quaestor.contracts.cost import Price, Spend, SpendReport

PRICES = {"openai:small": {"input": 2, "output": 8}, "openai:large": {"input": 4, "output": 16}}
MODEL = ("--model", "openai:small", "--parallel", "1")
LIMITS = ("--budget", "0.5", "--max-tokens", "500000", "--max-seconds", "600")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """Return the server that every model of openai: is asked at."""
    with OpenAIServer(Researcher()) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("QUAESTOR_PRICES", json.dumps(PRICES))
        monkeypatch.setenv("QUAESTOR_EFFORT", "low")
        yield server


@pytest.fixture
def paid(quaestor: Quaestor, docs: Path, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> Ended:
    """Return a run whose planner is another model than the rest."""
    monkeypatch.setenv("QUAESTOR_MODELS", '{"planner": "openai:large"}')
    ended = quaestor("research", QUESTION, "--docs", docs, *MODEL, *LIMITS)
    assert ended.code == 0, ended.err
    assert server.charged
    return ended


def spent(quaestor: Quaestor, ended: Ended) -> SpendReport:
    return SpendReport.model_validate_json(quaestor("spend", ended.session, "--json").out)


def rows(printed: str) -> dict[str, dict[str, list[str]]]:
    """Return the cells of every table by its head and the name of the row."""
    tables: dict[str, dict[str, list[str]]] = {}
    for block in printed.split("\n\n")[:-1]:
        heads, *lines = (line.split() for line in block.splitlines())
        tables[heads[0]] = {line[0]: line[1:] for line in lines}
    return tables


def test_the_total_is_what_the_provider_charges_in_every_table(
    quaestor: Quaestor, paid: Ended, server: OpenAIServer
) -> None:
    told = spent(quaestor, paid)
    models = {account.name: account for account in told.by_model}
    assert set(models) == {"openai:large", "openai:small", "tools"}
    assert told.total.spend.tokens == sum(usage.input_tokens + usage.output_tokens for usage in server.charged)
    small = Price.model_validate(PRICES["openai:small"])
    [planned] = [usage for asked, usage in zip(server.asked, server.charged, strict=True) if asked.model == "large"]
    dearer = Price.model_validate(PRICES["openai:large"]).cost(planned)
    assert models["openai:large"].spend == Spend(
        model_calls=1, tokens=planned.input_tokens + planned.output_tokens, dollars=dearer
    )
    assert told.total.spend.dollars == server.bill(small) - small.cost(planned) + dearer
    for accounts in (told.by_state, told.by_role, told.by_todo, told.by_model):
        assert sum((account.spend for account in accounts), Spend()) == told.total.spend


def test_the_tables_say_what_the_json_says(quaestor: Quaestor, paid: Ended) -> None:
    ended, told = quaestor("spend", paid.session), spent(quaestor, paid)
    assert (ended.code, ended.err) == (0, "")
    tables = rows(ended.out)
    assert list(tables) == ["STATE", "ROLE", "TODO", "MODEL", "ALL"]
    for head, accounts in (
        ("STATE", told.by_state),
        ("ROLE", told.by_role),
        ("TODO", told.by_todo),
        ("MODEL", told.by_model),
        ("ALL", (told.total,)),
    ):
        assert {name: cells[6] for name, cells in tables[head].items()} == {
            account.name: f"{account.spend.dollars:,.6f}" for account in accounts
        }
    assert tables["ALL"]["total"][:6] == [
        f"{number:,}"
        for number in (
            told.total.spend.model_calls,
            told.total.spend.tool_calls,
            told.total.spend.tokens,
            told.total.input_tokens,
            told.total.cached_tokens,
            told.total.output_tokens,
        )
    ]
    for said in ("tokens: ", " of 500,000 (", "dollars: 0.", "seconds: ", "gathering may use 0.4", "ran for "):
        assert said in ended.out


def test_show_names_the_models_the_limits_and_the_dollars(quaestor: Quaestor, paid: Ended) -> None:
    said = quaestor("show", paid.session).out
    assert "model          openai:small\nmodel          openai:large for the planner\n" in said
    assert "500,000 tokens, 0.5 dollars, 600 seconds\n" in said
    [line] = [line for line in said.splitlines() if line.startswith("spend ")]
    dollars = spent(quaestor, paid).total.spend.dollars
    assert line.endswith(f" tokens, {dollars.normalize():f} dollars")


def test_a_replay_costs_nothing_and_says_whose_log_answered(
    quaestor: Quaestor, paid: Ended, server: OpenAIServer
) -> None:
    calls = len(server.requests)
    again = quaestor("research", QUESTION, "--model", f"replay:{paid.session}")
    assert (again.code, again.out) == (0, paid.out)
    assert len(server.requests) == calls
    first, told = spent(quaestor, paid), spent(quaestor, again)
    assert told.total.spend.model_calls == first.total.spend.model_calls
    assert told.total.spend.dollars == 0
    assert told.replays == paid.session
    assert f"every call was answered from the log of session {paid.session}" in quaestor("spend", again.session).out
    assert f"replays        {paid.session}\n" in quaestor("show", again.session).out


@pytest.mark.parametrize("part", [slice(0, 15), slice(-6, None), None], ids=["begin", "end", "last"])
def test_a_replay_names_its_session_as_every_command_does(quaestor: Quaestor, paid: Ended, part: slice | None) -> None:
    name = paid.session[part] if part else "last"
    again = quaestor("research", QUESTION, "--model", f"replay:{name}")
    assert (again.code, again.out) == (0, paid.out)
    assert spent(quaestor, again).replays == paid.session


def test_answers_of_earlier_sessions_are_counted_and_cost_nothing(
    quaestor: Quaestor, docs: Path, server: OpenAIServer
) -> None:
    assert quaestor("research", QUESTION, "--docs", docs, *MODEL, "--cache").code == 0
    calls = len(server.requests)
    again = quaestor("research", QUESTION, "--docs", docs, *MODEL, "--cache")
    assert len(server.requests) == calls
    assert spent(quaestor, again).total.spend.dollars == 0
    assert spent(quaestor, again).total.recalled == calls
    assert f"from cache     {calls} calls answered from earlier sessions" in quaestor("spend", again.session).out
    [told, *_] = quaestor("events", again.session, "--type", "model_responded").out.splitlines()
    assert "clarifier: from cache; {" in told


def test_a_model_whose_price_is_not_known_is_named(quaestor: Quaestor, docs: Path, server: OpenAIServer) -> None:
    ended = quaestor("research", QUESTION, "--docs", docs, "--model", "openai:odd-one")
    assert server.requests
    said = "the price of openai:odd-one is not known"
    assert said in ended.err
    assert said in quaestor("spend", ended.session).out
    assert spent(quaestor, ended).total.spend.dollars == Decimal(0)


def test_a_session_without_limits_or_a_language_model_has_tables_too(quaestor: Quaestor, finished: Ended) -> None:
    ended = quaestor("spend", finished.session)
    assert ended.code == 0
    assert rows(ended.out)["MODEL"].keys() == {"offline", "tools"}
    assert ended.out.splitlines()[-1].startswith("ran for ")

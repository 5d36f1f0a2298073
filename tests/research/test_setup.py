import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import JsonValue

from fakes.context import PlainSetup
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.library import CorpusState
from quaestor.research.options import ResearchOptions
from quaestor.research.setup import configure, fit_to_window
from quaestor.runtime.settings import resolve_settings


def configured(window: int | None = None, **settings: JsonValue) -> ResearchOptions:
    return configure(PlainSetup(resolve_settings(settings, {}), window), SessionRequest(text="Who?"))


@pytest.mark.parametrize(("effort", "queries", "loops"), [("low", 1, 1), ("medium", 3, 3), ("high", 5, 10)])
def test_effort_sets_queries_and_loops_and_each_can_be_set_alone(effort: str, queries: int, loops: int) -> None:
    options = configured(effort=effort)
    assert (options.queries, options.loops) == (queries, loops)
    assert configured(effort=effort, loops=2).loops == 2


def test_sources_are_those_of_the_request_and_its_options_replace_settings() -> None:
    corpus = CorpusState(corpus="c1", roots=("/papers",), documents=2, passages=9)
    request = SessionRequest(text="Who?", corpus=corpus, urls=("https://example.org",), options={"loops": 7})
    options = configure(PlainSetup(resolve_settings({"loops": 2}, {})), request)
    assert (options.corpus, options.roots, options.urls, options.loops) == (
        "c1", ("/papers",), ("https://example.org",), 7,
    )  # fmt: skip


def test_a_folder_and_servers_are_resolved_only_for_a_session_that_uses_them() -> None:
    assert configured(mcp={"notes": {"command": "notes"}}).servers == ()
    assert configured(mcp={"notes": {"command": "notes"}}, orchestrate=True).servers == ("notes",)
    assert configured().workspace == ""
    assert configured(allow=["shell"]).workspace == "/home/workspaces/Who?"


def test_prompts_fit_the_smallest_window() -> None:
    assert configured(4_000, model="llama").reading_characters < configured(model="llama").reading_characters


def test_rules_are_shown_more_than_a_model_that_is_paid_for() -> None:
    rules, model = configured(), configured(model="llama")
    assert (rules.hits > model.hits, rules.reading_characters > model.reading_characters) == (True, True)


def most(said: ResearchOptions) -> float:
    """Return the tokens a reply may take; without a limit an agent's own holds."""
    return said.output_tokens or float("inf")


WINDOWS = st.integers(1_000, 2_000_000)
OPTIONS = st.builds(
    ResearchOptions,
    output_tokens=st.none() | st.integers(1, 200_000),
    reading_characters=st.integers(500, 500_000),
    prompt_characters=st.integers(500, 500_000),
)


@given(asked=OPTIONS, window=WINDOWS, wider=WINDOWS)
def test_a_window_only_narrows_and_a_wider_one_never_narrows_more(
    asked: ResearchOptions, window: int, wider: int
) -> None:
    assume(window <= wider)
    fitted, looser = fit_to_window(asked, window), fit_to_window(asked, wider)
    for field in ("reading_characters", "prompt_characters"):
        assert getattr(fitted, field) <= getattr(looser, field) <= getattr(asked, field)
    assert most(fitted) <= most(looser) <= most(asked)
    assert ResearchOptions.model_validate(fitted.model_dump()) == fitted
    assert fit_to_window(fitted, window) == fitted
    assert fit_to_window(asked, None) == asked


@given(asked=OPTIONS, window=st.integers(4_000, 2_000_000))
def test_a_full_prompt_leaves_room_for_a_reply(asked: ResearchOptions, window: int) -> None:
    fitted = fit_to_window(asked, window)
    room = window - (fitted.output_tokens or 0)
    assert fitted.reading_characters <= room * 3
    assert fitted.prompt_characters <= room * 2


@pytest.mark.parametrize(
    ("window", "asked", "fits"),
    [(8_192, None, 2_048), (8_192, 500, 500), (8_192, 9_000, 2_048), (128_000, None, None), (128_000, 9_000, 9_000)],
)
def test_a_reply_takes_at_most_a_quarter_of_a_small_window(window: int, asked: int | None, fits: int | None) -> None:
    assert fit_to_window(ResearchOptions(output_tokens=asked), window).output_tokens == fits

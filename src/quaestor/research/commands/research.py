"""The command `research`: a question over documents, pages and the web."""

from dataclasses import dataclass
from decimal import Decimal
from json import loads
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from pydantic import JsonValue

from quaestor.contracts.errors import UsageError
from quaestor.contracts.settings import Effort
from quaestor.contracts.terminal import AtTerminal, Docs, Json, ReportOutput, split_names
from quaestor.research import operations
from quaestor.research.commands.report_options import ReportOptions

Question = Annotated[str, Parameter(name="QUESTION", help="What is to be answered; after -- it may begin with a dash.")]


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class SettingOptions:
    """The settings that a command line can give; what it does not give comes from the environment or a file."""

    web: Annotated[
        list[str] | None,
        Parameter(
            consume_multiple=True,
            negative="",
            help="Search the web too, with these engines; without a name with those that are set up.",
        ),
    ] = None
    effort: Annotated[Effort | None, Parameter(help="How many queries and loops a todo may take.")] = None
    max_loops: Annotated[int | None, Parameter(help="Loops a todo.")] = None
    max_todos: Annotated[int | None, Parameter(help="Todos a session.")] = None
    parallel: Annotated[int | None, Parameter(help="Todos in progress at the same time.")] = None
    model: Annotated[
        str | None, Parameter(help="offline, PROVIDER:NAME, script:FILE for trials, or replay:SESSION.")
    ] = None
    budget: Annotated[Decimal | None, Parameter(help="Dollars this session may cost at most.")] = None
    max_tokens: Annotated[int | None, Parameter(help="Tokens this session may take at most.")] = None
    max_seconds: Annotated[float | None, Parameter(help="Seconds this session may run at most.")] = None
    allow: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, negative="", help="Tools that todos of kind tool may call, as shell,python."),
    ] = None
    approve: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, negative="", help="Those of them whose every call needs your yes."),
    ] = None
    todos: Annotated[
        str | None,
        Parameter(help="Workflows that may carry out todos, with their options, by kind; as JSON."),
    ] = None
    agents: Annotated[Path | None, Parameter(help="A folder of agents (.prompt files) of your own.")] = None
    orchestrate: Annotated[
        bool | None, Parameter(negative="", help="Plan by the orchestrator, which delegates todos to agents.")
    ] = None
    questions: Annotated[
        bool | None, Parameter(negative="--no-questions", help="Ask what is unclear; else it is assumed.")
    ] = None
    review_plan: Annotated[bool | None, Parameter(negative="", help="Wait for a person to confirm the plan.")] = None
    check: Annotated[
        bool | None,
        Parameter(negative="--no-check", help="Let the checker compare every sentence with its quotes."),
    ] = None
    cache: Annotated[bool | None, Parameter(negative="", help="Answer equal model calls from earlier sessions.")] = None
    priority: Annotated[
        int | None, Parameter(help="Among sessions that wait for a worker, -10 to 10; more is earlier.")
    ] = None

    def given(self) -> dict[str, JsonValue]:
        """Return the settings by their own names; None is an option that was not given."""
        engines: list[JsonValue] | None = None if self.web is None else [*self.web]
        return {
            "web": engines,
            "effort": self.effort,
            "loops": self.max_loops,
            "max_todos": self.max_todos,
            "parallel": self.parallel,
            "model": self.model,
            "max_dollars": None if self.budget is None else str(self.budget),
            "max_tokens": self.max_tokens,
            "max_seconds": self.max_seconds,
            "allow": split_names(self.allow),
            "approve": split_names(self.approve),
            "todos": _parse_todos(self.todos),
            "agents": None if self.agents is None else str(self.agents),
            "orchestrate": self.orchestrate,
            "questions": self.questions,
            "review_plan": self.review_plan,
            "check": self.check,
            "cache": self.cache,
            "priority": self.priority,
        }


def _parse_todos(text: str | None) -> JsonValue:
    """Return the options of todos from their JSON. Raises UsageError for what is none."""
    try:
        parsed: JsonValue = None if text is None else loads(text)
    except ValueError as error:
        raise UsageError(
            f'--todos is no JSON: {error}; write it as {{"decision": {{"mandate": "mandate.toml"}}}}'
        ) from error
    return parsed


async def research(
    question: Question,
    /,
    *,
    docs: Docs = [],  # noqa: B006 -- never changed
    knobs: SettingOptions = SettingOptions(),
    form: ReportOptions = ReportOptions(),  # noqa: B008 -- frozen
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    detach: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Go on in the background; print the session's id and end."),
    ] = False,
    yes: Annotated[
        bool, Parameter(negative="", show_default=False, help="Start whatever it may cost, without a question.")
    ] = False,
    terminal: AtTerminal,
) -> int:
    """Research a question over documents, pages and the web and print the cited report.

    The documents are indexed first, and later only what changed. The same question over the same documents goes on
    with its unfinished session. A replay needs no --docs: it takes them, and the limits, from the session it replays.
    At a terminal it asks what it must know; elsewhere it ends with exit code 5, and `quaestor answer` goes on.
    """
    terminal.check_output_path("--out", delivery.out)
    if form.only_named and knobs.web is not None:
        raise UsageError("--only-named reads nothing that --docs does not name, so nothing for --web; give one of them")
    async with terminal.open(**knobs.given(), **form.given()) as host:
        await operations.check(host, question)
        if not await terminal.approve_cost(yes=yes):
            raise UsageError("nothing was started, because its cost was not approved")
        paths, urls = operations.split_paths_and_urls(docs)
        corpus = await terminal.index(paths) if paths else None
        session_id = await operations.start(host, question, corpus, urls=urls)
        for name in await host.unpriced(session_id):
            terminal.write_stderr(f"the price of {name} is not known, so its calls are counted but no dollars")
        if detach:
            return await terminal.carry_on_detached(session_id, delivery, json=json)
        return await terminal.carry_on(session_id, delivery, json=json)

import os
import sysconfig
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from pydantic import JsonValue

from quaestor.app import Quaestor, default_home, open_home, split_paths_and_urls
from quaestor.contracts.errors import UsageError
from quaestor.contracts.options import Effort
from quaestor.faces.cli.background import run_detached
from quaestor.faces.cli.indexing import index_documents
from quaestor.faces.cli.interactive import run_interactively
from quaestor.faces.cli.output import command_line, write_stderr
from quaestor.faces.cli.params import After, Home, Json, parse_tool_names
from quaestor.faces.cli.report_output import ReportOutput
from quaestor.tools.stdlib_docs import write_stdlib_docs

Question = Annotated[str, Parameter(name="QUESTION", help="What is to be answered; after -- it may begin with a dash.")]
Docs = Annotated[
    list[str],
    Parameter(
        name="--docs",
        consume_multiple=True,
        negative="",
        help="Files, folders and URLs of pages to research; may be given again.",
    ),
]


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
    as_of: Annotated[date | None, Parameter(help="Use no source that is dated later.")] = None
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
    agents: Annotated[Path | None, Parameter(help="A folder of agents (.prompt files) of your own.")] = None
    orchestrate: Annotated[
        bool | None, Parameter(negative="", help="Plan by the orchestrator, which delegates todos to agents.")
    ] = None
    questions: Annotated[
        bool | None, Parameter(negative="--no-questions", help="Ask what is unclear; else it is assumed.")
    ] = None
    review_plan: Annotated[bool | None, Parameter(negative="", help="Wait for a person to confirm the plan.")] = None
    check: Annotated[
        bool | None, Parameter(negative="", help="Let the checker doubt sentences their quotes do not support.")
    ] = None
    cache: Annotated[bool | None, Parameter(negative="", help="Answer equal model calls from earlier sessions.")] = None

    def given(self) -> dict[str, JsonValue]:
        """Give the settings by their own names; None stands for what was not given."""
        engines: list[JsonValue] | None = None if self.web is None else [*self.web]
        return {
            "web": engines,
            "as_of": None if self.as_of is None else self.as_of.isoformat(),
            "effort": self.effort,
            "loops": self.max_loops,
            "max_todos": self.max_todos,
            "parallel": self.parallel,
            "model": self.model,
            "max_dollars": None if self.budget is None else str(self.budget),
            "max_tokens": self.max_tokens,
            "max_seconds": self.max_seconds,
            "allow": parse_tool_names("--allow", self.allow),
            "approve": parse_tool_names("--approve", self.approve),
            "agents": None if self.agents is None else str(self.agents),
            "orchestrate": self.orchestrate,
            "questions": self.questions,
            "review_plan": self.review_plan,
            "check": self.check,
            "cache": self.cache,
        }


async def research(
    question: Question,
    /,
    *,
    docs: Docs = [],  # noqa: B006 -- never changed
    knobs: SettingOptions = SettingOptions(),
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    detach: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Go on in the background; print the session's id and end."),
    ] = False,
    home: Home = None,
) -> int:
    """Research a question over documents, pages and the web and print the cited report.

    The documents are indexed first, and later only what changed. The same question over the same documents goes on
    with its unfinished session. A replay needs no --docs: it takes them, and the limits, from the session it replays.
    At a terminal it asks what it must know; elsewhere it ends with exit code 5, and `quaestor answer` goes on.
    """
    delivery.check()
    async with open_home(home, **knobs.given()) as quaestor:
        quaestor.check(question)
        paths, urls = split_paths_and_urls(docs)
        corpus = await index_documents(quaestor, paths) if paths else None
        session_id = await quaestor.start(question, corpus, urls=urls)
        for name in await quaestor.unpriced(session_id):
            write_stderr(f"the price of {name} is not known, so its calls are counted but no dollars")
        carried = run_detached if detach else run_interactively
        return await carried(quaestor, session_id, delivery, home, json=json)


async def resume(
    session: Annotated[
        str | None, Parameter(name="SESSION", help="Its id; the newest unfinished one, if left out.")
    ] = None,
    /,
    *,
    last: Annotated[bool, Parameter(negative="", show_default=False, help="The newest unfinished session.")] = False,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    after: After = 0,
    home: Home = None,
) -> int:
    """Go on with a session that is not finished.

    Nothing that was finished is done again. Of a finished session it prints the report.
    """
    delivery.check()
    if session and last:
        raise UsageError("--last chooses the session by itself; give it or a session's id, not both")
    async with open_home(home) as quaestor:
        session_id = session or await _newest_unfinished(quaestor)
        return await run_interactively(quaestor, session_id, delivery, home, json=json, after=after)


async def _newest_unfinished(quaestor: Quaestor) -> str:
    for session in await quaestor.sessions():
        if session.outcome is None:
            return session.id
    raise UsageError("no session is unfinished; `quaestor ps` lists them all, `quaestor research` starts one")


DEMO_FOLDER = "demo-docs"
DEMO_QUESTION = "How does one wait for threads, processes, coroutines or futures?"


async def demo(*, delivery: ReportOutput = ReportOutput(), home: Home = None) -> int:  # noqa: B008 -- frozen
    """Research a question over Python's own documentation strings; no key, no network."""
    delivery.check()
    docs = (home or default_home(os.environ)) / DEMO_FOLDER
    async with open_home(home, model="offline") as quaestor:
        write_stdlib_docs(Path(sysconfig.get_path("stdlib")), docs)
        session_id = await quaestor.start(DEMO_QUESTION, await index_documents(quaestor, [docs]))
        code = await run_interactively(quaestor, session_id, delivery, home, json=False)
    write_stderr(f"  your own       {command_line(home, 'research', 'YOUR QUESTION', '--docs', 'FOLDER')}")
    return code

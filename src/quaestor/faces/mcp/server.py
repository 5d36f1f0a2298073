"""The MCP server: research, search and verification as tools for assistants, reports and sources as resources.

All state is in the log: a server that ends between two calls loses nothing, and the next one carries on what it is
asked about.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from decimal import Decimal
from functools import wraps
from typing import Annotated, Any, Literal, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import MCPServerError, ResourceError, ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from quaestor.app import Quaestor
from quaestor.app.lookup import FoundPassage, QuoteCheck, check_quote, search_documents
from quaestor.app.network.person_commands import CommandEffect, perform_command
from quaestor.app.network.submissions import NewSession, SessionSettings, Submitter, begin_session
from quaestor.app.watching.news import SessionNews, read_news
from quaestor.app.workers.worker import SessionWorker
from quaestor.contracts.base import Contract
from quaestor.contracts.command import Answer, Cancel
from quaestor.contracts.errors import QuaestorError, UnknownSession, UsageError
from quaestor.contracts.report_settings import ReportSettings
from quaestor.contracts.session import MAX_QUESTION_CHARACTERS
from quaestor.contracts.settings import Effort
from quaestor.version import __version__

ParametersT = ParamSpec("ParametersT")
ResultT = TypeVar("ResultT")

_INSTRUCTIONS = """\
Quaestor researches questions over documents and the web, and proves every quote. Start with research_start, follow \
with research_status until the status is finished or waiting, answer what it asks with research_answer, and read \
the report with research_result. A session goes on when this conversation ends; its id finds it again. Quote only \
what verify_quote finds."""

MAX_START_SECONDS = 0.8
"""How long a start may take before it answers that documents are still being indexed."""
_PART_CHARACTERS = 20_000
_MAX_WAIT_SECONDS = 50

SessionId = Annotated[str, Field(description="As research_start returned it; the end of it, or `last`, is enough.")]
Documents = Annotated[
    list[str],
    Field(
        description="Files and folders below the one that the server was started with, or `collection:NAME` of uploads."
    ),
]


class StartedResearch(Contract):
    """A session that was started, or what there is to wait for."""

    state: Literal["started", "indexing"]
    session_id: str | None = Field(description="None while documents are indexed: call again with the same arguments.")


class ResultPart(Contract):
    """A part of a report."""

    session_id: str
    outcome: str | None = Field(description="None while the session is not finished.")
    statement: str
    part: int
    parts: int = Field(description="0 where there is no report.")
    text: str


def build_server(quaestor: Quaestor, worker: SessionWorker, submitter: Submitter) -> MCPServer[object]:
    """Return the server over a home; `submitter` says which documents a client may name."""
    research = Research(quaestor, worker, submitter)
    server: MCPServer[object] = MCPServer(
        "quaestor", title="Quaestor", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    changing: Sequence[Callable[..., Any]] = (
        research.research_start,
        research.research_status,  # carries on what was interrupted, which may cost
        research.research_answer,
        research.research_cancel,
    )
    reading: Sequence[Callable[..., Any]] = (
        research.research_result,
        research.search_documents,
        research.verify_quote,
    )
    for tool in (*changing, *reading):
        hints = ToolAnnotations(read_only_hint=tool in reading, destructive_hint=tool == research.research_cancel)
        server.add_tool(_explain_refusals(tool, ToolError), annotations=hints)
    for uri, mime_type, read in (
        ("quaestor://sessions/{session_id}/report", "text/markdown", research.report),
        ("quaestor://sources/{sha256}", "text/plain", research.source),
    ):
        server.resource(uri, mime_type=mime_type)(_explain_refusals(read, ResourceError))
    return server


def _explain_refusals(
    call: Callable[ParametersT, Awaitable[ResultT]], refusal: type[MCPServerError]
) -> Callable[ParametersT, Awaitable[ResultT]]:
    """Return a call whose errors a client reads in our words; all others are hidden from it, and logged."""

    @wraps(call)
    async def explained(*args: ParametersT.args, **kwargs: ParametersT.kwargs) -> ResultT:
        try:
            return await call(*args, **kwargs)
        except QuaestorError as error:
            raise refusal(str(error)) from error

    return explained


class Research:
    """The tools and resources; the docstring of each is the description that a client shows its model."""

    def __init__(
        self,
        quaestor: Quaestor,
        worker: SessionWorker,
        submitter: Submitter,
        begin: Callable[[Quaestor, NewSession, Submitter], Coroutine[Any, Any, str]] = begin_session,
    ) -> None:
        self._quaestor = quaestor
        self._worker = worker
        self._submitter = submitter
        self._begin = begin
        self._starts: dict[NewSession, asyncio.Task[str]] = {}

    async def research_start(
        self,
        question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION_CHARACTERS)],
        *,
        docs: Documents | None = None,
        urls: Annotated[list[str] | None, Field(description="Pages to read.")] = None,
        web: Annotated[bool, Field(description="Search the web too.")] = False,
        effort: Annotated[Effort | None, Field(description="How much is searched and checked.")] = None,
        max_dollars: Annotated[Decimal | None, Field(ge=0, description="The most it may cost.")] = None,
        report: Annotated[
            ReportSettings | None, Field(description="What bounds its sources, and how the report is written.")
        ] = None,
    ) -> StartedResearch:
        """Start a research session and return its id at once; an unfinished one of the same question goes on."""
        form = report.model_dump(exclude_none=True) if report else {}
        settings = SessionSettings(effort=effort, max_dollars=max_dollars, web=() if web else None, **form)
        new = NewSession(text=question, docs=tuple(docs or ()), urls=tuple(urls or ()), settings=settings)
        start = self._starts.get(new)
        if start is None:
            start = self._starts[new] = asyncio.create_task(self._begin(self._quaestor, new, self._submitter))
        done, _ = await asyncio.wait((start,), timeout=MAX_START_SECONDS)
        if not done:
            return StartedResearch(state="indexing", session_id=None)
        self._starts.pop(new, None)  # of equal calls at once, one takes it
        self._worker.carry(start.result())
        return StartedResearch(state="started", session_id=start.result())

    async def research_status(
        self,
        session_id: SessionId,
        after: Annotated[int, Field(ge=0, description="Of the last answer; 0 at first.")] = 0,
        wait_s: Annotated[float, Field(ge=0, le=_MAX_WAIT_SECONDS, description="Wait so long for news.")] = 0,
    ) -> SessionNews:
        """Return what a session did after a point, its status and what it asks; carry it on if it was interrupted."""
        found = await self._find(session_id)
        await self._worker.carry_if_interrupted(found)
        return await read_news(self._quaestor, found, after, wait_s)

    async def research_answer(
        self, session_id: SessionId, answer: Annotated[str, Field(min_length=1)]
    ) -> CommandEffect:
        """Answer the question that a session waits for with the words of the person, and carry it on."""
        return await self._perform(session_id, Answer(text=answer))

    async def research_result(
        self,
        session_id: SessionId,
        format: Annotated[Literal["md", "json", "html"], Field(description="How it is written.")] = "md",  # noqa: A002 -- the name that clients see
        part: Annotated[int, Field(ge=1, description="A long report comes in parts.")] = 1,
    ) -> ResultPart:
        """Return the newest report of a session, every claim with its source; a long one in parts."""
        found = await self._find(session_id)
        result = await self._quaestor.result(found)
        text = await self._quaestor.render_report(found, format) or ""
        parts = [text[at : at + _PART_CHARACTERS] for at in range(0, len(text), _PART_CHARACTERS)]
        if part > max(len(parts), 1):
            raise UsageError(f"the report has {len(parts)} parts, so there is no part {part}")
        return ResultPart(
            session_id=found,
            outcome=result.outcome,
            statement=result.statement,
            part=part,
            parts=len(parts),
            text=parts[part - 1] if parts else "",
        )

    async def research_cancel(self, session_id: SessionId) -> CommandEffect:
        """End a session without a report; what was found stays in its log."""
        return await self._perform(session_id, Cancel())

    async def search_documents(
        self,
        query: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION_CHARACTERS)],
        docs: Documents,
        limit: Annotated[int, Field(ge=1, le=50)] = 8,
    ) -> list[FoundPassage]:
        """Return the passages of documents that share the most telling words with a query, best first."""
        if not docs:
            raise UsageError("name the documents to search")
        corpus = await self._quaestor.index(self._submitter.roots.resolve(self._quaestor, docs))
        return list(await search_documents(self._quaestor, corpus, query, limit))

    async def verify_quote(
        self,
        quote: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION_CHARACTERS)],
        source: Annotated[str, Field(description="The SHA-256 of the source.")],
    ) -> QuoteCheck:
        """Check whether a source has these very words, and return where, with what comes before and after."""
        self._require_all_sources()
        return await check_quote(self._quaestor, quote, source)

    async def report(self, session_id: str) -> str:
        """Return the newest report of a session."""
        found = await self._find(session_id)
        text = await self._quaestor.render_report(found, "md")
        if text is None:
            raise UsageError(f"session {found} has no report yet")
        return text

    async def source(self, sha256: str) -> str:
        """Return the stored text of a source."""
        self._require_all_sources()
        text = await self._quaestor.library.text(sha256)
        if text is None:
            raise UsageError(f"there is no source {sha256[:80]!r}")
        return text

    def _require_all_sources(self) -> None:
        """Refuse to look up sources by their hashes for who must not know what other tenants have read."""
        if not self._submitter.is_admin:
            raise UsageError("sources are looked up by tokens of scope admin; the report has the words of each quote")

    async def _perform(self, session_id: str, command: Answer | Cancel) -> CommandEffect:
        found = await self._find(session_id)
        return await perform_command(self._quaestor, found, command, self._submitter, self._worker.carry)

    async def _find(self, session_id: str) -> str:
        """Return a complete id. Raises UnknownSession for one that no session has."""
        if not session_id.strip():
            raise UnknownSession("name a session by its id, or `last` for the newest")
        return await self._quaestor.resolve_session_id(session_id.strip())

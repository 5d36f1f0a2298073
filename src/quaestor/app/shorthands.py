"""A home and the operations on its sessions, each offered once."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never, cast

from pydantic import JsonValue, ValidationError
from typing_extensions import Unpack, override

from quaestor.app.workflows import parse_answer
from quaestor.contracts.access import AccessStore
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.errors import LeaseUnavailable, NoEvidence, QuaestorError, SetupError, UsageError
from quaestor.contracts.faults import describe_unusable
from quaestor.contracts.host import Host, send_command
from quaestor.contracts.lazy import LazyImport, deferred
from quaestor.contracts.library import CorpusState, Library, ProgressCallback
from quaestor.contracts.ports import Clock, IdGenerator, SnapshotCache, Store
from quaestor.contracts.result import NextAction, Result, Turn, TurnResult
from quaestor.contracts.session import normalize_question, reject_credentials
from quaestor.contracts.setting_options import SettingOptions
from quaestor.contracts.settings import Settings
from quaestor.contracts.workers import WorkerRegistry
from quaestor.runtime.index_lock import hold_index
from quaestor.runtime.resources import Resources
from quaestor.runtime.sessions import Sessions
from quaestor.runtime.settings import resolve_settings
from quaestor.runtime.shared_folder import require_shared_folder

if TYPE_CHECKING:
    from quaestor.app.turns.turn_state import SessionTurns
    from quaestor.research.contracts.brief import ResearchDocument
    from quaestor.research.contracts.plan import Plan
    from quaestor.research.state import ResearchState
    from quaestor.runtime.log_folds import LogFold

# Research and the reading of files are imported at their first use: sessions of other workflows need neither.
_TURNS_FOLD: "LazyImport[LogFold[SessionTurns]]" = LazyImport("quaestor.app.turns.turn_state:TURNS_FOLD")
_RESEARCH = "quaestor.research.operations"
_check: Callable[[Host, str, Settings | None], Awaitable[None]] = deferred(f"{_RESEARCH}:check")
_start: Callable[[Host, str, CorpusState | None, Settings | None, Sequence[str]], Awaitable[str]] = deferred(
    f"{_RESEARCH}:start"
)
_ask: Callable[[Host, str, str], Awaitable[None]] = deferred(f"{_RESEARCH}:ask")
_refresh: Callable[[Host, str, ProgressCallback], Awaitable[None]] = deferred(f"{_RESEARCH}:refresh")
_revise: Callable[[Host, str, str, str], Awaitable[None]] = deferred(f"{_RESEARCH}:revise")
_research_documents: "Callable[[Sequence[object]], Sequence[ResearchDocument]]" = deferred(
    f"{_RESEARCH}:research_documents"
)
_read_state: "Callable[[Host, str], Awaitable[ResearchState]]" = deferred(f"{_RESEARCH}:state")
split_paths_and_urls: Callable[[Sequence[str | Path]], tuple[list[str | Path], list[str]]] = deferred(
    f"{_RESEARCH}:split_paths_and_urls"
)
"""Returns the files and folders among documents, and the pages. Raises UsageError for one that cannot be used."""
_index_corpus: Callable[[Library, Clock, Sequence[Path], ProgressCallback], Awaitable[CorpusState]] = deferred(
    "quaestor.tools.corpus:index_corpus"
)


class Home(Sessions):
    """The sessions of one home, begun from a request and over documents that are indexed there; a `Host`."""

    def __init__(
        self,
        store: Store,
        library: Library,
        resources: Resources,
        clock: Clock,
        ids: IdGenerator,
        *,
        access: AccessStore,
        workers: WorkerRegistry,
        home: Path,
        snapshots: SnapshotCache | None = None,
    ) -> None:
        super().__init__(store, library, resources, clock, ids, snapshots=snapshots)
        self.access = access
        self.workers = workers
        self.home = home
        self.data_folder = resources.settings.data_folder(home)

    async def check_ready(self) -> None:
        """Raise StoreUnavailable or SetupError where the store or the shared folder cannot be used now."""
        await self.access.tokens()
        await asyncio.to_thread(require_shared_folder, self.settings)

    async def index(self, docs: Sequence[str | Path], progress: ProgressCallback = lambda _: None) -> CorpusState:
        """Read and index what changed in these files and folders."""
        if any(not str(path).strip() for path in docs):
            raise UsageError("an empty path names no documents; name a file or a folder")
        for path in docs:
            reject_credentials(str(path))
        paths = [Path(path) for path in docs]
        async with hold_index(self.home, paths):
            return await _index_corpus(self.library, self.clock, paths, progress)

    async def start_session(self, workflow: str, request: SessionRequest, settings: Settings | None = None) -> str:
        """Start a session of a workflow, or find the unfinished one of the same request; return its id.

        Raises UsageError for an unknown workflow and a request that cannot be carried out, SetupError for a missing
        key.
        """
        request = request.revised(text=normalize_question(request.text))
        return await self.begin(workflow, request.text, await self.configure(workflow, request, settings))


class Quaestor(Home):
    """A home with its sessions, and every operation on them; returned by `open`."""

    @override
    def reader_folds(self) -> "Sequence[LogFold[Any]]":
        return (_TURNS_FOLD.load(),)

    async def research(
        self, question: str, docs: Sequence[str | Path], **options: Unpack[SettingOptions]
    ) -> "ResearchDocument":
        """Research a question over documents, each a file, a folder or the URL of a page, and return what came of it.

        That is a cited report where a model wrote, else an evidence brief; `kind` tells which.
        `options` are settings of this run, as in `Settings`. The same question over the same documents continues
        its unfinished session, if there is one. Raises NoEvidence when nothing answers the question.
        """
        asked = resolve_settings(cast("dict[str, JsonValue]", options), {})
        chosen = {name: getattr(asked, name) for name in options}
        settings = self.settings.revised(**chosen, questions=False)  # no person can answer
        await self.check(question, settings)
        paths, urls = split_paths_and_urls(docs)
        corpus = await self.index(paths) if paths else None
        return await self._run_to_report(await self.start(question, corpus, settings, urls))

    async def check(self, question: str, settings: Settings | None = None) -> None:
        """Raise what `start` would: UsageError for a question, a model, an agent or a budget that cannot be used."""
        await _check(self, question, settings)

    async def resume(self, session_id: str) -> "ResearchDocument":
        """Go on with a session and return its report; of a finished one, the report it has."""
        return await self._run_to_report(session_id)

    async def start(
        self,
        question: str,
        corpus: CorpusState | None,
        settings: Settings | None = None,
        urls: Sequence[str] = (),
    ) -> str:
        """Start a research session, or find the unfinished one of the same question, sources and models; return its id.

        `urls` are pages to read. Without a corpus there must be pages, or the web is searched, or it is a replay,
        which takes sources and limits from the session that it replays.
        """
        return await _start(self, question, corpus, settings, urls)

    async def start_task(self, text: str, corpus: CorpusState | None = None, settings: Settings | None = None) -> str:
        """Start a long task, or find the unfinished one of the same text; return its id.

        It works in the folder that the settings name, else in one of its own in the home.
        """
        return await self.start_session("longtask", SessionRequest(text=text, corpus=corpus), settings)

    async def ask(self, session_id: str, question: str) -> None:
        """Begin another cycle of a finished session with a follow-up question; `run` carries it out.

        It reuses what was found, remembered and read. Raises UsageError when the session cannot be asked now.
        """
        await _ask(self, session_id, question)

    async def refresh(self, session_id: str, progress: ProgressCallback = lambda _: None) -> None:
        """Begin another cycle that looks again at what the report of a finished session cites; `run` carries it out.

        Its documents are indexed first. Raises UsageError when there is nothing to look at, or when a folder is gone.
        """
        await _refresh(self, session_id, progress)

    async def revise(self, session_id: str, section: str, wish: str = "") -> None:
        """Begin another cycle of a finished session that writes one section of its report again; `run` carries it out.

        `section` is its id, its heading or its place from 1 on; all else stays word for word. Raises CommandRefused
        when it cannot be written again, as without a model.
        """
        await _revise(self, session_id, section, wish)

    async def plan(self, session_id: str) -> "Plan":
        """Return the plan of a research session."""
        return (await self.state(session_id)).plan

    async def state(self, session_id: str) -> "ResearchState":
        """Return everything that a research session knows."""
        return await _read_state(self, session_id)

    async def turn(
        self, turn: Turn | Mapping[str, object], docs: Sequence[str | Path] = (), *, run: bool = True
    ) -> TurnResult:
        """Take one turn with a session and return what the client does next; an error is returned, not raised.

        `docs` are the documents of a new session, as in `research`. Without `run` the session is begun, asked or
        answered and its id returned at once, so that a client can follow it from its first event; `run` carries it
        on. A session that another process carries on is left to it. Both are `processing`.
        """
        session_id: str | None = None
        try:
            turn = _parse_turn(turn)
            session_id = turn.session_id
            session_id = await self._taken(turn, docs)
            if not run:
                return TurnResult(session_id=session_id, next_action="processing")
            result = await self.run(session_id)
        except LeaseUnavailable:
            return TurnResult(session_id=session_id, next_action="processing")
        except QuaestorError as error:
            return TurnResult(session_id=session_id, next_action="error", error=str(error))
        return TurnResult(
            session_id=session_id, next_action=_next_action(result), output=result.statement, report=result.report
        )

    async def report(self, session_id: str) -> "ResearchDocument | None":
        """Return the newest report of all cycles, or None when there is none."""
        return next(iter(_research_documents([await self.document(session_id)])), None)

    async def reports(self, session_id: str) -> "Sequence[ResearchDocument]":
        """Return every version of the report, the oldest first."""
        return _research_documents(await self.documents(session_id))

    async def _taken(self, turn: Turn, docs: Sequence[str | Path]) -> str:
        """Begin a session, ask it on, or answer it; return its id."""
        if turn.session_id is None:
            chosen = {"model": turn.model, "web": turn.tools}
            settings = self.settings.revised(**{name: value for name, value in chosen.items() if value is not None})
            await self.check(turn.query or "", settings)
            paths, urls = split_paths_and_urls(docs)
            return await self.start(turn.query or "", await self.index(paths) if paths else None, settings, urls)
        session = await self.session(turn.session_id)
        if turn.query is not None:
            await self.ask(session.id, turn.query)
        elif turn.answer is not None:
            await send_command(self, session.id, parse_answer(session.workflow, turn.answer))
        return session.id

    async def _run_to_report(self, session_id: str) -> "ResearchDocument":
        result = await self.run(session_id)
        if written := _research_documents([result.report]):
            return written[0]
        if result.outcome == "done" and (report := await self.report(session_id)):
            return report
        if result.pause == "setup":
            raise SetupError(f"session {session_id}: {result.statement}")
        error = NoEvidence if result.outcome == "no_result" else QuaestorError
        raise error(f"session {session_id}: {result.statement}")


def _parse_turn(turn: Turn | Mapping[str, object]) -> Turn:
    """Return a turn that has one intent. Raises UsageError for one that has none or two, and for what is no turn."""
    if not isinstance(turn, Turn):
        try:
            turn = Turn.model_validate(turn)
        except ValidationError as error:
            raise UsageError(describe_unusable(error)) from error
    if turn.query is None and turn.session_id is None:
        raise UsageError("a turn needs a query, or the session that it is a turn of")
    if turn.query is not None and turn.answer is not None:
        raise UsageError("a turn asks or answers, not both")
    return turn


def _next_action(result: Result) -> NextAction:
    match result.status:
        case "paused":
            return "paused"
        case "finished":
            return "report_ready" if result.report else "completed_no_report"
        case "waiting" if result.asked and result.asked.kind in {"plan_confirmation", "approval"}:
            return "awaiting_confirmation"
        case "waiting" if result.asked:
            return "awaiting_clarification"
        case "waiting":
            return "processing"
        case never:
            assert_never(never)

"""The composition root: the one place where ports meet their adapters. Faces call it and render events.

start -> (session id) -> run -> Result        research = start + run
                          resume = run         read: sessions, events, follow, plan, report
"""

import os
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar, assert_never

from pydantic import JsonValue

from quaestor.contracts.command import Answer, OpenCycle
from quaestor.contracts.errors import LeaseUnavailable, NoEvidence, QuaestorError, UsageError
from quaestor.contracts.ports import Clock, CorpusState, IdGenerator, Library, Store
from quaestor.contracts.result import NextAction, Result, Turn, TurnResult
from quaestor.longtask.contracts import TaskOptions
from quaestor.research.contracts.plan import Plan
from quaestor.research.contracts.report import Report
from quaestor.research.options import ResearchOptions
from quaestor.research.state import ResearchState
from quaestor.research.workflow import Research
from quaestor.runtime.resources import REPLAY_PREFIX, Resources
from quaestor.runtime.sessions import Sessions, normalize_question, task_key
from quaestor.runtime.settings import SETTINGS_FILE, Settings, resolve_settings, user_settings_file
from quaestor.runtime.system import SystemClock, SystemIdGenerator
from quaestor.storage.sqlite import open_store
from quaestor.tools.corpus import IndexProgress, index_corpus

WorkspaceOptions = TypeVar("WorkspaceOptions", TaskOptions, ResearchOptions)

DATABASE_FILE = "quaestor.db"
LONG_TASK_WORKFLOW = "longtask"
WORKSPACES_FOLDER = "workspaces"
"""The folder in the home where tasks work, each in one of its own."""
_URL = re.compile(r"https?://[^\s<>\"']+")
_TRAILING_PUNCTUATION = ".,;:!?)]}"
"""What ends a sentence and not a URL."""

ProgressCallback = Callable[[IndexProgress], None]


class Quaestor(Sessions):
    """Sessions in one home, and the work that is done there. Get one from `open`."""

    def __init__(
        self, store: Store, library: Library, outfit: Resources, clock: Clock, ids: IdGenerator, *, home: Path
    ) -> None:
        super().__init__(store, library, outfit, clock, ids)
        self.home = home

    async def research(self, question: str, docs: Sequence[str | Path], **options: JsonValue) -> Report:
        """Research a question over documents, each a file, a folder or the URL of a page, and give the cited report.

        `options` are settings of this run, as in `Settings`. The same question over the same documents goes on with
        its unfinished session, if there is one. Raises NoEvidence when nothing answers the question.
        """
        asked = resolve_settings(options, {})
        chosen = {name: getattr(asked, name) for name in options}
        settings = self.settings.model_copy(update={**chosen, "questions": False})  # nobody is there to answer
        self.check(question, settings)
        paths, urls = split_paths_and_urls(docs)
        corpus = await self.index(paths) if paths else None
        return await self._run_to_report(await self.start(question, corpus, settings, urls))

    def check(self, question: str, settings: Settings | None = None) -> None:
        """Raise what `start` would: UsageError for a question, a model, an agent or a budget that cannot be meant."""
        normalize_question(question)
        settings = settings or self.settings
        if not settings.model.startswith(REPLAY_PREFIX):
            self._outfit.check(settings)

    async def resume(self, session_id: str) -> Report:
        """Go on with a session and give its report; of a finished one, the report it has."""
        return await self._run_to_report(session_id)

    async def index(self, docs: Sequence[str | Path], progress: ProgressCallback = lambda _: None) -> CorpusState:
        """Read and index what changed in these files and folders."""
        return await index_corpus(self.library, self._clock, [Path(path) for path in docs], progress)

    async def start(
        self,
        question: str,
        corpus: CorpusState | None,
        settings: Settings | None = None,
        urls: Sequence[str] = (),
    ) -> str:
        """Start a research session, or find the unfinished one of the same question, sources and models; give its id.

        `urls` are pages to read. It may be without a corpus when there are pages or the web is searched, and when it
        is a replay, which takes sources and limits from the session it replays.
        """
        question = normalize_question(question)
        settings = settings or self.settings
        if settings.web is not None or urls:
            urls = (*urls, *(url.rstrip(_TRAILING_PUNCTUATION) for url in _URL.findall(question)))
        options = await self._options(question, settings, corpus, tuple(dict.fromkeys(urls)))
        return await self.begin(Research.name, question, options)

    async def start_task(self, text: str, corpus: CorpusState | None = None, settings: Settings | None = None) -> str:
        """Start a long task, or find the unfinished one of the same text; give its id.

        It works in the folder that the settings name, else in one of its own in the home. Raises UsageError when it
        cannot be carried out.
        """
        text = normalize_question(text)
        settings = settings or self.settings
        if settings.model.startswith(REPLAY_PREFIX):
            return await self.begin(
                LONG_TASK_WORKFLOW, text, await self.resolve_models(LONG_TASK_WORKFLOW, TaskOptions(), settings)
            )
        return await self.begin(
            LONG_TASK_WORKFLOW, text, self._with_workspace(text, self._outfit.task(settings, corpus))
        )

    def _with_workspace(self, text: str, options: WorkspaceOptions) -> WorkspaceOptions:
        """Give options with a folder of the session's own, unless they name one: equal sessions have an equal one.

        Raises UsageError for one in which nobody can work, or where programs would reach the log of every session.
        """
        if not options.workspace:
            said = options.model_dump_json(include=set(options.identity))
            folder = self.home / WORKSPACES_FOLDER / task_key(f"{text} {said}")[:16]
            return options.model_copy(update={"workspace": str(folder)})
        if Path(options.workspace).is_file():
            raise UsageError(f"the workspace {options.workspace} is a file; name a folder")
        if self.home.is_relative_to(options.workspace):
            raise UsageError(f"the workspace {options.workspace} holds the home {self.home}; name another folder")
        return options

    async def ask(self, session_id: str, question: str) -> None:
        """Begin another cycle of a finished session with a follow-up question; `run` carries it out.

        It reuses what was found, remembered and read. Raises UsageError when the session cannot be asked now.
        """
        await self._open(session_id, OpenCycle(why="question", question=normalize_question(question)))

    async def refresh(self, session_id: str, progress: ProgressCallback = lambda _: None) -> None:
        """Begin another cycle that looks again at what the report of a finished session cites; `run` carries it out.

        Its documents are indexed first. Raises UsageError when there is nothing to look at, or when a folder is gone.
        """
        roots = (await self.state(session_id)).options.roots
        if roots:
            await self.index(roots, progress)
        await self._open(session_id, OpenCycle(why="refresh"))

    async def plan(self, session_id: str) -> Plan:
        """Give the plan as it stands."""
        return (await self.state(session_id)).plan

    async def state(self, session_id: str) -> ResearchState:
        """Give everything a research session knows."""
        return await self.folded(session_id, Research())

    async def turn(self, turn: Turn, docs: Sequence[str | Path] = ()) -> TurnResult:
        """Take one turn with a session and say what the client does next; what is wrong is said, not raised.

        `docs` are the documents of a new session, as in `research`. A session that another process carries on is
        left to it, and is `processing`.
        """
        session_id = turn.session_id
        try:
            session_id = await self._taken(turn, docs)
            result = await self.run(session_id)
        except LeaseUnavailable:
            return TurnResult(session_id=session_id, next_action="processing")
        except QuaestorError as error:
            return TurnResult(session_id=session_id, next_action="error", error=str(error))
        return TurnResult(
            session_id=session_id, next_action=_next_action(result), output=result.statement, report=result.report
        )

    async def _taken(self, turn: Turn, docs: Sequence[str | Path]) -> str:
        """Begin a session, ask it on, or answer it; give its id."""
        if turn.session_id is None:
            chosen = {"model": turn.model, "web": turn.tools}
            said = {name: value for name, value in chosen.items() if value is not None}
            settings = self.settings.model_copy(update=said)
            self.check(turn.query or "", settings)
            paths, urls = split_paths_and_urls(docs)
            return await self.start(turn.query or "", await self.index(paths) if paths else None, settings, urls)
        if turn.query is not None:
            await self.ask(turn.session_id, turn.query)
        elif turn.answer is not None and (refused := await self.tell(turn.session_id, Answer(text=turn.answer))):
            raise UsageError(f"session {turn.session_id}: {refused}")
        return turn.session_id

    async def _run_to_report(self, session_id: str) -> Report:
        result = await self.run(session_id)
        if result.report is None and result.outcome == "done" and (standing := await self.report(session_id)):
            return standing
        if result.report is None:
            error = NoEvidence if result.outcome == "no_evidence" else QuaestorError
            raise error(f"session {session_id}: {result.statement}")
        return result.report

    async def _options(
        self, question: str, settings: Settings, corpus: CorpusState | None, urls: Sequence[str]
    ) -> ResearchOptions:
        if settings.model.startswith(REPLAY_PREFIX):
            replayed = settings.model.removeprefix(REPLAY_PREFIX)
            return (await self.state(replayed)).options.model_copy(update={"replays": replayed})
        if corpus is None and settings.web is None and not urls:
            raise UsageError("no documents were named; name at least one file, folder or URL, or search the web")
        options = self._outfit.options(settings, corpus, urls)
        return self._with_workspace(question, options) if options.allow else options


@asynccontextmanager
async def open_home(home: str | Path | None = None, **options: JsonValue) -> AsyncIterator[Quaestor]:
    """Open a home, the folder in which everything is kept, and close it at the end.

    Without `home` it is QUAESTOR_HOME, else the platform's data folder. `options` are settings for every run.
    Raises HomeNotWritable, StoreCorrupt, and UsageError for a setting that cannot be used.
    """
    folder = Path(home) if home else default_home(os.environ)
    settings = resolve_settings(options, os.environ, (Path(SETTINGS_FILE), user_settings_file(os.environ)))
    clock = SystemClock()
    store = open_store(folder / DATABASE_FILE)
    outfit = Resources(store.library, store.replies, settings, os.environ, clock)
    try:
        yield Quaestor(store, store.library, outfit, clock, SystemIdGenerator(), home=folder.resolve())
    finally:
        await outfit.close()
        await store.close()


def split_paths_and_urls(docs: Sequence[str | Path]) -> tuple[list[str | Path], list[str]]:
    """Tell the files and folders among documents from the pages, which are named by their URL."""
    urls = [str(each) for each in docs if str(each).startswith(("http://", "https://"))]
    return [each for each in docs if str(each) not in urls], urls


def default_home(environment: Mapping[str, str]) -> Path:
    """Give QUAESTOR_HOME, or the folder where the platform keeps a user's data."""
    if named := environment.get("QUAESTOR_HOME"):
        return Path(named)
    if os.name == "nt":
        return Path(environment.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "quaestor"
    if Path("/System/Library").is_dir():
        return Path.home() / "Library/Application Support/quaestor"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "quaestor"


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

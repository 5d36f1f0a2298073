"""The composition root: the one place where ports meet their adapters. Faces call it and render events.

start -> (session id) -> run -> Result        research = start + run
                          resume = run         read: sessions, events, follow, plan, report
"""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from hashlib import sha1
from pathlib import Path

from pydantic import JsonValue

from quaestor.contracts.command import Order
from quaestor.contracts.errors import LeaseRefused, NoEvidence, QuaestorError, UsageError
from quaestor.contracts.event import Event, Forked, Paused, Resumed, SessionFinished, SessionStarted
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.plan import Plan
from quaestor.contracts.ports import Clock, CorpusState, Ids, Library, Store
from quaestor.contracts.report import Report
from quaestor.contracts.run import Result
from quaestor.contracts.session import Session
from quaestor.contracts.stream import StreamEvent
from quaestor.kernel import lease as leases
from quaestor.kernel.drive import Limits, drive
from quaestor.kernel.inbox import attend
from quaestor.kernel.journal import Journal
from quaestor.machine import SystemClock, SystemIds, alive, this_process
from quaestor.outfit import REPLAY, Outfit
from quaestor.settings import FILE, Settings, resolve, user_file
from quaestor.storage.sqlite import open_store
from quaestor.tools.corpus import Indexing, index
from quaestor.views.stream import tell
from quaestor.views.stream_state import Known, advance
from quaestor.workflows.research import Research
from quaestor.workflows.research_state import ResearchState

DATABASE = "quaestor.db"
MAX_QUESTION = 20_000
POLL_SECONDS = 0.05
_URL = re.compile(r"https?://[^\s<>\"']+")
_AFTER_URL = ".,;:!?)]}"
"""What ends a sentence and not a URL."""

Progress = Callable[[Indexing], None]


class Quaestor:
    """Sessions in one home. Get one from `open`."""

    def __init__(self, store: Store, library: Library, outfit: Outfit, clock: Clock, ids: Ids) -> None:
        self.store = store
        self.library = library
        self.settings = outfit.settings
        self._outfit = outfit
        self._clock = clock
        self._ids = ids

    async def research(self, question: str, docs: Sequence[str | Path], **options: JsonValue) -> Report:
        """Research a question over documents, each a file, a folder or the URL of a page, and give the cited report.

        `options` are settings of this run, as in `Settings`. The same question over the same documents goes on with
        its unfinished session, if there is one. Raises NoEvidence when nothing answers the question.
        """
        asked = resolve(options, {})
        chosen = {name: getattr(asked, name) for name in options}
        settings = self.settings.model_copy(update={**chosen, "questions": False})  # nobody is there to answer
        self.check(question, settings)
        paths, urls = apart(docs)
        corpus = await self.index(paths) if paths else None
        return await self._reported(await self.start(question, corpus, settings, urls))

    def check(self, question: str, settings: Settings | None = None) -> None:
        """Raise what `start` would: UsageError for a question, a model, an agent or a budget that cannot be meant."""
        check(question)
        settings = settings or self.settings
        if not settings.model.startswith(REPLAY):
            self._outfit.check(settings)

    async def resume(self, session_id: str) -> Report:
        """Go on with a session and give its report; of a finished one, the report it has."""
        return await self._reported(session_id)

    async def index(self, docs: Sequence[str | Path], progress: Progress = lambda _: None) -> CorpusState:
        """Read and index what changed in these files and folders."""
        return await index(self.library, self._clock, [Path(path) for path in docs], progress)

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
        question = check(question)
        settings = settings or self.settings
        if settings.web is not None or urls:
            urls = (*urls, *(url.rstrip(_AFTER_URL) for url in _URL.findall(question)))
        options = await self._options(settings, corpus, tuple(dict.fromkeys(urls)))
        task_key = sha1(question.encode(), usedforsecurity=False).hexdigest()
        standing = await self.store.find_session(task_key)
        if standing and _is_same(options, (await self._read(standing.id)).options):
            return standing.id
        session_id, now = self._ids.session(), self._clock.now()
        started = SessionStarted(
            question=question, workflow=Research.name, task_key=task_key, options=options.model_dump(mode="json")
        )
        first = Event(session_id=session_id, seq=1, cycle=1, at=now, state=next(iter(Research.table)), payload=started)
        session = Session(id=session_id, task_key=task_key, workflow=Research.name, question=question, created_at=now)
        await self.store.create_session(session, [first])
        return session_id

    async def unpriced(self, session_id: str) -> Sequence[str]:
        """Name the models of a session whose price is not known, so that their dollars do not count."""
        options = (await self._read(session_id)).options
        return () if options.replays else self._outfit.unpriced(options)

    async def run(self, session_id: str, stop: asyncio.Event | None = None) -> Result:
        """Carry a session on until it is finished or `stop` is set.

        Raises LeaseRefused when another living process holds it, StoreFull when there is no room to go on.
        """
        if (await self.store.session(session_id)).outcome is None:
            async with self._held(session_id) as journal:
                options = journal.state.options
                recorded = await self.store.events(options.replays) if options.replays else None
                performer = self._outfit.performer(options, recorded)
                await drive(journal, performer, self._limits(journal.state), stop or asyncio.Event())
        return await self.result(session_id)

    async def tell(self, session_id: str, order: Order) -> str | None:
        """Tell a session something; give why it is refused, or None once it is obeyed.

        Whoever carries the session on obeys at its next step. When nobody does, it is obeyed here.
        """
        command = await self.store.send(session_id, order, self._clock.now())
        while True:
            settled = await self.store.settled(session_id, command.number)
            if settled is not None:
                return settled.refused
            if await self.holder(session_id) is None:
                with suppress(LeaseRefused):  # somebody took the session just now, and will obey
                    await self._attend(session_id)
            else:
                await asyncio.sleep(POLL_SECONDS)

    async def fork(self, session_id: str, at: int, settings: Settings | None = None) -> str:
        """Begin a session with the events of another one up to number `at`; give its id.

        `settings` replace the models it goes on with. Raises UsageError for a number that the other does not have.
        """
        origin = await self.store.session(session_id)
        fresh = self._outfit.options(settings, None) if settings else None
        now, forked = self._clock.now(), self._ids.session()
        copy = origin.model_copy(update={"id": forked, "created_at": now, "outcome": None})
        await self.store.copy_session(copy, session_id, at)
        async with self._held(forked) as journal:
            options = journal.state.options
            if fresh:
                kept = {name: getattr(fresh, name) for name in ("model", "models", "fallback", "prices")}
                options = options.model_copy(update=kept)
            fact = Forked(origin=session_id, at=at, options=options.model_dump(mode="json"))
            journal.note(journal.here, None, [fact])
            await journal.flush()
        return forked

    async def stream(self, session_id: str, after: int = 0) -> AsyncIterator[StreamEvent]:
        """Give what a client sees of a session from the event after number `after` on, as it comes."""
        known = Known()
        async for event in self.follow(session_id):
            for told in tell(known, event) if event.seq > after else ():
                yield told
            known = advance(known, event)

    async def result(self, session_id: str) -> Result:
        """Say where a session stands."""
        events = await self.store.events(session_id)
        state = _folded(events)
        for event in reversed(events):
            match event.payload:
                case SessionFinished(outcome=outcome, statement=said):
                    return Result(
                        session_id=session_id, status="finished", outcome=outcome, statement=said, report=state.report
                    )
                case Paused(reason=reason):
                    return Result(session_id=session_id, status="paused", statement=reason, report=state.report)
                case Resumed():
                    break
                case _:
                    pass
        asked = " ".join(state.talk.waiting.questions) if state.talk.waiting else ""
        return Result(session_id=session_id, status="waiting", statement=asked, report=state.report)

    async def sessions(self) -> Sequence[Session]:
        """Give all sessions, the newest first."""
        return await self.store.sessions()

    async def holder(self, session_id: str) -> str | None:
        """Name the living process that holds a session, or None."""
        held = await self.store.lease(session_id)
        if held is None or held.expires_at <= self._clock.now() or alive(held.owner) is False:
            return None
        return f"process {held.owner.pid} on {held.owner.host}"

    async def events(self, session_id: str, after: int = 0) -> Sequence[Event]:
        """Give the events with a number above `after`."""
        return await self.store.events(session_id, after)

    async def follow(self, session_id: str, after: int = 0) -> AsyncIterator[Event]:
        """Give the events above `after` as they come, from whichever process.

        It ends when the session rests: when it is finished, paused, or waits for a person, and nobody carries it on.
        """
        judged, rests = 0, False
        while not rests:
            alone = await self.holder(session_id) is None
            count = (await self.store.session(session_id)).events
            if alone and count != judged:  # judged before the last look, so that nothing is missed
                judged, rests = count, await self._rests(session_id)
            news = await self.store.events(session_id, after)
            for event in news:
                after = event.seq
                yield event
            await asyncio.sleep(0 if news or rests else POLL_SECONDS)

    async def plan(self, session_id: str) -> Plan:
        """Give the plan as it stands."""
        return (await self._read(session_id)).plan

    async def state(self, session_id: str) -> ResearchState:
        """Give everything a session knows."""
        return await self._read(session_id)

    async def report(self, session_id: str) -> Report | None:
        """Give the report, or None when there is none."""
        return (await self._read(session_id)).report

    @asynccontextmanager
    async def _held(self, session_id: str) -> AsyncIterator[Journal[ResearchState]]:
        """Hold a session and give its journal, loaded."""
        ttl = timedelta(seconds=self.settings.lease_seconds)
        lease = await leases.take(self.store, self._clock, session_id, owner=this_process(), ttl=ttl, alive=alive)
        async with leases.holding(self.store, self._clock, lease, ttl):
            journal = Journal(session_id, Research(), self.store, self._clock, lease)
            await journal.load()
            yield journal

    async def _attend(self, session_id: str) -> None:
        """Obey what lies in the inbox of a session that nobody carries on."""
        async with self._held(session_id) as journal:
            pause = await attend(journal, journal.state.options.budget)
            if pause and journal.run.status == "running":
                journal.note(journal.here, None, [pause])
            await journal.flush()

    async def _reported(self, session_id: str) -> Report:
        result = await self.run(session_id)
        if result.report is None:
            error = NoEvidence if result.outcome == "no_evidence" else QuaestorError
            raise error(f"session {session_id}: {result.statement}")
        return result.report

    async def _rests(self, session_id: str) -> bool:
        result = await self.result(session_id)
        return result.status != "waiting" or (await self._read(session_id)).talk.waiting is not None

    async def _read(self, session_id: str) -> ResearchState:
        return _folded(await self.store.events(session_id))

    async def _options(self, settings: Settings, corpus: CorpusState | None, urls: Sequence[str]) -> ResearchOptions:
        if settings.model.startswith(REPLAY):
            replayed = settings.model.removeprefix(REPLAY)
            return (await self._read(replayed)).options.model_copy(update={"replays": replayed})
        if corpus is None and settings.web is None and not urls:
            raise UsageError("no documents were named; name at least one file, folder or URL, or search the web")
        return self._outfit.options(settings, corpus, urls)

    def _limits(self, state: ResearchState) -> Limits:
        most = self.settings.calls_in_flight
        return Limits(
            in_flight={"output_pass": most, "tool_pass": most, "tool_run": most},
            budget=state.options.budget,
            grace_seconds=self.settings.grace_seconds,
        )


@asynccontextmanager
async def open_home(home: str | Path | None = None, **options: JsonValue) -> AsyncIterator[Quaestor]:
    """Open a home, the folder in which everything is kept, and close it at the end.

    Without `home` it is QUAESTOR_HOME, else the platform's data folder. `options` are settings for every run.
    Raises HomeNotWritable, StoreCorrupt, and UsageError for a setting that cannot be used.
    """
    folder = Path(home) if home else default_home(os.environ)
    settings = resolve(options, os.environ, (Path(FILE), user_file(os.environ)))
    clock = SystemClock()
    store = open_store(folder / DATABASE)
    outfit = Outfit(store.library, store.replies, settings, os.environ, clock)
    try:
        yield Quaestor(store, store.library, outfit, clock, SystemIds())
    finally:
        await outfit.close()
        await store.close()


def check(question: str) -> str:
    """Give the question as it is stored. Raises UsageError for one that cannot be asked."""
    folded = " ".join(question.split())
    if not folded:
        raise UsageError("the question is empty; ask something")
    if len(folded) > MAX_QUESTION:
        raise UsageError(f"the question has {len(folded):,} characters; at most {MAX_QUESTION:,} can be asked")
    if any("\ud800" <= character <= "\udfff" for character in folded):
        raise UsageError("the question is not valid Unicode; set the terminal to UTF-8 and ask again")
    return folded


def apart(docs: Sequence[str | Path]) -> tuple[list[str | Path], list[str]]:
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


def _folded(events: Sequence[Event]) -> ResearchState:
    workflow = Research()
    state = workflow.begin()
    for event in events:
        state = workflow.apply(state, event)
    return state


def _is_same(options: ResearchOptions, standing: ResearchOptions) -> bool:
    """Say whether a session that stands would be carried on by the same models over the same documents."""
    return all(
        getattr(options, name) == getattr(standing, name)
        for name in (
            "corpus",
            "urls",
            "engines",
            "as_of",
            "model",
            "models",
            "fallback",
            "replays",
            "orchestrate",
            "agents_dir",
            "check",
            "servers",
            "embeddings",
            "discreet",
            "review_plan",
        )
    )

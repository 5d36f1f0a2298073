"""The import of a bundle: the session of another home, checked, stored word for word, and carried on from here.

What a session runs with in another home is nothing that this one trusts. So the import ends with an event that replaces
its options by those of this home's settings, over the sources that came with it.
"""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.event import Event, Forked, SessionStarted, UnknownPayload
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.library import CorpusState, Document, FileFingerprint, KeptDocument
from quaestor.contracts.session import LOCAL_TENANT, LogStatus, Session, normalize_question
from quaestor.contracts.source import Source
from quaestor.kernel.run_state import RunState, fold
from quaestor.runtime.bundle import Bundle, open_bundle
from quaestor.runtime.bundle_check import BundleCheck, check_bundle
from quaestor.runtime.registry import get_plugin, workflow_names
from quaestor.runtime.session_status import log_status
from quaestor.runtime.signing import HeadSigner
from quaestor.runtime.system import current_process, is_session_id
from quaestor.storage.errors import quote_for_message
from quaestor.tools.documents import index_document


class BundleImport(Immutable):
    """What became of a bundle: with faults nothing was stored; `is_new` unless the session was here already."""

    checked: BundleCheck
    is_new: bool = False


class _Log(Immutable):
    """The log of a bundle, as far as an import needs it."""

    started: SessionStarted
    first: Event
    last: Event
    status: LogStatus


async def import_bundle(quaestor: Quaestor, file: Path) -> BundleImport:
    """Check a bundle, and store its session under its id; what this home has of it already stays.

    Raises UsageError for a file that is no bundle, for a session that had not finished, and where this home has another
    log under its id or has erased it; SetupError for a bundle that a newer release wrote, or of a workflow that is not
    installed.
    """
    with open_bundle(file) as bundle:
        checked = check_bundle(bundle, HeadSigner(os.environ).public_key())
        if checked.faults:
            return BundleImport(checked)
        log = _read_log(bundle)
        is_new = not await _is_here(quaestor, bundle)
        if is_new:
            await _store(quaestor, bundle, log)
    if signed := checked.manifest.signed:
        await quaestor.store.put_signature(signed)
    return BundleImport(checked, is_new)


async def _is_here(quaestor: Quaestor, bundle: Bundle) -> bool:
    """Return whether the home has this log already. Raises UsageError where it has another one, or erased it."""
    head = bundle.manifest.head
    grave = await quaestor.store.tombstone(head.session_id)
    if grave and grave.events:
        raise UsageError(
            f"session {head.session_id} was erased here on {grave.erased_at:%Y-%m-%d}, and stays so; import it into "
            "another home"
        )
    links = await quaestor.store.links(head.session_id, head.events - 1, 1)
    if links and links[0].hash == head.hash:
        await quaestor.session(head.session_id)
        return True
    if links or await quaestor.store.links(head.session_id, 0, 1):
        raise UsageError(
            f"session {head.session_id} is here with another log, so that of the bundle cannot be stored; "
            "import it into another home"
        )
    return False


def _read_log(bundle: Bundle) -> _Log:
    """Read the whole log once, so that nothing is stored which cannot be read. Raises as `import_bundle` does."""
    manifest = bundle.manifest
    if not is_session_id(manifest.session_id):
        raise UsageError(f"{quote_for_message(manifest.session_id)} is no id of a session; the bundle is not imported")
    if manifest.workflow not in workflow_names():
        raise SetupError(
            f"the session is one of {quote_for_message(manifest.workflow)}, which is not installed; install its package"
        )
    plugin = get_plugin(manifest.workflow)
    run, state = RunState(), plugin.workflow.begin()
    first: Event | None = None
    last: Event | None = None
    for last in bundle.events():
        first = first or last
        if isinstance(last.payload, UnknownPayload):
            raise SetupError(
                f"this release does not know event {last.seq} of the bundle, a {quote_for_message(last.payload.type)}; "
                f"install the release that wrote it: {quote_for_message(manifest.program)}"
            )
        run, state = fold(run, last), plugin.workflow.apply(state, last)
    started = first.payload if first else None
    if first is None or last is None or not isinstance(started, SessionStarted):
        raise UsageError("the log of the bundle does not begin with the start of a session")
    if started.workflow != manifest.workflow:
        raise UsageError(
            f"the log is one of {quote_for_message(started.workflow)}, not of the workflow that the bundle names"
        )
    if run.status != "finished":
        raise UsageError(
            f"session {manifest.session_id} had not finished, and goes on where it was begun; export it once it has"
        )
    return _Log(started, first, last, log_status(plugin, run, state))


async def _store(quaestor: Quaestor, bundle: Bundle, log: _Log) -> None:
    manifest, sources = bundle.manifest, _ordered(bundle.sources())
    question = normalize_question(log.started.question)
    await quaestor.configure(manifest.workflow, SessionRequest(text=question))  # what it raises leaves nothing behind
    corpus = await _index(quaestor, bundle, sources)
    options = await quaestor.configure(manifest.workflow, SessionRequest(text=question, corpus=corpus))
    session = Session(
        id=manifest.session_id,
        task_key=log.started.task_key,
        workflow=manifest.workflow,
        question=question,
        tenant=quaestor.tenant or LOCAL_TENANT,
        created_at=log.first.at,
        status=log.status,
    )
    here = Event(
        session_id=session.id,
        seq=manifest.head.events + 1,
        cycle=log.last.cycle,
        at=quaestor.clock.now(),
        state=log.last.state,
        payload=Forked(origin=session.id, at=manifest.head.events, options=options.model_dump(mode="json")),
    )
    await quaestor.store.import_session(session, bundle.records(), _documents(bundle, sources), here, current_process())


async def _index(quaestor: Quaestor, bundle: Bundle, sources: tuple[Source, ...]) -> CorpusState:
    """Index the sources of a bundle as a corpus of their own, which follow-up questions search.

    It has no roots: nothing of it can be read again from a disk of this machine.
    """
    corpus = await quaestor.library.open_corpus([f"bundle:{bundle.manifest.session_id}"])
    for source, (document, at) in zip(sources, _documents(bundle, sources), strict=True):
        mark = FileFingerprint(uri=source.uri, size=source.characters, modified_ns=0)
        indexed = await asyncio.to_thread(index_document, mark, document)
        await quaestor.library.put(corpus, [indexed], at)
    state = await quaestor.library.corpus_state(corpus)
    return state.revised(roots=())


def _ordered(sources: tuple[Source, ...]) -> tuple[Source, ...]:
    """Return sources in order of their retrieval, so that of a page that changed the newest text is searched."""
    return tuple(sorted(sources, key=lambda source: (source.retrieved_at, source.sha256)))


def _documents(bundle: Bundle, sources: tuple[Source, ...]) -> Iterator[KeptDocument]:
    """Iterate over the sources with their texts. Raises UsageError for one whose text is not in the bundle."""
    for source in sources:
        text = bundle.text(source.sha256)
        if text is None:
            raise UsageError(f"the text of source {source.sha256} is not in the bundle; export the session again")
        document = Document(
            uri=source.uri,
            title=source.title,
            media_type=source.media_type,
            text=text,
            published=source.published,
            pages=source.pages,
        )
        yield document, source.retrieved_at

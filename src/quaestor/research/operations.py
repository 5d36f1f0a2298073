"""What a program does with research sessions: start them, ask on, look again, take turns. Research publishes these."""

import re
from collections.abc import Sequence
from pathlib import Path

from quaestor.contracts.command import OpenCycle
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.errors import UsageError
from quaestor.contracts.host import Host, send_command
from quaestor.contracts.library import CorpusState, ProgressCallback
from quaestor.contracts.session import normalize_question, reject_credentials
from quaestor.contracts.settings import Settings
from quaestor.research.contracts.brief import Brief, ResearchDocument
from quaestor.research.contracts.commands import ReviseSection
from quaestor.research.contracts.report import Report
from quaestor.research.state import ResearchState
from quaestor.research.workflow import Research

_URL = re.compile(r"https?://[^\s<>\"']+")
_TRAILING_PUNCTUATION = ".,;:!?)]}"
"""What ends a sentence and not a URL."""


def research_documents(documents: Sequence[object]) -> Sequence[ResearchDocument]:
    """Return of what cycles ended with the reports and the briefs."""
    return [each for each in documents if isinstance(each, Report | Brief)]


async def check(host: Host, question: str, settings: Settings | None = None) -> None:
    """Raise what `start` would, before any document is read.

    Raises UsageError for a question, a model, an agent or a budget that cannot be used, SetupError for a missing key.
    """
    settings = settings or host.settings
    question = normalize_question(question)
    if settings.replayed_session is None:
        await host.configure(Research.name, SessionRequest(text=question), settings)


async def start(
    host: Host,
    question: str,
    corpus: CorpusState | None,
    settings: Settings | None = None,
    urls: Sequence[str] = (),
) -> str:
    """Start a session, or find the unfinished one of the same question, sources and models; return its id.

    `urls` are pages to read. Without a corpus there must be pages, or the web is searched, or it is a replay, which
    takes sources and limits from the session that it replays. Raises as `check` does.
    """
    question = normalize_question(question)
    settings = settings or host.settings
    if settings.web is not None or urls:
        urls = (*urls, *(url.rstrip(_TRAILING_PUNCTUATION) for url in _URL.findall(question)))
    searches_web = settings.web is not None and not settings.only_named
    if corpus is None and not searches_web and not urls and settings.replayed_session is None:
        raise UsageError("no documents were named; name at least one file, folder or URL, or search the web")
    request = SessionRequest(text=question, corpus=corpus, urls=tuple(dict.fromkeys(urls)))
    return await host.begin(Research.name, question, await host.configure(Research.name, request, settings))


async def ask(host: Host, session_id: str, question: str) -> None:
    """Begin another cycle of a finished session with a follow-up question.

    It reuses what was found, remembered and read. Raises CommandRefused when the session cannot be asked now.
    """
    await send_command(host, session_id, OpenCycle(why="question", question=normalize_question(question)))


async def refresh(host: Host, session_id: str, progress: ProgressCallback = lambda _: None) -> None:
    """Begin another cycle that looks again at what the report of a finished session cites.

    Its documents are indexed first. Raises CommandRefused when there is nothing to look at, UsageError when a folder is
    gone.
    """
    roots = (await state(host, session_id)).options.roots
    if roots:
        await host.index(roots, progress)
    await send_command(host, session_id, OpenCycle(why="refresh"))


async def revise(host: Host, session_id: str, section: str, wish: str = "") -> None:
    """Begin another cycle of a finished session, in which one section of its report is written again.

    `section` is its id, its heading or its place from 1 on. Raises CommandRefused when it cannot be written again.
    """
    await send_command(host, session_id, ReviseSection(section=section, wish=wish))


async def state(host: Host, session_id: str) -> ResearchState:
    """Return everything that a research session knows. Raises UsageError for a session of another workflow."""
    return await host.folded(session_id, Research())


def split_paths_and_urls(docs: Sequence[str | Path]) -> tuple[list[str | Path], list[str]]:
    """Return the files and folders among documents, and the pages, which are named by their URL.

    Raises UsageError for a URL with credentials, which would stay in the log, and for an empty path.
    """
    urls = [str(each) for each in docs if re.match("https?://", str(each), re.IGNORECASE)]
    for each in docs:
        reject_credentials(str(each))
    if any(not str(each).strip() for each in docs):
        raise UsageError("an empty path names no documents; name a file, a folder or a URL")
    return [each for each in docs if str(each) not in urls], urls

"""What whole sessions without a model show: of every question the sources of its brief, in their order."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from quaestor.app import Quaestor, open_home
from quaestor.contracts.errors import NoEvidence
from quaestor.contracts.library import CorpusState
from quaestor.research.contracts.brief import Brief


@dataclass(frozen=True, slots=True)
class Desk:
    """Documents in a home of their own, and sessions that ask them."""

    quaestor: Quaestor
    corpus: CorpusState

    async def brief(self, question: str, after: str | None = None) -> Brief | None:
        """Return the brief of a session of its own, or None where it declines; `after` is asked there before."""
        session_id = await self.quaestor.start(after or question, self.corpus)
        try:
            document = await self.quaestor.resume(session_id)
            if after:
                await self.quaestor.ask(session_id, question)
                document = await self.quaestor.resume(session_id)
        except NoEvidence:
            return None
        return document if isinstance(document, Brief) else None

    async def cited(self, question: str) -> list[str]:
        """Return the names of the cited documents in order of their first passage."""
        brief = await self.brief(question)
        return [Path(source.uri).stem for source in brief.sources] if brief else []


@asynccontextmanager
async def seated(
    documents: Mapping[str, str], suffix: str = ".txt", *, embeddings: str | None = None
) -> AsyncIterator[Desk]:
    """Write each document, by the name of its file, and index them all; everything is gone at the end."""

    def write(folder: Path) -> None:
        for name, text in documents.items():
            (folder / f"{name}{suffix}").write_text(text, encoding="utf-8")

    async with seated_in(write, embeddings=embeddings) as desk:
        yield desk


@asynccontextmanager
async def seated_in(write: Callable[[Path], None], *, embeddings: str | None = None) -> AsyncIterator[Desk]:
    """Index the files that `write` puts into a new folder; everything is gone at the end."""
    with TemporaryDirectory() as room:
        folder = _filled(Path(room, "documents"), write)
        home = Path(room, "home")
        async with open_home(home, model="offline", questions=False, embeddings=embeddings) as quaestor:
            yield Desk(quaestor, await quaestor.index([folder]))


def _filled(folder: Path, write: Callable[[Path], None]) -> Path:
    folder.mkdir()
    write(folder)
    return folder

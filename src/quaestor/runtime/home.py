"""A home: the folder in which everything is kept, with the sessions of any workflow in it."""

from collections.abc import Sequence
from pathlib import Path

from quaestor.contracts.context import SessionRequest
from quaestor.contracts.ports import Clock, CorpusState, IdGenerator, Library, ProgressCallback, Store
from quaestor.contracts.session import normalize_question
from quaestor.contracts.settings import Settings
from quaestor.runtime.resources import Resources
from quaestor.runtime.sessions import Sessions
from quaestor.tools.corpus import index_corpus


class Home(Sessions):
    """The sessions of one home, begun from a request and over documents that are indexed there; a `Host`."""

    def __init__(
        self, store: Store, library: Library, resources: Resources, clock: Clock, ids: IdGenerator, *, home: Path
    ) -> None:
        super().__init__(store, library, resources, clock, ids)
        self.home = home

    async def index(self, docs: Sequence[str | Path], progress: ProgressCallback = lambda _: None) -> CorpusState:
        """Read and index what changed in these files and folders."""
        return await index_corpus(self.library, self.clock, [Path(path) for path in docs], progress)

    async def start_session(self, workflow: str, request: SessionRequest, settings: Settings | None = None) -> str:
        """Start a session of a workflow, or find the unfinished one of the same request; return its id.

        Raises UsageError for an unknown workflow and a request that cannot be carried out, SetupError for a missing
        key.
        """
        request = request.revised(text=normalize_question(request.text))
        return await self.begin(workflow, request.text, await self.configure(workflow, request, settings))

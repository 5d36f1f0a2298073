"""Indexing while a person watches: how far it is, what there is then, and what was skipped."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.status import Status
from rich.text import Text

from quaestor.app import Progress, Quaestor
from quaestor.cli.carry import abrupt
from quaestor.cli.phrase import counted, cut, first
from quaestor.cli.speech import say
from quaestor.contracts.ports import CorpusState
from quaestor.tools.corpus import Indexing
from quaestor.views.visible import one_line

_TENTHS = 10
_LONG = 500
"""From how many documents on an indexing is told of while it goes on."""


async def indexed(quaestor: Quaestor, docs: Sequence[str | Path]) -> CorpusState:
    """Index what changed in these files and folders and say what there is; a signal ends it at once."""
    with abrupt(), showing() as progress:
        corpus = await quaestor.index(docs, progress)
    for line in summary(corpus):
        say(line)
    return corpus


def summary(corpus: CorpusState) -> tuple[str, ...]:
    """Say what a corpus holds, what was read anew, and which files were skipped, and why."""
    changes = f"{corpus.changed:,} read, {corpus.removed:,} removed" if corpus.removed else f"{corpus.changed:,} read"
    head = f"{counted(corpus.documents, 'document')}, {counted(corpus.passages, 'passage')} ({changes})"
    return (head, *first([f"  skipped {one_line(path)}: {reason}" for path, reason in corpus.skipped]))


@contextmanager
def showing() -> Iterator[Progress]:
    """Give what shows how far an indexing is."""
    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield _by_tenths()
        return
    with Status("indexing", console=console) as status:

        def show(step: Indexing) -> None:
            counts = f"indexing {step.done:,} of {step.total:,}"
            status.update(Text(f"{counts}  {cut(Path(step.uri).name, max(console.width - len(counts) - 6, 1))}"))

        yield show


def _by_tenths() -> Progress:
    """Tell of every tenth of a long indexing."""
    told = 0

    def show(step: Indexing) -> None:
        nonlocal told
        tenth = _TENTHS * step.done // step.total
        if step.total >= _LONG and told < tenth < _TENTHS:  # the summary tells of the last one
            told = tenth
            say(f"indexing {step.done:,} of {step.total:,}")

    return show

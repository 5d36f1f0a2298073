"""Indexing while a person watches: how far it is, what there is then, and what was skipped."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.status import Status
from rich.text import Text

from quaestor.app import Quaestor
from quaestor.app.text import count_noun, first_lines, one_line, truncate_line
from quaestor.contracts.library import CorpusState, IndexProgress, ProgressCallback
from quaestor.faces.cli.display import immediate_interrupt
from quaestor.faces.cli.output import write_stderr

_PROGRESS_STEPS = 10
_MIN_PROGRESS_DOCUMENTS = 500
"""Documents from which the progress of an indexing is printed."""


async def index_documents(quaestor: Quaestor, docs: Sequence[str | Path]) -> CorpusState:
    """Index what changed in these files and folders and print a summary; a signal ends it at once."""
    with immediate_interrupt(), indexing_progress() as progress:
        corpus = await quaestor.index(docs, progress)
    for line in corpus_summary(corpus):
        write_stderr(line)
    return corpus


def corpus_summary(corpus: CorpusState) -> tuple[str, ...]:
    """Describe what a corpus holds, what was read again, and which files were skipped, and why."""
    changes = f"{corpus.changed:,} read, {corpus.removed:,} removed" if corpus.removed else f"{corpus.changed:,} read"
    head = f"{count_noun(corpus.documents, 'document')}, {count_noun(corpus.passages, 'passage')} ({changes})"
    return (head, *first_lines([f"  skipped {one_line(path)}: {reason}" for path, reason in corpus.skipped]))


@contextmanager
def indexing_progress() -> Iterator[ProgressCallback]:
    """Yield what shows how far an indexing is."""
    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield _print_tenths()
        return
    with Status("indexing", console=console) as status:

        def show(step: IndexProgress) -> None:
            counts = f"indexing {step.done:,} of {step.total:,}"
            status.update(
                Text(f"{counts}  {truncate_line(Path(step.uri).name, max(console.width - len(counts) - 6, 1))}")
            )

        yield show


def _print_tenths() -> ProgressCallback:
    """Return what prints every tenth of a long indexing."""
    printed = 0

    def show(step: IndexProgress) -> None:
        nonlocal printed
        tenth = _PROGRESS_STEPS * step.done // step.total
        if (
            step.total >= _MIN_PROGRESS_DOCUMENTS and printed < tenth < _PROGRESS_STEPS
        ):  # the summary reports the last one
            printed = tenth
            write_stderr(f"indexing {step.done:,} of {step.total:,}")

    return show

"""The writer and the summarizer: findings put in order without a word added, and texts in fewer characters."""

from collections.abc import Sequence

from quaestor.contracts.ledger import Finding
from quaestor.evidence.tokenization import ELLIPSIS, shorten
from quaestor.research.contracts.writing import (
    Frame,
    FrameInput,
    Section,
    SectionInput,
    SummarizeInput,
    Summary,
    WrittenSentence,
)

_MAX_HEADING_LENGTH = 300


def write_section(given: SectionInput) -> Section:
    """Write one todo's section: its claims, source by source, each source in its own order."""
    heading = shorten(" ".join(given.task.split()), _MAX_HEADING_LENGTH) or given.todo_id
    sentences = tuple(_as_sentence(finding) for finding in _by_source(given.findings))
    return Section(heading=heading, sentences=sentences or (WrittenSentence(text=given.summary or heading),))


def write_frame(given: FrameInput) -> Frame:
    """Write the title, and as the summary the first claim of every todo."""
    title = shorten(" ".join(given.question.split()), _MAX_HEADING_LENGTH) or given.question[:_MAX_HEADING_LENGTH]
    first = {finding.id.partition("/")[0]: finding for finding in reversed(given.findings)}
    summary = tuple(_as_sentence(finding) for finding in given.findings if finding in first.values())
    return Frame(title=title, summary=summary or (WrittenSentence(text=title),))


def _as_sentence(finding: Finding) -> WrittenSentence:
    return WrittenSentence(text=finding.claim, findings=(finding.id,))


def _by_source(findings: Sequence[Finding]) -> list[Finding]:
    """Put what was preferred first, then the rest source by source, each source in its own order."""
    order = {finding.quotes[0].source: place for place, finding in reversed(list(enumerate(findings)))}
    rest = sorted(findings[1:], key=lambda one: (order[one.quotes[0].source], one.quotes[-1].start, one.id))
    return [*findings[:1], *rest]


def summarize(given: SummarizeInput) -> Summary:
    """Shorten every line to its share; room that a short line leaves goes to those after it."""
    room = given.characters
    shortened: list[str] = []
    for place, line in enumerate(given.lines):
        share = room // (len(given.lines) - place)
        text = shorten(" ".join(line.split()), share - 1 if shortened else share)
        if text:
            shortened.append(text)
            room -= len(text) + (len(shortened) > 1)
    return Summary(text="\n".join(shortened) or given.lines[0].strip()[: given.characters] or ELLIPSIS)

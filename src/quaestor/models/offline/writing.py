"""The writer: sections made of claims, and the frame around them; every sentence carries its findings."""

from collections.abc import Iterable, Sequence

from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import Frame, FrameGiven, Section, SectionGiven, WrittenSentence
from quaestor.evidence.text import terms
from quaestor.models.offline.answering import answer
from quaestor.models.offline.fields import parse
from quaestor.models.offline.question import Question, take_apart
from quaestor.models.offline.relevance import by_place, facets_said
from quaestor.models.offline.summarising import shortened

_LONGEST_HEADING = 300
_LED = 0.4
_SUMMARY = 4
_FEWEST_IN_SUMMARY = 2
_KEY_FINDINGS = 6


def write_section(given: SectionGiven) -> Section:
    """Write one todo's section: its claims, source by source, each source in its own order."""
    heading = shortened(" ".join(given.task.split()), _LONGEST_HEADING) or given.todo_id
    sentences = tuple(_said(finding) for finding in _by_source(given.findings))
    return Section(heading=heading, sentences=sentences or (WrittenSentence(text=given.summary or heading),))


def write_frame(given: FrameGiven) -> Frame:
    """Write the title, the summary, the key findings, the conclusion and the direct answer."""
    title = shortened(" ".join(given.question.split()), _LONGEST_HEADING) or given.question[:_LONGEST_HEADING]
    sentences = _merged(given.findings)
    question = take_apart(given.question)
    direct = answer(question, given.findings)
    ranked = _ranked(question, sentences, direct)
    summary = _summary(ranked, given.findings, direct)
    rest = [sentence for sentence in ranked if sentence not in summary]
    conclusion = tuple(rest[:1]) or summary[-1:]
    key_findings = tuple(sentence for sentence in rest if sentence not in conclusion)[:_KEY_FINDINGS]
    return Frame(
        title=title,
        summary=summary or (WrittenSentence(text=title),),
        key_findings=key_findings,
        conclusion=conclusion,
        answer=direct,
    )


def _said(finding: Finding) -> WrittenSentence:
    return WrittenSentence(text=finding.claim, findings=(finding.id,))


def _by_source(findings: Sequence[Finding]) -> list[Finding]:
    order = {finding.quotes[0].source: place for place, finding in reversed(list(enumerate(findings)))}
    return sorted(findings, key=lambda finding: (order[finding.quotes[0].source], finding.quotes[-1].start, finding.id))


def _merged(findings: Iterable[Finding]) -> tuple[WrittenSentence, ...]:
    """Give every claim once, with all findings that make it."""
    ids: dict[str, tuple[str, ...]] = {}
    for finding in findings:
        ids[finding.claim] = (*ids.get(finding.claim, ()), finding.id)
    return tuple(WrittenSentence(text=claim, findings=refs) for claim, refs in ids.items())


def _ranked(
    question: Question, sentences: Sequence[WrittenSentence], direct: WrittenSentence | None
) -> list[WrittenSentence]:
    """Put the claims that the direct answer rests on first, then those that fit the question and came early."""
    grounds = frozenset(direct.findings) if direct else frozenset()
    fit = by_place(question, question)

    worth = {}
    for place, sentence in enumerate(sentences):
        stems = frozenset(terms(sentence.text))
        worth[sentence.text] = fit.cover(stems) + facets_said(question.facets, stems) + _LED / (1 + place)
    return sorted(sentences, key=lambda said: (grounds.isdisjoint(said.findings), -worth[said.text]))


def _summary(
    ranked: Sequence[WrittenSentence], findings: Sequence[Finding], direct: WrittenSentence | None
) -> tuple[WrittenSentence, ...]:
    """Give what the answer rests on, or the best claim of every todo, and at least two claims if there are."""
    if direct and all(parse(finding.claim) for finding in findings if finding.id in direct.findings):
        grounds = frozenset(direct.findings)
        chosen = [sentence for sentence in ranked if not grounds.isdisjoint(sentence.findings)]
        return tuple(chosen[:_SUMMARY])
    best: dict[str, WrittenSentence] = {}
    for sentence in ranked:
        best.setdefault(sentence.findings[0].split("/")[0], sentence)
    chosen = [sentence for sentence in ranked if sentence in best.values()][:_SUMMARY]
    more = [sentence for sentence in ranked if sentence not in chosen]
    return tuple(chosen + more[: max(0, _FEWEST_IN_SUMMARY - len(chosen))])

"""The writer and the summarizer: sections made of claims, the frame around them, and texts in fewer characters."""

from collections.abc import Iterable, Sequence

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
from quaestor.research.offline.direct_answer import find_answer, score_claim
from quaestor.research.offline.header_fields import parse_fact
from quaestor.research.offline.question import Question, parse_question

_MAX_HEADING_LENGTH = 300
_MAX_SUMMARY_SENTENCES = 4
_MIN_SUMMARY_SENTENCES = 2
_MAX_KEY_FINDINGS = 4


def write_section(given: SectionInput) -> Section:
    """Write one todo's section: its claims, source by source, each source in its own order."""
    heading = shorten(" ".join(given.task.split()), _MAX_HEADING_LENGTH) or given.todo_id
    sentences = tuple(_as_sentence(finding) for finding in _by_source(given.findings))
    return Section(heading=heading, sentences=sentences or (WrittenSentence(text=given.summary or heading),))


def write_frame(given: FrameInput) -> Frame:
    """Write the title, the summary, the key findings, the conclusion and the direct answer."""
    title = shorten(" ".join(given.question.split()), _MAX_HEADING_LENGTH) or given.question[:_MAX_HEADING_LENGTH]
    question = parse_question(given.question)
    direct = find_answer(question, given.findings)
    sentences = _sentence_per_claim(given.findings)
    conclusion = tuple(sentence for sentence in sentences if _is_comparison(sentence, given.findings))
    ranked = _ranked(question, [sentence for sentence in sentences if sentence not in conclusion], direct)
    summary = _summary(ranked, given.findings, direct) or conclusion
    key_findings = tuple(sentence for sentence in ranked if sentence not in summary)[:_MAX_KEY_FINDINGS]
    return Frame(
        title=title,
        summary=summary or (WrittenSentence(text=title),),
        key_findings=key_findings,
        conclusion=conclusion if summary != conclusion else (),
        answer=direct,
    )


def _as_sentence(finding: Finding) -> WrittenSentence:
    return WrittenSentence(text=finding.claim, findings=(finding.id,))


def _by_source(findings: Sequence[Finding]) -> list[Finding]:
    """Put what was preferred first, then the rest source by source, each source in its own order."""
    order = {finding.quotes[0].source: place for place, finding in reversed(list(enumerate(findings)))}
    rest = sorted(findings[1:], key=lambda one: (order[one.quotes[0].source], one.quotes[-1].start, one.id))
    return [*findings[:1], *rest]


def _sentence_per_claim(findings: Iterable[Finding]) -> tuple[WrittenSentence, ...]:
    """Return every claim once, with all findings that make it."""
    ids: dict[str, tuple[str, ...]] = {}
    for finding in findings:
        ids[finding.claim] = (*ids.get(finding.claim, ()), finding.id)
    return tuple(WrittenSentence(text=claim, findings=refs) for claim, refs in ids.items())


def _is_comparison(sentence: WrittenSentence, findings: Sequence[Finding]) -> bool:
    """Return a claim that compares what several todos found, as an analysis does."""
    own = {quote for finding in findings if finding.id in sentence.findings for quote in finding.quotes}
    told = [finding for finding in findings if finding.id not in sentence.findings and own.issuperset(finding.quotes)]
    return len({_todo_id(finding.id) for finding in told}) > 1 and len(own) > 1


def _todo_id(finding: str) -> str:
    return finding.split("/", maxsplit=1)[0]


def _ranked(
    question: Question, sentences: Sequence[WrittenSentence], direct: WrittenSentence | None
) -> list[WrittenSentence]:
    """Put the claims that the direct answer rests on first, then those of most merit; the earlier first of equals."""
    grounds = frozenset(direct.findings) if direct else frozenset()
    worth = {one.text: score_claim(question, one.text, one.findings[0]) for one in sentences}
    return sorted(sentences, key=lambda said: (grounds.isdisjoint(said.findings), -worth[said.text]))


def _summary(
    ranked: Sequence[WrittenSentence], findings: Sequence[Finding], direct: WrittenSentence | None
) -> tuple[WrittenSentence, ...]:
    """Return the findings of the answer; or the best claim of every todo in their order, at least two claims."""
    if direct and all(parse_fact(finding.claim) for finding in findings if finding.id in direct.findings):
        grounds = frozenset(direct.findings)
        told = [sentence for sentence in ranked if not grounds.isdisjoint(sentence.findings)][:_MAX_SUMMARY_SENTENCES]
        return tuple(sorted(told, key=lambda sentence: _plan_order(sentence.findings[0])))
    best: dict[str, WrittenSentence] = {}
    for sentence in ranked:
        best.setdefault(_todo_id(sentence.findings[0]), sentence)
    chosen = [sentence for sentence in ranked if sentence in best.values()][:_MAX_SUMMARY_SENTENCES]
    more = [sentence for sentence in ranked if sentence not in chosen]
    told = chosen + more[: max(0, _MIN_SUMMARY_SENTENCES - len(chosen))]
    return tuple(sorted(told, key=lambda sentence: _plan_order(sentence.findings[0])))


def _plan_order(finding: str) -> tuple[tuple[int, ...], int]:
    """Return the place of a finding in the plan: the numbers of its todo, and its own."""
    todo, _, number = finding.partition("/")
    return tuple(int(part) for part in todo.removeprefix("t").split(".")), int(number)


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

"""From the recorded findings to the evidence brief: passages in the order of reading, and what none of them holds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from quaestor.contracts.ledger import Contradiction, Finding, LedgerEntry
from quaestor.contracts.source import Quote, Source
from quaestor.evidence.stemming import held_stems
from quaestor.research.brief.answers import find_answer
from quaestor.research.brief.gaps import find_gaps
from quaestor.research.brief.wording import absent_words, asked_language, asked_words, held_terms
from quaestor.research.contracts.brief import Brief, BriefDifference, BriefPassage
from quaestor.research.contracts.plan import Plan
from quaestor.research.contracts.report import GenerationInfo
from quaestor.research.contracts.tools import Contexts, QuoteContext
from quaestor.research.offline.header_fields import parse_fact
from quaestor.research.offline.question import Question, parse_question
from quaestor.research.report_words import ReportWords, report_words

_MAX_PASSAGES = 40


@dataclass(frozen=True, slots=True)
class BriefMaterial:
    """What a brief is assembled from."""

    question: str
    plan: Plan
    entries: Mapping[str, LedgerEntry]
    contexts: Contexts
    contradictions: Sequence[Contradiction] = ()
    growth_refused: tuple[str, ...] = ()
    language: str | None = None
    """That of the fixed words of the brief; None: English."""
    left_out: tuple[str, ...] = ()
    """Lines on the pages that bounds of the sources left out."""
    is_misspelt: bool = False
    """Whether words were searched that the question has not: nothing that was found by them answers it directly."""
    needs_dates: bool = False
    """Whether a source whose date is not known is named, as where a day bounds what is used."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A quote in its paragraph, with the part for which it was found."""

    part: str
    side: str | None
    finding: Finding
    context: QuoteContext


@dataclass
class _Shelf:
    """Collects quotes, each place of a source once."""

    contexts: Mapping[tuple[str, int, int], QuoteContext]
    taken: set[tuple[str, int, int]] = field(default_factory=set)

    def take(self, part: str, side: str | None, findings: Sequence[Finding]) -> list[_Placed]:
        """Return the quotes of findings that stand in their sources and were not taken before."""
        placed: list[_Placed] = []
        for finding in findings:
            for quote in finding.quotes[-1:] if parse_fact(finding.claim) else finding.quotes:
                place = _place(quote)
                if place in self.contexts and place not in self.taken:
                    self.taken.add(place)
                    placed.append(_Placed(part, side, finding, self.contexts[place]))
        return placed


def assemble_brief(material: BriefMaterial, *, version: int, making: GenerationInfo, partial: str | None) -> Brief:
    """Return the brief; there must be a context of at least one finding."""
    question = parse_question(material.question)
    sources = {source.sha256: source for entry in material.entries.values() for source in entry.sources}
    words = report_words(material.language)
    passages = _mark_best(
        _passage(number, placed, material.contexts, sources[placed.context.quote.source])
        for number, placed in enumerate(_in_reading_order(material, question)[:_MAX_PASSAGES], 1)
    )
    findings = [finding for entry in _recorded(material) for finding in entry.findings]
    looked_up = material.contexts.looked_up
    answer = find_answer(question, () if material.is_misspelt else findings, passages, looked_up)
    if answer and answer[1].rows and looked_up:
        sources |= {source.sha256: source for source in looked_up.sources}
    rows = answer[1].rows if answer else ()
    cited = dict.fromkeys((*(passage.source for passage in passages), *(row.quote.source for row in rows)))
    return Brief(
        version=version,
        question=material.question,
        language=material.language,
        answer=answer[0] if answer else None,
        answer_proof=answer[1] if answer else None,
        parts=tuple(dict.fromkeys(passage.part for passage in passages)),
        passages=passages,
        differences=tuple(_differences(material.contradictions, passages)),
        gaps=(
            *find_gaps(question, passages, sources, words=words, answered=answer is not None, looked_up=looked_up),
            *_undated(material, [sources[sha256] for sha256 in cited], words),
            *material.left_out,
            *_open_ends(material),
        ),
        sources=tuple(sources[sha256] for sha256 in cited),
        making=making,
        partial=partial,
    )


def _recorded(material: BriefMaterial) -> list[LedgerEntry]:
    return [material.entries[todo.id] for todo in material.plan.todos if todo.id in material.entries]


def _in_reading_order(material: BriefMaterial, question: Question) -> list[_Placed]:
    """Return the quotes part by part; those of the sides of a comparison by turns."""
    shelf = _Shelf({_place(context.quote): context for context in material.contexts.contexts})
    sided = [(_side(entry.description, question), entry) for entry in _recorded(material)]
    columns = [shelf.take(entry.description, side, entry.findings) for side, entry in sided if side]
    turns = [placed for row in zip_longest(*columns) for placed in row if placed is not None]
    rest = [
        placed for side, entry in sided if not side for placed in shelf.take(entry.description, None, entry.findings)
    ]
    return [*turns, *rest]


def _side(task: str, question: Question) -> str | None:
    """Return the one side of a comparison that a task names."""
    named = [option for option in question.options if option in task]
    return named[0] if len(named) == 1 else None


def _passage(number: int, placed: _Placed, contexts: Contexts, source: Source) -> BriefPassage:
    quote, paragraph = placed.context.quote, placed.context.paragraph
    held = held_terms(source, placed.context.heading, paragraph.text, asked_language(placed.part))
    return BriefPassage(
        number=number,
        finding=placed.finding.id,
        source=quote.source,
        start=quote.start,
        end=quote.end,
        text=quote.text,
        part=placed.part,
        side=placed.side,
        context=paragraph,
        heading=placed.context.heading,
        absent=absent_words(asked_words(placed.part), held),
        status=next((one.status for one in contexts.statuses if one.source == quote.source), None),
    )


def _mark_best(passages: Iterable[BriefPassage]) -> tuple[BriefPassage, ...]:
    """Return passages with the best of each part marked.

    That is the one whose paragraph lacks the fewest words of its part; of equals the one whose marked words hold the
    most of them, else the first in the order of the search.
    """
    ordered = tuple(passages)
    best: dict[str, tuple[int, int, int]] = {}
    for one in ordered:
        asked, held = asked_words(one.part), held_stems(one.text, asked_language(one.part))
        lacking = (len(one.absent), -sum(word.stands_in(held) for word in asked), one.number)
        best[one.part] = min(best.get(one.part, lacking), lacking)
    chosen = {number for _, _, number in best.values()}
    return tuple(one.revised(is_best=True) if one.number in chosen else one for one in ordered)


def _differences(
    contradictions: Sequence[Contradiction], passages: Sequence[BriefPassage]
) -> Iterator[BriefDifference]:
    numbers = {passage.finding: passage.number for passage in reversed(passages)}
    for one in contradictions:
        if all(ref in numbers for ref in one.findings):
            cited = tuple(numbers[ref] for ref in one.findings)
            yield BriefDifference(subject=one.subject, values=one.values, passages=cited)


def _undated(material: BriefMaterial, cited: Sequence[Source], words: ReportWords) -> Iterator[str]:
    if material.needs_dates:
        yield from (words.undated.format(title=one.title or one.uri) for one in cited if not one.published)


def _open_ends(material: BriefMaterial) -> tuple[str, ...]:
    """Return what failed or was left undone, as the todos recorded it."""
    retried = {todo.retries for todo in material.plan.todos}
    failed = (
        f"{todo.id} {todo.status}: {todo.task}: {todo.result}"
        for todo in material.plan.todos
        if _ended_badly(todo.status) and todo.id not in retried
    )
    gaps = (gap for entry in _recorded(material) for gap in entry.gaps)
    return tuple(dict.fromkeys((*failed, *gaps, *material.growth_refused)))


def _ended_badly(status: str) -> bool:
    return status in {"failed", "blocked"}


def _place(quote: Quote) -> tuple[str, int, int]:
    return quote.source, quote.start, quote.end

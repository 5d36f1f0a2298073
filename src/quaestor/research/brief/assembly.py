"""From the recorded findings to the evidence brief: passages in the order of reading, and what none of them holds."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.ledger import Contradiction, LedgerEntry
from quaestor.contracts.source import Source
from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.stemming import held_stems
from quaestor.evidence.tokenization import shorten
from quaestor.research.brief.best_passages import mark_best
from quaestor.research.brief.differences import find_differences
from quaestor.research.brief.gaps import find_gaps
from quaestor.research.brief.reading_order import PlacedQuote, in_reading_order, place_of
from quaestor.research.brief.selection import select_passages
from quaestor.research.brief.shared_corrections import with_shared
from quaestor.research.brief.stated_date import Told
from quaestor.research.brief.told_changes import told_changes
from quaestor.research.brief.told_days import told_days
from quaestor.research.brief.undisputed_answers import find_undisputed
from quaestor.research.brief.withdrawals import Withdrawal, find_withdrawals
from quaestor.research.contracts.brief import (
    Brief,
    BriefChange,
    BriefPassage,
)
from quaestor.research.contracts.plan import Plan
from quaestor.research.contracts.report import GenerationInfo
from quaestor.research.contracts.tools import Contexts, Correction, QuoteContext
from quaestor.research.offline.words.aliases import Alias, find_aliases
from quaestor.research.offline.words.held_words import add_other_names, held_terms
from quaestor.research.offline.words.life_spans import asked_life
from quaestor.research.offline.words.light_words import says_little
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.question import parse_question
from quaestor.research.offline.words.status_words import (
    BEFORE_SECTION,
    CURRENTLY,
    NOT_CHOSEN_SECTION,
    ONE_ALTERNATIVE,
    PROBLEM_SECTION,
    SURELY_NOT_CHOSEN_SECTION,
)
from quaestor.research.offline.words.wording import absent_words, asked_language, asked_words, with_bare_versions
from quaestor.research.reports.fixed_words import ReportWords, report_words

_MAX_PASSAGES = 40
_MAX_CORRECTION = 200
"""Characters of a sentence that corrects another one."""


class BriefMaterial(Immutable):
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
    similar: tuple[SimilarWord, ...] = ()
    """Words in whose place others were searched: nothing that was found by these answers the question directly."""
    needs_dates: bool = False
    """Whether a source whose date is not known is named, as where a day bounds what is used."""


def assemble_brief(material: BriefMaterial, *, version: int, making: GenerationInfo, partial: str | None) -> Brief:
    """Return the brief; there must be a context of at least one finding."""
    question = parse_question(material.question)
    corrections = with_shared(material.question, material.contexts.contexts, material.contexts.corrections)
    material = replace(material, contexts=material.contexts.revised(corrections=corrections))
    sources = {source.sha256: source for entry in material.entries.values() for source in entry.sources}
    words = report_words(material.language)
    recorded = _recorded(material)
    others = {entry.description: _other_names(entry) for entry in recorded}
    told = [
        _passage(number, placed, material, sources[placed.context.quote.source], others[placed.part])
        for number, placed in enumerate(in_reading_order(recorded, material.contexts.contexts, question.options), 1)
    ]
    withdrawn = find_withdrawals(told)
    common = frozenset(material.contexts.common)
    marked = mark_best(
        [_with_status(one, withdrawn, words) for one in told],
        material.similar,
        sources,
        others,
        common,
        corrected=withdrawn.keys() | {one.number for one in told if _is_corrected(one, material.contexts.corrections)},
    )
    shown = select_passages(marked, question, withdrawn, sources, common)
    passages = tuple(one.revised(number=number) for number, one in enumerate(shown, 1))[:_MAX_PASSAGES]
    findings = [finding for entry in recorded for finding in entry.findings]
    answer, looked_up = find_undisputed(
        question,
        () if material.similar else findings,
        Told(passages, material.contexts.disputes, sources),
        material.contexts,
        material.language,
    )
    if answer and answer[1].rows and looked_up:
        sources |= {source.sha256: source for source in looked_up.sources}
    rows = answer[1].rows if answer else ()
    changes = [*told_changes(material.contexts.changes, passages, material.contexts.corrections)]
    sources = {one.source.sha256: one.source for _, one in changes} | sources
    quotes = (*(one.context for one in passages), *(row.quote for row in rows), *(one.said for _, one in changes))
    cited = dict.fromkeys(quote.source for quote in quotes)
    unshown = _unshown(material, passages, cited.keys())
    later = material.contexts.later_records
    days = () if answer else told_days(question, passages, sources, unshown=unshown, later=later, words=words)
    return Brief(
        version=version,
        question=material.question,
        language=material.language,
        answer=answer[0] if answer else None,
        answer_proof=answer[1] if answer else None,
        parts=tuple(dict.fromkeys(passage.part for passage in passages)),
        passages=tuple(_told(one, material.similar) for one in passages),
        differences=tuple(find_differences(material.contradictions, passages, sources)),
        changes=tuple(
            BriefChange(passage=number, said=one.said, heading=one.heading, only_later=one.only_later)
            for number, one in changes
        ),
        gaps=(
            *find_gaps(
                question,
                passages,
                sources,
                words=words,
                answer=answer[1] if answer else None,
                looked_up=looked_up,
                similar=material.similar,
                common=common,
                held=frozenset(material.contexts.held),
                other_languages=(material.contexts.other_languages if material.contexts.has_other_languages else None),
            ),
            *days,
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


def _other_names(entry: LedgerEntry) -> tuple[Alias, ...]:
    return find_aliases((finding.claim for finding in entry.findings), parse_question(entry.description))


def _passage(
    number: int, placed: PlacedQuote, material: BriefMaterial, source: Source, others: Sequence[Alias]
) -> BriefPassage:
    quote, paragraph = placed.context.quote, placed.context.paragraph
    status = next((one.status for one in material.contexts.statuses if one.source == quote.source), None)
    corrections = [one for one in material.contexts.corrections if one.quote == quote]
    said_elsewhere = (_corrected(one, material.language) for one in corrections)
    section = _of_section(placed.context, status, report_words(material.language))
    asked = with_bare_versions(asked_words(placed.part, material.similar), frozenset(material.contexts.common))
    held = held_terms(
        source,
        placed.context.heading,
        "\n".join(filter(None, (paragraph.text, status))),
        asked_language(placed.part),
        placed.context.in_table,
        asked=asked,
    )
    life = asked_life(placed.part, asked_language(placed.part))
    held = add_other_names(held, placed.part, others) | life.terms_held(paragraph.text)
    named = (word.terms for word in asked if word.is_name and word.text in placed.context.named_above)
    beside = (word.terms for word in asked if word.is_name and word.text in placed.context.named_beside)
    return BriefPassage(
        number=number,
        finding=placed.finding.id,
        source=quote.source,
        start=quote.start,
        end=quote.end,
        text=quote.text,
        part=placed.part,
        side=placed.side,
        in_table=placed.context.in_table,
        context=paragraph,
        heading=placed.context.heading,
        list_goes_on=placed.context.list_goes_on,
        absent=absent_words(asked, held.union(*named).difference(*beside)),
        status="; ".join(dict.fromkeys(filter(None, (status, section, *said_elsewhere)))) or None,
    )


def _of_section(context: QuoteContext, status: str | None, words: ReportWords) -> str | None:
    """Return that a passage of a proposal tells what that does not propose, or what was so before; else nothing.

    A document with a status is one. Others have sections on alternatives among which one may choose.
    """
    parts = context.heading.split(" > ")
    patterns = (SURELY_NOT_CHOSEN_SECTION, *([NOT_CHOSEN_SECTION] if status else []))
    if any(one.fullmatch(part) for part in parts for one in patterns) or ONE_ALTERNATIVE.match(context.heading):
        return words.not_chosen
    is_of_problem = bool(status and CURRENTLY.search(context.quote.text)) and any(map(PROBLEM_SECTION.fullmatch, parts))
    return words.when_written if is_of_problem or any(map(BEFORE_SECTION.fullmatch, parts)) else None


def _told(passage: BriefPassage, similar: Sequence[SimilarWord]) -> BriefPassage:
    """Return a passage with what it lacks as it is told: as it was searched, without words that say little.

    What another text says of it stands beside it, and so do the words of that.
    """
    found = {one.word: one.found for one in similar}
    beside = held_stems(passage.status or "", asked_language(passage.part))
    asked = asked_words(passage.part, similar)
    untold = {word.text for word in asked if says_little(word) or (word.terms and word.terms <= beside)}
    absent = tuple(found.get(word, word) for word in passage.absent if word not in untold)
    return passage if absent == passage.absent else passage.revised(absent=absent)


def _unshown(material: BriefMaterial, passages: Sequence[BriefPassage], cited: AbstractSet[str]) -> list[Source]:
    """Return the documents that were found, or tell of changes, and are neither cited nor told beside a passage."""
    corrections = material.contexts.corrections
    shown = cited | {
        one.said.source for one in corrections if any(_is_corrected(passage, [one]) for passage in passages)
    }
    found = (source for entry in material.entries.values() for source in entry.sources)
    every = (*found, *(one.source for one in material.contexts.changes))
    return [*{source.sha256: source for source in every if source.sha256 not in shown}.values()]


def _is_corrected(passage: BriefPassage, corrections: Sequence[Correction]) -> bool:
    place = passage.source, passage.start, passage.end
    return any(place_of(one.quote) == place for one in corrections)


def _corrected(one: Correction, language: str | None) -> str:
    """Return what another text says on a quote, and where: a correction, or a later item."""
    said = f"“{shorten(strip_markup(one.said.text), _MAX_CORRECTION)}” ({one.title})"
    words = report_words(language)
    return (words.later_item if one.is_later else words.said_elsewhere).format(said=said)


def _with_status(passage: BriefPassage, withdrawn: Mapping[int, Withdrawal], words: ReportWords) -> BriefPassage:
    """Return a passage with what another says of what it is about, beside the status of its document."""
    said = withdrawn[passage.number].text if passage.number in withdrawn else ""
    if said in (passage.status or ""):
        return passage
    shown = words.said_elsewhere.format(said=f"“{said}”")
    return passage.revised(status="; ".join(filter(None, (passage.status, shown))))


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

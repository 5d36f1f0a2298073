"""Which sentences of passages are read for a task, and which lines beside them."""

from collections.abc import Iterator, Sequence

from quaestor.contracts.immutable import replace
from quaestor.contracts.source import Hit
from quaestor.research.offline.sentences.extract import Extract
from quaestor.research.offline.sentences.extracts import extract_with_lines
from quaestor.research.offline.sentences.relevance import holds_answer_kind
from quaestor.research.offline.sentences.table_rows import (
    is_named_row,
    without_bare_numbers,
    without_namesakes,
    without_silent_rows,
)
from quaestor.research.offline.words.field_names import add_synonyms
from quaestor.research.offline.words.language import AnswerKind, stems_of
from quaestor.research.offline.words.markup import is_link
from quaestor.research.offline.words.question import Question
from quaestor.research.offline.words.text_dates import DATE_KEYS
from quaestor.research.offline.words.word_forms import word_forms


def read_for_task(hits: Sequence[Hit], task: Question) -> tuple[Extract, ...]:
    """Return the sentences of passages, and the lines beside them that hold a word of the task that these do not.

    What a table, a short item or a label says has no sentence, but no passage is without it. So are rows that the task
    names: a sentence that has the name as well says something else of it. Not read are links that add no word of
    it, and the lines around a letter, unless it is asked who or when.
    """
    forms, core = word_forms(task.text), frozenset(task.core)
    read, lines = (tuple(without_namesakes(each, core, forms)) for each in extract_with_lines(hits, forms))
    telling_rows = tuple(without_bare_numbers(tuple(without_silent_rows(read, core, forms)), core, forms))
    sentences = tuple(_without_silent_fields(telling_rows, task))
    held: dict[int, frozenset[str]] = {}
    for one in sentences:
        held[one.rank] = held.get(one.rank, frozenset()) | one.said
    told = (
        one
        for one in lines
        if _tells_more(one, task, held.get(one.rank, frozenset())) or is_named_row(one, core, forms)
    )
    asks_for_line = task.wanted in {AnswerKind.DATE, AnswerKind.PERSON}
    telling = [
        _saying_columns(one, core) if is_named_row(one, core, forms) else one
        for one in (*sentences, *told)
        if asks_for_line or not one.is_around_letter
    ]
    return tuple(without_repeating_links(telling, core))


def _saying_columns(row: Extract, core: frozenset[str]) -> Extract:
    """Return a row that a task names as one that says itself what the columns and headings above it say of the task."""
    return replace(row, terms=(*row.terms, *sorted(row.above & core - row.own)))


def without_repeating_links(extracts: Sequence[Extract], core: frozenset[str]) -> Iterator[Extract]:
    """Yield what was read without the links that hold no word of a task that sentences do not hold too."""
    said = frozenset(term for one in extracts if one.is_prose for term in one.own)
    return (one for one in extracts if not is_link(one.passage.text[one.start : one.end]) or one.own & core - said)


def _without_silent_fields(extracts: Sequence[Extract], task: Question) -> Iterator[Extract]:
    """Yield what was read without the fields of a header that say nothing asked, where another one of it does.

    A field does so that holds a word of the task, also another name of the field, or a value of the kind that is asked.
    """
    asked = add_synonyms(frozenset(task.core))
    telling = {one.rank for one in extracts if one.key and not one.own.isdisjoint(asked)}
    for one in extracts:
        is_told = not one.own.isdisjoint(asked) or holds_answer_kind(one.claim.partition(":")[2], task.wanted)
        if is_told or not one.key or one.rank not in telling:
            yield one


def _tells_more(line: Extract, task: Question, held: frozenset[str]) -> bool:
    """Return whether a line holds a word of a task that no sentence does, or all of them with what it is said of.

    A field of a header does if it is called by one, or by the date that is asked for: what else it holds is looked up
    where it is asked for.
    """
    core = frozenset(task.core)
    is_date_asked = task.wanted is AnswerKind.DATE and not line.key.isdisjoint(stems_of(DATE_KEYS))
    if line.key.isdisjoint(core) and line.key and not is_date_asked:
        return False
    says_all = core <= line.said and (is_date_asked or (bool(line.lead) and not line.own.isdisjoint(core)))
    return says_all or bool(line.own & core - held)

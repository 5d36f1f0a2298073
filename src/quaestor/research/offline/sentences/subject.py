"""Which passages and sentences are about the subject of a task, or about one side of it."""

from collections.abc import Sequence

from quaestor.contracts.immutable import replace
from quaestor.contracts.source import Hit
from quaestor.evidence.retrieval.document_names import file_name
from quaestor.evidence.retrieval.query import SAID_IN_PASSING, TAKES_PLACE, TOTAL_NUMBER, parse_query, without_groups
from quaestor.evidence.stemming import detect_language as detect_stems
from quaestor.evidence.stemming import held_stems, stemmed_terms
from quaestor.evidence.tokenization import content_terms, terms
from quaestor.research.offline.sentences.extract import Extract
from quaestor.research.offline.sentences.relevance import TermWeights
from quaestor.research.offline.sentences.sections import heading_text, section_of
from quaestor.research.offline.words.alternatives import find_side, names_letter
from quaestor.research.offline.words.dates import is_date
from quaestor.research.offline.words.extremes import asked_extremes
from quaestor.research.offline.words.language import is_unspaced
from quaestor.research.offline.words.question import Question
from quaestor.research.reports.languages import report_language

_SHORT_SUBJECT = 2
"""So many words name a subject that a sentence must hold whole; of more some may be details."""
_SUFFICIENT_WORDS = 2
"""So many words of a question that names nothing are enough for a passage to be on its subject."""
_FEW_WORDS = 3
"""Of so many words one is enough: to be shown a passage that is about something else is better than to be sent away."""


def is_on_subject(task: Question, hits: Sequence[Hit], others: Sequence[str]) -> bool:
    """Return whether some passage holds a quoted title of the task, or a name of it, or most of its words.

    So does one that holds one of the `others`, names by which its subject is also called, and one whose document has
    its whole title in the task, where many write names in small letters, and one that calls a name of the task by its
    last word alone, with another word of the task. So does, of few words, a word of a name: "Capital of Suriname" and
    "Dachreparatur Kosten" are none. Of a statement, and of a task that names nothing, two words are enough, for a text
    may put the others in words of its own; one is of three, and in another language than English. A degree that is
    asked for ("fastest") is no such word where no passage states it: rows tell it by their numbers. A title that is
    quoted in a text about many things is one of their names.
    """
    if parse_query(task.text).tells:
        task = replace(task, titles=(), names=(*task.titles, *task.names))
    language = detect_stems(task.text, is_question=True)
    bags = [held_stems(f"{heading_text(hit)}\n{hit.passage.text}", language) for hit in hits]
    names = [] if is_unspaced(task.text) else [name for name in task.names if not (name[0].isdigit() or is_date(name))]
    called = (*others, *(task.titles or (*names, *(() if is_unspaced(task.text) else task.options))))
    if any(frozenset(stemmed_terms(name, language)) <= bag for name in called for bag in bags):
        return True
    told = TOTAL_NUMBER.sub(" ", without_groups(TAKES_PLACE, without_groups(SAID_IN_PASSING, task.text)))
    asked = frozenset(stemmed_terms(told, language)) - _degrees(task, language).difference(*bags)
    if not task.titles and any(_is_titled_by(hit, asked) for hit in hits):
        return True
    if not task.titles and any(_holds_surname(name, asked, bag, language) for name in names for bag in bags):
        return True
    parts = frozenset(term for name in names if " " in name for term in stemmed_terms(name, language))
    if not task.titles and len(asked) <= _FEW_WORDS and not parts.isdisjoint(frozenset[str]().union(*bags)):
        return True
    half = (len(asked) + 1) // 2
    is_english = language is None and report_language(task.text) == "en"
    is_long = is_english and (bool(names) or len(asked) > _FEW_WORDS)
    enough = _SUFFICIENT_WORDS if is_unspaced(task.text) or is_long else 1
    least = max(enough, half) if names and not parse_query(task.text).states else min(enough, half)
    return bool(asked) and not task.titles and any(len(asked & bag) >= least for bag in bags)


def _degrees(task: Question, language: str | None) -> frozenset[str]:
    """Return the index terms of the adjectives by which a task asks for the most or the least of several."""
    return frozenset(stemmed_terms(" ".join(one for one in asked_extremes(task.text) if " " not in one), language))


def _holds_surname(name: str, asked: frozenset[str], bag: frozenset[str], language: str | None) -> bool:
    """Return whether a passage holds the last word of a name of several, and of the task a word beside the name.

    Texts name a person in full once.
    """
    first, _, last = name.rpartition(" ")
    beside = asked - frozenset(stemmed_terms(name, language))
    is_word = bool(first) and not any(map(str.isdigit, last))
    return is_word and bag.issuperset(stemmed_terms(last, language)) and not beside.isdisjoint(bag)


def _is_titled_by(hit: Hit, asked: frozenset[str]) -> bool:
    """Return whether the words of a task hold the title or the file name of a document; a number or a date is none."""
    called = (hit.title, file_name(hit.uri))
    titles = (frozenset(content_terms(name)) for name in called if not is_date(name))
    return any(title and title <= asked and not all(term.isdigit() for term in title) for title in titles)


def sentences_on_subject(sentences: Sequence[Extract], task: Question, weights: TermWeights) -> Sequence[Extract]:
    """Return the sentences that hold the subject of a task; all, where none holds a subject of many words."""
    held = [one for one in sentences if _holds_subject(one, task, weights)]
    return held if held or len(task.core) <= _SHORT_SUBJECT else sentences


def _holds_subject(extract: Extract, task: Question, weights: TermWeights) -> bool:
    """Return whether a sentence, with what is above and beside it, is about the subject of a task.

    It holds all of a subject of one or two words, of a longer one the most telling. A question for what was said
    against something has other words that anything may hold.
    """
    held = extract.said | extract.above | extract.neighbor_terms
    if len(task.core) <= _SHORT_SUBJECT:
        return held.issuperset(task.core)
    return max(task.core, key=lambda term: weights.of.get(term, 0.0)) in held


def passages_of_side(task: Question, question: Question, hits: Sequence[Hit]) -> Sequence[Hit]:
    """Return of the passages for one side of a comparison those that name it; all, where none does.

    Those in a section on another side are for that one, and where a section is called as a side of several words, only
    what stands in it is for that: others mention both sides.
    """
    named = find_side(task.text, question.options) if len(question.options) > 1 else None
    if named is None:
        return hits
    others = [option for option in question.options if option != named]
    sections = [section_of(hit.title, hit.passage.heading) for hit in hits]
    ours = [hit for hit, section in zip(hits, sections, strict=True) if not any(map(section.is_named, others))] or hits
    side = frozenset(terms(named))
    headed = [hit for hit, section in zip(hits, sections, strict=True) if len(side) > 1 and section.is_named(named)]
    ours = headed or ours
    texts = ((hit, f"{heading_text(hit)}\n{hit.passage.text}") for hit in ours)
    return [hit for hit, text in texts if side <= frozenset(terms(text)) and names_letter(text, named)] or ours

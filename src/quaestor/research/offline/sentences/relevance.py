"""Which sentences answer: coverage of the task's words by rarity, nearness and standing, without redundancy."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import Hit
from quaestor.evidence.stopwords import STOP_WORDS
from quaestor.evidence.tokenization import terms
from quaestor.research.offline.sentences.extract import Extract
from quaestor.research.offline.sentences.sections import heading_text
from quaestor.research.offline.sentences.word_order import share_of_pairs
from quaestor.research.offline.words.dates import holds_day, holds_duration
from quaestor.research.offline.words.language import AnswerKind, Facet, stems_of
from quaestor.research.offline.words.question import Question, asks_for_list
from quaestor.research.offline.words.text_dates import asks_for_text_date, is_text_date

_NAME_WEIGHT = 1.6
_CONTEXT_WEIGHT = 0.4
_SHORT_TASK_WEIGHT = 0.7
"""What the question's other terms count beside a task of one term; a task of few words leans on its question."""
_HEADING_WEIGHT = 0.5
_NEIGHBOR_WEIGHT = 0.2
"""What a term of the task counts that stands above a sentence or beside it, to rank it."""
_HEADING_COVERAGE = 0.3
_NEIGHBOR_COVERAGE = 0.4
"""The same, to tell whether it answers at all."""
_WORD_ORDER_WEIGHT = 0.15
_FACET_WEIGHT = 0.35
_SECTION_WEIGHT = 0.4
"""What it is worth to stand in a section on a side that a task asks for, whatever the sentence says."""
_OFF_FACET_FACTOR = 0.5
"""What a sentence is worth that speaks of none of the sides a task asks for."""
_ANSWER_KIND_WEIGHT = 0.12
_RANK_WEIGHT = 0.2
_STANDALONE_WEIGHT = 0.5
"""What a sentence that cannot be read alone loses of its worth, at most."""
_REDUNDANCY_PENALTY = 0.55
_DUPLICATE_SIMILARITY = 0.8
"""Above so much likeness a sentence says nothing new."""
_DEFINITION_WEIGHT = 0.5
"""What it is worth to say what the subject is, where a task asks for no side of it."""
_DEFINITION_CONFIDENCE = 0.3
"""How sure it makes that passages answer to say what the titled subject of a document is, where the task names that."""
_NAMED_SECTION_WEIGHT = 0.4
"""What it is worth to open the section whose heading is what a task names: that says what the thing is."""
_NAMED_FIELD_WEIGHT = 0.6
"""What it is worth to be a short field that a task asks for in the section of what it names: "Default: 200"."""
_SHORT_FIELD = re.compile(r"(?P<key>[^\W\d_][\w -]{0,30}):\s+\S.{0,60}")
_MIN_TITLE_SHARE = 0.6
"""The least share of a title's words by which a task names it."""
_MIN_SHARE_OF_BEST = 0.78
"""The least share of the best sentence's worth that any other must have where very many passages compete."""
_MANY_PASSAGES = 5
"""Beyond so many passages a sentence need come no nearer to the best."""
_ANSWERED_BY_PROSE = frozenset((AnswerKind.PROSE, AnswerKind.YES_NO))
_MIN_SHARE_OF_BEST_COMPARED = 0.6
"""The same where a question sets several things side by side: no one sentence answers it."""


class TermWeights(Immutable):
    """How much each index term of a task counts: rare ones and names more. The weights sum to 1."""

    of: Mapping[str, float]

    def cover(self, found: Iterable[str]) -> float:
        """Return the share of the task that these terms cover, from 0 to 1."""
        return sum(self.of.get(term, 0.0) for term in set(found))


def passage_idf_weights(task: Question, question: Question, hits: Sequence[Hit]) -> TermWeights:
    """Weigh the terms of a task by their rarity among the given passages, to tell whether these answer it at all.

    What no passage speaks of outweighs several common words.
    """
    return _scale_by_idf(base_weights(task, question), [passage_terms(hit) for hit in hits])


def sentence_idf_weights(task: Question, question: Question, sentences: Sequence[Extract]) -> TermWeights:
    """Weigh the terms of a task by their rarity among sentences, to rank these: what all of them say picks none."""
    return _scale_by_idf(base_weights(task, question), [sentence.own for sentence in sentences])


def base_weights(task: Question, question: Question) -> TermWeights:
    """Weigh the terms of a task alike, names more, and the question's other terms less."""
    named = {term for subject in task.subjects for term in terms(subject)}
    context = max(_CONTEXT_WEIGHT, _SHORT_TASK_WEIGHT / max(1, len(task.core)))
    shares = dict.fromkeys(question.core, context) | dict.fromkeys(task.core, 1.0)
    return _normalize({term: share * (_NAME_WEIGHT if term in named else 1.0) for term, share in shares.items()})


def _scale_by_idf(weights: TermWeights, bags: Sequence[frozenset[str]]) -> TermWeights:
    """Multiply weights by the square of the inverse document frequency (Robertson and Sparck Jones).

    It is log(1 + (N + 1) / (df + 0.5)).
    """
    spread = Counter(term for bag in bags for term in bag)
    return _normalize(
        {term: weight * math.log1p((len(bags) + 1) / (spread[term] + 0.5)) ** 2 for term, weight in weights.of.items()}
    )


def _normalize(raw: Mapping[str, float]) -> TermWeights:
    whole = sum(raw.values()) or 1.0
    return TermWeights({term: weight / whole for term, weight in raw.items()})


def passage_terms(hit: Hit) -> frozenset[str]:
    """Return the index terms of a passage, its headings and its title."""
    return frozenset(terms(f"{heading_text(hit)}\n{hit.passage.text}"))


def task_coverage(extract: Extract, task: Question, rare: TermWeights, alike: TermWeights) -> float:
    """Return the share of the task, from 0 to 1, that a sentence holds, with some of its neighbours, heading and title.

    The geometric mean of both weightings: neither one rare word nor several common ones are enough. In a section on a
    side that the task asks for, what stands above counts as if the sentence said it.
    """
    above = 1.0 if facet_coverage(task.facets, extract.heading) else _HEADING_COVERAGE
    return math.sqrt(_coverage_in_context(extract, rare, above) * _coverage_in_context(extract, alike, above))


def _coverage_in_context(extract: Extract, weights: TermWeights, above: float) -> float:
    own = weights.cover(extract.own) + above * weights.cover(extract.above - extract.own)
    return own + _NEIGHBOR_COVERAGE * weights.cover(extract.neighbor_terms - extract.said)


def answer_likelihood(task: Question, question: Question, hits: Sequence[Hit], sentences: Sequence[Extract]) -> float:
    """Return how likely passages answer a task, from 0 up: what the sentence that holds most of it holds.

    More, where one says what the subject of its document is, and the task names that subject.
    """
    rare, alike = passage_idf_weights(task, question, hits), base_weights(task, question)
    most = max((task_coverage(one, task, rare, alike) for one in sentences), default=0.0)
    return most + _DEFINITION_CONFIDENCE * any(_defines_task_subject(one, task) for one in sentences)


def _defines_task_subject(extract: Extract, task: Question) -> bool:
    return bool(extract.defined_title) and len(extract.defined_title & {*task.terms}) >= _MIN_TITLE_SHARE * len(
        extract.defined_title
    )


def _opens_named_section(extract: Extract, task: Question) -> bool:
    """Return whether a sentence opens the section of something that the task names."""
    return extract.is_opening and any(map(extract.section.is_named, task.subjects))


def _is_asked_field(extract: Extract, task: Question) -> bool:
    """Return whether a line is a short field that a task asks for, in the section of something that the task names."""
    field = _SHORT_FIELD.fullmatch(extract.claim)
    key = frozenset(terms(field["key"])) if field else frozenset[str]()
    return bool(key) and key <= frozenset(task.core) and any(map(extract.section.is_named, task.subjects))


def score_sentence(extract: Extract, task: Question, weights: TermWeights) -> float:
    """Score one sentence; higher answers better."""
    said = frozenset() if _repeats_title(extract, task) else extract.own
    own = (said | _named_document_terms(extract, task)) - _parts_of_other_names(extract, task)
    covered = weights.cover(own)
    covered += _HEADING_WEIGHT * weights.cover(extract.above - own)
    covered += _NEIGHBOR_WEIGHT * weights.cover(extract.neighbor_terms - extract.said)
    covered += _WORD_ORDER_WEIGHT * share_of_pairs(extract.terms, terms(task.text), frozenset(task.core))
    covered += _ANSWER_KIND_WEIGHT * answers_kind(extract.claim, task)
    sided = facet_coverage(task.facets, extract.said)
    covered += sided * weights.cover(extract.said)
    covered += _SECTION_WEIGHT * (facet_coverage(task.facets, extract.heading) > 0) * weights.cover(extract.said)
    covered += _DEFINITION_WEIGHT * (not task.facets and _defines_task_subject(extract, task))
    covered += _NAMED_SECTION_WEIGHT * _opens_named_section(extract, task)
    covered += _NAMED_FIELD_WEIGHT * _is_asked_field(extract, task)
    if task.facets and not (sided and (facet_coverage(task.facets, extract.heading) or not own.isdisjoint(task.core))):
        covered *= _OFF_FACET_FACTOR
    alone = 1 - _STANDALONE_WEIGHT * (1 - extract.standing)
    return alone * covered * (1 - _RANK_WEIGHT + _RANK_WEIGHT / (1 + extract.rank))


def _repeats_title(extract: Extract, task: Question) -> bool:
    """Return whether a field of a header says but what its document is called: that stands above all of its text.

    Where a task is nothing else, as "What is note 12?", the field that says it opens the answer.
    """
    repeats = bool(extract.key) and extract.own <= extract.document | extract.key
    return repeats and extract.own != frozenset(task.core)


def _named_document_terms(extract: Extract, task: Question) -> frozenset[str]:
    """Return the terms of the names of a task that the document of a sentence is called by.

    No sentence of it need say them, if it says something else that is asked.
    """
    names = [frozenset(terms(name)) for name in task.anchors]
    if extract.own.isdisjoint(frozenset(task.core).difference(*names)):
        return frozenset()
    return frozenset().union(*(name for name in names if name <= extract.document))


def _parts_of_other_names(extract: Extract, task: Question) -> frozenset[str]:
    """Return the terms of names of a task of whose last word a sentence, and what is above it, holds nothing.

    The Order of the Lantern is not the Lantern Hall; by its last word alone many are called.
    """
    parts = [list(terms(name)) for name in task.names if " " in name]
    return frozenset(term for name in parts if name[-1] not in extract.said for term in name[:-1])


def min_share_of_best(passages: int, question: Question) -> float:
    """Return how near to the best every sentence must come: the nearer, the more passages there are to choose from.

    Of one passage that is on the subject much answers; of five most does not, and of more there is more to tell.
    """
    most = _MIN_SHARE_OF_BEST_COMPARED if len(question.options) > 1 else _MIN_SHARE_OF_BEST
    return most * (1 - 1 / (1 + min(passages, _MANY_PASSAGES)))


def min_sentences(passages: int, task: Question) -> int:
    """Return how many sentences are marked however far the best is ahead: two of the only passage, if prose answers.

    What sets the best apart is often one rare word, which says nothing of how long the answer is. A date, a number or a
    name stands in one sentence. Of several passages more than one sentence is marked anyway.
    """
    return 2 if passages == 1 and task.wanted in _ANSWERED_BY_PROSE else 1


def select_sentences(
    scored: Sequence[tuple[float, Extract]], most: int, near: float, least: int
) -> tuple[Extract, ...]:
    """Pick the best sentences, each worth less the more it repeats one picked before.

    Carbonell and Goldstein's maximal marginal relevance. Each is worth at least the share `near` of the best; the first
    `least` need only be worth something.
    """
    rest = sorted(scored, key=lambda pair: (-pair[0], pair[1].rank, pair[1].place))
    floor = near * rest[0][0] if rest else 0.0
    picked: list[Extract] = []
    while rest and len(picked) < most:
        worth = [(value * _novelty(_similarity_to_picked(extract, picked)), extract) for value, extract in rest]
        best = max(range(len(worth)), key=lambda place: (worth[place][0], -place))
        if worth[best][0] < floor and (len(picked) >= least or not worth[best][0]):
            break
        picked.append(rest.pop(best)[1])
    return tuple(picked)


def _novelty(likeness: float) -> float:
    return 0.0 if likeness >= _DUPLICATE_SIMILARITY else 1 - _REDUNDANCY_PENALTY * likeness


def _similarity_to_picked(extract: Extract, picked: Sequence[Extract]) -> float:
    """Return how much of an extract is covered already: not by another source with other numbers or other cells."""
    return max((_jaccard(extract.own, other.own) for other in picked if not _disagrees(extract, other)), default=0.0)


def _disagrees(one: Extract, other: Extract) -> bool:
    if one.source == other.source:
        return False
    return _numerals(one) != _numerals(other) or (one.is_row and one.own != other.own)


def _numerals(extract: Extract) -> frozenset[str]:
    return frozenset(term for term in extract.own if term[:1].isdigit())


def _jaccard(one: frozenset[str], two: frozenset[str]) -> float:
    both = len(one & two)
    return both / (len(one) + len(two) - both) if both else 0.0


def holds_answer_kind(claim: str, wanted: AnswerKind) -> bool:
    """Return whether a sentence holds an answer of the wanted kind: a date, a time, a number or a person's name."""
    if wanted is AnswerKind.DATE:
        return holds_day(claim)
    if wanted is AnswerKind.DURATION:
        return holds_duration(claim)
    if wanted is AnswerKind.NUMBER:
        return any(letter.isdigit() for letter in claim)
    return wanted is AnswerKind.PERSON and any(
        first[:1].isupper() and second[:1].isupper() and first.casefold() not in STOP_WORDS
        for first, second in pairwise(claim.split())
    )


def answers_kind(claim: str, task: Question) -> bool:
    """Return whether a sentence holds an answer of the kind that a task asks for.

    The date in the header of a text is none, unless the task asks when that was made. A list is introduced by a colon.
    """
    if asks_for_list(task.text):
        return claim.rstrip("*_").endswith((":", "\uff1a"))
    is_made = task.wanted is not AnswerKind.DATE or not is_text_date(claim) or asks_for_text_date(task.text)
    return is_made and holds_answer_kind(claim, task.wanted)


def facet_coverage(facets: Sequence[Facet], stems: frozenset[str]) -> float:
    """Return how much of the facets a text with these terms speaks of, from 0 to the weight of facets."""
    if not facets:
        return 0.0
    return _FACET_WEIGHT * sum(min(2, len(stems & stems_of(facet.said))) / 2 for facet in facets) / len(facets)

"""WikiQA (Yang et al. 2015): questions to a search engine, and the sentences of an article that people found to answer.

Each is asked by a session over the beginnings of all the articles. No rule was made for them: they show how the rules
generalise. The set may not be passed on, so its file `WikiQA-test.tsv` is measured where it lies in the folder `wikiqa`
of the data; without it there are no rows.
"""

import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from bench.evidence.quoting import Span
from bench.evidence.scores import mean
from bench.evidence.sessions import seated
from bench.evidence.table import Row

from quaestor.evidence.ranking import bm25_scores
from quaestor.evidence.tokenization import content_terms
from quaestor.research.contracts.brief import Brief

_FILE = Path("wikiqa", "WikiQA-test.tsv")


async def rows(data: Path) -> list[Row]:
    """Return how often a brief marks, or shows, a sentence that answers, and what it answers where none does."""
    if not (data / _FILE).is_file():
        return []
    texts, sentences, gold = _read(data / _FILE)
    asked = [question for question in gold if gold[question]]
    known = mean(_best_sentence(each, sentences) in gold[each] for each in asked)
    found: list[Row] = []
    for embeddings in (None, "static:wordllama")[: 1 + bool(find_spec("wordllama"))]:
        async with seated(texts, embeddings=embeddings) as desk:
            briefs = {question: await desk.brief(question) for question in gold}
        found += _rows(briefs, gold, asked, embeddings, f"BM25 over sentences {known:.3f}")
    return found


def _rows(
    briefs: Mapping[str, Brief | None],
    gold: Mapping[str, Collection[Span]],
    asked: Sequence[str],
    embeddings: str | None,
    known: str,
) -> list[Row]:
    name = f"WikiQA, {embeddings}" if embeddings else f"WikiQA, {len(asked)} of {len(gold)} answerable"
    marked, shown = ({each: list(_spans(briefs[each], whole=whole)) for each in asked} for whole in (False, True))
    untrue = (brief is not None and brief.answer is not None and not gold[each] for each, brief in briefs.items())
    return [
        Row(name, "the first passage marks it", mean(_holds(marked[each][:1], gold[each]) for each in asked), known),
        Row(name, "a passage marks it", mean(_holds(marked[each], gold[each]) for each in asked)),
        Row(name, "a paragraph shows it", mean(_holds(shown[each], gold[each]) for each in asked)),
        Row(name, "a direct answer that no sentence gives", mean(untrue), bound=0, least=False),
    ]


def _read(path: Path) -> tuple[dict[str, str], dict[Span, list[str]], dict[str, set[Span]]]:
    """Return the texts of articles, their sentences with their terms, and of every question those that answer it."""
    texts: dict[str, str] = {}
    places: dict[tuple[str, str], Span] = {}
    gold: dict[str, set[Span]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            name, sentence = row["DocumentID"], row["Sentence"]
            if (name, sentence) not in places:  # they come again with every question about the article
                before = texts.get(name, f"{row['DocumentTitle']}\n\n")
                texts[name] = f"{before}{sentence} "
                places[name, sentence] = Span(name, len(before), len(before) + len(sentence))
            answers = gold.setdefault(row["Question"], set())
            if row["Label"] == "1":
                answers.add(places[name, sentence])
    return texts, {place: content_terms(sentence) for (_, sentence), place in places.items()}, gold


def _spans(brief: Brief | None, *, whole: bool) -> Iterator[Span]:
    """Yield what the passages of a brief mark, or the paragraphs around it, in the order of reading."""
    names = {source.sha256: Path(source.uri).stem for source in brief.sources} if brief else {}
    for passage in brief.passages if brief else ():
        quote = passage.context if whole else passage
        yield Span(names[quote.source], quote.start, quote.end)


def _holds(found: Collection[Span], gold: Collection[Span]) -> bool:
    """Return whether some span holds a sentence or is a part of one: they share most of the shorter one."""
    return any(
        one.name == other.name
        and 2 * (min(one.end, other.end) - max(one.start, other.start))
        > min(one.end - one.start, other.end - other.start)
        for one in found
        for other in gold
    )


def _best_sentence(question: str, sentences: Mapping[Span, list[str]]) -> Span:
    """Return the sentence of all articles that is best for a question by BM25."""
    scores = bm25_scores(content_terms(question), list(sentences.values()))
    return max(zip(scores, sentences, strict=True))[1]

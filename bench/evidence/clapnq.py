"""CLAPNQ (Rosenthal et al. 2024): questions with one passage that answers them in several sentences, or does not.

The reader's own figures are two: which sentences it quotes, with nothing quoted where it declines; and how sure it is
that the passage answers, which it declines below a bound. The area under the curve needs no bound.
"""

from collections.abc import Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.evidence.multihop import lines
from bench.evidence.quoting import area, f1
from bench.evidence.scores import mean
from bench.evidence.table import Row

from quaestor.contracts.source import Hit, Passage
from quaestor.evidence.quotes import locate_quote
from quaestor.research.contracts.roles import ReadInput
from quaestor.research.offline.reader import confidence, read_passages


async def rows(data: Path) -> list[Row]:
    """Return the sentence F1 where there is an answer, and how well the reader tells that there is none."""
    answerable, unanswerable = (lines(data / "clapnq" / f"{kind}.jsonl") for kind in ("answerable", "unanswerable"))
    return [
        row
        for meaning in (False, True)[: 1 + bool(find_spec("wordllama"))]
        for row in _rows(answerable, unanswerable, meaning=meaning)
    ]


def _rows(answerable: Sequence[dict[str, Any]], unanswerable: Sequence[dict[str, Any]], *, meaning: bool) -> list[Row]:
    name = "CLAPNQ, with meaning" if meaning else "CLAPNQ"
    found = [_quoted(each, meaning=meaning) for each in answerable]
    identical = [
        _stands(each, quote) for each in (*answerable, *unanswerable) for quote in _quotes(each, meaning=meaning)
    ]
    gold = [_gold(each) for each in answerable]
    scores = [f1(own, wanted) for own, wanted in zip(found, gold, strict=True)]
    sure, unsure = ([confidence(_given(each, meaning=meaning)) for each in part] for part in (answerable, unanswerable))
    return [
        Row(name, "sentence F1, answerable", mean(scores), "lexical top 4 .594", 0.58 if meaning else None),
        Row(
            name,
            "sentence F1, where answered",
            mean(score for score, own in zip(scores, found, strict=True) if own),
            "",
            0.58,
        ),
        Row(name, "AUC of abstaining", area(sure, unsure), "lexical .814", 0.86 if meaning else None),
        Row(name, "answerable, answered", mean(bool(own) for own in found)),
        Row(name, "unanswerable, declined", mean(not _quoted(each, meaning=meaning) for each in unanswerable)),
        Row(name, f"{len(identical):,} quotes identical at their offsets", mean(identical), "", 1.0),
    ]


def _given(each: dict[str, Any], *, meaning: bool) -> ReadInput:
    [passage] = each["passages"]
    text = " ".join(passage["sentences"])
    name = sha256(text.encode()).hexdigest()
    shown = Passage(source=name, start=0, end=len(text), text=text)
    hit = Hit(passage=shown, title=passage["title"], uri=passage["title"], score=1.0)
    return ReadInput(question=each["input"], task=each["input"], hits=(hit,), meaning=meaning)


def _quotes(each: dict[str, Any], *, meaning: bool) -> list[str]:
    return [quote.text for finding in read_passages(_given(each, meaning=meaning)).findings for quote in finding.quotes]


def _stands(each: dict[str, Any], quote: str) -> bool:
    """Return whether a quote is, to the byte, what the text contains at its location."""
    text = _given(each, meaning=False).hits[0].passage.text
    place = locate_quote(text, quote)
    return place is not None and text[slice(*place)].encode() == quote.encode()


def _quoted(each: dict[str, Any], *, meaning: bool) -> frozenset[int]:
    """Return the numbers of the sentences that hold a quote or stand in one."""
    quotes = _quotes(each, meaning=meaning)
    sentences = [sentence.strip() for sentence in each["passages"][0]["sentences"]]
    return frozenset(
        place
        for place, sentence in enumerate(sentences)
        if any(quote in sentence or sentence in quote for quote in quotes)
    )


def _gold(each: dict[str, Any]) -> frozenset[int]:
    selected = set(each["output"][0]["selected_sentences"])
    return frozenset(place for place, said in enumerate(each["passages"][0]["sentences"]) if said in selected)

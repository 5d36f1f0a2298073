"""Questions over long documents with the exact excerpts that answer them (Smith and Troynikov, Chroma, 2024)."""

import csv
import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from bench.evidence.quoting import Span, overlap, read_spans
from bench.evidence.scores import mean
from bench.evidence.shelf import shelved
from bench.evidence.table import Row

_CHUNKS = 5


@dataclass(frozen=True, slots=True)
class _Question:
    text: str
    gold: tuple[Span, ...]


async def rows(data: Path) -> list[Row]:
    """Return how much of the excerpts is in the first passages, and in the sentences that are quoted from these."""
    folder = data / "excerpts"
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))}
    questions = _questions(folder / "questions.csv", texts)
    shown: list[float] = []
    quoted: list[float] = []
    identical: list[bool] = []
    declined: list[bool] = []
    async with shelved(texts, ".md") as shelf:
        for each in questions:
            hits = await shelf.hits(each.text, _CHUNKS)
            passages = [Span(Path(hit.uri).stem, hit.passage.start, hit.passage.end) for hit in hits]
            shown.append(overlap(passages, each.gold).recall)
            spans, same = await read_spans(shelf, each.text, hits)
            quoted.append(overlap(spans, each.gold).union)
            identical.extend(same)
            declined.append(not spans)
    return [
        Row("Excerpts", f"recall of gold characters@{_CHUNKS}", mean(shown), "BM25 .930", 0.94),
        Row("Excerpts", "IoU of quoted sentences", mean(quoted), "BM25 .24", 0.30),
        Row("Excerpts", "questions declined", mean(declined), "", 0.10, least=False),
        Row("Excerpts", f"{len(identical):,} quotes identical at their offsets", mean(identical), "", 1.0),
    ]


def _questions(path: Path, texts: Collection[str]) -> list[_Question]:
    with path.open(encoding="utf-8", newline="") as file:
        found = [row for row in csv.DictReader(file) if row["corpus_id"] in texts]
    return [
        _Question(
            row["question"],
            tuple(
                Span(row["corpus_id"], each["start_index"], each["end_index"]) for each in json.loads(row["references"])
            ),
        )
        for row in found
    ]

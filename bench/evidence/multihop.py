"""Questions whose answer takes several documents, with the titles of the documents and without."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.evidence.scores import mean, recall
from bench.evidence.sessions import seated
from bench.evidence.shelf import shelved
from bench.evidence.table import Row

_DEPTH = 5


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the names of the documents that answer it together."""

    text: str
    gold: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """A document with its title."""

    title: str
    text: str


async def figures(
    data: str,
    articles: dict[str, Article],
    questions: Sequence[Question],
    *,
    known: tuple[str, str],
    bounds: tuple[float, float | None],
    cited_bounds: tuple[float | None, float | None],
) -> list[Row]:
    """Return recall at 5 and the share of questions with all their documents there, titles shown and titles hidden.

    A session without a bound of its own cites all documents at least as often as the search finds them.
    """
    rows: list[Row] = []
    for hidden, bound, cited_bound in zip((False, True), bounds, cited_bounds, strict=True):
        texts = {name: each.text if hidden else f"# {each.title}\n\n{each.text}" for name, each in articles.items()}
        async with shelved(texts, ".txt" if hidden else ".md") as shelf:
            recalls = [recall(await shelf.ranking(each.text), each.gold, _DEPTH) for each in questions]
        async with seated(texts, ".txt" if hidden else ".md") as desk:
            cited = [set(each.gold) <= set(await desk.cited(each.text)) for each in questions]
        said = ", titles hidden" if hidden else ""
        rows.append(Row(data, f"R@{_DEPTH}{said}", mean(recalls), "" if hidden else known[0], bound))
        whole = mean(each == 1 for each in recalls)
        rows.append(Row(data, f"all gold@{_DEPTH}{said}", whole, "" if hidden else known[1]))
        least = whole if cited_bound is None else cited_bound
        rows.append(Row(data, f"all gold cited by a session{said}", mean(cited), "", least))
    return rows


def lines(path: Path) -> list[dict[str, Any]]:
    """Read a file with one JSON object a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

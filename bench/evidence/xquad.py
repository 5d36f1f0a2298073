"""XQuAD (Artetxe et al. 2020): questions in several languages and the paragraph that answers each."""

import gzip
import json
from pathlib import Path

from bench.evidence.scores import mean
from bench.evidence.sessions import seated
from bench.evidence.shelf import shelved
from bench.evidence.table import Row

_SESSIONS = 100
_LEAST = {"en": 0.90, "es": 0.90, "zh": 0.90}
_KNOWN = {"zh": r"BM25 .103 with \w+, .929 with pairs of characters"}


async def rows(data: Path) -> list[Row]:
    """Return the share of questions whose paragraph is the first hit, a row for each language whose file is there."""
    files = sorted((data / "xquad").glob("*.json.gz"))
    return [row for path in files for row in await _rows(path, path.name.partition(".")[0])]


async def _rows(path: Path, language: str) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        paragraphs = [each for article in json.load(file)["data"] for each in article["paragraphs"]]
    texts = {f"{number:03}": each["context"] for number, each in enumerate(paragraphs)}
    async with shelved(texts) as shelf:
        first = [
            (await shelf.ranking(asked["question"]))[:1] == [name]
            for name, each in zip(texts, paragraphs, strict=True)
            for asked in each["qas"]
        ]
    asked_of = [
        (asked["question"], name) for name, each in zip(texts, paragraphs, strict=True) for asked in each["qas"]
    ]
    async with seated(texts) as desk:
        cited = [(await desk.cited(text))[:1] == [name] for text, name in asked_of[:: len(asked_of) // _SESSIONS]]
    return [
        Row(f"XQuAD {language}", "Hits@1", mean(first), _KNOWN.get(language, ""), _LEAST.get(language)),
        Row(
            f"XQuAD {language}",
            f"first source of a session, {len(cited)} questions",
            mean(cited),
            "",
            0.88 if language in _LEAST else None,
        ),
    ]

"""Python Enhancement Proposals: 40 questions over two documents each and 50 without answer, by whole sessions.

Each question is a research session of its own over all 736 documents. Each is asked again of titles that no document
has, and ten documents that name no successor are asked for theirs; such a question must be declined, with no report or
with one that states no answer. Of each report every citation is compared with the stored text.
"""

import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.evidence.multihop import lines
from bench.evidence.scores import mean
from bench.evidence.table import Row

from quaestor.app import Quaestor, open_home
from quaestor.contracts.errors import NoEvidence
from quaestor.research.contracts.brief import ResearchDocument

_TITLE = re.compile(r'"[^"]+"')
_NAMED = re.compile(r"^Title: (.+)$", re.MULTILINE)
_REFERENCE = re.compile(r"^(?:Replaces|Superseded-By|Requires):", re.MULTILINE)
_NUMBER = re.compile(r"pep-(\d+)")
_CITED = 8
"""Among how many cited documents the gold ones must be."""
_LONE = 10
"""How many documents without references are asked after."""
_INVENTED = (
    "Glass Lids for Byte Jars",
    "Tidal Scheduling of Coroutines",
    "Quilted Generators",
    "A Lexicon of Silent Exceptions",
    "Harbour Pilots for Import Hooks",
)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The result of one question: the cited documents, the answer, and whether each citation is in its source."""

    cited: tuple[int, ...] = ()
    answer: str | None = None
    identical: tuple[bool, ...] = ()


async def rows(data: Path) -> list[Row]:
    """Return the figures of all runs."""
    folder = data / "peps"
    questions = lines(folder / "questions_sample.jsonl")
    with TemporaryDirectory() as room, tarfile.open(folder / "peps.tar.xz") as archive:
        documents, home = Path(room, "documents"), Path(room, "home")
        _unpack(archive, documents)
        async with open_home(home, model="offline") as quaestor:
            found = [await _asked(quaestor, each["question"], documents) for each in questions]
            none = [await _asked(quaestor, text, documents) for text in _without_answer(questions, documents)]
    gold = [frozenset(each["gold_docs"]) for each in questions]
    answers = [str(each["answer"]) for each in questions]
    identical = [same for one in (*found, *none) for same in one.identical]
    return [
        Row("PEPs", "all gold cited", mean(map(_cites, found, gold)), "BM25 .717, following references 1.000", 0.97),
        Row("PEPs", "exact answer", mean(one.answer == said for one, said in zip(found, answers, strict=True))),
        Row("PEPs", "answer among those given", mean(map(_gives, found, answers)), "", 0.97),
        Row("PEPs", "without answer, declined", mean(one.answer is None for one in none), "", 1.0),
        Row("PEPs", f"{len(identical):,} citations identical at their offsets", mean(identical), "", 1.0),
    ]


def _unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Write the files of an archive into a folder, whatever folders they are in there."""
    folder.mkdir()
    for member in archive:
        content = archive.extractfile(member)
        if content:
            (folder / Path(member.name).name).write_bytes(content.read())


def _cites(outcome: _Outcome, gold: frozenset[int]) -> bool:
    return gold.issubset(outcome.cited[:_CITED])


def _gives(outcome: _Outcome, answer: str) -> bool:
    """Return whether an answer is given, alone or beside others: a proposal may replace several."""
    return outcome.answer is not None and answer in outcome.answer.split("; ")


def _without_answer(questions: Sequence[Mapping[str, Any]], documents: Path) -> Iterator[str]:
    """Ask each question of invented titles, then ask after references of documents that make none."""
    for place, each in enumerate(questions):
        titles = cycle(_INVENTED[place % len(_INVENTED) :] + _INVENTED[: place % len(_INVENTED)])
        yield _TITLE.sub(partial(_titled, titles), each["question"])
    lone = (path for path in sorted(documents.glob("pep-*.rst")) if not _REFERENCE.search(path.read_text("utf-8")))
    for path in islice(lone, _LONE):
        title = _NAMED.search(path.read_text("utf-8"))
        if title and '"' not in title[1]:
            yield f'Who wrote the proposal that superseded "{title[1]}"?'


def _titled(titles: Iterator[str], _: re.Match[str]) -> str:
    return f'"{next(titles)}"'


async def _asked(quaestor: Quaestor, question: str, documents: Path) -> _Outcome:
    try:
        report = await quaestor.research(question, [documents])
    except NoEvidence:
        return _Outcome()
    cited = tuple(int(number[1]) for source in report.sources if (number := _NUMBER.search(source.uri)))
    return _Outcome(cited, report.answer, await _identical(quaestor, report))


async def _identical(quaestor: Quaestor, report: ResearchDocument) -> tuple[bool, ...]:
    """Compare every citation with the stored text, byte for byte."""
    texts = {source.sha256: await quaestor.library.text(source.sha256) or "" for source in report.sources}
    return tuple(
        texts[citation.source][citation.start : citation.end].encode() == citation.text.encode()
        for citation in report.citations()
    )

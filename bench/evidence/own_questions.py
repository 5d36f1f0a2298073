"""102 questions of three kinds of corpora, asked by whole sessions, and how each brief was judged.

The corpora are speech and stories without capitals or in other languages, tables and headers (both in the folder
`own`), and Python Enhancement Proposals. Of each brief it is checked whether a passage holds the words that answer, and
whether a direct answer is the right one; a wrong one misleads. `own/judgements.jsonl` holds what a person judged of the
rest of each brief. 53 more, in `own/lists.jsonl`, ask for lists, counts and cells of headers and tables; where nothing
shows that an answer is whole none is right. The 24 of `own/typos.jsonl` are misspelt, some of them of what no text
answers; none is to be answered directly. The 40 of `own/office.jsonl`, each with its judgement, ask the minutes,
e-mails, rules and tables of an office in three languages; some rules were written after their briefs had been read. The
93 of `own/printed.jsonl` ask what Python prints of itself, metadata of packages, and PEPs: nothing was written for them
when the `before` of each was judged, and rules were when its `judgement` was. Of a long list (`#` and its length) the
length is compared. The 35 of `own/workshop.jsonl` ask a contract, minutes, a manual, a recipe, a log, a thread of
e-mails and a long table in four languages; rules were written after their briefs had been read.
"""

import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.evidence.multihop import lines
from bench.evidence.printed_texts import write_modules, write_packages
from bench.evidence.scores import mean
from bench.evidence.sessions import Desk, seated_in
from bench.evidence.table import Row

from quaestor.research.contracts.brief import Brief

OWN = Path(__file__).parent / "own"
PRINTED = {"modules": write_modules, "packages": write_packages}


async def rows(data: Path) -> list[Row]:
    """Return how many briefs hold what answers, how many answer directly and rightly, and how many mislead."""
    found = [one for corpus in ("speech", "tables", "peps") for one in await outcomes(corpus, data)]
    listed = [one for corpus in ("tables", "catalogue", "peps") for one in await outcomes(corpus, data, "lists")]
    misspelt = [one for corpus in ("speech", "tables", "peps") for one in await outcomes(corpus, data, "typos")]
    office = await outcomes("office", data, "office")
    workshop = await outcomes("workshop", data, "workshop")
    printed = [one for corpus in ("modules", "packages", "peps") for one in await outcomes(corpus, data, "printed")]
    answerable, spelt, filed, worked, told = (
        [one for one in asked if one["gold"]] for asked in (found, misspelt, office, workshop, printed)
    )
    return [
        Row("Own questions", "passages hold what answers", mean(one["held"] for one in answerable), "", 0.8),
        Row("Own questions", "direct answers, of those expected", mean(one["right"] for one in found if one["answer"])),
        Row("Own questions", "misleading", mean(one["wrong"] for one in found), "", 0.02, least=False),
        Row("Own lists", "answered, of those that can be", mean(one["right"] for one in listed if one["answer"])),
        Row("Own lists", "misleading", mean(one["wrong"] for one in listed), "", 0.02, least=False),
        Row("Own typos", "passages hold what answers", mean(one["held"] for one in spelt)),
        Row("Own typos", "misleading", mean(one["wrong"] for one in misspelt), "", 0.02, least=False),
        Row("Own office", "passages hold what answers", mean(one["held"] for one in filed), "", 0.85),
        Row("Own office", "first passages hold it", mean(one["best"] for one in filed)),
        Row("Own office", "misleading", mean(one["wrong"] for one in office), "", 0.02, least=False),
        Row("Own workshop", "passages hold what answers", mean(one["held"] for one in worked), "", 0.85),
        Row(
            "Own workshop", "direct answers, of those expected", mean(one["right"] for one in workshop if one["answer"])
        ),
        Row("Own workshop", "misleading", mean(one["wrong"] for one in workshop), "", 0.02, least=False),
        Row("Own printed", "passages hold what answers", mean(one["held"] for one in told)),
        Row("Own printed", "first passages hold it", mean(one["best"] for one in told)),
        Row("Own printed", "direct answers, of those expected", mean(one["right"] for one in told if one["answer"])),
        Row("Own printed", "misleading", mean(one["wrong"] for one in printed), "", 0.02, least=False),
    ]


async def outcomes(corpus: str, data: Path, file: str = "questions") -> list[dict[str, Any]]:
    """Ask the questions of one corpus."""
    questions = [each for each in lines(OWN / f"{file}.jsonl") if each["corpus"] == corpus]
    async with seated_in(lambda folder: _fill(folder, corpus, data)) as desk:
        return [await _outcome(desk, each) for each in questions]


def _fill(folder: Path, corpus: str, data: Path) -> None:
    if corpus in PRINTED:
        PRINTED[corpus](folder)
        return
    if corpus != "peps":
        for path in sorted((OWN / corpus).iterdir()):
            (folder / path.name).write_bytes(path.read_bytes())
        return
    with tarfile.open(data / "peps" / "peps.tar.xz") as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content:
                (folder / Path(member.name).name).write_bytes(content.read())


async def _outcome(desk: Desk, each: Mapping[str, Any]) -> dict[str, Any]:
    brief = await desk.brief(each["question"], after=each.get("after"))
    held, best = (
        all(any(words.casefold() in text for text in _shown(brief, best=best)) for words in each.get("gold", ()))
        for best in (False, True)
    )
    answer = brief.answer if brief else None
    if answer and (each["answer"] or "").startswith("#"):
        answer = f"#{len(answer.split('; '))}"
    return {
        **each,
        "held": bool(brief) and held,
        "best": bool(brief) and best,
        "given": answer,
        "right": answer == each["answer"],
        "wrong": answer is not None and answer != each["answer"],
        "gaps": list(brief.gaps) if brief else ["declined"],
        "passages": [passage.text for passage in brief.passages] if brief else [],
    }


def _shown(brief: Brief | None, *, best: bool) -> list[str]:
    passages = brief.passages if brief else ()
    return [" ".join(one.context.text.split()).casefold() for one in passages if one.is_best or not best]

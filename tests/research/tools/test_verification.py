from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest

from fakes.papers import PAPERS, write_papers
from fakes.time import ManualClock
from quaestor.contracts.ledger import Finding
from quaestor.contracts.library import Library
from quaestor.contracts.source import Quote
from quaestor.research.contracts.roles import DraftFinding, DraftQuote
from quaestor.research.contracts.tools import ProveInput, ShownPassage, VerifyInput
from quaestor.research.tools.verification import LocateQuotes, VerifyQuotes
from quaestor.storage.sqlite import open_store
from quaestor.tools.corpus import index_corpus

FOG, KEEPERS = (sha256(PAPERS[name].encode()).hexdigest() for name in ("fog.md", "keepers.txt"))
NOWHERE = "0" * 64


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    store = open_store(":memory:")
    await index_corpus(store.library, ManualClock(), [write_papers(tmp_path)], lambda _: None)
    yield store.library
    await store.close()


def draft(claim: str, *quotes: tuple[str, str]) -> DraftFinding:
    return DraftFinding(claim=claim, quotes=tuple(DraftQuote(source=source, text=text) for source, text in quotes))


async def test_located_quotes_become_findings_with_the_words_of_the_source(library: Library) -> None:
    drafts = (
        draft("Cast in 1844.", (FOG, "THE FOG BELL of  Aldmouth was cast in 1844")),
        draft("Made up.", (FOG, "the bell was cast by hand in 1850 by some of the best founders of the whole country")),
        draft("Unknown.", (NOWHERE, "whatever")),
        draft(
            "A keeper; 310 crowns.",
            (KEEPERS, "Anna Brandt"),
            (KEEPERS, "anna brandt kept the  Aldmouth lighthouse"),
            (FOG, "310 crowns"),
            (FOG, "no such words"),
            (FOG, "310 Crowns"),
        ),
    )
    proof = await LocateQuotes(library).run(ProveInput(todo_id="t2", first=5, drafts=drafts))
    assert [(finding.id, finding.claim) for finding in proof.findings] == [
        ("t2/5", "Cast in 1844."),
        ("t2/6", "A keeper; 310 crowns."),
    ]
    [quote] = proof.findings[0].quotes
    assert quote.text == "The fog bell of Aldmouth was cast in 1844"
    assert PAPERS["fog.md"][quote.start : quote.end] == quote.text
    assert [quote.text for quote in proof.findings[1].quotes] == [
        "Anna Brandt kept the Aldmouth lighthouse",
        "310 crowns",
    ]
    assert [source.sha256 for source in proof.sources] == [FOG, KEEPERS]
    assert proof.refused == (
        f"not in source {FOG[:8]}: 'the bell was cast by hand in 1850 by some of the best founde…'",
        "no source 00000000 is stored",
    )


async def test_words_are_looked_for_in_what_was_shown_and_nowhere_else(library: Library) -> None:
    passage = ShownPassage(source=FOG, start=0, end=len(PAPERS["fog.md"]))
    told = draft("Cast in 1844.", (KEEPERS, "The fog bell of Aldmouth was cast in 1844"))
    unknown = draft("Cast in 1844.", ("p7", "The fog bell of Aldmouth was cast in 1844"))
    given = ProveInput(todo_id="t1", drafts=(told, unknown), shown=(passage,))
    proof = await LocateQuotes(library).run(given)
    assert [[quote.source for quote in finding.quotes] for finding in proof.findings] == [[FOG], [FOG]]
    heading = passage.revised(end=PAPERS["fog.md"].index("\n"))
    assert (await LocateQuotes(library).run(given.revised(shown=(heading,)))).refused == (
        f"not in source {KEEPERS[:8]}: 'The fog bell of Aldmouth was cast in 1844'",
        "no passage has the label p7",
    )


async def test_marks_without_words_prove_nothing(tmp_path: Path) -> None:
    store = open_store(":memory:")
    (tmp_path / "marks.md").write_text("Words of a text.\n\n***\n---\n\nMore words of it.\n", encoding="utf-8")
    await index_corpus(store.library, ManualClock(), [tmp_path], lambda _: None)
    source = sha256((tmp_path / "marks.md").read_bytes()).hexdigest()
    proof = await LocateQuotes(store.library).run(ProveInput(todo_id="t1", drafts=(draft("X.", (source, "***\n---")),)))
    await store.close()
    assert proof.findings == ()
    assert "fewer than 3 telling words" in proof.refused[0]


async def test_a_heading_and_its_paragraph_are_no_quote_together(library: Library) -> None:
    told = draft("It rang.", (FOG, "# The fog bell The fog bell of Aldmouth was cast in 1844"))
    [finding] = (await LocateQuotes(library).run(ProveInput(todo_id="t1", drafts=(told,)))).findings
    assert [quote.text for quote in finding.quotes] == ["The fog bell of Aldmouth was cast in 1844"]


async def test_what_stands_twice_is_quoted_from_the_passage_that_was_read(tmp_path: Path) -> None:
    store, said = open_store(":memory:"), "The bell was struck by hand."
    text = f"# The old bell\n\n{said}\n\n# The new bell\n\n{said}\n"
    (tmp_path / "bells.md").write_text(text, encoding="utf-8")
    await index_corpus(store.library, ManualClock(), [tmp_path], lambda _: None)
    source, second = sha256(text.encode()).hexdigest(), text.rindex(said)
    shown = ShownPassage(source=source, start=text.index("# The new"), end=len(text))
    given = ProveInput(todo_id="t1", drafts=(draft("By hand.", (source, said)),), shown=(shown,))
    [finding] = (await LocateQuotes(store.library).run(given)).findings
    await store.close()
    assert finding.quotes[0].start == second


async def test_words_that_are_anywhere_are_no_proof(library: Library) -> None:
    proof = await LocateQuotes(library).run(ProveInput(todo_id="t1", drafts=(draft("It rang.", (FOG, "was cast")),)))
    assert proof.findings == ()
    assert proof.refused == (
        f"no proof in source {FOG[:8]}: 'was cast': it has fewer than 3 telling words and is no whole value",
    )


async def test_a_changed_quote_is_not_verified(library: Library) -> None:
    proof = await LocateQuotes(library).run(
        ProveInput(todo_id="t1", drafts=(draft("Cast in 1844.", (FOG, "cast in 1844")),))
    )
    [true] = proof.findings
    moved = true.quotes[0].model_copy(update={"start": 0, "end": 12})
    false = true.model_copy(update={"id": "t1/2", "quotes": (*true.quotes, moved)})
    lost = true.model_copy(update={"id": "t1/3", "quotes": (Quote(source=NOWHERE, start=0, end=1, text="x"),)})
    verdicts = (await VerifyQuotes(library).run(VerifyInput(findings=(true, false, lost)))).verdicts
    assert [(each.finding, each.verified) for each in verdicts] == [("t1/1", True), ("t1/2", False), ("t1/3", False)]
    assert [bool(each.reason) for each in verdicts] == [False, True, True]


async def test_a_verdict_names_the_place_of_a_cell(tmp_path: Path) -> None:
    text = "light,height\nVos,40\nBell,36\n"
    (tmp_path / "lights.csv").write_text(text)
    store = open_store(":memory:")
    await index_corpus(store.library, ManualClock(), [tmp_path], lambda _: None)
    name = sha256(text.encode()).hexdigest()
    cell, names = (
        Quote(source=name, start=text.index(words), end=text.index(words) + len(words), text=words)
        for words in ("36", "light")
    )
    findings = (Finding(id="t1/1", claim="36", quotes=(names, cell)), Finding(id="t1/2", claim="l", quotes=(names,)))
    with_cell, without = (await VerifyQuotes(store.library).run(VerifyInput(findings=findings))).verdicts
    assert with_cell.in_tables[0] is None
    assert with_cell.in_tables[1]
    assert (with_cell.in_tables[1].row, with_cell.in_tables[1].columns) == (2, ("height",))
    assert without.in_tables == ()
    await store.close()


async def test_a_quote_that_leaves_words_out_is_several_and_all_of_them_are_there_in_order(library: Library) -> None:
    text = PAPERS["fog.md"]
    words = [word for word in text.split() if word.isalpha()]
    first, last = " ".join(text.split()[5:14]), " ".join(text.split()[-9:])
    drafts = (
        draft("Short.", (FOG, f"{first} … {last}")),
        draft("Bracketed.", (FOG, f"{first} [...] {last}")),
        draft("Turned.", (FOG, f"{last} ... {first}")),
        draft("Short parts.", (FOG, f"The … {last}")),
        draft("Invented.", (FOG, f"{first} … {' '.join(reversed(words[:9]))}")),
    )
    proof = await LocateQuotes(library).run(ProveInput(todo_id="t1", first=1, drafts=drafts))
    assert [finding.claim for finding in proof.findings] == ["Short.", "Bracketed."]
    for finding in proof.findings:
        assert len(finding.quotes) > 1
        assert [quote.text for quote in finding.quotes] == [text[one.start : one.end] for one in finding.quotes]

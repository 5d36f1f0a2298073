"""The marks of citations in a rendered report: each exact, and none where a source only looks like one."""

from datetime import UTC, datetime

from quaestor.app.cited_text import cite_document
from quaestor.contracts.cost import Spend
from quaestor.contracts.source import Source
from quaestor.research.contracts.report import Citation, Claim, GenerationInfo, Report

SHA256 = "a" * 64
HOSTILE = "See [1] and <b>[2]</b> \\[1] \U0001f600 of\u202e x"


def report(uri: str, text: str) -> Report:
    quote = Citation(source=SHA256, start=3, end=3 + len(text), text=text, number=1, finding="t1/1")
    source = Source(
        sha256=SHA256, title=text, uri=uri, media_type="text/html", characters=99, retrieved_at=datetime.now(UTC)
    )
    claim = Claim(number=1, text=text, quoted=True, citations=(quote,))
    making = GenerationInfo(
        model="m", todos=1, todos_done=1, searches=1, sources_searched=1, spend=Spend(), extractive=False
    )
    return Report(version=1, question=text, title=text, summary=(claim,), sources=(source,), making=making)


def test_a_mark_is_where_the_text_cites_and_not_where_a_source_has_brackets() -> None:
    cited = cite_document(report("https://example.org/a?x=[1]&y=[2]", HOSTILE))
    assert [cited.text[mark.start : mark.end] for mark in cited.marks] == ["[1]", "[1]"]
    for mark in cited.marks:
        line = cited.text[: mark.end].rpartition("\n")[2]
        assert line.removesuffix("[1]").rstrip().endswith(("x", "-"))  # behind the claim, and before the reference
    [proof] = cited.proofs
    assert (proof.number, proof.quote.text, proof.source.sha256) == (1, HOSTILE, SHA256)

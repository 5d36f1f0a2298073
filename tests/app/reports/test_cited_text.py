"""The marks of citations in a rendered report: each exact, and none where a source only looks like one."""

from fakes.cited import HOSTILE, SHA256, report
from quaestor.app.reports.cited_text import cite_document


def test_a_mark_is_where_the_text_cites_and_not_where_a_source_has_brackets() -> None:
    cited = cite_document(report("https://example.org/a?x=[1]&y=[2]", HOSTILE))
    assert [cited.text[mark.start : mark.end] for mark in cited.marks] == ["[1]", "[1]"]
    for mark in cited.marks:
        line = cited.text[: mark.end].rpartition("\n")[2]
        assert line.removesuffix("[1]").rstrip().endswith(("x", "-"))  # behind the claim, and before the reference
    [proof] = cited.proofs
    assert (proof.number, proof.quote.text, proof.source.sha256) == (1, HOSTILE, SHA256)

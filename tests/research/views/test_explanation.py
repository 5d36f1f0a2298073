from quaestor.research.contracts.report import Citation
from quaestor.research.views.explanation import CitationTrace, Explanation, render_explanation
from research.views.sample import APPOINTED, COLD, SHORT, TEXTS, claim, source

TRACE = CitationTrace(
    citation=SHORT,
    source=source("guide"),
    heading="Waters",
    before="guide gives the Marcia ",
    after=" several",
    todo_id="t2",
    task="How long was\nthe Marcia?",
    state="RECORDING",
    query="Marcia length",
    searched=12,
    read=15,
    recorded=21,
)


def test_a_claim_is_traced_from_the_source_to_the_search() -> None:
    text = render_explanation(
        Explanation(session_id="s1", claim=claim(5, "It is 88 kilometres long.", SHORT), traces=(TRACE,))
    )
    assert text == (
        "Claim 5 of session s1\n"
        "  It is 88 kilometres long.\n"
        "  quoted     yes\n"
        "  verdict    not checked\n"
        "\n"
        "[5] A visitor's guide\n"
        "    …guide gives the Marcia «a length of 88 kilometres. ↵ It was repaired» several…\n"
        "    found at   https://example.com/guide\n"
        f'    place      characters {SHORT.start} to {SHORT.end} of {len(TEXTS["guide"])}, under "Waters"\n'
        f"    sha256     {SHORT.source}\n"
        "    retrieved  2026-05-04 09:30:12 UTC\n"
        "    todo       t2: How long was the Marcia?\n"
        '    query      "Marcia length"\n'
        "    events     searched 12, read 15, recorded 21 in RECORDING\n"
    )


def around(quoted: Citation) -> str:
    whole = TEXTS["aqua"]
    before, after = whole[: quoted.start], whole[quoted.end :]
    trace = TRACE.model_copy(update={"citation": quoted, "source": source("aqua"), "before": before, "after": after})
    return render_explanation(Explanation(session_id="s1", claim=claim(1, "Cold.", quoted), traces=(trace,)))


def test_an_ellipsis_stands_only_where_the_source_goes_on() -> None:
    assert "nine. «The Marcia carried the coldest and clearest water of all.»\n" in around(COLD)
    assert "    «Frontinus was appointed water commissioner in the year 97.» The aqueducts" in around(APPOINTED)
    assert "…" not in around(COLD) + around(APPOINTED)


def test_what_the_log_does_not_hold_is_not_told() -> None:
    trace = TRACE.model_copy(
        update={
            "query": None,
            "searched": None,
            "read": None,
            "recorded": None,
            "heading": "",
            "before": "",
            "after": "",
        }
    )
    text = render_explanation(Explanation(session_id="s1", claim=claim(5, "Long.", SHORT), traces=(trace,)))
    assert "query" not in text
    assert "under" not in text
    assert "events     none in the log" in text


def test_a_claim_that_is_not_quoted_has_no_trace_and_says_so() -> None:
    told = Explanation(session_id="s1", claim=claim(6, "No\x1b[2J pumps.", quoted=False))
    assert render_explanation(told) == (
        "Claim 6 of session s1\n  No\ufffd[2J pumps.\n  quoted     no: no verified quote is under it\n"
        "  verdict    not checked\n"
    )

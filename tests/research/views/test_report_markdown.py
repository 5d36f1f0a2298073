from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from quaestor.research.contracts.report import Report, ReportSection
from quaestor.research.contracts.verdicts import Verdict
from quaestor.research.views.report_markdown import render_markdown
from research.views.sample import APPOINTED, COLD, HOSTILE, STARTS, bare, claim, report

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
SIGNS = [
    *"#-+=*_`[]()<>!|~&;:.,\\\"'{}^$@/ \n\r\t01ab\u00e9\u4e2d\u3002\u05d0\u202e\x1b\x00",
    "http://a.b", "www.a.b", "&amp;", "<b>", "[a](b)", "[^1]:", "---", "    ", "1. ", "- ",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=12).map("".join).filter(str.strip)


def with_everywhere(text: str) -> Report:
    """A report that says the text in every place that a source or a model can fill."""
    said = claim(1, text, APPOINTED.model_copy(update={"text": text, "end": APPOINTED.start + len(text)}))
    whole = report(partial=text, title=text)
    return whole.model_copy(
        update={
            "question": text,
            "answer_claim": said,
            "summary": (said,),
            "key_findings": (said,),
            "sections": tuple(
                section.model_copy(update={"heading": text, "claims": (said,), "note": text})
                for section in whole.sections
            ),
            "contradictions": tuple(
                found.model_copy(update={"subject": text, "values": (text,) * len(found.values)})
                for found in whole.contradictions
            ),
            "gaps": (text,),
            "blocked": (text,),
            "conclusion": (said,),
            "sources": tuple(
                source.model_copy(update={"title": text, "uri": f"/a/{text.strip()}"}) for source in whole.sources
            ),
            "making": whole.making.model_copy(update={"model": text}),
        }
    )


def tokens(text: str) -> list[Token]:
    return [token for block in PARSER.parse(text) for token in (block, *(block.children or []))]


def structure(text: str) -> list[str]:
    return [token.type for token in tokens(text)]


def words(text: str) -> str:
    return "\n".join(
        "".join(token.content for token in block.children or [] if token.type in {"text", "code_inline"})
        for block in PARSER.parse(text)
        if block.type == "inline"
    )


@given(TEXTS)
def test_no_text_becomes_structure(text: str) -> None:
    assert structure(render_markdown(with_everywhere(text))) == structure(render_markdown(with_everywhere("word")))


@given(TEXTS)
def test_a_reader_sees_the_words_as_they_are(text: str) -> None:
    seen = " ".join(text.replace("\x1b", "\ufffd").replace("\x00", "\ufffd").replace("\u202e", "\ufffd").split())
    assert words(render_markdown(with_everywhere(text))) == words(render_markdown(with_everywhere("word"))).replace(
        "word", seen
    )


@pytest.mark.parametrize("start", STARTS)
def test_nothing_begins_a_block(start: str) -> None:
    told = report(extra=[claim(20, start)])
    alone = told.model_copy(update={"summary": (claim(21, start),), "key_findings": (claim(22, start),)})
    plain = told.model_copy(update={"summary": (claim(21, "word"),), "key_findings": (claim(22, "word"),)})
    assert structure(render_markdown(alone)) == structure(render_markdown(plain))


def test_hostile_text_makes_no_link_no_picture_no_html_and_no_heading() -> None:
    found = tokens(render_markdown(report()))
    links = [token.attrs.get("href") for token in found if token.type == "link_open"]
    assert links == [
        "https://example.org/survey?year=1899&part=2",
        "https://example.org/%E6%B0%B4%E9%81%93",
        "https://example.com/guide",
    ]
    assert not [token for token in found if token.type in {"image", "html_inline", "html_block", "code_block", "hr"}]
    headings = [after.content for token, after in pairwise(found) if token.type == "heading_open"]
    assert headings == [
        "The Aqua Marcia",
        "Summary",
        "Key findings",
        "Details",
        "Who looked after the aqueducts?",
        "How long was the Marcia?",
        "When was it built? \u05d0\u05de\u05ea \u05d4\u05de\u05d9\u05dd",
        "What did it cost?",
        "Contradictions",
        "Gaps",
        "Conclusion",
        "References",
        "How this was made",
    ]


@pytest.mark.parametrize("sign", ["https://evil", "www.evil", " @somebody", " | b", " $x", " ~~gone"])
def test_what_other_dialects_read_is_broken_too(sign: str) -> None:
    assert sign in HOSTILE
    assert sign not in render_markdown(report())


def test_an_entity_stays_the_letters_it_is() -> None:
    assert "&lt;b&gt; &copy;" in words(render_markdown(report()))


def test_claims_carry_their_citations_and_their_doubts() -> None:
    lines = render_markdown(report()).splitlines()
    assert "**Answer:** 91 kilometres [1][2]" in lines
    assert "- A survey of 1899 gives 91 kilometres; a visitor's guide gives 88. [1][5]" in lines
    assert "- Its builders worked without pumps anywhere on the way. (not quoted)" in lines
    assert "*The search brought nothing on this.*" in lines


def test_every_source_stands_once_with_its_quotes_below_it() -> None:
    lines = render_markdown(report()).splitlines()
    head = "- **De aquaeductu, an English reading**, /home/ada/papers/de aquaeductu.pdf"
    place = next(number for number, line in enumerate(lines) if line.startswith(head))
    assert lines[place : place + 3] == [
        f"{head}, sha256 `{COLD.source[:12]}`, retrieved 2026-05-04 09:30:12 UTC, dated 2019-07-01",
        "  - [3] “The Marcia carried the coldest and clearest water of all.”, page 2",
        "  - [4] “Frontinus was appointed water commissioner in the year 97.”, page 1",
    ]


def test_a_contradiction_names_both_values_with_their_citations() -> None:
    assert (
        "- **length of the Marcia**: “91 kilometres” [1] against “88 kilometres” [5] against "
        r"“\[90](https\://evil.example) kilometres” (finding t9/1)" in render_markdown(report())
    )


def test_gaps_end_with_what_was_blocked() -> None:
    assert "- Blocked: t5: Compare the cost with that of the Anio: waits for t4" in render_markdown(report())


def test_a_partial_report_says_so_at_the_top() -> None:
    text = render_markdown(report(partial="The limit of 40 model calls was reached."))
    assert text.split("\n\n")[1] == "> **Partial report.** The limit of 40 model calls was reached."
    assert "Partial" not in render_markdown(report())


def test_extracts_are_listed_and_labelled() -> None:
    text = render_markdown(report(extractive=True))
    assert "- Frontinus was appointed water commissioner in the year 97. [4]\n- Of all" in text
    assert "no language model wrote them" in text
    assert "no language model wrote them" not in render_markdown(report())


def test_an_answer_without_a_claim_is_not_quoted() -> None:
    text = render_markdown(report().model_copy(update={"answer_claim": None}))
    assert "**Answer:** 91 kilometres (not quoted)" in text


def test_how_it_was_made_is_told() -> None:
    text = render_markdown(report())
    for fact in ("- Todos: 3 of 5 done", "- Searches: 27", "- Sources searched: 1,204", "- Cost: 0.421 US dollars"):
        assert fact in text


def test_empty_parts_are_left_out() -> None:
    assert render_markdown(bare()) == (
        "# Why\n\n**Question:** Why?\n\n## How this was made\n\n- Model: offline\n- Todos: 0 of 1 done\n"
        "- Searches: 0\n- Sources searched: 0\n- Model calls: 0\n- Tool calls: 0\n- Tokens: 0\n- Cost: 0 US dollars\n"
    )


def test_a_question_that_is_the_title_is_not_said_twice() -> None:
    sample = report()
    assert "**Question:**" in render_markdown(sample)
    assert "**Question:**" not in render_markdown(sample.model_copy(update={"title": sample.question}))


def test_what_a_checker_concluded_is_shown_beside_the_claim_and_counted_at_the_top() -> None:
    checked = [
        claim(1, "It was long.", COLD).revised(verdict=Verdict.SUPPORTED, checked_by="m"),
        claim(2, "It was short.", COLD).revised(verdict=Verdict.REFUTED, note="It was long.", checked_by="m"),
        claim(3, "It cost much.", COLD).revised(verdict=Verdict.UNVERIFIABLE, checked_by="rules"),
    ]
    section = ReportSection(todo_id="t1", heading="Length", claims=tuple(checked))
    lines = render_markdown(bare().revised(sections=(section,))).splitlines()
    assert "*3 of 3 claims quoted; 1 supported, 1 refuted, 1 unverifiable (checked by m, rules).*" in lines
    body = next(line for line in lines if line.startswith("It was long"))
    assert body == "It was long. [3] It was short. [3] (refuted: It was long.) It cost much. [3] (unverifiable)"


def test_what_was_assumed_stands_in_the_report() -> None:
    text = render_markdown(bare().revised(assumptions=("Paris is the capital of France.",)))
    assert "## Assumptions\n\n- Paris is the capital of France." in text

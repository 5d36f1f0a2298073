"""A report such as a session brings home: several sections, several scripts, and sources that mean harm."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from hashlib import sha256

from quaestor.contracts.cost import Spend
from quaestor.contracts.ledger import Contradiction
from quaestor.contracts.source import Source
from quaestor.research.contracts.report import Citation, Claim, GenerationInfo, Report, ReportSection

HOSTILE = (
    "# Not a heading\n\n---\n[click](https://evil.example/a) ![pixel](https://evil.example/p.png) "
    "<https://evil.example> <script>alert('x')</script><img src=x onerror=alert(1)> [^1] `code` **bold** _em_ "
    "~~gone~~ | a | b | www.evil.example https://evil.example/bare &lt;b&gt; "
    "&copy; \\[1] $x^2$ @somebody \x1b[2J\x00 \u202ereversed"
)
STARTS = (
    "# heading", "- item", "+ item", "* item", "1. first", "2) second", "> quote", "---", "===", "```", "    code",
    "\tcode", "| a | b |", "[1]: https://evil.example", "[ ] task", ": term", "<div>", "~~~", "___", "1986\\. year",
)  # fmt: skip
TEXTS = {
    "aqua": "Frontinus was appointed water commissioner in the year 97. The aqueducts then numbered nine.\n\n"
    "The Marcia carried the coldest and clearest water of all.",
    "survey": "A survey of 1899 measured the Marcia at 91 kilometres from source to city, of which 10 ran on arches.",
    "guide": "The guide gives the Marcia a length of 88 kilometres.\nIt was repaired several times.",
    "chinese": "马西亚水道始建于公元前144年。它全长约91公里。它是罗马最长的水道。",
    "hebrew": "אמת המים מרקיה נבנתה בשנת 144 לפני הספירה והובילה מים אל העיר.",
    "hostile": HOSTILE,
}
_NAMES = {
    "aqua": ("De aquaeductu, an English reading", "/home/ada/papers/de aquaeductu.pdf"),
    "survey": ("Survey of the Roman aqueducts", "https://example.org/survey?year=1899&part=2"),
    "guide": ("A visitor's guide", "https://example.com/guide"),
    "chinese": ("罗马水道概述", "https://example.org/水道"),
    "hebrew": ("אמות המים של רומא", "/home/ada/papers/אמות.html"),
    "hostile": ('</title><script>alert("t")</script> [title](https://evil.example)', "javascript:alert(1)//https://x"),
}


def source(name: str) -> Source:
    title, uri = _NAMES[name]
    return Source(
        sha256=sha256(TEXTS[name].encode()).hexdigest(),
        title=title,
        uri=uri,
        media_type="text/plain",
        characters=len(TEXTS[name]),
        retrieved_at=datetime(2026, 5, 4, 9, 30, 12, tzinfo=UTC),
        published=date(2019, 7, 1) if name == "aqua" else None,
        pages=(0, TEXTS[name].index("The Marcia")) if name == "aqua" else (),
    )


def citation(number: int, name: str, text: str, finding: str) -> Citation:
    start = TEXTS[name].index(text)
    return Citation(
        number=number, finding=finding, source=source(name).sha256, start=start, end=start + len(text), text=text
    )


APPOINTED = citation(4, "aqua", "Frontinus was appointed water commissioner in the year 97.", "t1/1")
LONG = citation(1, "survey", "the Marcia at 91 kilometres from source to city", "t2/1")
SHORT = citation(5, "guide", "a length of 88 kilometres.\nIt was repaired", "t2/2")
CHINESE = citation(2, "chinese", "它全长约91公里。它是罗马最长的水道。", "t2/3")
HEBREW = citation(6, "hebrew", "נבנתה בשנת 144 לפני הספירה", "t3/1")
HARM = citation(7, "hostile", HOSTILE, "t3/2")
COLD = citation(3, "aqua", "The Marcia carried the coldest and clearest water of all.", "t1/2")


def claim(number: int, text: str, *citations: Citation, quoted: bool = True) -> Claim:
    return Claim(number=number, text=text, quoted=quoted, citations=citations)


def report(
    *, extractive: bool = False, partial: str | None = None, extra: Sequence[Claim] = (), title: str = "The Aqua Marcia"
) -> Report:
    return Report(
        version=2,
        question="How long was the Aqua Marcia, who looked after it, and when was it built?",
        title=title,
        answer="91 kilometres",
        answer_claim=claim(1, "91 kilometres", LONG, CHINESE),
        summary=(
            claim(2, "The Aqua Marcia ran for some 91 kilometres and brought the coldest water to Rome.", LONG, COLD),
            claim(3, "Sextus Julius Frontinus took charge of it, with eight others, in the year 97.", APPOINTED),
        ),
        key_findings=(
            claim(4, "Frontinus became water commissioner in 97.", APPOINTED),
            claim(5, "A survey of 1899 gives 91 kilometres; a visitor's guide gives 88.", LONG, SHORT),
            claim(6, "Its builders worked without pumps anywhere on the way.", quoted=False),
        ),
        sections=(
            ReportSection(
                todo_id="t1",
                heading="Who looked after the aqueducts?",
                claims=(
                    claim(7, "Frontinus was appointed water commissioner in the year 97.", APPOINTED),
                    claim(8, "Of all the waters he writes about, he praises that of the Marcia most.", COLD),
                    claim(9, "The office was held for life.", quoted=False),
                ),
            ),
            ReportSection(
                todo_id="t2",
                heading="How long was the Marcia?",
                claims=(
                    claim(10, "It was measured at 91 kilometres in 1899, ten of them on arches.", LONG),
                    claim(11, "马西亚水道全长约91公里。它是罗马最长的水道。", CHINESE),
                ),
            ),
            ReportSection(
                todo_id="t3",
                heading="When was it built? אמת המים",
                claims=(
                    claim(12, "אמת המים מרקיה נבנתה בשנת 144 לפני הספירה.", HEBREW),
                    claim(13, HOSTILE, HARM),
                    *extra,
                ),
            ),
            ReportSection(todo_id="t4", heading="What did it cost?", note="The search brought nothing on this."),
        ),
        contradictions=(
            Contradiction(
                subject="length of the Marcia",
                findings=("t2/1", "t2/2", "t9/1"),
                values=("91 kilometres", "88 kilometres", "[90](https://evil.example) kilometres"),
            ),
        ),
        gaps=("What the work cost and who paid for it.", "[gap](https://evil.example) <b>bold</b>"),
        blocked=("t5: Compare the cost with that of the Anio: waits for t4, which failed",),
        conclusion=(
            claim(
                14, "The longest of the old aqueducts was measured at 91 kilometres; one guide differs.", LONG, SHORT
            ),
        ),
        sources=tuple(source(name) for name in ("survey", "chinese", "aqua", "guide", "hebrew", "hostile")),
        making=GenerationInfo(
            model="offline" if extractive else "a-model-of-some-size",
            todos=5,
            todos_done=3,
            searches=27,
            sources_searched=1204,
            spend=Spend(model_calls=41, tool_calls=30, tokens=182_345, dollars=Decimal("0.4210")),
            extractive=extractive,
        ),
        partial=partial,
    )


def bare() -> Report:
    """A report in which every part that may be empty is empty."""
    return Report(
        version=1,
        question="Why?",
        title="Why",
        making=GenerationInfo(
            model="offline",
            todos=1,
            todos_done=0,
            searches=0,
            sources_searched=0,
            spend=Spend(),
            extractive=False,
        ),
    )
